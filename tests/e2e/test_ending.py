"""What a test program started ends with it, in whatever way it ends; what runs while port 8000 is in use."""

import os
import signal
import subprocess
import sys
import textwrap

from e2e import PATIENCE, ROOT, Report, Running, equal, is_running, wait_until

# Starts a server, and a shell whose child has a session of its own; prints their process ids.
PROGRAM = """
    import os, signal, subprocess, sys, time
    from e2e import Server
    server = Server()
    shell = subprocess.Popen(["sh", "-c", "setsid sleep 5000 & echo $!; wait"], stdout=subprocess.PIPE, text=True)
    print(server.process.pid, shell.pid, shell.stdout.readline().strip(), flush=True)
"""
ENDS = {
    "ends with all of it still running": "",
    "fails": "raise AssertionError",
    "ends without cleaning up": "os._exit(0)",
    "is interrupted": "os.kill(os.getpid(), signal.SIGINT)",
    "is terminated": "os.kill(os.getpid(), signal.SIGTERM)",
    "is killed": "os.kill(os.getpid(), signal.SIGKILL)",
}


def ends(report):
    for name, last in ENDS.items():
        with report.case(f"a test program that {name} leaves nothing"):
            ended = subprocess.run(
                [sys.executable, "-B", "-c", textwrap.dedent(PROGRAM) + last],
                env={**os.environ, "PYTHONPATH": str(ROOT / "tests/e2e")},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                timeout=PATIENCE,
                check=False,
            )
            pids = ended.stdout.split()
            equal(len(pids), 3)
            wait_until(lambda started=pids: not any(map(is_running, started)))


def helpers(report):
    with report.case("a program is killed where its case fails"):
        try:
            with Running(["sleep", "5000"]) as running:
                raise AssertionError
        except AssertionError:
            equal(running.returncode, -signal.SIGKILL)


def held(report):
    for status in (0, 7):
        with report.case(f"hold_port.py: the status is the command's: {status}"):
            command = [sys.executable, "-B", ROOT / "tests/hold_port.py", "sh", "-c", f"exit {status}"]
            equal(subprocess.run(command, timeout=PATIENCE, check=False).returncode, status)
    with report.case("hold_port.py: port 8000 is in use meanwhile"):
        script = "import socket; socket.create_server(('127.0.0.1', 8000))"
        command = [sys.executable, "-B", ROOT / "tests/hold_port.py", sys.executable, "-c", script]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
        assert ended.returncode and "Address already in use" in ended.stderr, ended


if __name__ == "__main__":
    report = Report()
    ends(report)
    helpers(report)
    held(report)
    report.done()
