"""A command-line cookbook for DynamoDB, its commands as typed, section by section.

Some of its commands are wrong for their own tables; there the service's refusal, or the CLI's, is
what is expected, and a right form follows.
"""

import json

from cookbook import (
    QUERY_INDEX, count, drop, item, key_schema, one_page, page, run_sections, table,
)  # fmt: skip
from e2e import Commands, Like, Misuse, Refusal, Report, Server, Shell, equal

WHEN = Like(r"\d{4}-\d\d-\d\dT.*")
UUID = Like(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
CONDITION_FAILED = "The conditional request failed"
RESERVED = "Attribute name is a reserved keyword; reserved keyword: "


def description(name, status, keys, throughput=(0, 0), **more):
    units = {"ReadCapacityUnits": throughput[0], "WriteCapacityUnits": throughput[1]}
    shown = {
        "AttributeDefinitions": [{"AttributeName": k, "AttributeType": "S"} for k in keys],
        "TableName": name,
        "KeySchema": key_schema(*keys),
        "TableStatus": status,
        "CreationDateTime": WHEN,
        "ProvisionedThroughput": {"NumberOfDecreasesToday": 0} | units,
        "TableSizeBytes": 0,
        "ItemCount": 0,
        "TableArn": f"arn:aws:dynamodb:us-east-1:123456789012:table/{name}",
        "TableId": UUID,
    }
    if throughput == (0, 0):
        shown["BillingModeSummary"] = {"BillingMode": "PAY_PER_REQUEST"}
    return shown | more


def table_management(command, server):
    command(
        "create a table with a partition key only",
        r"""
aws dynamodb create-table \
--table-name Users \
--attribute-definitions AttributeName=userId,AttributeType=S \
--key-schema AttributeName=userId,KeyType=HASH \
--billing-mode PAY_PER_REQUEST
""",
        {"TableDescription": description("Users", "CREATING", ["userId"])},
    )
    command(
        "create a table with partition key and sort key",
        r"""
aws dynamodb create-table \
--table-name Orders \
--attribute-definitions \
AttributeName=customerId,AttributeType=S \
AttributeName=orderId,AttributeType=S \
--key-schema \
AttributeName=customerId,KeyType=HASH \
AttributeName=orderId,KeyType=RANGE \
--billing-mode PAY_PER_REQUEST
""",
        {"TableDescription": description("Orders", "CREATING", ["customerId", "orderId"])},
    )
    command(
        "create a table with provisioned throughput",
        r"""
aws dynamodb create-table \
--table-name Events \
--attribute-definitions AttributeName=eventId,AttributeType=S \
--key-schema AttributeName=eventId,KeyType=HASH \
--provisioned-throughput ReadCapacityUnits=5,WriteCapacityUnits=5
""",
        {"TableDescription": description("Events", "CREATING", ["eventId"], (5, 5))},
    )
    command("wait until a table is active", "aws dynamodb wait table-exists --table-name Users", "")
    command(
        "describe a table",
        "aws dynamodb describe-table --table-name Users",
        {
            "Table": description(
                "Users",
                "ACTIVE",
                ["userId"],
                BillingModeSummary={
                    "BillingMode": "PAY_PER_REQUEST",
                    "LastUpdateToPayPerRequestDateTime": WHEN,
                },
            )
        },
    )
    command(
        "just the table's status",
        r'aws dynamodb describe-table --table-name Users --query "Table.TableStatus" --output text',
        "ACTIVE\n",
    )
    command(
        "list all tables",
        "aws dynamodb list-tables",
        {"TableNames": ["Events", "Orders", "Users"]},
    )
    command(
        "list all tables as text",
        'aws dynamodb list-tables --query "TableNames[]" --output text',
        "Events\tOrders\tUsers\n",
    )
    command(
        "create a table that exists",
        r"""
aws dynamodb create-table \
--table-name Users \
--attribute-definitions AttributeName=userId,AttributeType=S \
--key-schema AttributeName=userId,KeyType=HASH \
--billing-mode PAY_PER_REQUEST
""",
        Refusal("CreateTable", "ResourceInUseException", "Table already exists: Users"),
    )
    command(
        "delete a table and wait until it is gone",
        r"""
aws dynamodb delete-table --table-name Users --query "TableDescription.TableStatus" --output text
aws dynamodb wait table-not-exists --table-name Users
""",
        "DELETING\n",
    )
    command(
        "describe a table that is gone",
        "aws dynamodb describe-table --table-name Users",
        Refusal(
            "DescribeTable",
            "ResourceNotFoundException",
            "Requested resource not found: Table: Users not found",
        ),
    )
    drop(server, "Events", "Orders")


def put_and_get(command, server):
    table(server, "Users", "userId")
    table(server, "Orders", "customerId", "orderId")
    alice = item(userId="u1", name="Alice", age=30, active=True)
    bob = item(userId="u2", name="Bob")
    order = item(customerId="c1", orderId="ord-001", total=5)
    command(
        "put an item",
        r"""
aws dynamodb put-item \
--table-name Users \
--item '{"userId":{"S":"u1"},"name":{"S":"Alice"},"age":{"N":"30"},"active":{"BOOL":true}}'
""",
        "",
    )
    command(
        "put only if the item does not exist",
        r"""
aws dynamodb put-item \
--table-name Users \
--item '{"userId":{"S":"u1"},"name":{"S":"Alice"}}' \
--condition-expression "attribute_not_exists(userId)"
""",
        Refusal("PutItem", "ConditionalCheckFailedException", CONDITION_FAILED),
    )
    put_bob = r"""
aws dynamodb put-item \
--table-name Users \
--item '{"userId":{"S":"u2"},"name":{"S":"Bob"}}' \
--return-values ALL_OLD
"""
    command("put with return values, nothing there before", put_bob, "")
    command("put with return values, an old item", put_bob, {"Attributes": bob})
    get_alice = r"""
aws dynamodb get-item \
--table-name Users \
--key '{"userId":{"S":"u1"}}'
"""
    command("get an item by its primary key", get_alice, {"Item": alice})
    get_order = r"""
aws dynamodb get-item \
--table-name Orders \
--key '{"customerId":{"S":"c1"},"orderId":{"S":"ord-001"}}'
"""
    command("get with sort key, no such item", get_order, "")
    server.put_items("Orders", [order])
    command("get with sort key", get_order, {"Item": order})
    command(
        "project attributes, one of them a reserved word",
        r"""
aws dynamodb get-item \
--table-name Users \
--key '{"userId":{"S":"u1"}}' \
--projection-expression "name, age"
""",
        Refusal(
            "GetItem", "ValidationException", f"Invalid ProjectionExpression: {RESERVED}name"
        ),
    )
    command(
        "project attributes, the reserved word as a placeholder",
        r"""
aws dynamodb get-item \
--table-name Users \
--key '{"userId":{"S":"u1"}}' \
--projection-expression "#n, age" \
--expression-attribute-names '{"#n":"name"}'
""",
        {"Item": item(name="Alice", age=30)},
    )
    command(
        "strongly consistent read",
        r"""
aws dynamodb get-item \
--table-name Users \
--key '{"userId":{"S":"u1"}}' \
--consistent-read
""",
        {"Item": alice},
    )


def update_and_delete(command, server):
    table(server, "Posts", "postId")
    smith = item(userId="u1", name="Alice Smith", age=31, active=True)
    command(
        "set attributes",
        r"""
aws dynamodb update-item \
--table-name Users \
--key '{"userId":{"S":"u1"}}' \
--update-expression "SET #n = :name, age = :age" \
--expression-attribute-names '{"#n":"name"}' \
--expression-attribute-values '{":name":{"S":"Alice Smith"},":age":{"N":"31"}}' \
--return-values ALL_NEW
""",
        {"Attributes": smith},
    )
    increment = r"""
aws dynamodb update-item \
--table-name Posts \
--key '{"postId":{"S":"p1"}}' \
--update-expression "ADD viewCount :inc" \
--expression-attribute-values '{":inc":{"N":"1"}}'
"""
    command("increment a counter that is not there yet", increment, "")
    command(
        "increment it again",
        increment.rstrip() + " --return-values UPDATED_NEW",
        {"Attributes": item(viewCount=2)},
    )
    command(
        "remove an attribute that is not there",
        r"""
aws dynamodb update-item \
--table-name Users \
--key '{"userId":{"S":"u1"}}' \
--update-expression "REMOVE tempToken"
""",
        "",
    )
    if_version = r"""
aws dynamodb update-item \
--table-name Users \
--key '{"userId":{"S":"u1"}}' \
--update-expression "SET version = :newV, #n = :name" \
--condition-expression "version = :oldV" \
--expression-attribute-names '{"#n":"name"}' \
--expression-attribute-values '{":newV":{"N":"2"},":name":{"S":"Alice"},":oldV":{"N":"1"}}'
"""
    command(
        "update only if the version matches, there is none",
        if_version,
        Refusal("UpdateItem", "ConditionalCheckFailedException", CONDITION_FAILED),
    )
    server.put_items("Users", [smith | item(version=1)])
    command("update only if the version matches, it does", if_version, "")
    after = item(userId="u1", name="Alice", age=31, active=True, version=2)
    delete = r"""
aws dynamodb delete-item \
--table-name Users \
--key '{"userId":{"S":"u1"}}'
"""
    if_inactive = r"""
aws dynamodb delete-item \
--table-name Users \
--key '{"userId":{"S":"u1"}}' \
--condition-expression "active = :false" \
--expression-attribute-values '{":false":{"BOOL":false}}'
"""
    command(
        "delete only if an attribute matches, it does not",
        if_inactive,
        Refusal("DeleteItem", "ConditionalCheckFailedException", CONDITION_FAILED),
    )
    return_old = r"""
aws dynamodb delete-item \
--table-name Users \
--key '{"userId":{"S":"u1"}}' \
--return-values ALL_OLD
"""
    command("return the item that was deleted", return_old, {"Attributes": after})
    command("return the deleted item, there is none", return_old, "")
    command("delete an item that is not there", delete, "")
    server.put_items("Users", [item(userId="u1", active=False)])
    command("delete only if an attribute matches, it does", if_inactive, "")
    server.put_items("Users", [item(userId="u1", name="Alice")])
    command("delete an item by its primary key", delete, "")
    with command.report.case("only the other user is left"):
        equal(server.call("Scan", {"TableName": "Users"})["Items"], [item(userId="u2", name="Bob")])
    drop(server, "Posts", "Orders")


def batches(command, server):
    server.put_items("Users", [item(userId="u1", name="Alice", age=30), item(userId="u0")])
    get = r"""
aws dynamodb batch-get-item \
--request-items '{
"Users": {
"Keys": [
{"userId":{"S":"u1"}},
{"userId":{"S":"u2"}}
],
"ProjectionExpression": "userId, #n",
"ExpressionAttributeNames": {"#n": "name"}
}
}'
"""
    with command.report.case("batch get"):
        answer = command.shell.run(get).json
        answer["Responses"]["Users"].sort(key=json.dumps)
        users = [item(userId="u1", name="Alice"), item(userId="u2", name="Bob")]
        equal(
            answer,
            {"Responses": {"Users": sorted(users, key=json.dumps)}, "UnprocessedKeys": {}},
        )
    command(
        "batch write",
        r"""
aws dynamodb batch-write-item \
--request-items '{
"Users": [
{"PutRequest": {"Item": {"userId":{"S":"u3"},"name":{"S":"Carol"}}}},
{"PutRequest": {"Item": {"userId":{"S":"u4"},"name":{"S":"Dave"}}}},
{"DeleteRequest": {"Key": {"userId":{"S":"u0"}}}}
]
}'
""",
        {"UnprocessedItems": {}},
    )
    with command.report.case("the batch's puts and its delete are done"):
        users = server.call("Scan", {"TableName": "Users"})["Items"]
        equal(sorted(u["userId"]["S"] for u in users), ["u1", "u2", "u3", "u4"])
    drop(server, "Users")


ORDERS = [
    item(customerId="c1", orderId="2023-12-01", status="shipped", createdAt="2023-12-01", total=1),
    item(customerId="c1", orderId="2024-01-10", status="pending", createdAt="2024-01-10", total=2),
    item(customerId="c1", orderId="2024-02-20", status="shipped", createdAt="2024-02-20", total=3),
]
OTHERS = [
    item(customerId="c2", orderId="2024-03-01", status="shipped", createdAt="2024-03-01", total=4)
]


def queries(command, server):
    table(server, "Orders", "customerId", "orderId")
    server.put_items("Orders", ORDERS + OTHERS)
    command(
        "all items of a partition key",
        r"""
aws dynamodb query \
--table-name Orders \
--key-condition-expression "customerId = :cid" \
--expression-attribute-values '{":cid":{"S":"c1"}}'
""",
        page(ORDERS),
    )
    command(
        "sort key begins_with",
        r"""
aws dynamodb query \
--table-name Orders \
--key-condition-expression "customerId = :cid AND begins_with(orderId, :prefix)" \
--expression-attribute-values '{":cid":{"S":"c1"},":prefix":{"S":"2024-"}}'
""",
        page(ORDERS[1:]),
    )
    between = r"""
aws dynamodb query \
--table-name Events \
--key-condition-expression "userId = :uid AND #ts BETWEEN :start AND :end" \
--expression-attribute-names '{"#ts":"timestamp"}' \
--expression-attribute-values '{
":uid":{"S":"u1"},
":start":{"S":"2024-01-01"},
":end":{"S":"2024-12-31"}
}'
"""
    table(server, "Events", "eventId", provisioned=True)
    command(
        "sort key range, on the cookbook's own table, which has another key",
        between,
        Refusal(
            "Query",
            "ValidationException",
            "The number of query conditions (2) exceeds the number of key attributes defined in "
            "the schema (1)",
        ),
    )
    drop(server, "Events")
    table(server, "Events", "userId", "timestamp")
    days = ("2023-12-31", "2024-01-01", "2024-06-15", "2024-12-31", "2024-12-31T10")
    events = [item(userId="u1", timestamp=day) for day in days]
    server.put_items("Events", events)
    command("sort key range, on a table keyed for it", between, page(events[1:4]))
    command(
        "filter after reading",
        r"""
aws dynamodb query \
--table-name Orders \
--key-condition-expression "customerId = :cid" \
--filter-expression "#s = :status" \
--expression-attribute-names '{"#s":"status"}' \
--expression-attribute-values '{":cid":{"S":"c1"},":status":{"S":"shipped"}}'
""",
        page([ORDERS[0], ORDERS[2]], scanned=3),
    )
    newest_first = r"""
aws dynamodb query \
--table-name Orders \
--key-condition-expression "customerId = :cid" \
--expression-attribute-values '{":cid":{"S":"c1"}}' \
--scan-index-forward false
"""
    command(
        "newest first, with a flag that takes no value",
        newest_first,
        Misuse("Unknown options: false"),
    )
    command(
        "newest first, as the CLI spells it",
        newest_first.replace("--scan-index-forward false", "--no-scan-index-forward"),
        page(ORDERS[::-1]),
    )
    command(
        "at most ten items evaluated",
        r"""
aws dynamodb query \
--table-name Orders \
--key-condition-expression "customerId = :cid" \
--expression-attribute-values '{":cid":{"S":"c1"}}' \
--limit 10
""",
        one_page(ORDERS),
    )
    project = r"""
aws dynamodb query \
--table-name Orders \
--key-condition-expression "customerId = :cid" \
--expression-attribute-values '{":cid":{"S":"c1"}}' \
--projection-expression "orderId, #s, total" \
--expression-attribute-names '{"#s":"status"}'
"""
    command(
        "project attributes, one of them a reserved word",
        project,
        Refusal("Query", "ValidationException", f"Invalid ProjectionExpression: {RESERVED}total"),
    )
    command(
        "project attributes, both reserved words as placeholders",
        project.replace("total", "#t").replace('{"#s":', '{"#t":"total","#s":'),
        page([{name: o[name] for name in ("orderId", "status", "total")} for o in ORDERS]),
    )
    command(
        "count only",
        r"""
aws dynamodb query \
--table-name Orders \
--key-condition-expression "customerId = :cid" \
--expression-attribute-values '{":cid":{"S":"c1"}}' \
--select COUNT
""",
        count(3),
    )
    drop(server, "Orders", "Events")


def in_any_order(answer, items):
    """Compares a page whose items are in the order of a hash."""
    equal(
        answer | {"Items": sorted(answer["Items"], key=json.dumps)},
        page(sorted(items, key=json.dumps), answer["ScannedCount"]),
    )


def scans(command, server):
    shell, case = command.shell, command.report.case
    table(server, "Users", "userId")
    table(server, "LargeTable", "id")
    users = [
        item(userId="u1", name="Alice", age=30, active=True),
        item(userId="u2", name="Bob", age=20, active=True),
        item(userId="u3", name="Carol", age=40, active=False),
    ]
    server.put_items("Users", users)
    with case("scan a whole table"):
        in_any_order(shell.run("aws dynamodb scan --table-name Users").json, users)
    command(
        "scan with a filter",
        r"""
aws dynamodb scan \
--table-name Users \
--filter-expression "age > :min AND active = :true" \
--expression-attribute-values '{":min":{"N":"25"},":true":{"BOOL":true}}'
""",
        page(users[:1], scanned=3),
    )
    with case("scan with a projection"):
        answer = shell.run(
            r"""
aws dynamodb scan \
--table-name Users \
--projection-expression "userId, #n" \
--expression-attribute-names '{"#n":"name"}'
"""
        ).json
        in_any_order(answer, [{name: u[name] for name in ("userId", "name")} for u in users])
    command(
        "count matching items",
        r"""
aws dynamodb scan \
--table-name Users \
--filter-expression "active = :true" \
--expression-attribute-values '{":true":{"BOOL":true}}' \
--select COUNT
""",
        count(2, scanned=3),
    )
    large = [item(id=f"id-{n:03}") for n in range(60)]
    server.put_items("LargeTable", large)
    with case("four segments in parallel see each item once"):
        answer = shell.run(
            r"""
for segment in 0 1 2 3; do
aws dynamodb scan \
--table-name LargeTable \
--total-segments 4 \
--segment $segment > segment.$segment &
done
wait
cat segment.* | jq -s .
"""
        ).json
        assert sum(1 for part in answer if part["Items"]) > 1, "all items in one segment"
        seen = [found for part in answer for found in part["Items"]]
        equal(sorted(seen, key=json.dumps), sorted(large, key=json.dumps))
    paging(command, server)
    drop(server, "Users", "LargeTable")


def paging(command, server):
    shell, case = command.shell, command.report.case
    next_page = r"""
LAST_KEY=$(aws dynamodb scan --table-name Users --limit 100 \
--query "LastEvaluatedKey" --output json)
aws dynamodb scan \
--table-name Users \
--limit 100 \
--exclusive-start-key "$LAST_KEY"
"""
    loop = r"""
LAST_KEY=""
while true; do
ARGS="--table-name Users"
[ -n "$LAST_KEY" ] && ARGS="$ARGS --exclusive-start-key $LAST_KEY"
RESULT=$(aws dynamodb scan $ARGS --limit 100)
echo "$RESULT" | jq -r '.Items[].userId.S'
LAST_KEY=$(echo "$RESULT" | jq -r '.LastEvaluatedKey // empty')
[ -z "$LAST_KEY" ] && break
done
"""
    with case("a loop over pages, one page"):
        equal(sorted(shell.run(loop).stdout.split()), ["u1", "u2", "u3"])
    command(
        "the next page, when there is none",
        next_page,
        Misuse("Error parsing parameter '--exclusive-start-key'"),
    )
    more = [item(userId=f"v{n:03}") for n in range(147)]
    server.put_items("Users", more)
    with case("the next page, from the last key of the first"):
        first = shell.run("aws dynamodb scan --table-name Users --limit 100").json
        second = shell.run(next_page).json
        equal((first["Count"], second["Count"], "LastEvaluatedKey" in second), (100, 50, False))
        seen = {u["userId"]["S"] for u in first["Items"] + second["Items"]}
        equal(len(seen), 150)
    with case("the CLI's own paging goes through pages of any size"):
        text = shell.run(
            "aws dynamodb scan --table-name Users --page-size 40 "
            "--query 'length(Items)' --output json"
        )
        equal(text.json, 150)
    with case("a loop over pages, with the key quoted and compact"):
        mended = loop.replace("$ARGS --exclusive-start-key $LAST_KEY", "$ARGS").replace(
            "$ARGS --limit 100", '$ARGS --limit 100 ${LAST_KEY:+--exclusive-start-key "$LAST_KEY"}'
        )
        equal(len(set(shell.run(mended).stdout.split())), 150)


CREATE_WITH_INDEX = r"""
aws dynamodb create-table \
--table-name Orders \
--attribute-definitions \
AttributeName=customerId,AttributeType=S \
AttributeName=orderId,AttributeType=S \
AttributeName=status,AttributeType=S \
AttributeName=createdAt,AttributeType=S \
--key-schema \
AttributeName=customerId,KeyType=HASH \
AttributeName=orderId,KeyType=RANGE \
--global-secondary-indexes '[
{
"IndexName": "status-createdAt-index",
"KeySchema": [
{"AttributeName":"status","KeyType":"HASH"},
{"AttributeName":"createdAt","KeyType":"RANGE"}
],
"Projection": {"ProjectionType":"ALL"}
}
]' \
--billing-mode PAY_PER_REQUEST
"""


def indexes(command, server):
    index = {
        "IndexName": "status-createdAt-index",
        "KeySchema": key_schema("status", "createdAt"),
        "Projection": {"ProjectionType": "ALL"},
        "IndexStatus": "CREATING",
        "ProvisionedThroughput": {
            "NumberOfDecreasesToday": 0,
            "ReadCapacityUnits": 0,
            "WriteCapacityUnits": 0,
        },
        "IndexSizeBytes": 0,
        "ItemCount": 0,
        "IndexArn": "arn:aws:dynamodb:us-east-1:123456789012:table/Orders/index/"
        "status-createdAt-index",
    }
    names = ["customerId", "orderId", "status", "createdAt"]
    with command.report.case("create a table with a global secondary index"):
        answer = command.shell.run(CREATE_WITH_INDEX).json["TableDescription"]
        equal(answer["GlobalSecondaryIndexes"][0] | {"WarmThroughput": None},
              index | {"WarmThroughput": None})
        equal(sorted(d["AttributeName"] for d in answer["AttributeDefinitions"]), sorted(names))
    server.put_items("Orders", ORDERS + OTHERS)
    command("query an index, with a flag that takes no value", QUERY_INDEX, Misuse("Unknown options"))
    command(
        "query an index, newest first",
        QUERY_INDEX.replace("--scan-index-forward false", "--no-scan-index-forward"),
        page([OTHERS[0], ORDERS[2]]),
    )
    command(
        "scan an index",
        r"""
aws dynamodb scan \
--table-name Orders \
--index-name status-createdAt-index \
--filter-expression "#s = :status" \
--expression-attribute-names '{"#s":"status"}' \
--expression-attribute-values '{":status":{"S":"pending"}}'
""",
        page([ORDERS[1]], scanned=4),
    )
    drop(server, "Orders")


def useful_patterns(command, server):
    table(server, "App", "PK", "SK")
    table(server, "Products", "productId")
    command(
        "single table: put a user",
        r"""
aws dynamodb put-item --table-name App \
--item '{"PK":{"S":"USER#u1"},"SK":{"S":"PROFILE"},"name":{"S":"Alice"},"type":{"S":"user"}}'
""",
        "",
    )
    command(
        "single table: put an order of a customer",
        r"""
aws dynamodb put-item --table-name App \
--item '{"PK":{"S":"CUSTOMER#c1"},"SK":{"S":"ORDER#2024-06-01#ord-1"},"total":{"N":"99.99"},"type":{"S":"order"}}'
""",
        "",
    )
    command(
        "single table: all orders of a customer",
        r"""
aws dynamodb query \
--table-name App \
--key-condition-expression "PK = :pk AND begins_with(SK, :prefix)" \
--expression-attribute-values '{":pk":{"S":"CUSTOMER#c1"},":prefix":{"S":"ORDER#"}}'
""",
        page(
            [
                item(PK="CUSTOMER#c1", SK="ORDER#2024-06-01#ord-1", type="order")
                | {"total": {"N": "99.99"}}
            ]
        ),
    )
    server.put_items("Products", [item(productId="p1", price=10, version=2)])
    read_version = r"""
aws dynamodb get-item --table-name Products \
--key '{"productId":{"S":"p1"}}' \
--query "Item.version"
"""
    update = r"""
aws dynamodb update-item \
--table-name Products \
--key '{"productId":{"S":"p1"}}' \
--update-expression "SET price = :newPrice, version = :newV" \
--condition-expression "version = :oldV" \
--expression-attribute-values '{":newPrice":{"N":"49.99"},":newV":{"N":"3"},":oldV":{"N":"2"}}'
"""
    command("optimistic locking: note the version", read_version, {"N": "2"})
    command("optimistic locking: update it", update, "")
    command(
        "optimistic locking: a second writer with the same version loses",
        update,
        Refusal("UpdateItem", "ConditionalCheckFailedException", CONDITION_FAILED),
    )
    command("optimistic locking: the version is the winner's", read_version, {"N": "3"})
    drop(server, "App", "Products")


SECTIONS = (
    table_management,
    put_and_get,
    update_and_delete,
    batches,
    queries,
    scans,
    indexes,
    useful_patterns,
)


def main():
    report = Report()
    with Server() as server, Shell(server) as shell:
        if not shell.cli:
            report.skip("the cookbook's commands", "there is no AWS CLI")
            report.done()
        command = Commands(report, shell)
        run_sections(report, command, server, SECTIONS)
        with report.case("no table is left, and the server ends cleanly"):
            equal(server.call("ListTables", {}), {"TableNames": []})
            server.stop()
    report.done()


main()
