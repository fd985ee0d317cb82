"""What tests of commands that move items share: a table, items, and how a command is run."""

import json

from e2e import BINARY, ROOT, run_program

KEY = ("--create", "--key", "pk:S,sk:N")
SCHEMA = {
    "TableName": "Tab",
    "AttributeDefinitions": [
        {"AttributeName": "pk", "AttributeType": "S"},
        {"AttributeName": "sk", "AttributeType": "N"},
    ],
    "KeySchema": [
        {"AttributeName": "pk", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"},
    ],
    "BillingMode": "PAY_PER_REQUEST",
}
A = {"pk": {"S": "a"}, "sk": {"N": "1"}}
EQUAL = "{}: {} items read back and equal, digest [0-9a-f]{{32}}\n"  # a pattern; for a table and its number of items
KEY_OF_B = {"pk": {"S": "b"}, "sk": {"N": "2.5"}}
B = KEY_OF_B | {"tags": {"SS": ["x", "y"]}, "Items": {"L": []}}


def run(*arguments, stdin=None, folder=ROOT):
    return run_program([BINARY, *map(str, arguments)], stdin, folder)


def items_of(server, table):
    found = server.call("Scan", {"TableName": table})["Items"]
    return sorted(found, key=lambda item: [item.get(key, {}).get("S", "") for key in ("pk", "sk")])


def lines(*items):
    return "".join(json.dumps(item) + "\n" for item in items)
