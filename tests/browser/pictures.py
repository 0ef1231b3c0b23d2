"""Takes the README's picture: ``.venv/bin/python -m tests.browser.pictures``. Other sizes and colours: --all, into /tmp."""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import FLAGS, ROOT, serve
from tests.browser.install import installed


def take(browser: Browser, url: str, path: Path, scheme: str = "light", width: int = 1280, height: int = 800) -> None:
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]
    page.goto(url)
    page.locator("button.face").first.wait_for()
    page.wait_for_timeout(700)
    page.screenshot(path=path)
    page.close()
    print(path, f"{path.stat().st_size // 1024} KB")


def main() -> None:
    with sync_playwright() as playwright, serve(ROOT / "streamlit_app.py") as app:
        browser = playwright.chromium.launch(executable_path=installed(), args=FLAGS)
        take(browser, f"{app}/?frame=11&said=29-4", ROOT / "docs/pictures/first-page.png")
        if "--all" in sys.argv:
            for scheme in ("light", "dark"):
                for frame in (1, 2, 3, 5, 7, 9, 11, 12):
                    take(browser, f"{app}/?frame={frame}", Path(f"/tmp/first-{scheme}-{frame}.png"), scheme)
                take(browser, f"{app}/?frame=3&said=5-4_7-nobody", Path(f"/tmp/first-{scheme}-said.png"), scheme)
            take(browser, f"{app}/?frame=3", Path("/tmp/first-phone.png"), "light", 400, 900)
        browser.close()


if __name__ == "__main__":
    main()
