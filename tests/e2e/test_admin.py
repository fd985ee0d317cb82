"""The verbs under /_mockddb/: what is refused, and that docs/admin-api.md is true."""

import contextlib
import http.client
import json
import time

from admin import ROOT, all_verbs, ask, documented_commands, must, run_documented
from e2e import HEADERS as SIGNED
from e2e import PATIENCE, Report, Server, equal

REFUSED = (
    ("no such verb", "GET", "nothing", None, 404),
    ("another method", "DELETE", "clock", None, 405),
    ("no JSON", "POST", "clock", "{", 400),
    ("no object", "POST", "clock", "[]", 400),
    ("an unknown member", "POST", "clock", {"frieze": True}, 400),
    ("two members", "POST", "clock", {"freeze": True, "resume": True}, 400),
    ("no member", "POST", "clock", {}, 400),
    ("no moment", "POST", "clock", {"freeze": "tomorrow"}, 400),
    ("a moment before 1970", "POST", "clock", {"set": "1969-12-31"}, 400),
    ("no duration", "POST", "clock", {"advance": "a while"}, 400),
    ("back in time", "POST", "clock", {"advance": "-1s"}, 400),
    ("more than a hundred years", "POST", "clock", {"advance": "99999d"}, 400),
    ("no rate", "POST", "clock", {"rate": -1}, 400),
    ("a body that is not taken", "GET", "clock", {"freeze": True}, 400),
    ("an unknown filter", "GET", "clock?when=now", None, 400),
    ("no patterns", "POST", "patterns/run", None, 400),
    ("masks without rules", "POST", "mask", {"maps": []}, 400),
    ("masks of no list", "POST", "mask", {"salt": "s", "rules": [], "maps": {}}, 400),
    ("masks of no item", "POST", "mask", {"salt": "s", "rules": [], "maps": [{"table": "T", "item": {"a": {"S": 1}}}]}, 400),
    ("masks of a map with more", "POST", "mask", {"salt": "s", "rules": [], "maps": [{"table": "T", "item": {}, "b": 1}]}, 400),
    ("an empty world that is neither", "POST", "worlds/a", {"empty": 1}, 400),
    ("an empty copy", "POST", "worlds/a", {"empty": True, "from": "default"}, 400),
    ("a file of patterns that is none", "POST", "patterns/run", {"file": {"patterns": []}}, 400),
    ("a value that is no string", "POST", "patterns/run", {"values": {"a": 1}}, 400),
    ("a path", "GET", "../../etc/passwd", None, 404),
    ("a member twice", "POST", "clock", '{"freeze": true, "freeze": "2026-01-01"}', 400),
    ("a filter twice", "GET", "journal?limit=1&limit=2", None, 400),
    ("a filter without a name", "GET", "journal?=1", None, 400),
    ("half a millisecond", "POST", "clock", {"advance": 1.5}, 400),
    ("a moment between two", "POST", "clock", {"set": 1.5}, 400),
    ("a part of a row", "GET", "metrics/partitions?limit=1.5", None, 400),
    ("a journal of what no table is called", "GET", "journal?table=arn:aws:dynamodb:us-east-1:1:table/T", None, 400),
    ("partitions of what no table is called", "GET", "metrics/partitions?table=a%20b", None, 400),
    ("a moment after all", "GET", "journal?since=999999999999999", None, 400),
    ("more than all of what was read", "POST", "assert", {"assert": [{"max_filtered_percent": 101}]}, 400),
    ("what no index is called", "POST", "assert", {"assert": [{"only_indexes": ["a b"]}]}, 400),
    ("no throttling of one table", "POST", "throttle", {"mode": "off", "tables": ["Orders"]}, 400),
    ("a write of what was not seen", "POST", "write", {"operation": "PutItem", "request": {}}, 400),
    ("an assertion of nothing", "POST", "assert", {"assert": [{"no": []}]}, 400),
    ("no id of a rule", "DELETE", "faults/", None, 404),
    ("no name of a world", "GET", "worlds/", None, 404),
    ("no name of a snapshot", "PUT", "snapshots//file", "x", 404),
)
HEADERS = (
    ("one that there is not", {"x_mockddb_wrold": "a"}, "unknown header x-mockddb-wrold"),
    ("no name", {"x_mockddb_world": ""}, "an empty text is not a world's name: "),
    ("no flag", {"x_mockddb_aside": "True"}, "the header x-mockddb-aside is neither true nor false"),
    ("no flag", {"x_mockddb_explain": "1"}, "the header x-mockddb-explain is neither true nor false"),
)


