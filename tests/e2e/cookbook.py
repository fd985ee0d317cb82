"""Tables, items and answers in short, for the tests of the command-line cookbook."""

QUERY_INDEX = r"""
aws dynamodb query \
--table-name Orders \
--index-name status-createdAt-index \
--key-condition-expression "#s = :status AND createdAt > :since" \
--expression-attribute-names '{"#s":"status"}' \
--expression-attribute-values '{
":status":{"S":"shipped"},
":since":{"S":"2024-01-01"}
}' \
--scan-index-forward false
"""


def run_sections(report, command, server, sections):
    """Each part of the cookbook, also where an earlier one has ended early."""
    for section in sections:
        try:
            section(command, server)
        except Exception as error:  # pylint: disable=broad-except
            report.fail(f"section {section.__name__} ends early", repr(error))


def table(server, name, *keys, provisioned=False, indexes=None, attributes=()):
    """Creates a table of string keys."""
    request = {
        "TableName": name,
        "AttributeDefinitions": [
            {"AttributeName": k, "AttributeType": "S"} for k in (*keys, *attributes)
        ],
        "KeySchema": key_schema(*keys),
        "BillingMode": "PROVISIONED" if provisioned else "PAY_PER_REQUEST",
    }
    if provisioned:
        request["ProvisionedThroughput"] = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}
    if indexes:
        request["GlobalSecondaryIndexes"] = indexes
    server.call("CreateTable", request)


def key_schema(*keys):
    kinds = ("HASH", "RANGE")
    return [{"AttributeName": k, "KeyType": kind} for k, kind in zip(keys, kinds)]


def drop(server, *names):
    for name in names:
        server.call("DeleteTable", {"TableName": name})


def item(**attributes):
    """An item from Python values: str, int, bool."""

    def value(v):
        if isinstance(v, bool):
            return {"BOOL": v}
        return {"S": v} if isinstance(v, str) else {"N": str(v)}

    return {name: value(v) for name, v in attributes.items()}


def page(items, scanned=None):
    return {
        "Items": items,
        "Count": len(items),
        "ScannedCount": len(items) if scanned is None else scanned,
        "ConsumedCapacity": None,
    }


def one_page(items, scanned=None):
    """A page asked for with --limit: the CLI then leaves the answer as it came."""
    answer = page(items, scanned)
    del answer["ConsumedCapacity"]
    return answer


def count(matching, scanned=None):
    answer = page([], matching if scanned is None else scanned) | {"Count": matching}
    del answer["Items"]
    return answer
