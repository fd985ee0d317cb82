"""Bodies that mean harm or are broken: each gets its error, in bounded time and memory."""

import json
import time

from e2e import Report, Server, equal
from hostile import (
    ANSWER_SECONDS,
    KEY,
    MAX_BODY,
    MB,
    OTHERS_SECONDS,
    TABLE,
    hostile,
    memory,
    settled,
)


def item(value):
    """A PutItem whose attribute `x` is the text `value`."""
    return b'{"TableName": "Hostile", "Item": {"pk": {"S": "a"}, "x": ' + value + b"}}"


def repeated(before, unit, after, size=MAX_BODY):
    """A body of nearly `size` bytes."""
    count = (size - len(before) - len(after)) // len(unit)
    return before + unit * count + after


def many(count, text):
    return b",".join(text % n for n in range(count))


def nested(count, kind="L"):
    """A value in `count` lists or maps."""
    before, after = {"L": (b'{"L": [', b"]}"), "M": (b'{"M": {"a": ', b"}}")}[kind]
    return before * count + b'{"NULL": true}' + after * count


def with_value(value):
    """A Scan whose only placeholder is the text `value`."""
    return (
        b'{"TableName": "Hostile", "FilterExpression": "a = :a", '
        b'"ExpressionAttributeValues": {":a": ' + value + b"}}"
    )


def expected(value):
    return item(b'{"S": ""}')[:-1] + b', "Expected": {"a": {"Value": ' + value + b"}}}"


def where(text):
    return {"Statement": f"SELECT * FROM Hostile WHERE {text}"}


def inserted(before, after):
    return {
        "Statement": f"INSERT INTO Hostile VALUE {{'pk': 'b', 'x': {before * 300}{after * 300}}}"
    }


def parameter(value):
    return b'{"Statement": "SELECT * FROM Hostile WHERE a = ?", "Parameters": [' + value + b"]}"


def update(expression, value=None):
    values = {"ExpressionAttributeValues": {":v": value}} if value else {}
    return {"TableName": "Hostile", "Key": KEY, "UpdateExpression": expression, **values}


def projected(path):
    return {"TableName": "Hostile", "Key": KEY, "ProjectionExpression": path}


