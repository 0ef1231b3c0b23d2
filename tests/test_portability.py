"""The product runs on Linux, macOS and Windows: it uses nothing that only one family of systems has."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.sources import nodes, parsed

ROOT = Path(__file__).resolve().parents[1]
PRODUCT = [
    ROOT / "streamlit_app.py",
    *(path for folder in ("core", "ui", "assets") for path in (ROOT / folder).rglob("*.py")),
]
BENCHMARKS, TESTS = (sorted((ROOT / folder).rglob("*.py")) for folder in ("benchmarks", "tests"))

# modules of the standard library that are missing on Windows, or on everything else
ONE_FAMILY = {"fcntl", "resource", "pwd", "grp", "spwd", "crypt", "termios", "tty", "pty", "posix", "readline", "syslog"}
ONE_FAMILY |= {"msvcrt", "winreg", "winsound", "_winapi", "nt"}
# what ``os``, ``signal`` and ``socket`` have on one family alone; ``getattr`` with a default is how to ask for it
ATTRIBUTES = {
    "os": {
        "fork", "forkpty", "getuid", "geteuid", "getgid", "getegid", "getpgid", "setsid", "killpg", "chown", "lchown",
        "mkfifo", "uname", "wait", "wait3", "wait4", "posix_spawn", "sched_getaffinity", "getloadavg",
        "O_NOFOLLOW", "O_DIRECTORY", "O_CLOEXEC", "O_NONBLOCK", "O_BINARY", "startfile", "pread", "pwrite", "sysconf",
    },
    "signal": {"SIGKILL", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGCHLD", "alarm", "pthread_kill", "CTRL_C_EVENT"},
    "socket": {"AF_UNIX", "send_fds", "recv_fds"},
}  # fmt: skip


def imported(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.name.split(".")[0] for alias in node.names}
    return {node.module.split(".")[0]} if isinstance(node, ast.ImportFrom) and node.module else set()


def test_no_module_of_one_family_of_systems_is_imported() -> None:
    assert [(place, name) for place, node in nodes(PRODUCT) for name in imported(node) & ONE_FAMILY] == []


def test_benchmarks_and_tests_load_everywhere() -> None:
    """They may use what a system has, but not when they are loaded."""
    loaded = ((path, node) for path in (*BENCHMARKS, *TESTS) for node in parsed(path).body)
    assert [(str(path), name) for path, node in loaded for name in imported(node) & ONE_FAMILY] == []


def test_no_function_of_one_family_of_systems_is_called() -> None:
    found = []
    for place, node in nodes(PRODUCT):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found += [(place, ast.unparse(node))] if node.attr in ATTRIBUTES.get(node.value.id, ()) else []
        if isinstance(node, ast.keyword) and node.arg in ("pass_fds", "preexec_fn"):
            found.append((place, node.arg))
    assert found == []


def test_texts_are_read_and_written_in_one_encoding() -> None:
    """The system's own differs: UTF-8 on Linux, an old code page on many a Windows."""
    found = []
    for place, node in nodes(PRODUCT):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            named = {keyword.arg for keyword in node.keywords}
            if node.func.attr in ("read_text", "write_text") and "encoding" not in named:
                found.append((place, node.lineno))
    assert found == []
