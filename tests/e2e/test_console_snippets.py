"""Requests in six languages, as the console shows them: what can be run is run, the rest read."""

import base64
import json

from admin import ROOT, must
from e2e import Report, Server, equal, has_node, node_script, run_program

try:
    import boto3
except ImportError:
    boto3 = None

ODD = "it's \"odd\" \\ $x `y` #a :v\n--end"
B64 = base64.b64encode(bytes(range(200))).decode()
MAP = {"M": {"B": {"BS": [B64, "AA=="]}, "S": {"L": [{"NULL": True}, {"SS": ["x", "y"]}]}}}
ITEMS = (
    {"pk": {"S": "a"}, "sk": {"N": "1"}, "size": {"N": "3"}, "text": {"S": ODD}, "B": {"B": B64}},
    {"pk": {"S": "a"}, "sk": {"N": "2"}, "size": {"N": "12345678901234567890123456789012345678"}},
    {"pk": {"S": "a"}, "sk": {"N": "3"}, "m": MAP},
    {"pk": {"S": ODD}, "sk": {"N": "-1"}, "flag": {"BOOL": False}},
)
SIZE = {"#s": "size"}
TABLE = {
    "TableName": "Odd",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [
        {"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "sk", "AttributeType": "N"},
    ],
    "KeySchema": [
        {"AttributeName": "pk", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"},
    ],
}


def query(condition, values=None, names=None, **more):
    values = {":p": {"S": "a"}} | (values or {})
    request = {"TableName": "Odd", "KeyConditionExpression": condition} | more
    if names:
        request["ExpressionAttributeNames"] = names
    return "Query", request | {"ExpressionAttributeValues": values}


def scan(**more):
    return "Scan", {"TableName": "Odd"} | more


def get(pk, sk, **more):
    return "GetItem", {"TableName": "Odd", "Key": {"pk": {"S": pk}, "sk": {"N": sk}}} | more


DESCENDING = query(
    "pk = :p AND #k > :k", {":k": {"N": "1"}}, {"#k": "sk"}, ScanIndexForward=False, Limit=9
)
BACKWARDS = (*query("pk = :p", ScanIndexForward=False, Limit=2), "sk")
ODD_KEY = query(
    "#p = :p AND #k < :k", {":p": {"S": ODD}, ":k": {"N": "0"}}, {"#p": "pk", "#k": "sk"}
)
BINARY = query("pk = :p", {":b": {"B": B64}}, FilterExpression="B = :b")
LIST = query("pk = :p", {":l": MAP["M"]["S"]}, FilterExpression="m.S = :l")
BINARIES = query("pk = :p", {":m": MAP}, FilterExpression="m = :m")
PRESENCE = "attribute_exists(#s) AND attribute_not_exists(m)"
FILTERED = scan(
    FilterExpression="#s = :n OR contains(#s, :n)",
    ExpressionAttributeNames=SIZE,
    ExpressionAttributeValues={":n": {"N": "3"}},
)
CASES = {  # name: (operation, request), and whether a statement says the same
    "a partition": (query("pk = :p"), True),
    "a partition, backwards": (query("pk = :p", ScanIndexForward=False), False),
    "a partition of a known key, backwards": (BACKWARDS, True),
    "a table without sort key, backwards": (
        (*query("pk = :p AND sk = :k", {":k": {"N": "1"}}, ScanIndexForward=False), None),
        True,
    ),
    "a partition with a limit": (query("pk = :p", Limit=2, ConsistentRead=True), True),
    "from a key on": (
        query("pk = :p", ExclusiveStartKey={"pk": {"S": "a"}, "sk": {"N": "1"}}),
        False,
    ),
    "a segment": (scan(Segment=0, TotalSegments=2), False),
    "part of a partition, backwards": (DESCENDING, True),
    "odd characters in a key": (ODD_KEY, True),
    "a filter on binary": (BINARY, False),
    "a filter on a list": (LIST, True),
    "a filter on a map with binary": (BINARIES, False),
    "what is there and what is not": (
        query("pk = :p", None, SIZE, FilterExpression=PRESENCE),
        True,
    ),
    "a Scan with a filter": (FILTERED, True),
    "a Scan, some attributes": (
        scan(ProjectionExpression="#s, pk", ExpressionAttributeNames=SIZE),
        True,
    ),
    "a Scan with a limit": (scan(Limit=2), True),
    "an item": (get(ODD, "-1", ConsistentRead=True), True),
    "an item, some attributes": (
        get("a", "2", ProjectionExpression="sk, #s", ExpressionAttributeNames=SIZE),
        True,
    ),
}

GO = """out, err := client.GetItem(ctx, &dynamodb.GetItemInput{
    TableName: aws.String("Odd"),
    Key: map[string]types.AttributeValue{
        "pk": &types.AttributeValueMemberS{Value: %s},
        "sk": &types.AttributeValueMemberN{Value: "-1"},
    },
    ConsistentRead: aws.Bool(true),
})"""

JAVA = """DynamoDbClient client = DynamoDbClient.create();
GetItemResponse response = client.getItem(GetItemRequest.builder()
        .tableName("Odd")
        .key(Map.ofEntries(
            Map.entry("pk", AttributeValue.fromS(%s)),
            Map.entry("sk", AttributeValue.fromN("-1"))))
        .consistentRead(true)
        .build());"""

SCAN_JAVA = """DynamoDbClient client = DynamoDbClient.create();
ScanResponse response = client.scan(ScanRequest.builder()
        .tableName("Odd")
        .limit(2)
        .build());"""


def plain(value):
    """A value that equals all others that mean the same: sets in order, bytes as text."""
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return [plain(one) for one in value] if isinstance(value, list) else value


def canonical(items):
    return sorted(json.dumps(plain(item), sort_keys=True) for item in items)


def items_of(answer):
    return answer["Items"] if "Items" in answer else [answer["Item"]]


def run_boto3(server, text):
    """Runs it as it stands, but that boto3's client goes to the server: older ones know no variable for that."""
    client, names = boto3.client, {}
    boto3.client = lambda service: client(
        service,
        endpoint_url=server.url,
        region_name="us-east-1",
        aws_access_key_id="a",
        aws_secret_access_key="b",
    )
    try:
        exec(text, names)  # pylint: disable=exec-used # that is what people do with it
    finally:
        boto3.client = client
    return items_of(names["response"])


def execute(server, text):
    """Items of a statement; where it cannot say all, the page shows a command."""
    request = {"Statement": text}
    if text.startswith("aws "):
        request = must(server, "POST", "command", {"command": text})["request"]
    return server.call("ExecuteStatement", request)["Items"]


def check(report, server, name, case, shown):
    (operation, request, *_), said = case
    texts = shown["texts"]
    wanted = canonical(items_of(server.call(operation, request)))
    with report.case(f"{name}: the command sends this request"):
        answer = must(server, "POST", "command", {"command": texts["cli"]})
        equal(answer, {"operation": operation, "request": request})
    with report.case(f"{name}: JavaScript"):
        equal(canonical(shown["items"]), wanted)
    if boto3:
        with report.case(f"{name}: boto3"):
            equal(canonical(run_boto3(server, texts["boto3"])), wanted)
    with report.case(f"{name}: PartiQL, where it says the same"):
        equal(texts["partiql"] is not None, said)
        if said:
            equal(canonical(execute(server, texts["partiql"])), wanted)
    with report.case(f"{name}: Java and Go"):
        equal(f"{operation}Request.builder()" in texts["java"], True)
        equal(f"&dynamodb.{operation}Input{{" in texts["go"], True)


def reached(report):
    """What the page says of how programs reach a world, tried."""
    with Server() as server:
        command = ["node", node_script("snippets.mjs"), ROOT / "console/lib/reach.js", server.url]
        worlds = lambda: [world["name"] for world in must(server, "GET", "worlds")["worlds"]]
        ended = run_program([*command, "js-world"])
        with report.case("JavaScript reaches a world"):
            equal((ended.returncode, worlds()), (0, ["default", "js-world"]))
        with report.case("the default world needs no header"):
            equal("x-mockddb-world" in run_program([*command, "default"]).stdout, False)
        if boto3:
            with report.case("boto3 reaches a world"):
                names = {}
                texts = json.loads(run_program([*command, "py-world"]).stdout)
                must(server, "DELETE", "worlds/py-world")
                exec(texts["boto3"], names)  # pylint: disable=exec-used
                names["client"].list_tables()
                equal("py-world" in worlds(), True)


def main():
    report = Report()
    if not has_node():
        report.skip("requests in other languages", "there is no Node.js 20 with the SDK")
        report.done()
    with Server() as server:
        server.call("CreateTable", TABLE)
        server.put_items("Odd", list(ITEMS))
        command = ["node", node_script("snippets.mjs"), ROOT / "console/lib/snippets.js"]
        ended = run_program([*command, server.url], json.dumps([case for case, _ in CASES.values()]))
        with report.case("all are written"):
            equal((ended.returncode, ended.stderr if ended.returncode else ""), (0, ""))
        shown = dict(zip(CASES, json.loads(ended.stdout)))
        for name, case in CASES.items():
            check(report, server, name, case, shown[name])
        with report.case("an order of rows is kept"):
            for name in ("part of a partition, backwards", "a partition of a known key, backwards"):
                items = execute(server, shown[name]["texts"]["partiql"])
                equal([item["sk"]["N"] for item in items], ["3", "2"])
        with report.case("Java and Go as they are read"):
            texts = shown["an item"]["texts"]
            odd = json.dumps(ODD)
            equal((texts["java"], texts["go"]), (JAVA % odd, GO % odd))
            equal(shown["a Scan with a limit"]["texts"]["java"], SCAN_JAVA)
    reached(report)
    report.done()


main()
