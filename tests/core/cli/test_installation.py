"""The command doctor, as a program."""

import json

from tests.core.cli.program import run


def test_doctor_tells_what_is_installed() -> None:
    done = run("doctor", "--json")
    told = json.loads(done.stdout)
    assert done.returncode == (0 if told["ok"] else 2)
    assert told["ok"] == all(check["ok"] for check in told["checks"])
    assert {"Python", "numpy", "torch", "MTCNN weights pnet"} <= {check["what"] for check in told["checks"]}
    assert all(set(check) == {"what", "found", "ok"} for check in told["checks"])


def test_doctor_tells_what_is_missing() -> None:
    program = "import core.cli.doctor as d, sys; d.packages = lambda: ['no-such-package']\n"
    program += "from core.cli.main import main; sys.exit(main(['doctor']))"
    done = run(program=["-c", program])
    assert done.returncode == 2
    assert "MISSING no-such-package: not installed" in done.stdout
    assert done.stderr.count("\n") == 1
