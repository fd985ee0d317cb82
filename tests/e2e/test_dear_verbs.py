#!/usr/bin/env python3
"""What verbs, and protocols besides JSON, take: requests that hold many factors near their limits at
once are answered or refused with little work, and an unsigned request gets next to none done. What is
measured is the time of the processor that the server used."""

import gzip
import http.client
import json
import pathlib
import threading
import time

from e2e import PATIENCE, SLOWNESS, Report, Server, temporary_folder
from hostile import KEY, MB, TABLE, connect, request

MOST_MS = 250  # of a quiet core, as docs/reliability.md promises, …
SLACK = 16  # … for sanitizers and a machine that does other things
COUNT = 1000  # requests that the journal has


def used_ms(server):
    """Of the processor, by all threads so far."""
    tasks = pathlib.Path(f"/proc/{server.process.pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e6


def send(server, method, path, body, headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def measure(report, server, name, method, path, body, headers=None, wanted=None):
    with report.case(name):
        before = used_ms(server)
        status, text = send(server, method, path, body, headers)
        took = used_ms(server) - before
        print(f"# {took:.0f} ms, status {status}, {len(text)} bytes")
        assert wanted is None or status in wanted, (status, text[:200])
        assert took <= MOST_MS * SLACK * SLOWNESS, f"{took:.0f} ms"


def names(count, form='"a%d":1'):
    return ",".join(form % i for i in range(count))


def words(count, word="PutItem"):
    return json.dumps([word] * count)


def command(text):
    return json.dumps({"command": f"aws dynamodb {text}"})


GET = "get-item --table-name t --key "
VERBS = (
    ("names of operations beyond number", "assert", '{"assert":[{"no":%s}]}' % words(1200000), (400,)),
    ("names of operations", "assert", '{"assert":[%s]}' % ",".join(['{"no":%s}' % words(1000)] * 100), (409, 200)),
    ("assertions on every body", "assert", '{"assert":[%s]}' % ",".join(['{"min_retry_ms":5}'] * 100), (409, 200)),
    ("words", "command", command("a " * 7000000), (400,)),
    ("unknown options", "command", command("list-tables " + "--x " * 15000), (400,)),
    ("keys in shorthand", "command", command(GET + names(7000, "a%d=b")), (200, 400)),
    ("a million keys in shorthand", "command", command(GET + names(1000000, "a%d=b")), (200, 400)),
    ("a list in shorthand", "command", command(GET + "'a=[" + "b," * 7000000 + "]'"), (400,)),
    ("brackets in shorthand", "command", command(GET + "'a=" + "[" * 30000 + "'"), (400,)),
    ("lines", "command", json.dumps({"command": "aws;" * 4000000}), (400,)),
    ("members of a body", "command", "{%s}" % names(1200000), (400,)),
    ("a rule with a wide key", "faults", '{"rules":[{"delay":1,"key":{%s}}]}' % names(45000, '"a%d":{"S":"x"}'), (400,)),
    ("members of a request", "try", '{"operation":"GetItem","request":{%s}}' % names(1000000), (200,)),
    ("a long statement", "try", json.dumps({"statement": "x" * 15000000}), (200,)),
)


def verbs(report):
    with Server() as server:
        server.call("CreateTable", TABLE)
        connection = connect(server)
        for _ in range(COUNT):
            connection.sendall(request("GetItem", {"TableName": "Hostile", "Key": KEY}))
            while b"}" not in connection.recv(65536):
                pass
        connection.close()
        for name, path, body, wanted in VERBS:
            measure(report, server, f"POST {path}: {name}", "POST", f"/_mockddb/{path}", body, wanted=wanted)


CBOR = {"Smithy-Protocol": "rpc-v2-cbor", "Content-Type": "application/cbor"}
CBOR_PATH = "/service/GraniteServiceVersion20100801/operation/GetMetricData"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
SIGNED = {
    "X-Amz-Date": "20240101T000000Z",
    "Authorization": "AWS4-HMAC-SHA256 Credential=a/20240101/us-east-1/monitoring/aws4_request, "
    "SignedHeaders=host, Signature=0",
}
QUERIES = "&".join(f"MetricDataQueries.member.{i}.MetricStat.Metric.MetricName=a" for i in range(1, 4090))
BODIES = (
    ("CBOR: numbers of a byte", CBOR_PATH, b"\x9f" + b"\x00" * 15000000 + b"\xff", CBOR),
    ("CBOR: half floats", CBOR_PATH, b"\x9f" + b"\xf9\x2e\x66" * 5000000 + b"\xff", CBOR),
    ("CBOR: a text of control characters", CBOR_PATH, b"\x7a\x00\xe4\xe1\xc0" + b"\x01" * 15000000, CBOR),
    ("CBOR: empty pieces of a text", CBOR_PATH, b"\x7f" + b"\x60" * 15000000 + b"\xff", CBOR),
    ("form: 4090 queries", "/", f"Action=GetMetricData&Version=2010-08-01&{QUERIES}".encode(), FORM),
    ("form: fields", "/", b"a&" * 7000000, FORM),
    ("JSON: names", "/", ("{%s}" % names(1000000)).encode(),
     {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": "DynamoDB_20120810.GetItem"}),
    ("JSON: names, no operation", "/", ("{%s}" % names(1000000)).encode(),
     {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": "DynamoDB_20120810.None"}),
)


def protocols(report):
    with Server() as server:
        for name, path, body, headers in BODIES:
            measure(report, server, name, "POST", path, body, {**headers, **SIGNED})
    with temporary_folder() as folder:
        keys = pathlib.Path(folder) / "keys"
        keys.write_text("known secret\n")
        with Server("--require-signature", str(keys)) as server:
            for name, path, body, headers in BODIES:
                measure(report, server, f"unsigned {name}", "POST", path, body, headers, range(400, 500))
            for name, path, body, _ in VERBS:
                measure(report, server, f"unsigned POST {path}: {name}", "POST", f"/_mockddb/{path}", body,
                        wanted=(403,))


LINES = b"".join(b'{"pk":"%04d"}\n' % i for i in range(1000))
PACKED = (
    ("lines", gzip.compress(LINES * 200), "table=Lines&key=pk:S"),
    ("a line without end", gzip.compress(b'{"pk":"' + b"a" * (8 * MB)), "table=Lines&key=pk:S"),
)
# Records of which it shows only at their end what they are; parts of them come many times.
LOOKED_AT = (
    ("an object that may be an answer", b'{"x":{"y":[%s1]}}\n'),
    ("a member behind an answer's items", b'{"Items":[{}],"x":[%s1]}\n'),
    ("a record of Ion", b"$ion_1_0 {Item:{x:[%s1]}}\n"),
)
LEAST = 5  # answers meanwhile; without slices there are two


def model(count):
    """Of NoSQL Workbench: what makes the table stands behind its data."""
    items = ",\n".join('{"pk":{"S":"%06d"},"text":{"S":"%s"}}' % (i, "a" * 200) for i in range(count))
    return (
        '{"DataModel":[{"TableName":"Modelled","TableData":[\n%s,\n{"no":{"S":"key"}}\n],'
        '"KeyAttributes":{"PartitionKey":{"AttributeName":"pk","AttributeType":"S"}}}]}' % items
    ).encode()


class Others:
    """Somebody who asks for little for as long as the block lasts."""

    def __init__(self, server):
        self.connection = connect(server)
        self.answered = 0
        self.longest = 0
        self.going = True
        self.thread = threading.Thread(target=self.ask)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.going = False
        self.thread.join()
        self.connection.close()

    def ask(self):
        while self.going:
            begun = time.monotonic()
            self.connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert self.connection.recv(65536).startswith(b"HTTP/1.1 200"), "it is not answered"
            self.answered += 1
            self.longest = max(self.longest, time.monotonic() - begun)


def imports(report):
    with Server() as server:
        for name, packed, options in PACKED:
            with report.case(f"POST import: {len(packed) // 1024} KB that are {name} let others in"):
                with Others(server) as others:
                    status, text = send(server, "POST", f"/_mockddb/import?{options}", packed)
                print(f"# status {status}, {others.answered} answers meanwhile, {text[:60]}")
                assert others.answered >= LEAST, f"{others.answered} answers"
        for name, record in LOOKED_AT:
            with report.case(f"POST import: four times the text is not sixteen times the work: {name}"):
                took = []
                for size in (900_000, 3_600_000):
                    before = used_ms(server)
                    status, _ = send(server, "POST", "/_mockddb/import?table=Lines&key=pk:S&name=a", gzip.compress(record % (b"1," * (size // 2))))
                    took.append(used_ms(server) - before)
                    assert status == 200, status
                print(f"# {took[0]:.0f} and {took[1]:.0f} ms")
                assert took[1] < 8 * took[0], took
        with report.case("POST import: a long model lets others in"):
            with Others(server) as others:
                status, answer = send(server, "POST", "/_mockddb/import", model(60000))
            stored = server.call("DescribeTable", {"TableName": "Modelled"})
            print(f"# {others.answered} answers meanwhile, {others.longest * 1000:.0f} ms the longest")
            answer = json.loads(answer)
            assert (status, answer["items"], answer["refused"]) == (200, 60000, 1), answer
            assert answer["refusals"][0]["line"] == 60002, answer
            assert stored["Table"]["ItemCount"] == 60000, stored
            assert others.answered >= 20 * LEAST, f"{others.answered} answers"
        with report.case("POST import: more columns than are read"):
            header = b"pk," + b",".join(b"c%d" % i for i in range(100000))
            before = used_ms(server)
            status, text = send(server, "POST", "/_mockddb/import?table=Wide&key=pk:S&name=a.csv", header + b"\na,1\n")
            assert b"more columns than mockddb reads" in text, (status, text)
            assert used_ms(server) - before <= MOST_MS * SLACK * SLOWNESS


STEP = '{"operation":"GetItem","request":{"TableName":"T%d","Key":{}},"expect":{"error":"ResourceNotFoundException"}}'


def pattern(name, steps, section="a"):
    return '{"name":"%s","question":"?","section":"%s","steps":[%s]}' % (name, section, steps)


def pattern_file(patterns, values="", sections="a"):
    sections = ",".join('{"name":"%s","title":""}' % name for name in sections.split())
    return '{"values":{%s},"sections":[%s],"patterns":[%s]}' % (values, sections, ",".join(patterns))


def many(form, count):
    return [form % i for i in range(count)]


RUNS = (
    ("steps", pattern_file([pattern("p", ",".join(many(STEP, 10000)))]), "", True, 20),
    ("patterns", pattern_file([pattern(f"p{i}", STEP % i, f"s{i}") for i in range(30000)],
                              sections=" ".join(many("s%d", 30000))), "", True, 50),
    ("names", pattern_file([pattern(f"p{i}", STEP % 1) for i in range(30000)]),
     ',"only":[%s]' % ",".join(['"p29999"'] * 400000), True, 2),
    ("values that are set", pattern_file([pattern("p1", STEP % 1)], values=",".join(many('"v%d":"x"', 200000))),
     ',"values":{%s}' % ",".join(many('"v%d":"y"', 200000)), True, 2),
    ("values", pattern_file([pattern("p", STEP.replace("T%d", "{" * 1000000 + "{v1}"))],
                            values=",".join(many('"v%d":"x"', 200000))), "", False, 2),
    ("references", pattern_file([pattern("p", ",".join(
        '{"name":"s%d",%s' % (i, STEP.replace("T%d", '{\\"').replace('"{\\""', '{"$from":"s0","at":"/none"}')[1:])
        for i in range(20000)))]), "", False, 2),
)


def runs(report):
    with Server() as server:
        for name, file, more, holds, least in RUNS:
            with report.case(f"POST patterns/run: many {name} let others in"):
                before = used_ms(server)
                with Others(server) as others:
                    status, text = send(server, "POST", "/_mockddb/patterns/run", '{"file":%s%s}' % (file, more))
                print(f"# {used_ms(server) - before:.0f} ms, {others.answered} answers, "
                      f"{others.longest * 1000:.0f} ms the longest, {text[:60]}")
                assert (status, json.loads(text)["holds"]) == (200, holds), (status, text[:300])
                assert others.answered >= least, f"{others.answered} answers"
        with report.case("POST patterns/run: all results together have the budget of a request"):
            file = pattern_file([pattern(f"p{i}", '{"operation":"GetItem","request":{}}') for i in range(150000)])
            status, text = send(server, "POST", "/_mockddb/patterns/run", '{"file":%s}' % file)
            assert status == 400 and b"more work or memory" in text, (status, text[:300])


if __name__ == "__main__":
    report = Report()
    verbs(report)
    runs(report)
    imports(report)
    protocols(report)
    report.done()