NULLS = b'{"L": [' + b",".join([b'{"NULL": true}'] * 200000) + b"]}"
BODIES = (
    # name, operation, body, the error's name and a part of its text (None: it has none)
    ("16 MB of brackets", "PutItem", b"[" * MAX_BODY, "SerializationException", None),
    ("40 000 braces", "PutItem", b'{"a":' * 40000, "SerializationException", None),
    (
        "2 000 000 numbers",
        "PutItem",
        repeated(b'{"TableName": "Hostile", "Item": [', b"0,", b"0]}", 4 * MB),
        "SerializationException",
        "Unrecognized collection type",
    ),
    (
        "a number of 16 MB",
        "PutItem",
        repeated(b'{"TableName": "Hostile", "Item": ', b"9", b"}"),
        "SerializationException",
        "Unexpected field type",
    ),
    (
        "huge exponents",
        "PutItem",
        item(b'{"N": "1E%s"}' % (b"9" * 100000)),
        "ValidationException",
        "cannot be converted to a numeric value",
    ),
    (
        "16 MB of digits",
        "PutItem",
        repeated(b'{"TableName": "Hostile", "Item": {"pk": {"N": "', b"9", b'"}}}'),
        "ValidationException",
        "Number overflow",
    ),
    (
        "5000 nested lists",
        "PutItem",
        item(b'{"L": [' * 5000 + b"]}" * 5000),
        "SerializationException",
        None,
    ),
    (
        "400 nested lists",
        "PutItem",
        item(b'{"L": [' * 400 + b"]}" * 400),
        "ValidationException",
        "Nesting Levels have exceeded supported limits",
    ),
    ("invalid UTF-8", "PutItem", item(b'{"S": "\xff\xfe"}'), "SerializationException", None),
    ("an overlong NUL", "PutItem", item(b'{"S": "\xc0\x80"}'), "SerializationException", None),
    ("a raw NUL", "PutItem", item(b'{"S": "a\0b"}'), "SerializationException", None),
    ("16 MB of blanks", "PutItem", b" " * MAX_BODY, "SerializationException", None),
    (
        "500 000 values",
        "PutItem",
        repeated(item(b'{"L": [')[:-2], b'{"NULL":true},', b'{"NULL":true}]}}}', 7 * MB),
        "ValidationException",
        "Item size has exceeded the maximum allowed size",
    ),
    (
        "300 000 attributes",
        "PutItem",
        b'{"TableName": "Hostile", "Item": {%s}}' % many(300000, b'"%x":{"S":""}'),
        "ValidationException",
        "Item size has exceeded the maximum allowed size",
    ),
    (
        "one member 700 000 times",
        "PutItem",
        repeated(b'{"TableName": "Hostile"', b',"a":0', b"}", 4 * MB),
        "ValidationException",
        "Value null at 'item'",
    ),
    (
        "a set whose last member of 200 000 stands there twice",
        "PutItem",
        item(b'{"NS": [%s, "199999"]}' % many(200000, b'"%d"')),
        "ValidationException",
        "Input collection contains duplicates",
    ),
    (
        "a set of 200 000 texts with two alike",
        "PutItem",
        item(b'{"SS": [%s, "30d3f"]}' % many(200000, b'"%x"')),
        "ValidationException",
        "Input collection [",
    ),
    (
        "40 000 brackets in a filter",
        "Scan",
        {"TableName": "Hostile", "FilterExpression": "(" * 40000},
        "ValidationException",
        "Expression size has exceeded the maximum allowed size",
    ),
    (
        "2000 brackets in a filter",
        "Scan",
        {"TableName": "Hostile", "FilterExpression": "(" * 2000 + "a = :a" + ")" * 2000},
        "ValidationException",
        "redundant parentheses",
    ),
    (
        "1000 times NOT",
        "Scan",
        {
            "TableName": "Hostile",
            "FilterExpression": "NOT " * 1000 + "a = :a",
            "ExpressionAttributeValues": {":a": {"NULL": True}},
        },
        "ValidationException",
        "too many operators",
    ),
    (
        "a list appended to itself 60 times",
        "UpdateItem",
        b'{"TableName": "Hostile", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET '
        + many(60, b"a%d = list_append(:l, :l)")
        + b'", "ExpressionAttributeValues": {":l": '
        + NULLS
        + b"}}",
        "ValidationException",
        "Item size to update has exceeded the maximum allowed size",
    ),
    (
        "300 000 placeholders",
        "GetItem",
        b'{"TableName": "Hostile", "Key": {"pk": {"S": "a"}}, "ProjectionExpression": "#a", '
        b'"ExpressionAttributeNames": {%s, "#a": "a"}}' % many(300000, b'"#x%x":"a"'),
        "ValidationException",
        "unused in expressions",
    ),
    (
        "400 000 keys",
        "BatchGetItem",
        b'{"RequestItems": {"Hostile": {"Keys": [%s]}}}' % many(400000, b'{"pk":{"S":"%d"}}'),
        "ValidationException",
        "failed to satisfy constraint",
    ),
    (
        "100 000 writes",
        "BatchWriteItem",
        b'{"RequestItems": {"Hostile": [%s]}}'
        % many(100000, b'{"PutRequest":{"Item":{"pk":{"S":"%d"}}}}'),
        "ValidationException",
        "failed to satisfy constraint",
    ),
    (
        "200 000 definitions",
        "CreateTable",
        json.dumps(TABLE | {"AttributeDefinitions": []}).replace("[]", "[%s]", 1).encode()
        % many(200000, b'{"AttributeName":"a%d","AttributeType":"S"}'),
        "ValidationException",
        "Too many entries",
    ),
    (
        "300 000 tags",
        "TagResource",
        b'{"ResourceArn": "arn:aws:dynamodb:us-east-1:123456789012:table/Hostile", "Tags": [%s]}'
        % many(300000, b'{"Key":"%d","Value":"v"}'),
        "ValidationException",
        "Too many entries",
    ),
)


