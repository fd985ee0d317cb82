"""claims.py: lines that are so pass, lines that are not so are caught, and so are lines that it does not know."""

import claims
from e2e import Report, Server

S, N = (lambda text: {"S": text}), (lambda number: {"N": str(number)})
ITEMS = [{"pk": S("Amber"), "sk": S(f"ORDER#{i:02}"), "score": N(i), "note": S("x" if i else "only"), "box": {"M": {"size": {"M": {"w": N(4)}}}},
          "tags": {"SS": ["red", "blue"]}, **({"owner": S("ann" if i < 4 else "bob")} if i < 6 else {})} for i in range(8)]
QUERY = {"TableName": "Tab", "KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": S("Amber")}}
SCAN = {"TableName": "Tab"}
EMPTY = 'no item of Tab has pk "amber"'
NO_SK, NO_FIT = 'no sk is "ORDER#99" under pk "Amber"', 'no item read fits score = 99'

# what is so, and what is not
LINES = (
    (EMPTY, 'no item of Tab has pk "Amber"'),
    (f'{EMPTY}; "Amber" has 8 items: case counts', f'{EMPTY}; "Amber" has 7 items: case counts'),
    (f'{EMPTY}; there is "Amber"', f'{EMPTY}; there is "Azure"'),
    (f'{EMPTY}; pk is "Amber"', f'{EMPTY}; pk is "Amber" or "Azure"'),
    ('no item of Tab.by-owner has owner "eve"', 'no item of Tab.by-owner has owner "ann"'),
    ('no item of Tab has pk "eve"; Tab.by-owner has 4 items with owner "ann"', 'no item of Tab has pk "eve"; Tab.by-owner has 5 items with owner "ann"'),
    ('no item of Tab has pk "ann": it is a owner, of which Tab.by-owner has 4 items', 'no item of Tab has pk "ann": it is a owner, of which Tab.by-owner has 3 items'),
    ('no item of Tab has pk "only": it is the note of the item with pk "Amber"', 'no item of Tab has pk "only": it is the owner of the item with pk "Amber"'),
    ('no item of Tab has pk "x": items there have it as their note', 'no item of Tab has pk "x": items there have it as their owner'),
    (NO_SK, 'no sk is "ORDER#05" under pk "Amber"'),
    ('no sk begins with "LINE" under pk "Amber"', 'no sk begins with "ORDER" under pk "Amber"'),
    ('no sk is after "ORDER#07" under pk "Amber"; the last is "ORDER#07"', 'no sk is after "ORDER#06" under pk "Amber"; the last is "ORDER#07"'),
    ('no sk is after "ORDER#07" under pk "Amber"', 'no sk is after "ORDER#07" under pk "Amber"; the last is "ORDER#06"'),
    ('no sk is before "ORDER#00" under pk "Amber"; the first is "ORDER#00"', 'no sk is before "ORDER#00" under pk "Amber"; the first is "ORDER#01"'),
    ('no sk is between "A" and "B" under pk "Amber"', 'no sk is between "A" and "P" under pk "Amber"'),
    (f'{NO_SK}; they go from "ORDER#00" to "ORDER#07"', f'{NO_SK}; they go from "ORDER#00" to "ORDER#06"'),
    (f'{NO_SK}; those with "ORDER#" go from "ORDER#00" to "ORDER#07"', f'{NO_SK}; those with "ORDER#" go from "ORDER#01" to "ORDER#07"'),
    (f'{NO_SK}; they begin with "ORDER#"', f'{NO_SK}; they begin with "LINE#"'),
    (f'{NO_SK}; they are "ORDER#00", "ORDER#01", …', f'{NO_SK}; they are "ORDER#00" and "ORDER#01"'),
    ('no sk is "ORDER#0" under pk "Amber"; 8 begin with it: = takes whole keys', 'no sk is "ORDER#0" under pk "Amber"; 9 begin with it: = takes whole keys'),
    (f'{NO_SK}; keys that begin with "ORDER#0" would fit', f'{NO_SK}; keys that begin with "ORDER#1" would fit'),
    (f'{NO_SK}; there is "ORDER#01"', f'{NO_SK}; there is "ORDER#10"'),
    (NO_FIT, 'no item read fits score = 5'),
    (f"{NO_FIT}; score goes from 0 to 7", f"{NO_FIT}; score goes from 0 to 8"),
    ('no item read fits owner = "ANN"; owner is "ann" or "bob"', 'no item read fits owner = "ANN"; owner is "ann" or "eve"'),
    ('no item read fits owner = "ANN"; there is "ann": case counts', 'no item read fits owner = "ANN"; there is "Ann": case counts'),
    ('no item read fits box.size.w = 9', 'no item read fits box.size.w = 9; box.size.w goes from 4 to 9'),
    ('no item read fits contains(tags, "RED"); there is "red"', 'no item read fits contains(tags, "RED"); there is "Red"'),
    ('no item read fits owner = 5; owner is S in the items, the value asked for is N', 'no item read fits score = "5"; score is S in the items, the value asked for is N'),
    ("no item has colour, they have score", "no item has score, they have score"),
    ("no item read has colour", "no item read has box.size"),
    ("no item has colour among the first 3 read", "no item has note among the first 3 read"),
    ("no item has colour, they have owner and score", "no item has colour, they have owner and rank"),
    ("size.w is a path in the items, and a placeholder is one name", "size.h is a path in the items, and a placeholder is one name"),
    ('"x" and sk are swapped: there is an item with pk "Amber" and sk "ORDER#01"', '"x" and sk are swapped: there is an item with pk "Amber" and sk "ORDER#11"'),
    ("there is no table tab; there is Tab", "there is no table tab; there is Tub"),
    ("there is no table tab", "there is no table Tab"),
    ('the item with pk "Amber" and sk "ORDER#01" is there', 'the item with pk "Amber" and sk "ORDER#21" is there'),
    ('Tab has no item with pk "Amber" and sk "ORDER#21"', 'Tab has no item with pk "Amber" and sk "ORDER#01"'),
    ('items of Tab with note "x" have no owner, so by-owner does not have them', 'items of Tab with note "only" have no owner, so by-owner does not have them'),
    ("by-rank is empty: no item of Tab has rank (S)", "by-owner is empty: no item of Tab has owner (S)"),
    ('also near: "ORDER#05"', 'also near: "ORDER#15"'),
    ("and then: " + EMPTY, 'and then: no item of Tab has pk "Amber"'),
    ("there is no LIKE: begins_with(name, :v) and contains(name, :v) are functions", "there is something that no row knows"),
    ("an item has 400 KB at most, this one has 440 KB", "none of them is what it seems"),
)


