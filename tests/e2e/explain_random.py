"""Random tables, right requests and known mistakes for explanations.

A right request is made from an item that is stored, so that it gives something; nothing may be said of it. A mistake is
one change of such a request; its cause has to be said. Each generator takes a Maker and returns (operation, request) or,
for a mistake, (operation, request, pattern of the reason); None if the table is not of the kind that it needs.
"""

import random
import re

import claims
from admin import must

WORDS = "amber basil cedar delta ember fable grove harbor iris jasmine kelp lemon maple nectar olive pearl".split()
NAMES = "label score kind owner code createdAt ean city level serial flag note rank tint".split()
RESERVED = "status name year size".split()


def S(text):
    return {"S": text}


def N(number):
    return {"N": str(number)}


def uuid(rnd):
    return "-".join("".join(rnd.choice("0123456789abcdef") for _ in range(n)) for n in (8, 4, 4, 4, 12))


VALUES = {
    "word": lambda rnd: S(rnd.choice(WORDS).title()),
    "path": lambda rnd: S(f"{rnd.choice(WORDS).upper()}#{rnd.randrange(1000):03}"),
    "uuid": lambda rnd: S(uuid(rnd)),
    "date": lambda rnd: S(f"2026-{rnd.randrange(1, 13):02}-{rnd.randrange(1, 28):02}"),
    "small": lambda rnd: N(rnd.randrange(500)),
    "seconds": lambda rnd: N(1700000000 + rnd.randrange(10**7)),
    "code": lambda rnd: N(4006381000000 + rnd.randrange(10**6)),
    "flag": lambda rnd: {"BOOL": rnd.random() < 0.5},
    "set": lambda rnd: {"SS": sorted(rnd.sample(WORDS, 2))},
    "map": lambda rnd: {"M": {"N": S("north"), "w": N(rnd.randrange(9))}},
    "list": lambda rnd: {"L": [N(rnd.randrange(9)), S(rnd.choice(WORDS))]},
    "null": lambda _: {"NULL": True},
}
SCALARS = ("word", "path", "uuid", "date", "small", "seconds", "code")
TEXTS = ("word", "path", "date")


def type_of(value):
    return next(iter(value))


