"""``python -m core COMMAND``, the same as ``rollcall COMMAND``."""

import sys

from core.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