FACTS = {"table": "Tab", "read": 8, "returned": 2, "more": False, "removed": [], "units": 4, "range": "all of it"}
# of hints: the name, what is so, and what is not
HINTS = (
    ("scan-has-index", "a Query of Tab.by-owner by owner gives the same items in 0.5 instead of 4 units", "a Query of Tab.by-owner by owner gives the same items in 1.5 instead of 4 units"),
    ("scan-has-index", "a Query of Tab.by-owner by owner gives the same items in 0.5 instead of 4 units", "a Query of Tab.by-owner by owner gives the same items in 0.5 instead of 5 units"),
    ("limit-before-filter", "Limit counts items read, not items returned: 8 read, 2 passed the filter", "Limit counts items read, not items returned: 8 read, 3 passed the filter"),
    ("statement-scans", "WHERE does not ask for pk by = or IN: all of Tab is read, 8 for 2", "WHERE does not ask for pk by = or IN: all of Tab is read, 7 for 2"),
    ("consistent-costs-double", "a strongly consistent read costs 4 units instead of 2", "a strongly consistent read costs 5 units instead of 2.5"),
    ("projected-in-vain", "none of the items has colour", "none of the items has score"),
    ("condition-of-one-item", 'attribute_not_exists(owner) looks at the item with this key only: another item has owner "ann"',
     'attribute_not_exists(owner) looks at the item with this key only: another item has owner "eve"'),
    ("index-would-halve", 'an index with owner as its key would take 1 instead of 4 units: 4 of 8 items have owner "ann"; writes',
     'an index with owner as its key would take 1 instead of 4 units: 5 of 8 items have owner "ann"; writes'),
    ("index-would-halve", "an index with pk and score as its key would take 1 instead of 4 units: 2 of 8 items have score after 5; writes",
     "an index with pk and score as its key would take 3 instead of 4 units: 2 of 8 items have score after 5; writes"),
)


def make(server):
    keys = {"pk": "S", "sk": "S", "owner": "S", "rank": "S"}
    server.call("CreateTable", {
        "TableName": "Tab", "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind} for name, kind in keys.items()],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        "GlobalSecondaryIndexes": [{"IndexName": f"by-{name}", "KeySchema": [{"AttributeName": name, "KeyType": "HASH"}],
                                    "Projection": {"ProjectionType": "ALL"}} for name in ("owner", "rank")]})
    server.put_items("Tab", ITEMS)


def holds(server, text):
    operation, request = ("Query", QUERY) if " sk " in f"{text} " else ("Scan", SCAN)
    facts = {"table": "Tab", "read": 8, "returned": 0, "more": False, "removed": []}
    try:
        claims.check_line(claims.Line(server, operation, request, {"facts": facts, "text": ""}, text))
    except claims.False_:
        return False
    return True


def hint_holds(server, name, text):
    try:
        claims.check_hint(claims.Line(server, "Scan", SCAN, {"facts": FACTS, "text": ""}, text), {"name": name, "text": text, "gives": "gives 2 items, 0.5 units"})
    except claims.False_:
        return False
    return True


if __name__ == "__main__":
    report = Report()
    with Server() as server:
        make(server)
        for so, not_so in LINES:
            with report.case(f"so: {so}"):
                assert holds(server, so)
            with report.case(f"not so: {not_so}"):
                assert not holds(server, not_so)
        for name, so, not_so in HINTS:
            with report.case(f"{name}, so: {so}"):
                assert hint_holds(server, name, so)
            with report.case(f"{name}, not so: {not_so}"):
                assert not hint_holds(server, name, not_so)
        with report.case("a line about few items that says many"):
            assert not holds(server, f'{EMPTY}; "Amber" has 50 items or more')
    report.done()
