"""Finds or installs a browser for the tests. Without one the tests in a browser fail, each with one sentence."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PACKAGES = ("chromium-headless-shell", "chromium")  # without windows it needs half the processor time, so that comes first
MINUTES = 10


def installed() -> str | None:
    """The path of a browser on this machine, Playwright's own included."""
    found = next((path for program in PROGRAMS if (path := shutil.which(program))), None)
    return found or _own()


def _own() -> str | None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if path and Path(path).exists() else None


def _run(*command: str) -> bool:
    print("for the tests:", *command, flush=True)
    try:
        done = subprocess.run(command, timeout=60 * MINUTES, env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"})
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"  did not work: {error}", flush=True)
        return False
    return done.returncode == 0


def install() -> str | None:
    """The browser that is there or could be installed; one without windows even where there is another."""
    if not shutil.which(PROGRAMS[0]) and hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        _run("apt-get", "-qq", "update")
        for package in PACKAGES[:1] if installed() else PACKAGES:
            if not shutil.which(PROGRAMS[0]):
                _run("apt-get", "-qq", "install", "-y", "--no-install-recommends", package)
    if not (found := installed()):
        _run(sys.executable, "-m", "playwright", "install", "chromium")
        found = installed()
    return found


if __name__ == "__main__":
    if browser := install():
        print(f"browser for the tests: {browser}")
    else:
        print(
            "no browser could be found or installed, so the tests in a browser will fail: install Chromium or Google Chrome"
        )