class Maker:
    """A table with items, and what requests for it are made of."""

    def __init__(self, server, rnd, number):
        self.server, self.rnd = server, rnd
        self.table = f"Table{number}"
        names = rnd.sample(NAMES, 9)
        self.hash, self.range = names[0], rnd.choice((names[1], None))
        self.others = names[2:] + [rnd.choice(RESERVED)]
        self.kinds = {self.hash: rnd.choice(SCALARS)}
        if self.range:
            self.kinds[self.range] = rnd.choice(SCALARS)
        self.index = self.others.pop(0) if rnd.random() < 0.6 else None
        if self.index:
            self.kinds[self.index] = rnd.choice(SCALARS)
        for name in self.others:
            self.kinds[name] = rnd.choice(list(VALUES))
        self.make_items()
        self.create()

    def keys(self):
        return [name for name in (self.hash, self.range) if name]

    def key(self, item):
        return {name: item[name] for name in self.keys()}

    def make_items(self):
        rnd, partitions, items = self.rnd, None, {}
        if self.range:
            partitions = [VALUES[self.kinds[self.hash]](rnd) for _ in range(rnd.randrange(2, 5))]
        for _ in range(rnd.randrange(6, 40)):
            item = {name: VALUES[kind](rnd) for name, kind in self.kinds.items()}
            if partitions:
                item[self.hash] = rnd.choice(partitions)
            items[str(self.key(item))] = item
        self.items = list(items.values())

    def create(self):
        typed = [*self.keys(), *([self.index] if self.index else [])]
        request = {
            "TableName": self.table, "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": name, "AttributeType": type_of(self.items[0][name])} for name in typed],
            "KeySchema": [{"AttributeName": name, "KeyType": kind} for name, kind in zip(self.keys(), ("HASH", "RANGE"))],
        }
        if self.index:
            request["GlobalSecondaryIndexes"] = [{
                "IndexName": "byIndex", "KeySchema": [{"AttributeName": self.index, "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"}}]
        self.server.call("CreateTable", request)
        self.server.put_items(self.table, self.items)
        claims.forget(self.server)

    def drop(self):
        self.server.call("DeleteTable", {"TableName": self.table})

    def item(self):
        return self.rnd.choice(self.items)

    def request(self, **members):
        """Without the members that are None."""
        return {"TableName": self.table} | {name: value for name, value in members.items() if value is not None}

    def expression(self, condition, item, **values):
        """The members of an expression in which names are #name, and of the values :v."""
        names = {f"#{name}": name for name in re.findall(r"#(\w+)", condition)}
        return {"ExpressionAttributeNames": names, "ExpressionAttributeValues": {f":{name}": value for name, value in values.items()}}

    def any_of(self, kinds, nested=False):
        """An attribute of one of these kinds that is no key, or None."""
        names = [name for name in self.others if self.kinds[name] in kinds]
        return self.rnd.choice(names) if names else None

    def query(self, item, sort="", filter_text=None, index=None, **values):
        condition = f"#{index or self.hash} = :h{sort}"
        both = condition + (filter_text or "")
        return self.request(
            IndexName="byIndex" if index else None, KeyConditionExpression=condition, FilterExpression=filter_text,
            **self.expression(both, item, h=item[index or self.hash], **values))

    def scan(self, filter_text, **values):
        return self.request(FilterExpression=filter_text, **self.expression(filter_text, None, **values))


# --- right requests ---------------------------------------------------------------------------------------------------


def get(m):
    return "GetItem", m.request(Key=m.key(m.item()))


def batch_get(m):
    keys = {str(key): key for key in (m.key(m.item()) for _ in range(3))}
    return "BatchGetItem", {"RequestItems": {m.table: {"Keys": list(keys.values())}}}


def transact_get(m):
    return "TransactGetItems", {"TransactItems": [{"Get": m.request(Key=m.key(m.item()))}]}


def partition(m):
    return "Query", m.query(m.item()) | m.rnd.choice(({}, {"ScanIndexForward": False}, {"Limit": 1}))


def sorted_range(m):
    item = m.item()
    if not m.range:
        return None
    value = item[m.range]
    choices = ["= :s", "<= :s", ">= :s", "BETWEEN :s AND :s"]
    sort = f" AND #{m.range} {m.rnd.choice(choices)}"
    if "S" in value and m.rnd.random() < 0.4:
        sort, value = f" AND begins_with(#{m.range}, :s)", S(value["S"][: m.rnd.randrange(1, len(value["S"]))])
    return "Query", m.query(item, sort, s=value)


def by_index(m):
    return ("Query", m.query(m.item(), index=m.index)) if m.index else None


def comparison(m, item, kinds):
    """A condition that the item fits."""
    name = m.any_of(kinds)
    if not name:
        return None
    value = item[name]
    forms = {"SS": ["contains(#{0}, :v)"], "BOOL": ["#{0} = :v"], "NULL": ["attribute_exists(#{0})", "#{0} = :v"],
             "M": ["attribute_exists(#{0})", "#{0}.w >= :v"], "L": ["size(#{0}) = :v", "contains(#{0}, :v)"]}
    form = m.rnd.choice(forms.get(type_of(value), ["#{0} = :v", "#{0} >= :v", "#{0} <= :v", "#{0} IN (:v)", "#{0} BETWEEN :v AND :v"]))
    if type_of(value) == "SS":
        value = S(value["SS"][0])
    if type_of(value) == "M":
        value = value["M"]["w"]
    if type_of(value) == "L":
        value = N(2) if form.startswith("size") else value["L"][0]
    return form.format(name), ({"v": value} if ":v" in form else {})


def filtered_query(m):
    item = m.item()
    made = comparison(m, item, VALUES)
    return made and ("Query", m.query(item, filter_text=made[0], **made[1]))


def filtered_scan(m):
    made = comparison(m, m.item(), VALUES)
    request = made and m.scan(made[0], **made[1])
    if made and not made[1]:
        del request["ExpressionAttributeValues"]
    return made and ("Scan", request)


def whole_scan(m):
    return "Scan", m.request(**m.rnd.choice(({}, {"Limit": 2}, {"Select": "COUNT"})))


def next_page(m):
    limit = m.rnd.randrange(1, 5)
    key = m.server.call("Scan", m.request(Limit=limit)).get("LastEvaluatedKey")
    rest = key and m.server.call("Scan", m.request(ExclusiveStartKey=key))
    return ("Scan", m.request(ExclusiveStartKey=key)) if rest and rest["Count"] else None


def put_new(m):
    item = {name: VALUES[kind](m.rnd) for name, kind in m.kinds.items()}
    if any(m.key(one) == m.key(item) for one in m.items):
        return None
    m.items.append(item)
    condition = {"ConditionExpression": "attribute_not_exists(#k)", "ExpressionAttributeNames": {"#k": m.hash}}
    return "PutItem", m.request(Item=item) | m.rnd.choice(({}, condition))


def put_more(m):
    item = m.item()
    item["further"] = N(1)
    return "PutItem", m.request(Item=item)


def update(m):
    name, item = m.any_of(VALUES), m.item()
    item[name] = VALUES[m.kinds[name]](m.rnd)
    text = f"SET #{name} = :v"
    return "UpdateItem", m.request(Key=m.key(item), UpdateExpression=text, **m.expression(text, item, v=item[name]))


def add(m):
    name = m.any_of(("small", "seconds", "code"))
    text = f"ADD #{name} :v"
    if not name:
        return None
    item = m.item()
    item[name] = N(int(item[name]["N"]) + 1)
    return "UpdateItem", m.request(Key=m.key(item), UpdateExpression=text, **m.expression(text, None, v=N(1)))


def conditional_update(m):
    item = m.item()
    made = comparison(m, item, SCALARS)
    if not made:
        return None
    text = "SET further = :f"
    return "UpdateItem", m.request(Key=m.key(item), UpdateExpression=text, ConditionExpression=made[0],
                                   **m.expression(made[0], item, f=N(1), **made[1]))


def select(m):
    item = m.item()
    return "ExecuteStatement", {
        "Statement": f"SELECT * FROM \"{m.table}\" WHERE " + " AND ".join(f'"{name}" = ?' for name in m.keys()),
        "Parameters": list(m.key(item).values())}


def select_literal(m):
    value = m.item()[m.hash]
    literal = f"'{value['S']}'" if "S" in value else value["N"]
    return "ExecuteStatement", {"Statement": f"SELECT * FROM {m.table} WHERE \"{m.hash}\" = {literal}"}


RIGHT = (get, batch_get, transact_get, partition, sorted_range, by_index, filtered_query, filtered_scan, whole_scan, next_page,
         put_new, put_more, update, add, conditional_update, select, select_literal)

# --- mistakes ---------------------------------------------------------------------------------------------------------


def has_letters(value):
    return "S" in value and value["S"].swapcase() != value["S"]


def values_of(m, name):
    return [next(iter(item[name].values())) for item in m.items if name in item]


def key_in_other_case(m):
    item = m.item()
    value = item[m.hash]
    if m.kinds[m.hash] not in ("word", "path"):
        return None
    asked = S(value["S"].lower())
    request = m.query(item) | {"ExpressionAttributeValues": {":h": asked}}
    return "Query", request, rf'has {m.hash} "{re.escape(asked["S"])}"; "{re.escape(value["S"])}" has .*case counts'


def key_with_blank(m):
    value = m.item()[m.hash]
    if "S" not in value:
        return None
    key = m.key(m.item()) | {m.hash: S(value["S"] + " ")}
    return "GetItem", m.request(Key=key), "ends with white space"


def key_of_other_type(m):
    value = m.item()[m.hash]
    wrong = N(7) if "S" in value else S("x7")
    request = m.query(m.item()) | {"ExpressionAttributeValues": {":h": wrong}}
    return "Query", request, rf"^{m.hash} is declared {type_of(value)}, :h is {type_of(wrong)}"


def key_without_sort(m):
    item = m.item()
    return m.range and ("GetItem", m.request(Key={m.hash: item[m.hash]}), f"{m.range} is missing$")


def keys_swapped(m):
    item = m.item()
    if not m.range or "S" not in item[m.hash] or "S" not in item[m.range]:
        return None
    key = {m.hash: item[m.range], m.range: item[m.hash]}
    if key == m.key(item) or item[m.range]["S"] in values_of(m, m.hash):
        return None
    return "GetItem", m.request(Key=key), f"^{m.hash} and {m.range} are swapped: "


def sort_key_begins(m):
    item = m.item()
    if not m.range or m.kinds[m.range] not in ("path", "date"):
        return None
    start = item[m.range]["S"][:-2 if m.kinds[m.range] == "date" else -1]  # 2026-11-1 may be a day without its zero
    if item[m.range]["S"][-1] == "0":  # zeros in front of a number are near as well
        return None
    if any(re.sub(r"\b0+", "", other[m.range]["S"]) == start for other in m.items):
        return None
    return "Query", m.query(item, f" AND #{m.range} = :s", s=S(start)), "= takes whole keys, begins_with"


def sort_key_in_other_case(m):
    item = m.item()
    if not m.range or m.kinds[m.range] not in ("word", "path"):
        return None
    asked = S(item[m.range]["S"].lower())
    return "Query", m.query(item, f" AND #{m.range} = :s", s=asked), f"there is \"{re.escape(item[m.range]['S'])}\": case counts"


def value_in_other_case(m):
    name = m.any_of(("word", "path"))
    if not name:
        return None
    value = m.item()[name]["S"]
    return "Scan", m.scan(f"#{name} = :v", v=S(value.lower())), rf'"{re.escape(value.lower())}"; there is "{re.escape(value)}": case counts'


def value_of_other_type(m):
    name = m.any_of(("small", "word", "uuid", "date"))
    if not name:
        return None
    is_number = m.kinds[name] == "small"
    wrong = S("5") if is_number else N(5)
    return "Scan", m.scan(f"#{name} = :v", v=wrong), (
        rf"{name} is {'N' if is_number else 'S'} in the items, the value asked for is {type_of(wrong)}$")


def name_in_other_case(m):
    name = m.any_of(("word", "small", "uuid"))
    if not name or len(name) < 4 or name in RESERVED:
        return None
    return "Scan", m.scan(f"#{name.upper()} = :v", v=m.item()[name]), f"^no item read has {name.upper()}, they have {name}: case counts$"


def set_with_equals(m):
    name = m.any_of(("set",))
    return name and ("Scan", m.scan(f"#{name} = :v", v=S(m.item()[name]["SS"][0])), rf"{name} is a string set, which is asked by contains")


def bare_reserved_word(m):
    name = next(name for name in m.others if name in RESERVED)
    return "Scan", m.request(FilterExpression=f"{name} = :v", ExpressionAttributeValues={":v": N(1)}), f"^{name} is a reserved word: write #{name}"


def unused_value(m):
    request = m.query(m.item())
    request["ExpressionAttributeValues"] |= {":left": N(1)}
    return "Query", request, "^:left of ExpressionAttributeValues is in no expression"


def undefined_value(m):
    request = m.query(m.item())
    request["ExpressionAttributeValues"] = {":other": request["ExpressionAttributeValues"][":h"]}
    return "Query", request, "^:h is in KeyConditionExpression and not in ExpressionAttributeValues"


def unmarked_name(m):
    request = m.query(m.item())
    request["ExpressionAttributeNames"] = {m.hash: m.hash}
    return "Query", request, rf'^(names begin with #: write "#{m.hash}"|#{m.hash} is in KeyConditionExpression)'


def bounds_swapped(m):
    if not m.range:
        return None
    low, high = (S("a"), S("b")) if "S" in m.item()[m.range] else (N(1), N(2))
    return "Query", m.query(m.item(), f" AND #{m.range} BETWEEN :y AND :x", x=low, y=high), "^BETWEEN has its upper end first"


def without_partition(m):
    if not m.range:
        return None
    condition = f"#{m.range} = :v"
    return "Query", m.request(KeyConditionExpression=condition, **m.expression(condition, None, v=m.item()[m.range])), (
        rf"needs {m.hash} = …")


def range_of_partition(m):
    request = m.query(m.item())
    request["KeyConditionExpression"] = request["KeyConditionExpression"].replace("=", ">")
    return "Query", request, f"^{m.hash} is the partition key, which can only be compared by ="


def other_attribute(m):
    name = m.any_of(SCALARS)
    if not name:
        return None
    condition = f"#{name} = :v"
    request = m.request(KeyConditionExpression=condition, **m.expression(condition, None, v=m.item()[name]))
    return "Query", request, rf"{name} is no key of"


def updated_key(m):
    text = f"SET #{m.hash} = :v"
    return "UpdateItem", m.request(Key=m.key(m.item()), UpdateExpression=text, **m.expression(text, None, v=m.item()[m.hash])), (
        f"^{m.hash} is part of the key")


def appended_to_nothing(m):
    text = "SET #missing = list_append(#missing, :v)"
    return "UpdateItem", m.request(Key=m.key(m.item()), UpdateExpression=text, **m.expression(text, None, v={"L": [N(1)]})), (
        r"^missing is not in the item yet")


def set_twice(m):
    name = m.any_of(VALUES)
    text = f"SET #{name} = :v, #{name} = :v"
    return "UpdateItem", m.request(Key=m.key(m.item()), UpdateExpression=text, **m.expression(text, None, v=N(1))), f"^#{name} is set twice: keep one$"


def foreign_sign(m):
    sign, said = m.rnd.choice((("==", "== is written ="), ("!=", "!= is written <>"), ("= :v && further =", "&& is written AND")))
    text = f"#{m.hash} {sign} :v"
    return "Scan", m.scan(text, v=m.item()[m.hash]), re.escape(said) + "$"


def quoted_name(m):
    name = m.any_of(SCALARS)
    if not name or name in RESERVED:
        return None
    return "Scan", m.request(FilterExpression=f'"{name}" = :v', ExpressionAttributeValues={":v": m.item()[name]}), f"^a name has no quotes: write ({name}|#n, and ..#n.: .{name}..* in ExpressionAttributeNames)$"


def other_table(m):
    return "GetItem", m.request(Key=m.key(m.item())) | {"TableName": m.table.lower()}, f"there is {m.table}: case counts$"


def apostrophe(m):
    return "ExecuteStatement", {"Statement": f"SELECT * FROM {m.table} WHERE \"{m.hash}\" = 'it's'"}, "^the apostrophe ended the text: write 'it''s', or"


def parameter_in_quotes(m):
    statement = f"SELECT * FROM {m.table} WHERE \"{m.hash}\" = '?'"
    return "ExecuteStatement", {"Statement": statement, "Parameters": [m.item()[m.hash]]}, r"^'\?' in quotes is text"


OTHERWISE = {  # kind: other ways to write a value of it, and what is said of them
    "word": ((str.lower, "case counts"), (lambda text: text + "\n", "ends with a line end"), (lambda text: f'"{text}"', "the quotes are part")),
    "path": ((str.lower, "case counts"), (lambda text: text.replace("#", ":"), "joined by #"),
             (lambda text: text.replace("#", "%23"), "percent-encoded")),
    "uuid": ((str.upper, "case counts"), (lambda text: text.replace("-", ""), "UUIDs are stored with hyphens"),
             (lambda text: f"{{{text}}}", "UUIDs are stored without braces")),
    "date": ((lambda text: "{2}.{1}.{0}".format(*text.split("-")), "year-month-day"), (lambda text: text + "T00:00:00", "dates without a time")),
}


def asked_at(m, name, item, value):
    """A request for a value of this attribute, at one of the positions at which it can be asked for."""
    places = ["filter", "condition", *(["key"] if name == m.hash else ["sort"] if name == m.range else ["index"] if name == m.index else [])]
    place = m.rnd.choice(places[2:] or places)
    if place in ("key", "index"):
        return "Query", m.query(item, index=m.index if place == "index" else None) | {"ExpressionAttributeValues": {":h": value}}
    if place == "sort":
        return "Query", m.query(item, f" AND #{name} = :s", s=value)
    condition = f"#{name} = :v"
    if place == "filter":
        return "Scan", m.scan(condition, v=value)
    return "UpdateItem", m.request(Key=m.key(item), UpdateExpression="SET further = :f", ConditionExpression=condition,
                                   **m.expression(condition, item, f=N(1), v=value))


def value_written_otherwise(m):
    names = [name for name, kind in m.kinds.items() if kind in OTHERWISE]
    if not names:
        return None
    name, item = m.rnd.choice(names), m.item()
    write, why = m.rnd.choice(OTHERWISE[m.kinds[name]])
    asked = write(item[name]["S"])
    return *asked_at(m, name, item, S(asked)), rf'"{re.escape(item[name]["S"])}".*{why}'


def value_that_no_item_has(m):
    """Of which nothing may be said but what there is."""
    names = [name for name, kind in m.kinds.items() if kind in ("uuid", "date", "small", "seconds", "code")]
    if not names:
        return None
    name = m.rnd.choice(names)
    value = VALUES[m.kinds[name]](m.rnd)
    if any(value in item.values() for item in m.items):
        return None
    return *asked_at(m, name, m.item(), value), r"^(?!.*(; there is|; \S+ has|begins? with|asked for|looks like|have no|: it is))"


def range_that_no_item_is_in(m):
    """Keys with a word and a number are not dates or ids with a word in front."""
    names = [name for name in (m.range, *m.others) if name and m.kinds[name] == "path"]
    if not names:
        return None
    name, item = m.rnd.choice(names), m.item()
    value = VALUES[m.rnd.choice(("date", "uuid"))](m.rnd)
    condition = f"#{name} < :v"
    if value["S"][0] not in "0123456789":
        return None
    made = ("Query", m.query(item, f" AND {condition}", v=value)) if name == m.range else ("Scan", m.scan(condition, v=value))
    return *made, r"^(?!.*(there is|would fit))"


MISTAKES = (value_written_otherwise, value_that_no_item_has, range_that_no_item_is_in, key_in_other_case, key_with_blank, key_of_other_type, key_without_sort, keys_swapped, sort_key_begins,
            sort_key_in_other_case, value_in_other_case, value_of_other_type, name_in_other_case, set_with_equals,
            bare_reserved_word, unused_value, undefined_value, unmarked_name, bounds_swapped, without_partition,
            range_of_partition, other_attribute, updated_key, appended_to_nothing, set_twice, foreign_sign, quoted_name,
            other_table, apostrophe, parameter_in_quotes)

# --- running them -----------------------------------------------------------------------------------------------------

A_TABLE = 24  # requests


def explain(server, operation, request):
    """What is said of the data is checked as well."""
    tried = must(server, "POST", "try", {"operation": operation, "request": request})
    claims.check(server, operation, request, tried)
    return tried


def check_right(m, make):
    made = make(m)
    if not made:
        return False
    tried = explain(m.server, *made)
    explanation = tried["explanation"]
    hints = [hint for hint in explanation["hints"] if hint["weight"] == "hint"]
    if tried["status"] != 200 or "reason" in explanation or hints:
        raise AssertionError(f"{make.__name__}: {made}: {tried['status']}: {explanation['text']}")
    return True


def check_mistake(m, make):
    made = make(m)
    if not made:
        return False
    operation, request, cause = made
    explanation = explain(m.server, operation, request)["explanation"]
    if not re.search(cause, explanation.get("reason", "")):
        raise AssertionError(f"{make.__name__}: {operation} {request}: not {cause!r}: {explanation['text']}")
    return True


TWO = (value_in_other_case, name_in_other_case, key_in_other_case, sort_key_in_other_case)


def check_two(m, make):
    """A mistake in a request for a table in another case: both are said, and the proposal gives something."""
    made = make(m)
    if not made:
        return False
    operation, request, cause = made
    explanation = explain(m.server, operation, request | {"TableName": m.table.lower()})["explanation"]
    first = f"there is no table {m.table.lower()}; there is {m.table}: case counts"
    second = rf"\n  and then: .*{cause.removeprefix('^').removesuffix('$')}"
    if explanation.get("reason") != first or not re.search(second, explanation["text"]) or "gives" not in explanation:
        raise AssertionError(f"{make.__name__}: {operation} {request}: not {second!r}: {explanation['text']}")
    return True


def run(report, server, seed, count):
    """`count` right requests and as many mistakes, all generators of each kind."""
    for name, generators, check in (("right requests, of which nothing is said", RIGHT, check_right),
                                    ("mistakes, whose cause is said", MISTAKES, check_mistake),
                                    ("pairs of mistakes, of which both are said", TWO, check_two)):
        rnd, done, number, used = random.Random(seed), 0, 0, set()
        with report.case(f"{count} {name} (seed {seed})"):
            while done < count or len(used) < len(generators):
                number += 1
                m = Maker(server, rnd, number)
                try:
                    for _ in range(A_TABLE):
                        make = rnd.choice(generators)
                        if check(m, make):
                            done += 1
                            used.add(make)
                finally:
                    m.drop()
                assert number < count, f"not made: {[one.__name__ for one in generators if one not in used]}"
