"""Who can reach the app, and whether it may be served as it is set up. SECURITY.md tells how to share it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

TOLD = "ROLLCALL_SHARE"
WORDS = "I know that anyone on this network can see and change everything"
AUTH = ("redirect_uri", "cookie_secret", "client_id", "client_secret", "server_metadata_url")
SHORTEST_SECRET = 32  # characters of the key that signs the login's cookie
SAFE = {  # how these options must stand, and what would be if they did not
    "server.enableCORS": (True, "any web page could use the app through your browser"),
    "server.enableXsrfProtection": (True, "any web page could upload files through your browser"),
    "global.developmentMode": (False, "any web page could use the app through your browser"),
    "server.enableAgentApi": (False, "programs could use the app past its pages"),
    "server.trustedUserHeaders": ({}, "a request could say by itself who has logged in"),
}


def unsafe() -> str:
    """Why the app must not be served as it is set up, in one sentence; "" where it may."""
    for option, (wanted, else_) in SAFE.items():
        if (st.get_option(option) or wanted.__class__()) != wanted:
            return f"{option} is not {wanted}, so {else_}; leave it as .streamlit/config.toml has it."
    hosts = st.get_option("server.allowedHosts")
    if not hosts or any("*" in host for host in hosts):
        return "server.allowedHosts does not name the app's hosts, so any web page could pretend to be one; name them."
    return _wrong_login() or _open_to_all()


def beyond_localhost() -> str:
    """What lets others than this machine reach the app, by an address, or through a proxy that has a name; "" if nothing."""
    address = st.get_option("server.address") or ""
    if not _is_loopback(address):
        return f"server.address is {address or 'not set'}"
    for option in ("server.allowedHosts", "server.corsAllowedOrigins"):
        other = next((host for host in _listed(st.get_option(option)) if not _is_loopback(host)), "")
        if other:
            return f"{option} names {other}"
    return ""


def login_on() -> bool:
    """Whether people must log in: there is a section [auth] in the secrets."""
    return st.secrets.load_if_toml_exists() and "auth" in st.secrets


def _open_to_all() -> str:
    how = beyond_localhost()
    if not how or login_on() or os.environ.get(TOLD, "").strip().rstrip(".") == WORDS:
        return ""
    return (
        f"{how} and there is no login, so anyone who reaches this machine could see and change everything; set up a login"
        f' as SECURITY.md tells, or go back to 127.0.0.1 (or say so in words: {TOLD}="{WORDS}").'
    )


def _wrong_login() -> str:
    """What is wrong with the login's settings; a file that cannot be read never means that nobody need log in."""
    files = [file for file in st.get_option("secrets.files") if Path(file).exists()]
    if files and not st.secrets.load_if_toml_exists():
        return f"{files[-1]} cannot be read, so it is not known who may log in; check that it is TOML."
    if not login_on():
        return ""
    auth = st.secrets["auth"]
    missing = next((key for key in AUTH if not isinstance(auth.get(key), str) or not auth[key]), None)
    if missing is not None:
        return f"[auth] in secrets.toml lacks {missing}; SECURITY.md tells what belongs there."
    if find_spec("authlib") is None:
        return "the package Authlib, which the login needs, is not installed; run `make setup`."
    if len(auth["cookie_secret"]) < SHORTEST_SECRET:
        return f"cookie_secret in secrets.toml has under {SHORTEST_SECRET} characters; SECURITY.md tells how to make one."
    for key in ("redirect_uri", "server_metadata_url"):
        url = urlsplit(auth[key])
        if url.scheme != "https" and not (url.scheme == "http" and _is_loopback(url.hostname or "")):
            return f"{key} in secrets.toml does not begin with https://, so logins could be read on the way; make it so."
    return ""


def _listed(values: Iterable[str]) -> Iterable[str]:
    for value in values:
        yield urlsplit(value).hostname or "" if "//" in value else value


def _is_loopback(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