LEVELS = "esting levels have exceeded supported limits"
VALUE_LEVELS = "Nesting Levels have exceeded supported limits"
NESTED = (
    # name, operation, body, a part of the ValidationException's text (None: it has none, and is a
    # SerializationException)
    (
        "300 groups in PartiQL",
        "ExecuteStatement",
        where("(" * 300 + "pk = 'a'" + ")" * 300),
        LEVELS,
    ),
    ("8000 brackets in PartiQL", "ExecuteStatement", where("(" * 8000), LEVELS),
    ("40 000 brackets in PartiQL", "ExecuteStatement", where("(" * 40000), "less than or equal"),
    ("1500 times NOT in PartiQL", "ExecuteStatement", where("NOT " * 1500 + "pk = 'a'"), LEVELS),
    ("1500 signs in PartiQL", "ExecuteStatement", where("pk = " + "- " * 1500 + "1"), LEVELS),
    ("300 lists in PartiQL", "ExecuteStatement", inserted("[", "]"), LEVELS),
    ("300 structs in PartiQL", "ExecuteStatement", inserted("{'a': ", "}"), LEVELS),
    ("300 bags in PartiQL", "ExecuteStatement", inserted("<<", ">>"), LEVELS),
    ("a parameter of 300 lists", "ExecuteStatement", parameter(nested(300)), VALUE_LEVELS),
    ("a parameter of 5000 lists", "ExecuteStatement", parameter(nested(5000)), None),
    ("a placeholder of 300 lists", "Scan", with_value(nested(300)), VALUE_LEVELS),
    ("a placeholder of 5000 lists", "Scan", with_value(nested(5000)), None),
    ("300 maps", "PutItem", item(nested(300, "M")), VALUE_LEVELS),
    ("5000 maps", "PutItem", item(nested(5000, "M")), None),
    ("300 lists, expected", "PutItem", expected(nested(300)), VALUE_LEVELS),
    ("5000 lists that nobody asked for", "ListTables", b'{"x": ' + nested(5000) + b"}", None),
    ("brackets in an update", "UpdateItem", update("SET a = " + "(" * 2000), "Syntax error"),
    (
        "functions in an update",
        "UpdateItem",
        update("SET a = " + "if_not_exists(a, " * 240 + "a" + ")" * 240),
        "Expression size has exceeded the maximum allowed size",
    ),
    ("a path of 2001 levels", "GetItem", projected("a" + ".a" * 2000), "too many nesting levels"),
    ("a path of 1301 levels", "GetItem", projected("a" + "[0]" * 1300), "too many nesting levels"),
)
NUMBERS = (
    ("39 digits", "PutItem", item(b'{"N": "%s"}' % (b"1" * 39)), "more than 38 significant digits"),
    ("1E126", "PutItem", item(b'{"N": "1E126"}'), "Number overflow"),
    ("1E-131", "PutItem", item(b'{"N": "1E-131"}'), "Number underflow"),
    ("an exponent beyond 32 bits", "PutItem", item(b'{"N": "1E-4294967297"}'), None),
    ("an exponent beyond 64 bits", "PutItem", item(b'{"N": "1E18446744073709551617"}'), None),
    ("infinity", "PutItem", item(b'{"N": "Infinity"}'), "cannot be converted to a numeric value"),
    ("hexadecimal", "PutItem", item(b'{"N": "0x10"}'), "cannot be converted to a numeric value"),
    (
        "a sum that is too large",
        "UpdateItem",
        update("SET a = if_not_exists(a, :v) + :v", {"N": "9.9E125"}),
        "Number overflow",
    ),
    ("a digit of 5000 in PartiQL", "ExecuteStatement", where("a = " + "9" * 5000), "overflow"),
    ("an exponent in PartiQL", "ExecuteStatement", where("a = 1E" + "9" * 5000), "well formed"),
    ("a list index of 2^31", "GetItem", projected("a[2147483648]"), "List index is not within"),
    ("a list index of 2^64", "UpdateItem", update("REMOVE a[18446744073709551616]"), "List index"),
    ("a negative limit", "Scan", b'{"TableName": "Hostile", "Limit": -1}', "greater than or equal"),
)
TEXTS = (
    ("half a surrogate pair", b"\\ud800"),
    ("a surrogate pair, swapped", b"\\udc00\\ud800"),
    ("a surrogate as UTF-8", b"\xed\xa0\x80"),
    ("UTF-8 that is cut", b"\xe2\x82"),
    ("an overlong slash", b"\xc0\xaf"),
    ("a character beyond the last", b"\xf4\x90\x80\x80"),
    ("an escape that is cut", b"\\u00"),
)
PLACES = (
    ("a value", "PutItem", b'{"TableName": "Hostile", "Item": {"pk": {"S": "%s"}}}'),
    ("a name", "PutItem", b'{"TableName": "Hostile", "Item": {"%s": {"S": "a"}}}'),
    ("a table's name", "Scan", b'{"TableName": "%s"}'),
    ("a member's name", "ListTables", b'{"%s": 1}'),
    ("an expression", "Scan", b'{"TableName": "Hostile", "FilterExpression": "a = %s"}'),
    ("a statement", "ExecuteStatement", b'{"Statement": "SELECT * FROM Hostile WHERE a = \'%s\'"}'),
)


