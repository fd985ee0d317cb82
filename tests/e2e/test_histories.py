"""Histories of eight clients over several servers of one schema in PostgreSQL, while servers, connections and the
database end: each register is linearizable, and transactions are serializable.

    test_histories.py [SECONDS] [SEED]      of a round, 3; $MOCKDDB_PROCESSES: how many servers

tests/linearizable, a Go program with the checker Porcupine, judges registers, and serializable.py transactions. Each
must find a fault in histories that have one. With several servers, so must both together when the proxy takes the
comparison of versions out of the statements on their way to the database: the product needs no switch for that.
"""

import json
import pathlib
import random
import subprocess
import sys
import time

import postgres
import serializable
from e2e import PATIENCE, ROOT, Report, equal, temporary_folder, wait_until
from fleet import FAULTS, PROCESSES, Fleet, Workers, delay
from histories import KEYS, LISTS, REGISTERS, ListClient, RegisterClient, table
from invariants import check_invariants
from serializable import DONE, FAILED, UNKNOWN, Transaction
from toolchains import go_settings, run

CLIENTS = 8
ROUNDS = 5
FORMS = {Fleet: f"{PROCESSES} servers"} | ({Workers: f"a server of {PROCESSES} processes"} if PROCESSES > 1 else {})
NO_VERSIONS = (b"version = $4::int8", b"$4::int8 = $4::int8")  # in the statements of pg_sql.c


class Linearizable:
    """The program of tests/linearizable; `lacks` says why it cannot be built."""

    def __init__(self, folder):
        self.program = pathlib.Path(folder) / "linearizable"
        self.lacks = None if go_settings() else "there is no Go"
        if not self.lacks:
            built = run(["go", "build", "-trimpath", "-o", self.program, "."], ROOT / "tests/linearizable", GOFLAGS="-mod=readonly")
            self.lacks = built.stderr.strip().splitlines()[-1] if built.returncode else None

    def check(self, history):
        """What is wrong with a history of registers, in words; nothing without the program."""
        if self.lacks:
            return []
        lines = "".join(json.dumps(one) + "\n" for one in history)
        ended = subprocess.run([self.program], input=lines, capture_output=True, text=True, timeout=PATIENCE, check=True)
        return [line for line in ended.stdout.splitlines() if not line.endswith(" Ok")]


# --- histories by hand ------------------------------------------------------------------------------


def register(*rows):
    """From rows of (kind, call, return, value or what was seen, more)."""
    operations = []
    for client, (kind, call, end, text, *more) in enumerate(rows):
        one = {"key": "k", "client": client, "kind": kind, "call": call, "return": end, "outcome": DONE}
        one["seen" if kind == "get" else "value"] = text
        for extra in more:
            one |= extra
        operations.append(one)
    return operations


REGISTER_ROWS = (  # name, is linearizable, history
    ("one after another", True, register(("put", 0, 1, "a"), ("get", 2, 3, "a"))),
    ("a read beside a write sees either", True, register(("put", 0, 9, "a"), ("get", 1, 2, ""), ("get", 3, 4, "a"))),
    ("an old value", False, register(("put", 0, 1, "a"), ("put", 2, 3, "b"), ("get", 4, 5, "a"))),
    ("a value that goes back", False, register(("put", 0, 9, "a"), ("get", 1, 2, "a"), ("get", 3, 4, ""))),
    ("a lost put", False, register(("put", 0, 1, "a"), ("get", 2, 3, ""))),
    ("a value from nowhere", False, register(("get", 0, 1, "x"))),
    (
        "two swaps from one value",
        False,
        register(("put", 0, 1, "a"), ("swap", 2, 5, "b", {"expected": "a"}), ("swap", 3, 6, "c", {"expected": "a"})),
    ),
    ("a swap that was refused for no reason", False, register(("put", 0, 1, "a"), ("swap", 2, 3, "b", {"expected": "a", "outcome": "refused", "seen": "a"}))),
    ("an unknown put that is done late", True, register(("put", 0, 1, "a", {"outcome": UNKNOWN}), ("get", 2, 3, ""), ("get", 4, 5, "a"))),
    (
        "an unknown put that is done twice",
        False,
        register(("put", 0, 1, "a", {"outcome": UNKNOWN}), ("get", 2, 3, "a"), ("put", 4, 5, "b"), ("get", 6, 7, "a")),
    ),
)

T = Transaction
LIST_ROWS = (
    ("one after another", True, [T(0, 1, DONE, {"x": 1, "y": 2}), T(2, 3, DONE, {}, {"x": [1], "y": [2]})]),
    ("an unknown one that was done", True, [T(0, 1, UNKNOWN, {"x": 1}), T(2, 3, DONE, {}, {"x": []}), T(4, 5, DONE, {}, {"x": [1]})]),
    ("a lost append", False, [T(0, 1, DONE, {"x": 1}), T(0, 1, DONE, {"x": 2}), T(2, 3, DONE, {}, {"x": [2]})]),
    ("two orders", False, [T(0, 9, DONE, {"x": 1}), T(0, 9, DONE, {"x": 2}), T(0, 9, DONE, {}, {"x": [1]}), T(0, 9, DONE, {}, {"x": [2, 1]})]),
    ("done in part", False, [T(0, 1, UNKNOWN, {"x": 1, "y": 2}), T(2, 3, DONE, {}, {"x": [1], "y": []})]),
    ("refused, and done", False, [T(0, 1, FAILED, {"x": 1}), T(2, 3, DONE, {}, {"x": [1]})]),
    ("from nowhere", False, [T(2, 3, DONE, {}, {"x": [1]})]),
    ("twice", False, [T(0, 1, DONE, {"x": 1}), T(2, 3, DONE, {}, {"x": [1, 1]})]),
    (
        "two readers that see two writers in two orders",
        False,
        [
            *(T(0, 9, DONE, {"x": 1}), T(0, 9, DONE, {"y": 2})),
            *(T(0, 9, DONE, {}, {"x": [1], "y": []}), T(0, 9, DONE, {}, {"x": [], "y": [2]}), T(10, 11, DONE, {}, {"x": [1], "y": [2]})),
        ],
    ),
    ("a reader in the middle of a writer", False, [T(0, 9, DONE, {"x": 1, "y": 2}), T(0, 9, DONE, {}, {"x": [1], "y": []}), T(10, 11, DONE, {}, {"x": [1], "y": [2]})]),
    (
        "two that do not see each other (write skew)",
        False,
        [T(0, 9, DONE, {"x": 1}, {"y": 0}), T(0, 9, DONE, {"y": 2}, {"x": 0}), T(10, 11, DONE, {}, {"x": [1], "y": [2]})],
    ),
    ("an old read", False, [T(0, 1, DONE, {"x": 1}), T(2, 3, DONE, {}, {"x": []}), T(4, 5, DONE, {}, {"x": [1]})]),
)


