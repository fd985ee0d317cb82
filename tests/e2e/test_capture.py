"""ddb-capture: what it writes loads, what it masks, what it sends, and how it goes on."""

import json
import os
import pathlib
import pty
import re
import shlex
import signal
import subprocess
import time

from admin import must
from e2e import PATIENCE, PROGRAMS, ROOT, SLOWNESS, Report, Running, Server, equal, temporary_folder

PROGRAM = str(PROGRAMS / "ddb-capture")
ECOMMERCE = ("--fixtures", "ecommerce", "--table-prefix", "prod-")
JOBS, SETTINGS, SHOPS = "EcomIndexerJobsTable", "EcomIndexSettingsTable", "ShopifyEntitiesTable"
ALLOWED = {"DescribeTable", "DescribeTimeToLive", "BatchGetItem", "Query", "Scan"}
ALL_SETTINGS = ("--all", SETTINGS, "--sure", SETTINGS)
RULES = {
    "salt": "for tests",
    "rules": [
        {"attribute": "access_token", "do": "drop"},
        {"attribute": "email", "do": "replace"},
        {"attribute": "shopify_domain", "do": "replace", "with": "shop-{}.example.com"},
        {"attribute": "shop_domain", "do": "replace", "with": "shop-{}.example.com"},
        {"attribute": "pk", "table": SHOPS, "part": 2, "do": "replace", "with": "shop-{}.example.com"},
    ],
}


def words(server, *arguments):
    return [PROGRAM, "--endpoint", server.url, "--table-prefix", "prod-", "--rate", "100000", *map(str, arguments)]


def capture(server, *arguments, folder=None):
    return subprocess.run(
        words(server, *arguments), cwd=folder, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )


def captured(server, *arguments):
    ended = capture(server, *arguments)
    if ended.returncode != 0:
        raise AssertionError(f"{ended.returncode}: {ended.stderr}")
    return ended


def scan(server, table):
    answer = server.call("Scan", {"TableName": table})
    items = answer["Items"]
    while "LastEvaluatedKey" in answer:
        answer = server.call("Scan", {"TableName": table, "ExclusiveStartKey": answer["LastEvaluatedKey"]})
        items += answer["Items"]
    return sorted(items, key=lambda item: json.dumps(item, sort_keys=True))


def form(server, table):
    described = server.call("DescribeTable", {"TableName": table})["Table"]
    indexes = [
        {member: index[member] for member in ("IndexName", "KeySchema", "Projection")}
        for index in described["GlobalSecondaryIndexes"]
    ]
    billing = described.get("BillingModeSummary", {}).get("BillingMode")
    return described["KeySchema"], described["AttributeDefinitions"], billing, indexes


