"""The app's router: which page. Start it with ``make run``."""

import streamlit as st

from ui.pages import first
from ui.widgets.film import ASSETS

st.set_page_config(page_title="Rollcall", page_icon=str(ASSETS / "logo.svg"), layout="wide")
st.navigation([st.Page(first.page, title="Rollcall", default=True)], position="hidden").run()