def twice(server, method, path, name):
    """A request that has the header twice; its status and the message."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    with contextlib.closing(connection):
        connection.putrequest(method, path)
        for header, value in ((name, "true"), (name, "true"), *SIGNED.items(), ("Content-Length", "2")):
            connection.putheader(header, value)
        connection.endheaders(b"{}")
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())["message"]


def refusals(report):
    with Server() as server:
        for name, method, path, body, status in REFUSED:
            with report.case(f"refused: {name}"):
                answered, answer = ask(server, method, path, body)
                equal((answered, list(answer)), (status, ["message"]))
        with report.case("refused: a world that is not there"):
            equal(ask(server, "GET", "clock", x_mockddb_world="nowhere")[0], 404)
        with report.case("refused: what is not a world's name"):
            equal(ask(server, "GET", "clock", x_mockddb_world="../a")[0], 400)
        for name, headers, problem in HEADERS:
            with report.case(f"refused in headers of verbs and operations: {name} {headers}"):
                status, answer = ask(server, "GET", "clock", **headers)
                equal((status, answer["message"][: len(problem)]), (400, problem))
                named = {key.replace("_", "-"): value for key, value in headers.items()}
                status, _, answer = server.post("ListTables", {}, named)
                message = json.loads(answer)["message"].replace("X-Mockddb-Wrold", "x-mockddb-wrold")
                equal((status, message[: len(problem)]), (400, problem))
        for name in ("x-mockddb-world", "x-mockddb-aside", "x-mockddb-explain"):
            for method, path in (("GET", "/_mockddb/clock"), ("POST", "/")):
                with report.case(f"refused: {name} twice, of {method} {path}"):
                    equal(twice(server, method, path, name), (400, f"the header {name} is given twice"))
        with report.case("a header may say false"):
            equal(ask(server, "GET", "clock", x_mockddb_aside="false")[0], 200)
    with Server("--read-only") as server:
        with report.case("read-only: the clock can be looked at and not changed"):
            equal(ask(server, "GET", "clock")[0], 200)
            equal(ask(server, "POST", "clock", {"freeze": True})[0], 403)
    with Server("--no-admin") as server:
        with report.case("without verbs there is health"):
            equal(ask(server, "GET", "clock")[0], 404)
            equal(ask(server, "GET", "health")[0], 200)


PATTERNS = {
    "patterns": [
        {
            "name": "none",
            "question": "Is it empty?",
            "steps": [
                {
                    "operation": "Scan",
                    "request": {"TableName": "EcomIndexerJobsTable", "Limit": 1},
                    "expect": {"count": 0},
                }
            ],
        }
    ]
}


ONLY_NAMES = "only takes a list of names of patterns"
PATTERNS_REFUSED = (
    ({"only": ["job-by-idd"]}, "there is no pattern job-by-idd"),
    ({"only": "job-by-id"}, ONLY_NAMES),
    ({"only": []}, ONLY_NAMES),
    ({"values": {"job": "x"}}, "there is no value job to set"),
    ({"values": ["job_id"]}, "values takes names with strings"),
    ({"allow_writes": "yes"}, "allow_writes is neither true nor false"),
)


def patterns(report):
    with Server("--fixtures", "ecommerce", "--table-prefix", "prod-") as server:
        with report.case("the fixture's own patterns hold"):
            answer = must(server, "POST", "patterns/run")
            equal(answer["holds"], True)
        for body, problem in PATTERNS_REFUSED:
            with report.case(f"refused: patterns/run {body}"):
                equal(ask(server, "POST", "patterns/run", body), (400, {"message": problem}))
        with report.case("patterns that are sent, and fail"):
            answer = must(server, "POST", "patterns/run", {"file": PATTERNS})
            equal(answer["holds"], False)
        with report.case("patterns that write are refused unless they may"):
            file = json.loads(json.dumps(PATTERNS))
            file["patterns"][0]["steps"][0] = {
                "operation": "DeleteTable",
                "request": {"TableName": "EcomIndexerJobsTable"},
                "expect": {"count": 0},
            }
            equal(must(server, "POST", "patterns/run", {"file": file})["holds"], False)
            may = {"file": file, "allow_writes": True}
            equal(must(server, "POST", "patterns/run", may)["holds"], True)


def documented(report):
    with Server("--fixtures", "ecommerce", "--table-prefix", "prod-") as server:
        for line in documented_commands("admin-api.md"):
            with report.case(line):
                answer = run_documented(server, line)
                if "message" in answer:
                    raise AssertionError(answer["message"])


def masks(report):
    """The rules themselves: tests/unit/masking."""
    jobs, mail = "prod-EcomIndexerJobsTable", "anna.long@example.com"
    hide = {"salt": "s", "rules": [{"attribute": "mail", "do": "hash"}, {"attribute": ":m", "do": "hash"}]}
    with Server("--fixtures", "ecommerce", "--table-prefix", "prod-") as server:
        with report.case("masks: equal values become equal, and a text that is left is said, not shown"):
            maps = [{"table": jobs, "item": {"pk": {"S": "a"}, "mail": {"S": mail}}}, {"table": "request", "item": {":m": {"S": mail}}}]
            answer = must(server, "POST", "mask", {**hide, "maps": maps})
            equal((answer["maps"][0]["pk"], answer["maps"][0]["mail"]), ({"S": "a"}, answer["maps"][1][":m"]))
            equal((mail in json.dumps(answer), "left" in answer), (False, False))
            maps.append({"table": "request", "item": {"text": {"S": f"to {mail}!"}}})
            equal(must(server, "POST", "mask", {**hide, "maps": maps})["left"], "texts that were replaced are still in text of request (1 item)")
        with report.case("masks: keys of a table stay distinct"):
            drop = {"salt": "s", "rules": [{"attribute": "pk", "do": "drop"}], "maps": [{"table": jobs, "item": {"pk": {"S": "a"}}}]}
            status, answer = ask(server, "POST", "mask", drop)
            equal((status, answer["message"][:33]), (400, "maps[0]: pk belongs to the key of"))
        with report.case("an empty world has nothing of the fixtures"):
            equal((must(server, "POST", "worlds/e", {"empty": True})["tables"], must(server, "POST", "worlds/f", {"empty": False})["tables"]), (0, 3))


def verbs_are_documented(report):
    page = (ROOT / "docs/admin-api.md").read_text()
    for path in sorted({path for _, path, _ in all_verbs()}):
        with report.case(f"docs/admin-api.md has {path}"):
            if f"/_mockddb/{path.split('*')[0].rstrip('/')}" not in page:
                raise AssertionError(f"no line of it asks for {path}")


TABLE = {
    "TableName": "Sessions",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
}


def clock(report):
    with Server() as server:
        with report.case("explanations go with their world"):
            named = {"x-mockddb-world": "told", "x-mockddb-explain": "true"}
            number = server.post("ListTables", {}, named)[1]["x-mockddb-explain"]
            equal(ask(server, "GET", f"explanations/{number}", x_mockddb_world="told")[0], 200)
            must(server, "DELETE", "worlds/told")
            must(server, "POST", "worlds/told")
            equal(ask(server, "GET", f"explanations/{number}", x_mockddb_world="told")[0], 404)
        with report.case("a frozen clock stands"):
            frozen = must(server, "POST", "clock", {"freeze": "2026-01-01T00:00:00Z"})
            equal((frozen["now"], frozen["frozen"]), ("2026-01-01T00:00:00.000Z", True))
            time.sleep(0.05)
            now = must(server, "GET", "clock")
            equal({name: now[name] for name in frozen}, frozen)
        with report.case("a clock ends with the year 9999, and what it shows is loaded again"):
            must(server, "POST", "clock", {"set": "9999-12-31T23:59:59Z"}, x_mockddb_world="end")
            far = ask(server, "POST", "clock", {"advance": "1h"}, x_mockddb_world="end")
            equal(far[0], 400)
            must(server, "POST", "clock", {"rate": 100000}, x_mockddb_world="end")
            time.sleep(0.05)
            shown = must(server, "GET", "clock", x_mockddb_world="end")
            equal(shown["now"], "9999-12-31T23:59:59.999Z")
        with report.case("tables are made at the world's time"):
            made = server.call("CreateTable", TABLE)["TableDescription"]["CreationDateTime"]
            equal(made, 1767225600)
        with report.case("advance does what falls due before it answers"):
            server.call(
                "UpdateTimeToLive",
                {
                    "TableName": "Sessions",
                    "TimeToLiveSpecification": {"AttributeName": "ttl", "Enabled": True},
                },
            )
            for name, due in (("early", 3600), ("late", 7 * 86400)):
                item = {"pk": {"S": name}, "ttl": {"N": str(1767225600 + due)}}
                server.call("PutItem", {"TableName": "Sessions", "Item": item})
            after = must(server, "POST", "clock", {"advance": "36h"})
            equal(after["now"], "2026-01-02T12:00:00.000Z")
            left = server.call("Scan", {"TableName": "Sessions"})["Items"]
            equal([item["pk"]["S"] for item in left], ["late"])
        with report.case("the clock says by which rules items expire"):
            equal(must(server, "GET", "clock")["expiry"], {"after_ms": 1000, "kept_tables": []})
            for words, after_ms in ((("--ttl-sweep-ms", "5000"), 5000), (("--ttl-sweep-ms", "0"), 0), (("--read-only",), 0)):
                with Server("--fixtures", "ecommerce", *words) as other:
                    rules = must(other, "GET", "clock")["expiry"]
                    equal((rules["after_ms"], "EcomIndexerJobsTable" in rules["kept_tables"]), (after_ms, True))
            with Server("--fixtures", "ecommerce", "--clock", "fixture") as other:
                equal(must(other, "GET", "clock")["expiry"]["kept_tables"], [])
        with report.case("a clock that resumes goes on from where it stood"):
            now = must(server, "POST", "clock", {"resume": True})
            equal((now["frozen"], now["rate"], now["now"][:13]), (False, 1, "2026-01-02T12"))
        with report.case("a clock can go faster"):
            before = must(server, "POST", "clock", {"rate": 100000})["now_ms"]
            time.sleep(0.1)
            assert must(server, "GET", "clock")["now_ms"] - before >= 5000
        with report.case("the real time comes back"):
            now = must(server, "POST", "clock", {"real": True})["now_ms"]
            assert abs(now - time.time() * 1000) < 60000


def clock_on_its_way(report):
    """What is asked of a clock that is being advanced is not done to be undone."""
    ttl = {"AttributeName": "ttl", "Enabled": True}
    with Server() as server:
        must(server, "POST", "clock", {"freeze": "2026-01-01T00:00:00Z"})
        server.call("CreateTable", TABLE)
        server.call("UpdateTimeToLive", {"TableName": "Sessions", "TimeToLiveSpecification": ttl})
        items = [
            {"pk": {"S": str(number)}, "ttl": {"N": str(1767225600 + number)}}
            for number in range(6000)
        ]
        server.put_items("Sessions", items)
        with report.case("while it is advanced, nothing else moves it"):
            advance = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
            advance.request("POST", "/_mockddb/clock", json.dumps({"advance": "36h"}))
            time.sleep(0.005)
            asked = ({"real": True}, {"freeze": True}, {"set": 0}, {"rate": 2}, {"advance": "1h"})
            answers = [ask(server, "POST", "clock", body) for body in asked]
            arrived = json.loads(advance.getresponse().read())
            early = [answer for status, answer in answers if status == 409]
            equal(early, len(early) * [{"message": "this world's clock is being advanced"}])
            assert early, answers
            equal(arrived["now"], "2026-01-02T12:00:00.000Z")
            equal(server.call("Scan", {"TableName": "Sessions"})["Items"], [])


if __name__ == "__main__":
    report = Report()
    refusals(report)
    patterns(report)
    documented(report)
    masks(report)
    verbs_are_documented(report)
    clock(report)
    clock_on_its_way(report)
    report.done()