def sent(server):
    """Operations that the server was asked for."""
    done = subprocess.run(
        ["curl", "-s", server.url + "/_mockddb/journal"], capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    return [json.loads(line)["operation"] for line in done.stdout.splitlines()]


def state(folder):
    return folder / ".ddb-capture.json"


def whole(report, server, base):
    folder = base / "whole"
    everything = [word for table in (JOBS, SETTINGS, SHOPS) for word in ("--all", table, "--sure", table)]
    with report.case("whole tables are captured, and load as they are"):
        captured(server, "--into", folder, *everything)
        with Server("--fixtures", str(folder)) as second:
            for table in (JOBS, SETTINGS, SHOPS):
                equal(scan(second, table), scan(server, "prod-" + table))
                equal(form(second, table), form(server, "prod-" + table))
                equal(
                    second.call("DescribeTimeToLive", {"TableName": table}),
                    server.call("DescribeTimeToLive", {"TableName": "prod-" + table}),
                )
    with report.case("the fixture's patterns hold on what was captured"):
        patterns = json.loads((ROOT / "fixtures/ecommerce/patterns.json").read_text())
        with Server("--fixtures", str(folder)) as second:
            answer = must(second, "POST", "patterns/run", {"file": patterns})
            assert answer["holds"], answer
    with report.case("nothing of the account is in the folder, and nothing of the run"):
        text = "".join(path.read_text() for path in folder.rglob("*") if path.is_file())
        assert "arn:aws" not in text and "TableSizeBytes" not in text
        assert not state(folder).exists()
        assert "taken" in json.loads((folder / "fixture.json").read_text())
    with report.case("refused: a folder that is a fixture already"):
        ended = capture(server, "--into", folder, "--table", JOBS)
        equal((ended.returncode, "is a fixture already" in ended.stderr), (1, True))


KEY = {"pk": {"S": "kl7a9h55"}, "sk": {"S": "INDEX#shopify-e513a8-4"}}
BY_SHOP = {
    "TableName": SHOPS,
    "KeyConditionExpression": "pk = :pk",
    "ExpressionAttributeValues": {":pk": {"S": "SHOP#cool-store.myshopify.com"}},
}


def parts(report, server, base):
    with report.case("a table's form alone"):
        captured(server, "--into", base / "form", "--table", JOBS)
        with Server("--fixtures", str(base / "form")) as second:
            equal(scan(second, JOBS), [])
    with report.case("chosen keys and queries"):
        keys = [{name: item[name] for name in ("pk", "sk")} for item in scan(server, "prod-" + JOBS)][:150]
        (base / "keys").write_text("".join(json.dumps(key) + "\n" for key in keys))
        (base / "query").write_text(json.dumps(BY_SHOP))
        captured(
            server, "--into", base / "chosen", "--keys", f"{JOBS}={base / 'keys'}",
            "--key", f"{SETTINGS}={json.dumps(KEY)}", "--query", f"@{base / 'query'}",
        )
        with Server("--fixtures", str(base / "chosen")) as second:
            equal(len(scan(second, JOBS)), 150)
            equal([{name: item[name] for name in KEY} for item in scan(second, SETTINGS)], [KEY])
            equal(len(scan(second, SHOPS)), 5)
    with report.case("keys that no item has are reported"):
        other = {"pk": {"S": "nobody"}, "sk": {"S": "x"}}
        ended = captured(server, "--into", base / "missing", "--key", f"{SETTINGS}={json.dumps(other)}")
        assert "1 of the keys have no item" in ended.stderr, ended.stderr
    with report.case("keys that are left unprocessed, and throttled calls, are asked for again"):
        must(server, "POST", "faults", {"rules": [
            {"operation": "BatchGetItem", "times": 2, "unprocessed": 40},
            {"operation": "Query", "times": 2, "error": "ProvisionedThroughputExceededException"},
        ]})
        captured(
            server, "--into", base / "again", "--keys", f"{JOBS}={base / 'keys'}", "--query", json.dumps(BY_SHOP)
        )
        must(server, "DELETE", "faults")
        with Server("--fixtures", str(base / "again")) as second:
            equal((len(scan(second, JOBS)), len(scan(second, SHOPS))), (150, 5))


REFUSED = (
    (2, "--into FOLDER is needed", ("--table", JOBS)),
    (2, "nothing to read", ("--into", "x")),
    (2, "is not a number of at least 0.01", ("--into", "x", "--table", JOBS, "--rate", "0")),
    (2, "is not a key such as", ("--into", "x", "--key", f"{JOBS}=x")),
    (2, "TABLE=… is needed", ("--into", "x", "--key", JOBS)),
    (2, "is not a table name", ("--into", "x", "--table", "../x")),
    (2, "needs --all", ("--into", "x", "--table", JOBS, "--sure", JOBS)),
    (2, "items are read whole", ("--into", "x", "--query", json.dumps({**BY_SHOP, "Limit": 1}))),
    (2, "a JSON object", ("--into", "x", "--query", "[]")),
    (2, "unknown option --put", ("--into", "x", "--put")),
    (1, "no terminal to ask on", ("--into", "x", "--all", JOBS)),
    (1, "does not hold whole items", ("--into", "x", "--query", json.dumps({
        "TableName": JOBS, "IndexName": "GSI_JobLookup_v2", "KeyConditionExpression": "job_id = :j",
        "ExpressionAttributeValues": {":j": {"S": "x"}}}))),
    (1, "ResourceNotFoundException", ("--into", "x", "--table", "Nothing")),
    (1, "ValidationException", ("--into", "x", "--key", f'{JOBS}={{"pk": {{"S": "a"}}}}')),
)


def refused(report, server, base):
    for status, problem, arguments in REFUSED:
        with report.case(f"refused: {' '.join(arguments)[:70]}"):
            ended = capture(server, *arguments, folder=base)
            equal((ended.returncode, problem in ended.stderr), (status, True))
    with report.case("refused: rules that would make items one"):
        (base / "bad").write_text(json.dumps({"salt": "s", "rules": [{"attribute": "sk", "do": "mask"}]}))
        ended = capture(server, "--into", base / "bad-into", "--mask", base / "bad", "--table", JOBS)
        equal((ended.returncode, "belongs to the key" in ended.stderr), (1, True))
        assert not (base / "bad-into").exists()


def masked(report, server, base):
    everything = [word for table in (SETTINGS, SHOPS) for word in ("--all", table, "--sure", table)]
    (base / "rules.json").write_text(json.dumps(RULES))
    for name in ("masked", "masked-again"):
        captured(server, "--into", base / name, "--mask", base / "rules.json", *everything)
    lines = {
        table: (base / "masked/items" / f"{table}.jsonl").read_text().splitlines() for table in (SETTINGS, SHOPS)
    }
    items = {table: [json.loads(line) for line in lines[table]] for table in lines}
    with report.case("masked values are nowhere"):
        domains = {
            item["shopify_domain"]["S"] for item in scan(server, "prod-" + SETTINGS) if "shopify_domain" in item
        }
        for item in items[SETTINGS]:
            assert item.get("shopify_domain", {}).get("S") not in domains
        assert not any("access_token" in item for item in items[SHOPS])
    with report.case("joins hold: what was the same is the same"):
        before = scan(server, "prod-" + SHOPS)
        equal(len({item["pk"]["S"] for item in items[SHOPS]}), len({item["pk"]["S"] for item in before}))
        parts = {item["pk"]["S"].split("#")[1] for item in before}
        new_parts = {item["pk"]["S"].split("#")[1] for item in items[SHOPS]}
        new_domains = {item["shopify_domain"]["S"] for item in items[SETTINGS] if "shopify_domain" in item}
        equal(len(new_parts & new_domains), len(parts & domains))
        assert parts & domains, "nothing to join"
    with report.case("the same rules give the same again"):
        for table in lines:
            equal((base / "masked-again/items" / f"{table}.jsonl").read_text().splitlines(), lines[table])
    with report.case("a rule that is about nothing is named"):
        rules = RULES["rules"] + [{"attribute": "emial", "do": "drop"}]
        (base / "misspelt.json").write_text(json.dumps(RULES | {"rules": rules}))
        ended = captured(server, "--into", base / "misspelt", "--mask", base / "misspelt.json", *everything)
        told = re.search("no attribute matches .*", ended.stderr)[0]
        assert told.endswith(f"rule {len(rules)} (emial)"), told
        for file in (base / "misspelt/items").iterdir():
            equal(file.read_text(), (base / "masked/items" / file.name).read_text())
    with report.case("attributes are named where a text is left that was replaced, and the text is not shown"):
        rules = {"salt": "s", "rules": [{"table": SHOPS, "attribute": "pk", "part": 2, "do": "hash"}]}
        (base / "left.json").write_text(json.dumps(rules))
        ended = captured(server, "--into", base / "left", "--mask", base / "left.json", *everything)
        (told,) = re.findall("texts that were replaced are still in (.*)", ended.stderr)
        shops = {item["pk"]["S"].split("#")[1] for item in scan(server, "prod-" + SHOPS)}
        for attribute, table, count in re.findall(r"(\S+) of (\w+) \((\d+) items?\)", told):
            lines = (base / "left/items" / f"{table}.jsonl").read_text().splitlines()
            holds = [line for line in lines if any(shop in json.dumps(json.loads(line).get(attribute, "")) for shop in shops)]
            equal(len(holds), int(count))
        assert f"shopify_domain of {SETTINGS}" in told and "pk" not in told, told
        assert not any(shop in ended.stderr for shop in shops), ended.stderr
    with report.case("what is masked loads"):
        with Server("--fixtures", str(base / "masked")) as second:
            equal(len(scan(second, SHOPS)), len(items[SHOPS]))


def pages(folder):
    file = folder / f"items/{SETTINGS}.jsonl"
    return len(file.read_text().splitlines()) if file.exists() else 0


def resumed(report, server, base):
    folder = base / "resumed"
    slow = words(server, "--into", folder, "--rate", "4", *ALL_SETTINGS)
    with report.case("a capture that was killed goes on where it ended"):
        with Running(slow, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
            for _ in range(600):
                if pages(folder) > 100:
                    break
                time.sleep(0.05 * SLOWNESS)
            running.send_signal(signal.SIGKILL)
        had = json.loads(state(folder).read_text())["done"]
        assert 0 < had < 356, had
        with (folder / f"items/{SETTINGS}.jsonl").open("a") as file:
            file.write('{"half of a')
        captured(server, "--into", folder, *ALL_SETTINGS)
        equal(pages(folder), 356)
        with Server("--fixtures", str(folder)) as second:
            equal(scan(second, SETTINGS), scan(server, "prod-" + SETTINGS))
    with report.case("refused: another capture in a folder where one did not end"):
        state(folder).write_text(json.dumps({"plan": "another"}))
        ended = capture(server, "--into", folder, *ALL_SETTINGS)
        equal((ended.returncode, "an unfinished capture of something else" in ended.stderr), (1, True))


def rate(report, server, base):
    with report.case("read units a second are kept"):
        start = time.monotonic()
        captured(server, "--into", base / "rate", "--rate", "8", *ALL_SETTINGS)
        took = time.monotonic() - start
        assert took > 1.5, took  # 22 units, the last page's not waited for


def asked(report, server, base):
    def answered(name, *lines):
        """Runs it on a terminal of its own; returns its status and what it wrote there."""
        command = words(server, "--into", base / name, "--all", SETTINGS)
        child, terminal = pty.fork()
        if not child:
            os.execv(command[0], command)
        os.write(terminal, "".join(line + "\n" for line in lines).encode())
        seen = b""
        try:
            while chunk := os.read(terminal, 4096):
                seen += chunk
        except OSError:  # its end has gone
            pass
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), seen.decode()

    with report.case("a whole table is asked for twice, after an estimate"):
        status, seen = answered("asked", "y", SETTINGS)
        equal((status, seen.count("?"), "read units" in seen.split("?")[0]), (0, 1, True))
        assert "Type the table's name" in seen and pages(base / "asked") == 356
    for lines in (("n",), ("y", "x"), ("", "")):
        with report.case(f"answers {lines} read nothing"):
            status, seen = answered("not-asked", *lines)
            equal((status, "nothing was read" in seen, (base / "not-asked").exists()), (1, True, False))


def reading(report, base):
    with Server(*ECOMMERCE) as server:
        with report.case("an estimate reads no item"):
            ended = captured(server, "--estimate", "--all", SETTINGS)
            assert "356 items" in ended.stderr and "20.5 read units" in ended.stderr, ended.stderr
            equal(set(sent(server)), {"DescribeTable", "DescribeTimeToLive"})
        with report.case("it sends what reads, and nothing else"):
            captured(server, "--into", base / "reads", *ALL_SETTINGS, "--key", f"{SETTINGS}={json.dumps(KEY)}",
                     "--query", json.dumps(BY_SHOP))
            equal(set(sent(server)), ALLOWED)
    with report.case("a server that is read-only is enough"), Server(*ECOMMERCE, "--read-only") as server:
        captured(server, "--into", base / "read-only", *ALL_SETTINGS)


def documented(report, server, base):
    page = (ROOT / "docs/capture.md").read_text()
    folder = base / "documented"
    folder.mkdir()
    rules = json.loads(page.split("```json\n")[1].split("```")[0])
    (folder / "rules.json").write_text(json.dumps(rules))
    for line in (line for line in page.splitlines() if line.startswith("ddb-capture ")):
        with report.case(line):
            command = [PROGRAM, "--endpoint", server.url, *shlex.split(line)[1:]]
            ended = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                   timeout=PATIENCE, check=False)
            equal((ended.returncode, "\r" in ended.stderr), (0, False))
    with report.case("what the page writes loads"):
        for name in ("one-shop", "schemas", "settings"):
            with Server("--fixtures", str(folder / name)) as second:
                assert second.call("ListTables", {})["TableNames"]
    with report.case("--help lists what the page lists"):
        help_text = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True, timeout=PATIENCE, check=True).stdout
        for option in ("--into", "--table", "--key", "--keys", "--query", "--all", "--sure", "--estimate", "--mask",
                       "--rate", "--table-prefix", "--endpoint", "--region", "--profile"):
            assert f" {option} " in help_text and f"`{option}" in page, option


def main():
    report = Report()
    with temporary_folder() as folder:
        base = pathlib.Path(folder)
        with Server(*ECOMMERCE) as server:
            for part in (whole, parts, refused, masked, resumed, rate, asked, documented):
                part(report, server, base)
        reading(report, base)
    report.done()


main()
