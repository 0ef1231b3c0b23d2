"""Starts the app: ``python -m ui``, with streamlit's own flags behind it. What is not safe does not start."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from streamlit import net_util
from streamlit.web import bootstrap, cli

from ui.address import tell_address
from ui.sharing import unsafe

APP = Path(__file__).resolve().parents[1] / "streamlit_app.py"


def main(flags: list[str]) -> None:
    serve = bootstrap.run

    def checked(*arguments: Any) -> None:  # runs once the flags, the environment and the files are read
        wrong = unsafe()
        if wrong:
            print(f"rollcall: {wrong}", file=sys.stderr)
            raise SystemExit(2)
        serve(*arguments)

    bootstrap.run = checked  # type: ignore[assignment]  # it takes and gives the same
    tell_address()
    net_util.get_external_ip = lambda: None  # streamlit would ask a server on the Internet for it
    cli.main(["run", str(APP), *flags])


if __name__ == "__main__":
    main(sys.argv[1:])
