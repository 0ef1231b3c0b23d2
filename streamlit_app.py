"""The app's router: which page. Start it with ``make run``."""

import streamlit as st

from ui.pages import export, model, people, projects, review
from ui.shell import ASSETS

st.set_page_config(page_title="Rollcall", page_icon=str(ASSETS / "logo.svg"), layout="wide")
st.session_state["pages"] = {
    "projects": st.Page(projects.page, title="Projects", url_path="projects", default=True),
    "review": st.Page(review.page, title="Review", url_path="review"),
    "people": st.Page(people.page, title="People", url_path="people"),
    "model": st.Page(model.page, title="Model", url_path="model"),
    "export": st.Page(export.page, title="Export", url_path="export"),
}
st.navigation(list(st.session_state["pages"].values()), position="hidden").run()
