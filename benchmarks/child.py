"""Runs a command and writes what it needed: ``python child.py FILE COMMAND...``; ends with the command's code.

The system counts a process's memory against the child it starts, so between a benchmark, which may be large, and the command
stands this, which imports next to nothing.
"""

import os
import sys
import time

if __name__ == "__main__":
    started = time.perf_counter()
    _, status, usage = os.wait4(os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ), 0)
    seconds = time.perf_counter() - started
    with open(sys.argv[1], "w") as file:
        file.write(f"{seconds} {usage.ru_utime + usage.ru_stime} {usage.ru_maxrss // 1024}")
    sys.exit(os.waitstatus_to_exitcode(status))
