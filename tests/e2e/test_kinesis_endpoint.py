"""--kinesis-out URL: records of tables with a Kinesis destination, sent to an endpoint as PutRecords."""

import base64
import http.server
import json
import socket
import threading
import time

from e2e import Report, Server, at_best, equal, wait_until
from scripted import signature_holds

TABLE = {
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST",
}


class Kinesis:
    """An endpoint that keeps what it is sent; `answer` says what it gives for a request."""

    def __init__(self, port=0, answer=None):
        self.requests, self.sent, self.answer = [], [], answer or (lambda body: None)
        kinesis = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                sent = self.rfile.read(int(self.headers["Content-Length"]))
                body = json.loads(sent)
                headers = {name.lower(): value for name, value in self.headers.items()}
                kinesis.requests.append((headers, body))
                kinesis.sent.append((headers, sent))
                status, reply = kinesis.answer(body) or (200, accepted(body))
                text = json.dumps(reply).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/x-amz-json-1.1")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def records(self, stream):
        bodies = [body for _, body in self.requests if body["StreamName"] == stream]
        return [record for body in bodies for record in body["Records"]]

    def keys(self, stream):
        return [data(record)["dynamodb"]["Keys"]["pk"]["S"] for record in self.records(stream)]


def data(record):
    return json.loads(base64.b64decode(record["Data"]))


def accepted(body):
    results = [
        {"SequenceNumber": str(n), "ShardId": "shardId-000000000000"}
        for n in range(len(body["Records"]))
    ]
    return {"FailedRecordCount": 0, "Records": results}


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def enable(server, table="T01", stream="orders"):
    arn = f"arn:aws:kinesis:us-east-1:123456789012:stream/{stream}"
    server.call("CreateTable", {"TableName": table, **TABLE})
    server.call("EnableKinesisStreamingDestination", {"TableName": table, "StreamArn": arn})


def put(server, key, table="T01", **attributes):
    server.call("PutItem", {"TableName": table, "Item": {"pk": {"S": key}, **attributes}})


def names(count):
    return [f"k{n}" for n in range(count)]


def forms(report):
    with Kinesis() as kinesis, Server("--kinesis-out", kinesis.url) as server:
        enable(server)
        put(server, "a")
        put(server, "b")
        put(server, "a", n={"N": "1"})
        wait_until(lambda: len(kinesis.records("orders")) >= 3)
        headers, _ = kinesis.requests[0]
        records = kinesis.records("orders")
        with report.case("a request is one of Kinesis"):
            equal(headers["x-amz-target"], "Kinesis_20131202.PutRecords")
            equal(headers["content-type"], "application/x-amz-json-1.1")
            assert "/us-east-1/kinesis/aws4_request" in headers["authorization"], headers
            assert signature_holds(kinesis.sent[0], "local"), headers
        with report.case("a record's data is that of the service"):
            record = data(records[2])
            equal(record["eventName"], "MODIFY")
            equal(record["dynamodb"]["NewImage"], {"pk": {"S": "a"}, "n": {"N": "1"}})
            equal(record["eventSource"], "aws:dynamodb")
        with report.case("an item's records have one partition key, another's have another"):
            one, two, three = (record["PartitionKey"] for record in records)
            equal(one, three)
            assert one != two and len(one) == 32, records


def many(report):
    with Kinesis() as kinesis, Server("--kinesis-out", kinesis.url) as server:
        enable(server)
        for first in range(0, 1200, 25):
            puts = [
                {"PutRequest": {"Item": {"pk": {"S": f"k{n}"}}}} for n in range(first, first + 25)
            ]
            server.call("BatchWriteItem", {"RequestItems": {"T01": puts}})
        wait_until(lambda: len(kinesis.records("orders")) >= 1200)
        with report.case("many records come in their order, at most 500 at a time"):
            equal(kinesis.keys("orders"), names(1200))
            assert max(len(body["Records"]) for _, body in kinesis.requests) <= 500


def late(report):
    port = free_port()
    with Server("--kinesis-out", f"http://127.0.0.1:{port}") as server:
        enable(server)
        for key in names(20):
            put(server, key)
        time.sleep(0.5)
        with Kinesis(port) as kinesis:
            wait_until(lambda: len(kinesis.records("orders")) >= 20)
            with report.case("records wait for an endpoint that is not there yet"):
                equal(kinesis.keys("orders"), names(20))
        server.stop()
        with report.case("the log says so once"):
            equal(server.read_stderr().count("records for Kinesis stream orders have to wait: "), 1)


def refused(report):
    taken, refusals = [], [1, 2, 3, 4]

    def answer(body):
        if body["StreamName"] == "missing":
            text = "Stream missing under account 123456789012 not found."
            return 400, {"__type": "ResourceNotFoundException", "message": text}
        refused = body["Records"][: len(refusals) and 1]
        taken.extend(data(record) for record in body["Records"][len(refused) :])
        if not refused:
            return None
        refusals.pop()
        reply = accepted(body)
        reply["Records"][0] = {
            "ErrorCode": "ProvisionedThroughputExceededException",
            "ErrorMessage": "Rate exceeded",
        }
        return 200, {**reply, "FailedRecordCount": 1}

    with Kinesis(answer=answer) as kinesis, Server("--kinesis-out", kinesis.url) as server:
        enable(server, "T02", "missing")
        enable(server)
        put(server, "a", "T02")
        for key in names(3):
            put(server, key)
        with report.case("a record that is refused is sent again, by itself"):
            wait_until(lambda: len(taken) >= 3)
            equal(sorted(record["dynamodb"]["Keys"]["pk"]["S"] for record in taken), names(3))
            equal(refusals, [])
        with report.case("a stream that is missing holds no other up"):
            wait_until(lambda: len(kinesis.records("missing")) >= 2)
        server.stop()
        with report.case("the log says why, and what is dropped at the end"):
            log = server.read_stderr()
            assert "stream missing have to wait: ResourceNotFoundException Stream missing" in log
            assert "1 records for Kinesis stream missing are dropped: the server ends" in log, log


def hangs(report):
    """Whoever accepts connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with Server("--kinesis-out", url) as server:
            enable(server)
            put(server, "a")

            def seconds_of_puts():
                started = time.monotonic()
                for key in names(20):
                    put(server, key)
                return time.monotonic() - started

            with report.case("an endpoint that does not answer holds no request up"):
                at_best(3, seconds_of_puts)
            for n in range(60):
                put(server, f"large{n}", large={"S": "x" * 390_000})
            put(server, "last")
            server.stop()
            with report.case("of what waits there is an end, which the log tells"):
                log = server.read_stderr()
                equal(log.count("are dropped from now on: more than 16 MB wait"), 1)
                assert "records for Kinesis stream orders are dropped: the server ends" in log


def misuse(report):
    with report.case("a URL with a path is refused at the start"):
        try:
            Server("--kinesis-out", "http://127.0.0.1:1/path").kill()
            assert False, "it started"
        except RuntimeError as error:
            assert "--kinesis-out: http://127.0.0.1:1/path is no endpoint" in str(error), error


def main():
    report = Report()
    for test in (forms, many, late, refused, hangs, misuse):
        test(report)
    report.done()


main()