def test_checkers(report, linearizable):
    if linearizable.lacks:
        report.skip("whether registers are linearizable", f"tests/linearizable cannot be built: {linearizable.lacks}")
    for name, is_good, history in () if linearizable.lacks else REGISTER_ROWS:
        with report.case(f"a history of a register: {name}"):
            equal(not linearizable.check(history), is_good)
    for name, is_good, history in LIST_ROWS:
        with report.case(f"a history of transactions: {name}"):
            equal(not serializable.check(history), is_good)


# --- histories of servers ---------------------------------------------------------------------------


def ask_all(clients, seconds, faults, fleet):
    """The clients' histories, with a fault now and then."""
    end = time.monotonic() + seconds
    for client in clients:
        client.start()
    for fault in faults:
        time.sleep(seconds / (len(faults) + 1))
        fault(fleet)
    time.sleep(max(0, end - time.monotonic()))
    for proxy in fleet.proxies:
        proxy.delay = 0
    for client in clients:
        client.finish()
    return [one for client in clients for one in client.history]


def play(fleet, number, seconds, faults, seed):
    """A round with keys of its own. Returns its histories: of registers, and of transactions."""
    keys = [f"{number}-{n}" for n in range(KEYS)]
    registers = [RegisterClient(fleet.ports(), keys, n, f"{seed} {number}") for n in range(CLIENTS // 2)]
    lists = [ListClient(fleet.ports(), keys, n, f"{seed} {number}") for n in range(CLIENTS // 2)]
    ask_all(registers + lists, seconds, faults, fleet)
    last = ListClient(fleet.ports(), keys, CLIENTS, seed)
    last.some_keys = lambda: keys  # all of them, when all is quiet
    wait_until(lambda: last.read() or last.history[-1].outcome == DONE)
    return [one for c in registers for one in c.history], [one for c in (*lists, last) for one in c.history]


def counts(history, outcome_of):
    outcomes = [outcome_of(one) for one in history]
    return ", ".join(f"{outcomes.count(one)} {one}" for one in sorted(set(outcomes)))


def made(fleet):
    for name in (REGISTERS, LISTS):
        fleet.servers[0].call("CreateTable", table(name))


def test_faults(report, cluster, linearizable, kind, seconds, seed):
    random.seed(seed)
    schema = f"histories_{kind.__name__.lower()}"
    postgres.make_schema(cluster, schema)
    with temporary_folder() as folder, kind(cluster, schema, folder) as fleet:
        made(fleet)
        for number in range(ROUNDS):
            faults = random.sample(FAULTS, 3)
            names = ", ".join(fault.__name__ for fault in faults)
            with report.case(f"round {number + 1} of {FORMS[kind]}, seed {seed}: {names}"):
                registers, lists = play(fleet, number, seconds, faults, seed)
                print(f"# registers: {counts(registers, lambda one: one['outcome'])}; lists: {counts(lists, lambda one: one.outcome)}")
                equal(linearizable.check(registers), [])
                equal(serializable.check(lists), [])
        print(f"# {sum(proxy.cuts for proxy in fleet.proxies)} connections were cut at a message")
    with report.case(f"{FORMS[kind]}: the invariants hold"):
        check_invariants(cluster, schema)


def test_without_versions(report, cluster, linearizable, seconds, seed):
    """A server that forgets to compare versions is found out."""
    postgres.make_schema(cluster, "unversioned")
    with temporary_folder() as folder, Fleet(cluster, "unversioned", folder) as fleet:
        for proxy in fleet.proxies:
            proxy.replaced = NO_VERSIONS
        made(fleet)
        with report.case("servers that do not compare versions are found out within five rounds"):
            for number in range(ROUNDS):
                registers, lists = play(fleet, number, seconds, (delay,), seed)
                found = [*linearizable.check(registers), *serializable.check(lists)]
                if found:
                    break
            assert all(proxy.replacements for proxy in fleet.proxies), "no statement was changed: see NO_VERSIONS"
            assert found, "nothing was found"
            print(f"# round {number + 1}: {found[0][:300]}")


def main():
    report = Report()
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    if not postgres.binaries():
        report.lack("histories in PostgreSQL", "there is no PostgreSQL server (scripts/setup installs it)")
        report.done()
    with temporary_folder() as folder:
        linearizable = Linearizable(folder)
        test_checkers(report, linearizable)
        with postgres.Cluster() as cluster:
            for kind in FORMS:
                test_faults(report, cluster, linearizable, kind, seconds, seed)
            if PROCESSES > 1:
                test_without_versions(report, cluster, linearizable, seconds, seed)
    report.done()


if __name__ == "__main__":
    main()
