"""The review page alone, for AppTest, which does not know the router's pages."""

import streamlit as st

from ui.pages import export, model, people, projects, review

if __name__ == "__main__":
    st.session_state["pages"] = {
        name: st.Page(module.page, title=name, url_path=name)
        for name, module in {"projects": projects, "people": people, "model": model, "export": export}.items()
    }
    st.session_state["pages"]["review"] = st.Page(review.page, title="review", url_path="review", default=True)
    st.navigation(list(st.session_state["pages"].values()), position="hidden").run()
