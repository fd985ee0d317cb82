"""CloudWatch's operations on the same port: in the protocols of old and new clients, with sums that
equal the ConsumedCapacity that the callers got; and Prometheus' text."""

import datetime
import http.client
import json
import re
import struct
import time
import urllib.parse

import boto
from e2e import HEADERS, Report, Server, Shell, equal

AS_TYPED = r"""
aws cloudwatch get-metric-statistics \
--namespace AWS/DynamoDB \
--metric-name ConsumedReadCapacityUnits \
--dimensions Name=TableName,Value=Users \
--start-time $(date -d '1 hour ago' -u +%Y-%m-%dT%H:%M:%SZ) \
--end-time $(date -u +%Y-%m-%dT%H:%M:%SZ) \
--period 60 \
--statistics Sum
"""
SPACE = "AWS/DynamoDB"
TARGET = "GraniteServiceVersion20100801"
TABLE = {
    "TableName": "Users",
    "AttributeDefinitions": [
        {"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK", "g")
    ],
    "KeySchema": [
        {"AttributeName": "PK", "KeyType": "HASH"},
        {"AttributeName": "SK", "KeyType": "RANGE"},
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "byGroup",
            "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
    "BillingMode": "PAY_PER_REQUEST",
}


def send(server, path, content_type, body, headers=None):
    """One request as it stands: (status, headers, body)."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    given = {k: v for k, v in HEADERS.items() if k.lower() != "content-type"}
    connection.request(
        "POST", path, body, {**given, "Content-Type": content_type, **(headers or {})}
    )
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, answer.headers, text


def work(server):
    """Reads and writes; returns the units that the answers tell: {(kind, index): units}."""
    told = {}

    def call(operation, kind, **body):
        body = {"TableName": "Users", "ReturnConsumedCapacity": "INDEXES", **body}
        answer = server.call(operation, body)
        used = answer["ConsumedCapacity"]
        told[kind, ""] = told.get((kind, ""), 0) + used["Table"]["CapacityUnits"]
        for name, units in used.get("GlobalSecondaryIndexes", {}).items():
            told[kind, name] = told.get((kind, name), 0) + units["CapacityUnits"]

    for n in range(5):
        text = {"S": "x" * 1500}
        item = {"PK": {"S": f"u{n}"}, "SK": {"S": "p"}, "g": {"S": "all"}, "text": text}
        call("PutItem", "Write", Item=item)
    key = {"PK": {"S": "u1"}, "SK": {"S": "p"}}
    for _ in range(3):
        call("GetItem", "Read", Key=key)
    call("GetItem", "Read", Key=key, ConsistentRead=True)
    equals = {"ExpressionAttributeValues": {":v": {"S": "all"}}}
    call("Query", "Read", IndexName="byGroup", KeyConditionExpression="g = :v", **equals)
    call("Scan", "Read")
    call("DeleteItem", "Write", Key=key)
    return told


def dimensions(index=""):
    found = [{"Name": "TableName", "Value": "Users"}]
    return found + ([{"Name": "GlobalSecondaryIndexName", "Value": index}] if index else [])


def statistics(kind, index=""):
    now = int(time.time())
    return {
        "Namespace": SPACE,
        "MetricName": f"Consumed{kind}CapacityUnits",
        "Dimensions": dimensions(index),
        "StartTime": now - 3600,
        "EndTime": now + 120,
        "Period": 60,
        "Statistics": ["Sum", "SampleCount"],
    }


def post_json(server, operation, body, headers=None):
    status, answer_headers, text = send(
        server,
        "/",
        "application/x-amz-json-1.0",
        json.dumps(body),
        {"X-Amz-Target": f"{TARGET}.{operation}", "x-amzn-query-mode": "true", **(headers or {})},
    )
    return status, answer_headers, json.loads(text)


def sum_of(answer):
    return sum(point["Sum"] for point in answer["Datapoints"])


def in_json(report, server, told):
    for (kind, index), units in told.items():
        with report.case(f"JSON: {kind} units of {index or 'the table'}"):
            status, headers, answer = post_json(
                server, "GetMetricStatistics", statistics(kind, index)
            )
            equal((status, answer["Label"]), (200, f"Consumed{kind}CapacityUnits"))
            equal(headers["Content-Type"], "application/x-amz-json-1.0")
            equal(sum_of(answer), units)
            equal({point["Unit"] for point in answer["Datapoints"]}, {"Count"})
            assert all(point["Timestamp"] % 60 == 0 for point in answer["Datapoints"])
    with report.case("JSON: an error has a code of the query protocol"):
        status, headers, answer = post_json(server, "GetMetricStatistics", {"Namespace": SPACE})
        equal(
            (status, headers["x-amzn-query-error"], answer),
            (
                400,
                "MissingParameter;Sender",
                {
                    "__type": "com.amazonaws.cloudwatch.v2010_08_01#"
                    "MissingRequiredParameterException",
                    "message": "The parameter MetricName is required.",
                },
            ),
        )


def flat(body, prefix=""):
    """The fields of the query protocol."""
    if isinstance(body, dict):
        for name, value in body.items():
            yield from flat(value, f"{prefix}.{name}" if prefix else name)
    elif isinstance(body, list):
        for n, value in enumerate(body, 1):
            yield from flat(value, f"{prefix}.member.{n}")
    else:
        yield prefix, body


def post_form(server, operation, body, version="2010-08-01"):
    fields = [("Action", operation), ("Version", version), *flat(body)]
    status, _, text = send(
        server, "/", "application/x-www-form-urlencoded; charset=utf-8", urllib.parse.urlencode(fields)
    )
    return status, text.decode()


def moment(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime(
        "%Y-%m-%dT%H:%M:%SZ"
    )


def in_xml(report, server, told):
    body = statistics("Read")
    body |= {"StartTime": moment(body["StartTime"]), "EndTime": moment(body["EndTime"])}
    with report.case("query: the units of the table"):
        status, text = post_form(server, "GetMetricStatistics", body)
        equal(status, 200)
        namespace = "http://monitoring.amazonaws.com/doc/2010-08-01/"
        assert text.startswith(f'<GetMetricStatisticsResponse xmlns="{namespace}">'), text
        equal(sum(map(float, re.findall("<Sum>(.*?)</Sum>", text))), told["Read", ""])
        assert re.search(r"<Timestamp>\d{4}-\d\d-\d\dT\d\d:\d\d:00Z</Timestamp>", text), text
        assert "<Label>ConsumedReadCapacityUnits</Label>" in text, text
    with report.case("query: errors"):
        status, text = post_form(server, "GetMetricStatistics", {**body, "Period": 61})
        assert status == 400 and "<Code>InvalidParameterValue</Code>" in text, text
        status, text = post_form(server, "Nothing", {})
        assert status == 400 and "<Code>InvalidAction</Code>" in text, text
    with report.case("query: whoever calls"):
        status, text = post_form(server, "GetCallerIdentity", {}, "2011-06-15")
        assert status == 200 and "<Account>123456789012</Account>" in text, text


# --- CBOR -------------------------------------------------------------------------------------


def head(major, value):
    if value < 24:
        return bytes([major << 5 | value])
    size = next(i for i in range(4) if value < 1 << (8 << i))
    return bytes([major << 5 | 24 + size]) + value.to_bytes(1 << size, "big")


class Moment(float):
    """A timestamp."""


def encode(value):
    if isinstance(value, Moment):
        return head(6, 1) + struct.pack(">Bd", 0xFB, value)
    if isinstance(value, int):
        return head(0, value)
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(encode, value))
    pairs = b"".join(encode(k) + encode(v) for k, v in value.items())
    return b"\xbf" + pairs + b"\xff"


def decode(data, at=0):
    major, info = data[at] >> 5, data[at] & 31
    at += 1
    value = info
    if 24 <= info <= 27:
        size = 1 << (info - 24)
        value, at = int.from_bytes(data[at : at + size], "big"), at + size
    if major == 7:
        simple = {20: False, 21: True, 22: None}
        return (struct.unpack(">d", value.to_bytes(8, "big"))[0] if info == 27 else simple[info]), at
    if major in (0, 1):
        return (value if major == 0 else -1 - value), at
    if major == 3:
        return data[at : at + value].decode(), at + value
    if major == 6:
        inner, at = decode(data, at)
        return Moment(inner), at
    if major == 4:
        found = []
        for _ in range(value):
            item, at = decode(data, at)
            found.append(item)
        return found, at
    found = {}
    while data[at] != 0xFF:
        key, at = decode(data, at)
        found[key], at = decode(data, at)
    return found, at + 1


def post_cbor(server, operation, body):
    status, headers, data = send(
        server,
        f"/service/{TARGET}/operation/{operation}",
        "application/cbor",
        encode(body),
        {"smithy-protocol": "rpc-v2-cbor"},
    )
    answer, end = decode(data)
    equal(end, len(data))
    return status, headers, answer


def in_cbor(report, server, told):
    now = time.time()
    span = {"StartTime": Moment(now - 3600), "EndTime": Moment(now + 120)}
    with report.case("CBOR: the units of the table"):
        status, headers, answer = post_cbor(
            server, "GetMetricStatistics", {**statistics("Read"), **span}
        )
        equal((status, headers["Content-Type"]), (200, "application/cbor"))
        equal(headers["smithy-protocol"], "rpc-v2-cbor")
        equal(sum_of(answer), told["Read", ""])
        assert all(isinstance(point["Timestamp"], Moment) for point in answer["Datapoints"])
    with report.case("CBOR: GetMetricData"):
        metric = {
            "Namespace": SPACE,
            "MetricName": "ConsumedWriteCapacityUnits",
            "Dimensions": dimensions(),
        }
        query = {"Id": "w", "MetricStat": {"Metric": metric, "Period": 3600, "Stat": "Sum"}}
        status, _, answer = post_cbor(
            server, "GetMetricData", {"MetricDataQueries": [query], **span}
        )
        equal(status, 200)
        equal(sum(answer["MetricDataResults"][0]["Values"]), told["Write", ""])
        equal(answer["MetricDataResults"][0]["StatusCode"], "Complete")
    with report.case("CBOR: errors"):
        status, headers, answer = post_cbor(server, "GetMetricStatistics", {"Namespace": SPACE})
        equal((status, headers["x-amzn-query-error"]), (400, "MissingParameter;Sender"))
        equal(answer["message"], "The parameter MetricName is required.")
        status, _, data = send(
            server, f"/service/{TARGET}/operation/ListMetrics", "application/cbor", b"\xa1\x00"
        )
        equal((status, decode(data)[0]["__type"].split("#")[1]), (400, "SerializationException"))


# --- clients ----------------------------------------------------------------------------------


def typed(report, server, told):
    with Shell(server) as shell:
        if not shell.cli:
            report.skip("the command as it is typed", "there is no AWS CLI")
            return
        with report.case("the command as it is typed"):
            time.sleep(max(0.0, 1.2 - time.time() % 60))  # the end of the time is a whole second
            answer = shell.run(AS_TYPED).json
            equal(answer["Label"], "ConsumedReadCapacityUnits")
            equal(sum_of(answer), told["Read", ""])


def with_boto3(report, server, told):
    if not boto.boto3:
        report.skip("boto3", "it is not installed")
        return
    boto.connect(server)
    client = boto.boto3.client("cloudwatch")
    span = {"StartTime": time.time() - 3600, "EndTime": time.time() + 120}
    with report.case("boto3: GetMetricStatistics, GetMetricData, ListMetrics"):
        body = {**statistics("Write"), **span}
        equal(sum_of(client.get_metric_statistics(**body)), told["Write", ""])
        metric = {name: body[name] for name in ("Namespace", "MetricName", "Dimensions")}
        query = {"Id": "w", "MetricStat": {"Metric": metric, "Period": 60, "Stat": "Sum"}}
        found = client.get_metric_data(MetricDataQueries=[query], **span)["MetricDataResults"]
        equal(sum(found[0]["Values"]), told["Write", ""])
        pages = client.get_paginator("list_metrics").paginate(
            Namespace=SPACE, Dimensions=[{"Name": "Operation", "Value": "GetItem"}]
        )
        equal(
            [metric["MetricName"] for page in pages for metric in page["Metrics"]],
            ["SuccessfulRequestLatency"],
        )
    with report.case("boto3: who calls"):
        equal(boto.boto3.client("sts").get_caller_identity()["Account"], "123456789012")


def written(**more):
    """A query of GetMetricData for the units that writes of the table took."""
    metric = {
        "Namespace": SPACE,
        "MetricName": "ConsumedWriteCapacityUnits",
        "Dimensions": dimensions(),
    }
    return {"Id": "w", "MetricStat": {"Metric": metric, "Period": 60, "Stat": "Sum", **more}}


def computed(report, server, told):
    now = int(time.time())
    span = {"StartTime": now - 3600, "EndTime": now + 120}
    queries = [
        {**written(), "ReturnData": False},
        {"Id": "twice", "Expression": "w * 2", "Label": "Twice"},
        {"Id": "other", "Expression": "MEDIAN(w)"},
        {**written(Stat="p99"), "Id": "high"},
    ]
    with report.case("metric math and percentiles: what is not known fails alone"):
        body = {"MetricDataQueries": queries, **span}
        status, _, answer = post_json(server, "GetMetricData", body)
        equal(status, 200)
        twice, other, high = answer["MetricDataResults"]
        equal((twice["Label"], twice["StatusCode"]), ("Twice", "Complete"))
        equal(sum(twice["Values"]), 2 * told["Write", ""])
        equal((other["Values"], other["StatusCode"]), ([], "InternalError"))
        equal([m["Code"] for m in other["Messages"]], ["UnsupportedExpression"])
        equal(set(high["Values"]), {2})
    body = {**statistics("Write"), "ExtendedStatistics": ["p50", "tc100"]}
    del body["Statistics"]
    with report.case("JSON: extended statistics"):
        (point, *_) = post_json(server, "GetMetricStatistics", body)[2]["Datapoints"]
        equal(point["ExtendedStatistics"]["p50"], 2)
    with report.case("query: extended statistics"):
        times = {name: moment(body[name]) for name in ("StartTime", "EndTime")}
        status, text = post_form(server, "GetMetricStatistics", {**body, **times})
        equal(status, 200)
        entry = "<entry><key>p50</key><value>2.0</value></entry>"
        assert f"<ExtendedStatistics>{entry}" in text, text
    with report.case("CBOR: extended statistics"):
        times = {name: Moment(body[name]) for name in ("StartTime", "EndTime")}
        status, _, answer = post_cbor(server, "GetMetricStatistics", {**body, **times})
        equal(answer["Datapoints"][0]["ExtendedStatistics"]["p50"], 2.0)


def alarms(report, server, told):
    with report.case("there are no alarms, in all protocols"):
        nothing = {"CompositeAlarms": [], "MetricAlarms": []}
        equal(post_json(server, "DescribeAlarms", {})[2], nothing)
        equal(post_cbor(server, "DescribeAlarms", {"MaxRecords": 5})[2], nothing)
        status, text = post_form(server, "DescribeAlarms", {})
        assert status == 200 and "<MetricAlarms></MetricAlarms>" in text, text
    with report.case("an operation that is missing is named"):
        status, headers, answer = post_cbor(server, "PutMetricAlarm", {})
        equal((status, headers["x-amzn-query-error"]), (400, "InvalidAction;Sender"))
        equal(answer["message"], "mockddb does not have the operation PutMetricAlarm")
    with Shell(server) as shell:
        if not shell.cli:
            report.skip("the AWS CLI asks for alarms and computes", "there is no AWS CLI")
            return
        with report.case("the AWS CLI asks for alarms and computes"):
            equal(shell.run("aws cloudwatch describe-alarms").json["MetricAlarms"], [])
            listed = shell.run("aws cloudwatch list-dashboards").json
            equal(listed["DashboardEntries"], [])
            queries = [{**written(), "ReturnData": False}, {"Id": "e", "Expression": "SUM([w,w])"}]
            answer = shell.run(
                f"aws cloudwatch get-metric-data --metric-data-queries '{json.dumps(queries)}' "
                f"--start-time {moment(time.time() - 3600)} --end-time {moment(time.time() + 120)}"
            ).json
            equal(sum(answer["MetricDataResults"][0]["Values"]), 2 * told["Write", ""])


def scheduled(report, server):
    if not boto.boto3:
        report.skip("boto3: scheduled actions", "it is not installed")
        return
    boto.connect(server)
    client = boto.boto3.client("application-autoscaling")
    target = {
        "ServiceNamespace": "dynamodb",
        "ResourceId": "table/Users",
        "ScalableDimension": "dynamodb:table:WriteCapacityUnits",
    }
    with report.case("boto3: scheduled actions"):
        client.register_scalable_target(**target, MinCapacity=1, MaxCapacity=10)
        client.put_scheduled_action(
            **target,
            ScheduledActionName="morning",
            Schedule="cron(0 8 * * ? *)",
            ScalableTargetAction={"MinCapacity": 5},
            StartTime=datetime.datetime(2040, 1, 1, tzinfo=datetime.timezone.utc),
        )
        pages = client.get_paginator("describe_scheduled_actions").paginate(
            ServiceNamespace="dynamodb"
        )
        (action,) = [action for page in pages for action in page["ScheduledActions"]]
        equal(action["StartTime"].year, 2040)
        equal(action["ScalableTargetAction"], {"MinCapacity": 5})
        client.delete_scheduled_action(**target, ScheduledActionName="morning")
        found = client.describe_scheduled_actions(ServiceNamespace="dynamodb")
        equal(found["ScheduledActions"], [])


def prometheus(report, server, told):
    with report.case("Prometheus' text"):
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        connection.request("GET", "/_mockddb/metrics")
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        equal(answer.status, 200)
        assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        name = "mockddb_consumed_read_capacity_units_total"
        assert f"# TYPE {name} counter\n" in text, text
        line = re.search(rf'^{name}{{world="default",table="Users"}} (.*)$', text, re.M)
        equal(float(line[1]), told["Read", ""])
        assert re.search(r'_count{world="default",table="Users",operation="GetItem"} 4$', text, re.M)


def partitions(report, server, told):
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    connection.request("GET", "/_mockddb/metrics/partitions?table=Users")
    found = json.loads(connection.getresponse().read())["partitions"]
    server.call("GetItem", {"TableName": "Users", "Key": {"PK": {"S": "just now"}, "SK": {"S": "1"}}, "ConsistentRead": True})
    connection.request("GET", "/_mockddb/metrics/partitions?table=Users&seconds=120")
    timed = json.loads(connection.getresponse().read())
    connection.close()
    with report.case("which keys take the load"):
        hottest = found[0]
        equal((hottest["table"], hottest["key"]), ("Users", {"PK": {"S": "u1"}}))
        equal((hottest["reads"], hottest["writes"], "index" in hottest), (4, 2, False))
    with report.case("which keys of indexes do"):
        (one,) = [row for row in found if row.get("index") == "byGroup"]
        equal((one["key"], one["reads"]), ({"g": {"S": "all"}}, 1))
        equal(one["read_units"], told["Read", "byGroup"])
    with report.case("in which seconds they do"):
        (last,) = [row for row in timed["partitions"] if row["key"] == {"PK": {"S": "just now"}}]
        equal([(one["read_units"], one["write_units"]) for one in last["seconds"]], [(1, 0)])
        for row in timed["partitions"]:
            for name in ("read_units", "write_units"):
                # A slow machine may have forgotten the first seconds.
                assert 0 <= sum(one[name] for one in row["seconds"]) <= row[name] + 0.01, row
            assert all(timed["from"] <= one["at"] < timed["from"] + 120 for one in row["seconds"]), timed


def main():
    report = Report()
    with Server() as server:
        server.call("CreateTable", TABLE)
        told = work(server)
        for test in (in_json, in_xml, in_cbor, typed, with_boto3, computed, alarms, prometheus):
            test(report, server, told)
        partitions(report, server, told)
        scheduled(report, server)
        with report.case("a reset forgets them"):
            connection = http.client.HTTPConnection("127.0.0.1", server.port)
            connection.request("POST", "/_mockddb/reset", "{}")
            equal(connection.getresponse().status, 200)
            connection.close()
            equal(post_json(server, "ListMetrics", {})[2], {"Metrics": []})
    report.done()


main()
