"""scripts/run: builds, serves the seeded fixture, checks its patterns, and ends when asked to."""

import os
import re
import signal
import socket
import subprocess
import time

from e2e import PATIENCE, ROOT, Report, Running, wait_until


def read_until(process, pattern, seconds):
    """Lines up to the first that matches, which is the last of the result."""
    end = time.monotonic() + seconds
    lines = []
    for line in process.stdout:
        lines.append(line)
        if re.match(pattern, line):
            return lines
        if time.monotonic() > end:
            break
    raise AssertionError("it said\n" + "".join(lines))


def is_open(port):
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0


def main():
    report = Report()
    process = Running(
        [ROOT / "scripts/run", "--port", "0"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        port = 0
        with report.case("it starts the server, and every pattern holds"):
            lines = read_until(process, "serving on ", PATIENCE)
            text = "".join(lines)
            port = int(re.search(r"mockddb listening on http://127.0.0.1:(\d+)", text)[1])
            assert re.search(r"^\d+ patterns hold, 0 fail", text, re.MULTILINE), text
        with report.case("it keeps serving"):
            assert is_open(port)
        with report.case("it ends when asked to, the server too"):
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE)
            wait_until(lambda: not is_open(port))
        with report.case("a port that is taken: a clear message and no success"):
            with socket.create_server(("127.0.0.1", 0)) as taken:
                number = str(taken.getsockname()[1])
                ended = subprocess.run(
                    [ROOT / "scripts/run", "--port", number],
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    text=True,
                    timeout=PATIENCE,
                    check=False,
                )
            assert ended.returncode != 0 and number in ended.stderr, ended
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    report.done()


main()
