#!/usr/bin/env python3
"""Whoever asks for little waits for one of the dearest requests at most, however many others send
them: what is counted is the dear ones that are answered between a question and its answer.

  test_dear.py [MB] [SECONDS]    dear bodies of that size; for so long, and how long answers took
"""

import sys
import threading
import time

from e2e import SLOWNESS, Report, Server, wait_until
from hostile import KEY, MB, TABLE, connect, request

CLIENTS = 8
OTHERS = 2  # one may be under way, and one answered but not yet counted
SIZE_MB = int(sys.argv[1]) if len(sys.argv) > 1 else 2
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 8 * SLOWNESS
VALUES = b'{"TableName":"Hostile","Item":{"pk":{"S":"p"},"l":{"L":[{"N":"1"}%s]}}}'
DEAR = request("PutItem", VALUES % (b',{"N":"1"}' * (SIZE_MB * MB // 10 - 100)))
QUICK = request("GetItem", {"TableName": "Hostile", "Key": KEY})


def answer(connection):
    """Reads one that is short."""
    text = b""
    while b"}" not in text:
        part = connection.recv(65536)
        assert part, "no answer"
        text += part
    return text


class Dear:
    """Clients that send dear requests for as long as the block lasts."""

    def __init__(self, server, keeps):
        self.server, self.keeps = server, keeps
        self.answered = 0
        self.problems = []
        self.going = True
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=self.send) for _ in range(CLIENTS)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.going = False
        for thread in self.threads:
            thread.join()

    def send(self):
        try:
            connection = connect(self.server)
            while self.going:
                connection.sendall(DEAR)
                assert b"Item size has exceeded" in answer(connection), "it is not refused"
                with self.lock:
                    self.answered += 1
                if not self.keeps:
                    connection.close()
                    connection = connect(self.server)
            connection.close()
        except Exception as problem:
            self.problems.append(problem)


def ask(server, dear, keeps):
    """How long each answer took, and how many dear ones came before it."""
    waits, passed = [], []
    connection = connect(server)
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        start, before = time.monotonic(), dear.answered
        if not keeps:
            connection.close()
            connection = connect(server)
        connection.sendall(QUICK)
        assert answer(connection).startswith(b"HTTP/1.1 200"), "it is not answered"
        passed.append(dear.answered - before)
        waits.append(time.monotonic() - start)
        time.sleep(0.01)
    connection.close()
    return sorted(waits), sorted(passed)


def main():
    report = Report()
    with Server() as server:
        server.call("CreateTable", TABLE)
        for keeps, name in ((True, "kept"), (False, "new")):
            with report.case(f"who asks for little waits for one dear request: {name} connections"):
                with Dear(server, keeps) as dear:
                    time.sleep(SECONDS / 4)
                    waits, passed = ask(server, dear, keeps)
                    wait_until(lambda: dear.answered or dear.problems)
                at = len(waits) * 99 // 100
                print(f"# {len(waits)} answers, median {waits[len(waits) // 2] * 1000:.0f} ms, "
                      f"p99 {waits[at] * 1000:.0f} ms; {dear.answered} dear ones meanwhile")
                assert not dear.problems, dear.problems[0]
                assert dear.answered > 0, "nobody was dear"
                assert passed[at] <= OTHERS, f"{passed[at]} dear ones came first"
    report.done()


if __name__ == "__main__":
    main()
