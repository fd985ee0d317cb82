"""Samples of wrk, taken in turn from the servers that are compared."""

import itertools
import json
import pathlib
import statistics
import subprocess
import tempfile

from client import Client
from servers import CLIENT_CORE, ROOT, pinned

SCRIPT = ROOT / "tests/bench/load.lua"
MAX_WAIT = 0.05  # of a sample's time: more, and the sample is taken again
TRIES = 2
NUMBERS_A_SAMPLE = 10_000_000  # no sample writes what another one wrote


class Load:
    """Runs workloads as the command line asks for."""

    def __init__(self, runs, seconds):
        self.runs, self.seconds = runs, seconds
        self.numbers = itertools.count(0, NUMBERS_A_SAMPLE)

    def sample(self, server, url, workload, connections, bodies):
        """One run of wrk: its figures and what the server used for each request; None if it failed."""
        before = server.usage()
        command = [
            "wrk", "--threads", "1", "--connections", str(connections),
            "--duration", f"{self.seconds}s", "--timeout", "20s", "--script", str(SCRIPT),
            url, "--", f"DynamoDB_20120810.{workload.operation}", bodies, str(next(self.numbers)),
        ]  # fmt: skip
        done = subprocess.run(
            pinned(CLIENT_CORE, command), capture_output=True, text=True, check=True
        )
        after = server.usage()
        figures = json.loads(done.stdout.splitlines()[-1])
        requests = figures.pop("requests")
        if figures.pop("errors") or not requests:
            return None
        seconds = figures.pop("seconds")
        return figures | {
            "rate": requests / seconds,
            "cpu": (after.cpu - before.cpu) / requests * 1e6,
            "user": (after.user - before.user) / requests * 1e6,
            "wait": (after.wait - before.wait) / seconds,
        }

    def quiet_sample(self, *arguments):
        """The first sample without much waiting, or the quietest of some."""
        samples = []
        for _ in range(TRIES):
            sample = self.sample(*arguments)
            if not sample or sample["wait"] <= MAX_WAIT:
                return sample
            samples.append(sample)
        return min(samples, key=lambda s: s["wait"])

    def compare(self, rivals, connections):
        """Medians by server name, None where a sample failed. `rivals`: (server, url, workload)."""
        samples = {server.name: [] for server, _, _ in rivals}
        with tempfile.TemporaryDirectory() as folder:
            files = [write_bodies(folder, i, rival[2]) for i, rival in enumerate(rivals)]
            for _ in range(self.runs):
                for (server, url, workload), bodies in zip(rivals, files):
                    samples[server.name].append(
                        self.quiet_sample(server, url, workload, connections, bodies)
                    )
        return {name: median(taken) for name, taken in samples.items()}


def write_bodies(folder, number, workload):
    path = pathlib.Path(folder) / f"bodies-{number}"
    path.write_text("".join(json.dumps(b) + "\n" for b in workload.bodies), encoding="utf-8")
    return str(path)


def median(samples):
    if not all(samples):
        return None
    return {name: statistics.median(s[name] for s in samples) for name in samples[0]}


def answer(server, workload, number):
    """The answer to one request in bytes, or None where it is an error or not what it should be."""
    body = json.dumps(workload.bodies[0])
    while "%N" in body:
        body = body.replace("%N", f"{number:012}", 1)
        number += 1
    try:
        content = Client(server.url).send(workload.operation, body.encode())
        good = workload.good(json.loads(content))
    except Exception:  # whatever a foreign server says instead
        return None
    return content if good else None


def compare_with_bare(load, servers, bare, workload, connections):
    """The first server is ours and must answer; the bare one sends as many bytes as it does."""
    answers = {s.name: answer(s, workload, next(load.numbers)) for s in servers}
    content = answers[servers[0].name]
    if content is None:
        raise SystemExit(f"bench: {workload.name}: {servers[0].name} gives no right answer")
    rivals = [(s, s.url, workload) for s in servers if answers[s.name] is not None]
    rivals.append((bare, f"{bare.url}/{len(content)}", workload))
    return {
        "workload": workload.name,
        "connections": connections,
        "reply_bytes": len(content),
        "servers": load.compare(rivals, connections),
    }