def errors(report, server, kind, rows):
    """Rows of ValidationExceptions; without a text it is one of any kind."""
    for name, operation, body, text in rows:
        with hostile(report, server, f"{kind}: {name}"):
            before = server.processor_seconds()
            status, _, answer = server.post(operation, body)
            seconds = server.processor_seconds() - before
            said = json.loads(answer)
            error = "ValidationException" if text else said["__type"].split("#")[1]
            equal((status, said["__type"].split("#")[1]), (400, error))
            assert not text or text in said["message"], f"answered {answer[:300]}"
            assert seconds < OTHERS_SECONDS, f"it took {seconds:.1f} s"


def texts(report, server):
    for name, text in TEXTS:
        with hostile(report, server, f"{name}, everywhere"):
            for place, operation, body in PLACES:
                status, _, answer = server.post(operation, body % text)
                said = json.loads(answer)["__type"].split("#")[1]
                equal((place, status, said), (place, 400, "SerializationException"))


def bodies(report, server):
    for name, operation, body, error, text in BODIES:
        with hostile(report, server, f"body: {name}"):
            before = server.processor_seconds()
            status, _, answer = server.post(operation, body)
            seconds = server.processor_seconds() - before
            said = json.loads(answer)
            equal((status, said["__type"].split("#")[1]), (400, error))
            message = said.get("message", said.get("Message"))
            if text is None:
                equal(message, None)
            else:
                assert text in message, f"answered {message[:300]}"
            assert seconds < ANSWER_SECONDS, f"it took {seconds:.1f} s"


def texts_with_nul(report, server):
    with hostile(report, server, "NUL in strings, names and keys is kept"):
        stored = {"pk": {"S": "a\0b"}, "n\0": {"S": "\0"}, "m": {"M": {"\0": {"SS": ["\0", "a"]}}}}
        server.call("PutItem", {"TableName": "Hostile", "Item": stored})
        answer = server.call("GetItem", {"TableName": "Hostile", "Key": {"pk": {"S": "a\0b"}}})
        equal(answer, {"Item": stored})
        missing = server.call("GetItem", {"TableName": "Hostile", "Key": {"pk": {"S": "a"}}})
        equal(missing, {})
    with hostile(report, server, "NUL where names of tables and operations go"):
        for operation, body, error in (
            ("GetItem", {"TableName": "Hostile\0", "Key": KEY}, "ValidationException"),
            ("Scan", {"TableName": "Hostile", "IndexName": "a\0b"}, "ValidationException"),
            ("ListTables", {"ExclusiveStartTableName": "a\0b"}, "ValidationException"),
        ):
            status, _, answer = server.post(operation, body)
            equal((status, json.loads(answer)["__type"].split("#")[1]), (400, error))


def main():
    report = Report()
    with Server() as server:
        server.call("CreateTable", TABLE)
        texts_with_nul(report, server)
        before = memory(server)
        bodies(report, server)
        errors(report, server, "nesting", NESTED)
        errors(report, server, "numbers", NUMBERS)
        texts(report, server)
        with report.case("what large bodies needed was given back"):
            time.sleep(0.5)
            settled(server, memory, before + 500)
    report.done()


main()
