"""Who is looking, and what they may do. Without a login, whoever sits at this machine may do everything.

With one, ``.streamlit/access.toml`` says who may come in, and as what:

    owners = ["ann@example.org"]       # everything
    annotators = ["bob@example.org"]   # look, decide who is who, run
    folders = ["/srv/films"]           # where owners may name paths of this machine when others can reach the app

The file is read anew whenever it has changed, so who is struck from it is out with their next click.
"""

from __future__ import annotations

import os
import sys
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from core.errors import BadInput
from ui.sharing import beyond_localhost, login_on, unsafe

Role = Literal["owner", "annotator"]
FILE = Path(__file__).resolve().parents[1] / ".streamlit" / "access.toml"


@dataclass(frozen=True)
class Access:
    """What the file says."""

    owners: frozenset[str] = frozenset()
    annotators: frozenset[str] = frozenset()
    folders: tuple[Path, ...] = ()

    def role(self, email: str) -> Role | None:
        """What somebody may be; a person in both lists is an owner."""
        if email in self.owners:
            return "owner"
        return "annotator" if email in self.annotators else None


def access() -> Access:
    """The file as it is now; without one nobody is listed."""
    path = Path(os.environ.get("ROLLCALL_ACCESS") or FILE)
    try:
        return _read(path, path.stat().st_mtime_ns)
    except FileNotFoundError:
        return Access()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}), so nobody can come in; make it readable") from error


@lru_cache(maxsize=4)
def _read(path: Path, changed: int) -> Access:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: this is no TOML ({error}), so nobody can come in; correct it") from error
    lists = {key: _texts(path, key, content.get(key, [])) for key in ("owners", "annotators", "folders")}
    unknown = next((key for key in content if key not in lists), None)
    if unknown is not None:
        raise BadInput(f"{path}: {unknown!r} is not known, so nobody can come in; use owners, annotators and folders")
    folders = tuple(Path(folder).expanduser().resolve() for folder in lists["folders"])
    return Access(frozenset(map(_plain, lists["owners"])), frozenset(map(_plain, lists["annotators"])), folders)


def _texts(path: Path, key: str, value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) and item.strip() for item in value):
        raise BadInput(f'{path}: {key} must be a list of texts, as {key} = ["…"]; until then nobody can come in')
    return value


def _plain(email: str) -> str:
    """An address as it is compared. Only ASCII has capitals here: elsewhere two letters may have one small form."""
    email = email.strip()
    return email.lower() if email.isascii() else email


# --- Who is looking ----------------------------------------------------------------------------------------------------


def email() -> str:
    """The address that somebody logged in with, if their provider has verified it; "" for anybody else."""
    if not st.user.get("is_logged_in") or st.user.get("email_verified") not in (True, "true"):
        return ""
    address = st.user.get("email")
    return _plain(address) if isinstance(address, str) else ""


def role() -> Role | None:
    """What whoever is looking may be; None for somebody who may not come in."""
    if not login_on():
        return "owner"
    return access().role(email())


def listed() -> list[str]:
    """Everybody whom the file lists; nobody where there is no login."""
    return sorted(access().owners | access().annotators) if login_on() else []


def is_owner() -> bool:
    return role() == "owner"


def check_listed() -> None:
    """Refuses whoever may not come in, or no longer."""
    if role() is None:
        raise BadInput("you are not, or no longer, on this Rollcall's list of people; ask its owner, then log in again")


def check_owner(what: str) -> None:
    """Refuses everybody but owners."""
    if not is_owner():
        raise BadInput(f"only owners may {what}; ask one of them")


def check_path(path: Path) -> None:
    """Refuses a path of this machine that is not in the folders for it, when others can reach the app."""
    check_owner("name paths on this machine")
    if not beyond_localhost() and not login_on():
        return
    try:
        real = path.expanduser().resolve()
    except (RuntimeError, OSError, ValueError) as error:  # a home or a name that cannot be
        raise BadInput(f"{path}: this is no path on this machine; check it") from error
    if not any(real.is_relative_to(folder) for folder in access().folders):
        raise BadInput(f"{path}: is not in one of the folders that access.toml lists, and others can reach this app; add it")


# --- The door ----------------------------------------------------------------------------------------------------------


def admit() -> None:
    """Lets somebody in, or says why not and ends the page."""
    if st.session_state.get("leaving"):
        _closed("Logging out", "Reload this page if it stays.")
    wrong = unsafe()
    if wrong:
        print(f"rollcall: {wrong}", file=sys.stderr)
        _closed("Rollcall is not served like this", wrong)
    try:
        if role() is not None:
            return
    except BadInput as error:
        print(f"rollcall: {error}", file=sys.stderr)
        _closed("Nobody can come in", "The list of people cannot be read; its owner sees why in the terminal.")
    if not st.user.get("is_logged_in"):
        _closed("Rollcall", "Log in to see the projects.", "Log in")
    if not email():
        _closed("This address is not verified", "Your provider has not verified your e-mail address.", "Log out")
    _closed("You are not on the list", f"{email()} may not come in here. Ask the owner of this Rollcall.", "Log out")


def leave() -> None:
    """Logs out. The cookie goes only as the browser follows the redirect, which a fresh session ends; until then nobody is
    told that they are out."""
    st.session_state["leaving"] = True
    st.logout()


def _closed(title: str, words: str, button: str = "") -> None:
    with st.container(key="door", horizontal_alignment="center"):
        st.space("large")
        st.header(title, anchor=False, text_alignment="center")
        st.text(words, text_alignment="center")
        if button:
            st.button(button, key="door-button", type="primary", on_click=st.login if button == "Log in" else leave)
    st.stop()
