#!/usr/bin/env python3
"""Items that have expired when they are imported: how many is said, and what is said to keep them keeps them."""

import json
import pathlib
import re
import tempfile
import time

from e2e import BINARY, Report, Server, equal, run_program, wait_until

YEAR = 365 * 86400
TABLE = {
    "TableName": "Tab",
    "BillingMode": "PAY_PER_REQUEST",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
}
TTL = {"TableName": "Tab", "TimeToLiveSpecification": {"AttributeName": "ttl", "Enabled": True}}


def items(now):
    """Name and what its time to live is; three of them have expired."""
    expires = {
        "minute": {"N": str(now - 60)}, "day": {"N": str(now - 86400)}, "years": {"N": str(now - 4 * YEAR) + ".5"},
        "later": {"N": str(now + 86400)}, "older": {"N": str(now - 6 * YEAR)}, "text": {"S": str(now - 60)}, "zero": {"N": "0"},
    }
    return [{"pk": {"S": name}, "ttl": value} for name, value in expires.items()] + [
        {"pk": {"S": f"none{number}"}} for number in range(40)]


def imported(server, path, *more):
    ended = run_program([BINARY, "import", "--endpoint", server.url, *more, path])
    equal(ended.returncode, 0)
    return ended.stderr


def names(server):
    return {item["pk"]["S"] for item in server.call("Scan", {"TableName": "Tab"})["Items"]}


def main():
    report = Report()
    now = int(time.time())
    all_names = {item["pk"]["S"] for item in items(now)}
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "Tab.json"
        path.write_text("".join(json.dumps(item) + "\n" for item in items(now)))
        with Server() as server:
            server.call("CreateTable", TABLE)
            with report.case("nothing is said of a table whose items do not expire"):
                equal(imported(server, path), "")
            server.call("UpdateTimeToLive", TTL)
            with report.case("how many have expired is said, and they go"):
                stderr = imported(server, path)
                assert stderr.startswith("3 of them have expired already, and are deleted in a while. Two ways"), stderr
                wait_until(lambda: names(server) == all_names - {"minute", "day", "years"})
            with report.case("a clock that stands where it is said keeps them"):
                words = re.search(r"\((mockddb ctl clock freeze=\S+)\)", stderr)[1].split()[1:]
                moment = re.fullmatch(r"freeze=(\S+?)(\.\d+)?Z?", words[-1])[1]
                before_all = [time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now - 6 * YEAR + i)) for i in (-2, -1, 0, 1)]
                assert moment in before_all, moment
                equal(run_program([BINARY, words[0], "--endpoint", server.url, *words[1:]]).returncode, 0)
                equal(imported(server, path), "")
                equal(names(server), all_names)
        with Server("--ttl-sweep-ms", "0") as server:
            server.call("CreateTable", TABLE)
            server.call("UpdateTimeToLive", TTL)
            with report.case("so does --ttl-sweep-ms 0"):
                assert imported(server, path).startswith("3 of them"), "nothing was said"
                equal(names(server), all_names)
            with report.case("pull says it, too"):
                ended = run_program([BINARY, "pull", "--endpoint", server.url, "--db", pathlib.Path(folder) / "t.db"])
                equal((ended.returncode, ended.stderr.startswith("3 of them have expired already")), (0, True))
    report.done()


main()
