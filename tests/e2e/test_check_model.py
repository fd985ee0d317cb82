"""mockddb check-model, and the tool check_model: docs/mcp.md."""

import copy
import json
import pathlib

from e2e import BINARY, ROOT, Report, Server, equal, run_program, temporary_folder
from mcp_kit import Mcp, text_of

DATA = ROOT / "tests/data/mcp"
MODEL, PATTERNS = (json.loads((DATA / f"{name}.json").read_text()) for name in ("model", "patterns"))
LINES = """\
orders-of-customer: 2 read, 0.5 units
open-orders: 4 read, 0.5 units
all-orders: 4 read, 0.5 units
  fails: step step1: number of items is 4, expected 5
note-on-order: 0 read, 2 units
warning[scan]: pattern all-orders scans Orders: it pays for every item, however many there will be
warning[growing-item]: pattern note-on-order appends to a list in an item of Orders: the item grows until 400 KB, and each write pays for all of it
warning[ttl-milliseconds]: ttl of items of Orders is in milliseconds: a time to live is in seconds, and these items would stay
warning[wide-index]: index by-status of Orders has ALL attributes, and patterns ask for these alone: pk, sk
warning[one-partition]: all 4 sample items of index by-status of Orders have the same status: one partition would take all requests
warning[unread-index]: no pattern reads index by-email of Orders: each write pays for it
1 table; 3 of 4 patterns hold; 6 warnings
"""


def check(folder, model, patterns, *options):
    for name, content in (("model", model), ("patterns", patterns)):
        (folder / f"{name}.json").write_text(json.dumps(content))
    return run_program([BINARY, "check-model", *options, str(folder / "model.json"), str(folder / "patterns.json")])


def without_mistakes():
    model, patterns = copy.deepcopy((MODEL, PATTERNS))
    table = model["DataModel"][0]
    table["GlobalSecondaryIndexes"] = table["GlobalSecondaryIndexes"][:1]
    table["GlobalSecondaryIndexes"][0]["Projection"] = {"ProjectionType": "KEYS_ONLY"}
    for number, item in enumerate(table["TableData"]):
        item["ttl"] = {"N": "4000000000"}
        item["status"] = {"S": "OPEN" if number else "CLOSED"}
    patterns["patterns"] = patterns["patterns"][:2]
    patterns["patterns"][1]["steps"][0]["expect"]["count"] = 3
    return model, patterns


def main():
    report = Report()
    with temporary_folder() as folder:
        folder = pathlib.Path(folder)
        with report.case("each mistake has its warning"):
            ended = check(folder, MODEL, PATTERNS)
            equal((ended.stdout, ended.stderr, ended.returncode), (LINES, "", 1))
        with report.case("--json prints them as JSON"):
            found = json.loads(check(folder, MODEL, PATTERNS, "--json").stdout)
            equal([warning["kind"] for warning in found["warnings"]][:2], ["scan", "growing-item"])
            equal(len(found["patterns"]), 4)
        with report.case("a model without them has none"):
            ended = check(folder, *without_mistakes())
            equal((ended.stdout.splitlines()[-1], ended.returncode), ("1 table; 2 of 2 patterns hold; 0 warnings", 0))
        with report.case("a time to live that is a text"):
            model, patterns = without_mistakes()
            model["DataModel"][0]["TableData"][0]["ttl"] = {"S": "2030-01-01"}
            assert "warning[ttl-type]: ttl of items of Orders is a text" in check(folder, model, patterns).stdout
        for name, model, patterns in (
            ("a model that is none", {"a": 1}, PATTERNS),
            ("patterns that are none", MODEL, {"a": 1}),
            ("a pattern of a table that is missing", MODEL, PATTERNS | {"patterns": [{"name": "x"}]}),
        ):
            with report.case(name):
                ended = check(folder, model, patterns)
                equal((ended.stdout, ended.returncode), ("", 2))
                assert ended.stderr, "it does not say why"
        with report.case("files that cannot be read"):
            equal(run_program([BINARY, "check-model", str(folder / "none"), str(folder / "none")]).returncode, 2)
            equal(run_program([BINARY, "check-model", str(folder / "model.json")]).returncode, 2)
        with Server("--fixtures", "fixtures/ecommerce", "--table-prefix", "prod-") as server, Mcp("--endpoint", server.url) as mcp:
            with report.case("the tool says the same on a server with tables and a prefix, and leaves nothing behind"):
                result = mcp.call("check_model", model=MODEL, patterns=PATTERNS)
                equal(result["structuredContent"]["reason"], LINES.splitlines()[-1])
                assert "by-email of prod-Orders" in text_of(result), text_of(result)
                equal(len(mcp.call("worlds")["structuredContent"]["data"]["worlds"]), 1)
    report.done()


main()
