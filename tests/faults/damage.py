# SPDX-License-Identifier: Apache-2.0
"""Databases that another program has locked, or that a disk or another program has damaged. For `sweep`."""
import subprocess
import sys


class Lock:
    """Another program that keeps a database locked. This process cannot do it: a process loses its locks on a file when it closes the file once, as content() does."""

    HOLDS = "import sqlite3, sys; held = sqlite3.connect(sys.argv[1], isolation_level=None); held.execute('BEGIN EXCLUSIVE'); print('held', flush=True); sys.stdin.read()"

    def __init__(self, path):
        self.program = subprocess.Popen([sys.executable, "-c", self.HOLDS, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if self.program.stdout.readline() != b"held\n":
            sys.exit(f"sweep: {path} cannot be locked")

    def close(self):
        self.program.communicate()


def damage(path, how):
    """Damages a database as a disk or another program may, or locks it. Returns the lock if it is locked."""
    if how == "locked":
        return Lock(path)
    with open(path, "rb") as database:
        whole = database.read()
    middle = len(whole) // 2 // 4096 * 4096
    with open(path, "wb") as out:
        out.write({"empty": b"", "text": b"no database\n" * 100, "head": b"\0" * 100 + whole[100:], "half": whole[:middle + 100],
                   "page": whole[:middle] + b"\xa5" * 4096 + whole[middle + 4096:], "schema": whole[:100] + b"\xa5" * 3996 + whole[4096:]}[how])
    return None
