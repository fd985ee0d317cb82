"""What explanations say of the data, checked against the data.

check(server, operation, request, explanation) reads each "there is", "none", "no item" and number of the reason and of the
lines below it, of the hints and of the notes, and compares it with all items of the table, read by plain Scans, and with what
the read took. It raises where one is not so, and where
a line says something of the data that no row of CLAIMS can check.
"""

import base64
import functools
import json
import re

VALUE = r'(?:"(?:[^"\\]|\\.)*"…?|-?\d[\d.]*(?:[eE][+-]?\d+)?|<\d+ bytes>|true|false)'
NAME = r'[^\s":;,()]+'
PLACE = r"[\w.-]+"
FOLDED = 50  # "50 items or more"


class False_(AssertionError):
    """A line that is not so."""


def scalars(value):
    """A value and what is in it."""
    kind, inner = next(iter(value.items()))
    yield value
    if kind == "M":
        for part in inner.values():
            yield from scalars(part)
    elif kind == "L":
        for part in inner:
            yield from scalars(part)
    elif kind in ("SS", "NS", "BS"):
        for part in inner:
            yield {kind[0]: part}


def same(value, shown):
    """Whether a value of an item is the one that a line shows."""
    kind, inner = next(iter(value.items()))
    if shown.endswith("…"):
        return kind == "S" and inner.startswith(json.loads(shown[:-1]))
    if shown.startswith('"'):
        return kind == "S" and inner == json.loads(shown)
    if shown.startswith("<"):
        return kind == "B" and len(base64.b64decode(inner)) == int(shown.split()[0][1:])
    if shown in ("true", "false"):
        return kind == "BOOL" and inner == (shown == "true")
    return kind == "N" and float(inner) == float(shown)


def ordered(value):
    """A key for sorting values of one type as the service does."""
    kind, inner = next(iter(value.items()))
    return float(inner) if kind == "N" else inner.encode()


def shown_value(shown):
    return {"S": json.loads(shown.rstrip("…"))} if shown.startswith('"') else {"N": shown}


def fits(op, value, low, high=None):
    """Whether a value of an item is where a line says that none is."""
    if low.startswith("<"):
        return same(value, low)
    asked = shown_value(low)
    if next(iter(value)) != next(iter(asked)):
        return False
    if op in ("is", "="):
        return same(value, low)
    if op == "begins with":
        return value.get("S", "").startswith(asked.get("S", "\0"))
    if op == "contains":
        return asked.get("S", "\0") in value.get("S", "")
    at, from_ = ordered(value), ordered(asked)
    return {"is before": at < from_, "<": at < from_, "is up to": at <= from_, "<=": at <= from_, "is after": at > from_, ">": at > from_,
            "is from": at >= from_, ">=": at >= from_, "is between": high and from_ <= at <= ordered(shown_value(high))}[op]


class Place:
    """A table or one of its indexes, and its items."""

    def __init__(self, server, name):
        self.table, _, self.index = name.partition(".")
        if self.table not in tables(server):
            tied = [one for one in tables(server) if name.startswith(one + ".")]
            self.table, self.index = (tied[0], name[len(tied[0]) + 1:]) if tied else (name, "")
        if self.table not in tables(server):
            raise False_(f"there is no table {name}")
        self.described = described(server, self.table)
        self.whole = items_of(server, self.table)
        indexes = [*self.described.get("GlobalSecondaryIndexes", []), *self.described.get("LocalSecondaryIndexes", [])]
        schema = next((ix for ix in indexes if ix["IndexName"] == self.index), self.described)["KeySchema"]
        types = {one["AttributeName"]: one["AttributeType"] for one in self.described["AttributeDefinitions"]}
        self.keys = [one["AttributeName"] for one in schema]
        self.items = [item for item in self.whole if all(types[key] in item.get(key, {}) for key in self.keys)]


def post(server, operation, request):
    status, _, body = server.post(operation, request, {"x-mockddb-aside": "true"})
    if status != 200:
        raise RuntimeError(f"{operation} {request}: {body}")
    return json.loads(body)


def memory(server):
    if not hasattr(server, "claims"):
        server.claims = {}
    return server.claims


def forget(server):
    """To be called after a write."""
    memory(server).clear()


def remembered(make):
    @functools.wraps(make)
    def find(server, *key):
        kept = memory(server)
        if (make, *key) not in kept:
            kept[make, *key] = make(server, *key)
        return kept[make, *key]
    return find


@remembered
def tables(server):
    return post(server, "ListTables", {})["TableNames"]


@remembered
def described(server, table):
    return post(server, "DescribeTable", {"TableName": table})["Table"]


@remembered
def items_of(server, table):
    got, start = [], {}
    while start is not None:
        answer = post(server, "Scan", {"TableName": table, **start})
        got += answer["Items"]
        start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]} if "LastEvaluatedKey" in answer else None
    return got


class Line:
    """A line, and what the request is about."""

    def __init__(self, server, operation, request, explanation, text):
        self.server, self.operation, self.request, self.explanation, self.text = server, operation, request, explanation, text
        # What is said of a corrected request is not of what was read.
        self.facts = {} if text.startswith("and then") else explanation.get("facts") or {}
        self.more = self.facts.get("more", True)
        self.subject = None  # the attribute that the line is about …
        self.items = None  # … and the items among which it is

    @functools.cached_property
    def place(self):
        facts = self.explanation.get("facts") or {}
        entry = json.dumps(self.request)
        name = facts.get("table") or self.request.get("TableName") or next(
            (one for one in sorted(tables(self.server), key=len, reverse=True) if one.lower() in entry.lower()), "")
        near = next((one for one in tables(self.server) if one.lower() == name.lower()), name.split(", ")[0])
        index = facts.get("index") or self.request.get("IndexName")
        return Place(self.server, f"{near}.{index}" if index else near)

    def among(self):
        return self.place.items if self.items is None else self.items

    def sampled(self, count):
        """The first items that the read looks at."""
        members = ("KeyConditionExpression", "ExclusiveStartKey", "ScanIndexForward")
        asked = {name: self.request[name] for name in members if name in self.request} | {"TableName": self.place.table} | (
            {"IndexName": self.place.index} if self.place.index else {})
        text = asked.get("KeyConditionExpression", "")
        for member in ("ExpressionAttributeNames", "ExpressionAttributeValues"):
            used = {name: value for name, value in self.request.get(member, {}).items() if re.search(re.escape(name) + r"\b", text)}
            asked |= {member: used} if used else {}
        got, start = [], {}
        while start is not None and len(got) < count:
            answer = post(self.server, "Query" if text else "Scan", {**asked, **start, "Limit": count - len(got)})
            got += answer["Items"]
            start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]} if "LastEvaluatedKey" in answer else None
        return got

    def values(self, name=None, items=None):
        """All values at an attribute or path, those of their elements too."""
        items = self.among() if items is None else items
        path = re.findall(r"[^.\[\]]+", name or self.subject or "")
        for item in items:
            if name in item or self.subject in item:
                yield from scalars(item[name] if name in item else item[self.subject])
            elif not path:
                for value in item.values():
                    yield from scalars(value)
            else:
                yield from nested(item, path)

    def expect(self, is_so, why):
        if not is_so:
            raise False_(f"not so: {why}, in {self.text!r}")


def nested(item, path):
    if path[0] in item:
        values = [item[path[0]]]
        for step in path[1:]:
            values = [inner for value in values for inner in ([value["M"][step]] if step in value.get("M", {}) else
                                                               value["L"][int(step):int(step) + 1] if step.isdigit() and "L" in value else [])]
        for value in values:
            yield from scalars(value)


# --- claims: a pattern, and what has to be so -------------------------------------------------------------------------


def no_item_with(line, place, clauses):
    line.__dict__["place"] = Place(line.server, place)
    all_ = re.findall(rf"({NAME}) (before |up to |after |from |beginning with )?({VALUE})", clauses)
    fit = [item for item in line.place.items if all(
        name in item and fits({"": "is", "beginning with ": "begins with"}.get(op, f"is {op}".strip()), item[name], shown) for name, op, shown in all_)]
    line.expect(not fit or "<" in clauses, f"no item has {clauses}")
    line.subject = all_[0][0] if len(all_) == 1 else None


def no_key(line, name, op, low, high, hash_name, hash_value):
    line.subject = name
    line.items = [item for item in line.place.items if same(item[hash_name], hash_value)]
    line.expect(not [item for item in line.items if fits(op, item[name], low, high)], f"no {name} {op} {low}")


def no_fit(line, name, op, shown):
    line.subject = name.removeprefix("#")
    read_all = not line.more
    if read_all and line.operation == "Scan" and "." not in name:
        fit = [one for item in line.place.items if line.subject in item for one in [item[line.subject]] if op != "<>" and fits(op, one, shown)]
        line.expect(not fit, f"no item fits {name} {op} {shown}")
    line.expect(line.facts.get("returned", 0) == 0, "no item fits")


def no_fit_function(line, op, name, shown):
    no_fit(line, name, {"contains": "contains", "begins_with": "begins with"}[op], shown)


def lacks(line, path, first=None):
    line.subject = path
    items = line.sampled(int(first)) if first else line.place.items if line.operation == "Scan" and not line.more else (
        line.sampled(line.facts.get("read", 0)))
    if first:
        line.expect(len(items) == int(first), f"there are {first} items")
    line.expect(not list(nested_values(items, path)), f"no item has {path}")


def nested_values(items, path):
    for item in items:
        if path in item:
            yield item[path]
        else:
            yield from nested(item, re.findall(r"[^.\[\]]+", path))


def no_item_has(line, path):
    items = line.place.items
    line.expect(not list(nested_values(items, path)), f"no item has {path}")


def they_have(line, names):
    for name in re.split(r", | and ", names):
        line.expect(list(nested_values(line.place.whole, name)), f"items have {name}")


def there_is(line, shown):
    values = list(line.values()) or list(line.values("", line.place.whole))
    found = "contains" if line.text.startswith("no item read fits contains(") else "begins with"
    if any(same(value, shown) or fits(found, value, shown) for value in values):
        return
    anywhere = [value for item in line.place.whole for one in item.values() for value in scalars(one)]
    line.expect(any(same(value, shown) for value in anywhere), f"there is {shown}")


def partition_has(line, shown, count, more):
    fit = [item for item in line.place.items if same(item[line.subject or line.place.keys[0]], shown)]
    is_shown = not shown.startswith("<")  # of bytes their number only
    line.expect(len(fit) >= FOLDED if more else len(fit) == int(count) or (not is_shown and len(fit) > int(count)), f"{shown} has {count} items, it has {len(fit)}")


def begin_with(line, count, more, shown):
    asked = re.search(rf"(?:is|begins with|up to|and) ({VALUE}) under", line.text)
    text = shown if shown != "it" else asked[1]
    fit = [item for item in line.among() if fits("begins with", item[line.subject], text)]
    line.expect(len(fit) >= FOLDED if more else len(fit) == int(count), f"{count} begin with {text}, {len(fit)} do")


def ends(line, what, shown):
    values = sorted((item[line.subject] for item in line.among() if line.subject in item), key=ordered)
    line.expect(values and same(values[0 if what == "first" else -1], shown), f"the {what} is {shown}")


def go_from(line, clauses, start, name, low, high):
    pairs = re.findall(rf"({NAME}) ({VALUE})", clauses or "")
    items = [item for item in line.among() if all(same(item[one], value) for one, value in pairs)]
    first = re.search(r"in the first (\d+) items|among them", line.text)
    values = [value for value in line.values(name or None, items) if next(iter(value)) in "SN" and (not start or value.get("S", "").startswith(json.loads(start)))]
    kind = next(iter(shown_value(low)))
    values = sorted((value for value in values if kind in value), key=ordered)
    line.expect(values and any(same(value, low) for value in values) and any(same(value, high) for value in values), f"there are {low} and {high}")
    in_order = not first and (line.items is not None or not line.more)
    if in_order and line.operation in ("Scan", "Query", "GetItem") and len(values) <= 1000:
        line.expect(same(values[0], low) and same(values[-1], high), f"they go from {low} to {high}")


def only_one(line, shown):
    line.expect({json.dumps(item[line.subject]) for item in line.among()} and all(same(item[line.subject], shown) for item in line.among()),
                f"the only one is {shown}")


def listed(line, name, shown, more):
    values = list(line.values(name or None))
    all_shown = re.findall(VALUE, shown)
    for one in all_shown:
        line.expect(any(same(value, one) for value in values), f"{one} is there")
    if not more and not name and line.items is not None:
        line.expect(all(any(same(item[line.subject], one) for one in all_shown) for item in line.items), f"they are {shown}, and no others")


def starts(line, shown):
    for one in re.findall(VALUE, shown):
        line.expect(any(fits("begins with", value, one) for value in line.values()), f"one begins with {one}")


def such_as(line, shown):
    line.expect(any(same(value, shown) for value in line.values()), f"there is {shown}")


def near(line, shown):
    """A text that is there, or the beginning of one."""
    line.expect(any(fits("begins with", value, shown) for item in line.place.whole for one in item.values() for value in scalars(one)), f"there is {shown}")


def beginning_fits(line, shown):
    line.expect(any(fits("begins with", value, shown) for value in line.values()), f"one begins with {shown}")


def no_attribute(line, name):
    line.expect(not list(nested_values(line.place.whole, name)), f"no item has {name}")


def of_segment(line, place, count):
    line.expect(len(Place(line.server, place).items) == int(count), f"{place} has {count} items")


def of_search(line, index, asked):
    vector = next((ix["VectorAttribute"]["AttributeName"] for ix in line.place.described.get("VectorIndexes", []) if ix["IndexName"] == index), None)
    name = re.search(rf"fits ({NAME}) = ", line.text)
    line.expect(vector, f"{index} is an index of vectors")
    value = line.request.get("ExpressionAttributeValues", {}).get(asked)
    line.expect(not value or not [item for item in line.place.whole if vector in item and item.get(name[1]) == value], f"no item of {index} fits")


def in_search(line, shown):
    near_values = [value for item in line.place.whole for one in item.values() for value in scalars(one)]
    for one in re.findall(VALUE, shown):
        line.expect(any(same(value, one) for value in near_values), f"{one} is there")


def no_list(line, index, place, name, count):
    line.expect(not [item for item in Place(line.server, place).whole if len(item.get(name, {}).get("L", [])) == int(count)], f"no {name} of {count} numbers")


def type_in_items(line, path, kind, asked):
    values = list(nested_values(line.place.whole, path))
    line.expect(any(kind in value for value in values), f"{path} is {kind} in an item")
    if asked and not re.search(r"in the first", line.text):
        line.expect(not any(asked in value for value in values) or line.place.index or line.operation == "Query", f"{path} is {asked} in no item")


def items_at(line, place, count, more, name, shown):
    fit = [item for item in Place(line.server, place).items if same(item[name], shown)]
    line.expect(len(fit) >= FOLDED if more else len(fit) == int(count), f"{place} has {count} items with {name} {shown}, not {len(fit)}")


def is_a(line, name, place, count, more):
    asked = re.search(rf"has {NAME} ({VALUE})", line.text)
    items_at(line, place, count, more, name, asked[1])


def attribute_of(line, name, key, shown):
    asked = re.search(rf"(?:has {NAME}|no {NAME} \w[\w ]*?) ({VALUE})", line.text)
    fit = [item for item in line.place.whole if key in item and same(item[key], shown) and name in item and same(item[name], asked[1])]
    line.expect(fit, f"{asked[1]} is the {name} of the item with {key} {shown}")


def holders(line, name):
    asked = re.search(rf"has {NAME} ({VALUE})", line.text)
    line.expect(len([item for item in line.place.whole if name in item and same(item[name], asked[1])]) > 1, f"items have it as {name}")


def value_in(line, name, shown, count):
    fit = [item for item in line.place.items if name in item and same(item[name], shown)]
    line.expect(len(fit) == int(count) or line.facts.get("read", 0) != len(line.place.items), f"{name} is {shown} in {count} items")


def an_item_with(line, one, first, two, second):
    line.expect([item for item in line.place.whole if same(item.get(one, {"NULL": True}), first) and same(item.get(two, {"NULL": True}), second)],
                f"an item has {one} {first} and {two} {second}")


def no_table(line, name, there):
    line.expect(name not in tables(line.server), f"there is no table {name}")
    for one in re.findall(r"[\w.-]+", re.sub(r"there (is|are)|such as|and |…", "", there or "")):
        line.expect(one in tables(line.server), f"there is a table {one}")


def not_there(line, count, all_):
    keys = [(table, key) for table, one in line.request.get("RequestItems", {}).items() for key in one["Keys"]] or [
        (one["Get"]["TableName"], one["Get"]["Key"]) for one in line.request.get("TransactItems", [])]
    missing = [key for table, key in keys if not any(key.items() <= item.items() for item in items_of(line.server, table))]
    line.expect((len(missing), len(keys)) == (int(count), int(all_)), f"{count} of {all_} keys are not there")
    names = list({table for table, _ in keys})
    line.__dict__["place"] = Place(line.server, names[0])


def is_there(line, clauses):
    pairs = re.findall(rf"({NAME}) ({VALUE})", clauses)
    line.expect([item for item in line.place.whole if all(same(item.get(name, {"NULL": True}), shown) for name, shown in pairs)], f"the item with {clauses} is there")


def no_item_key(line, clauses):
    pairs = re.findall(rf"({NAME}) ({VALUE})", clauses)
    line.expect(not [item for item in line.place.whole if all(same(item.get(name, {"NULL": True}), shown) for name, shown in pairs)], f"no item has {clauses}")


def parts_removed(line, _):
    removed = {one["clause"]: one["items"] for one in line.facts.get("removed", [])}
    for clause, items in removed.items():
        line.expect(f"{clause} removed {items}" in line.text, f"{clause} removed {items}")


def maps_in(value):
    for inner in value.get("M", {}).values():
        yield from maps_in(inner)
    for inner in value.get("L", []):
        yield from maps_in(inner)
    if "M" in value:
        yield value["M"]


def path_there(line, path):
    maps = [one for item in line.place.whole for value in item.values() for one in maps_in(value)]
    line.expect(list(nested_values([*line.place.whole, *maps], path)), f"{path} is a path in the items")


def with_others(line, clauses, name, shown):
    pairs = re.findall(rf"({NAME}) ({VALUE})", clauses)
    fit = [item for item in line.place.items if all(same(item[one], value) for one, value in pairs)]
    for one in re.findall(VALUE, shown):
        line.expect(any(same(item[name], one) for item in fit), f"with {clauses}, {name} is {one}")


def lacking(line, place, clauses, name, index):
    of = Place(line.server, place)
    pairs = re.findall(rf"({NAME}) ({VALUE})", clauses or "")
    line.expect([item for item in of.whole if name not in item and all(same(item.get(one, {"NULL": True}), value) for one, value in pairs)],
                f"items{clauses or ''} have no {name}")


def is_empty(line, index, place, names):
    of = Place(line.server, f"{place}.{index}")
    line.expect(not of.items, f"{index} is empty")


CLAUSE = rf"{NAME} (?:before |up to |after |from |beginning with )?{VALUE}"
KEYED = rf"{CLAUSE}(?: and {CLAUSE})*"
CLAIMS = tuple((re.compile(pattern), check) for pattern, check in (
    (rf"\((\d+) of (\d+) keys (?:is|are) not there\)$", not_there),
    (rf"({NAME}) is empty: no item of ({PLACE}) has ({NAME}) as a list of (\d+) numbers", no_list),
    (rf"({NAME}) is empty: no item of ({PLACE}) has (.*)", is_empty),
    (rf"it is ({VALUE}(?:(?:, | or ){VALUE})*) there", in_search),
    (rf"no item of ({PLACE}) has ({KEYED})", no_item_with),
    (rf"no ({NAME}) (is before|is up to|is after|is from|is between|is|begins with) ({VALUE})(?: and ({VALUE}))? under ({NAME}) ({VALUE})", no_key),
    (rf"no item read fits ({NAME}) (=|<>|<=|>=|<|>) ({VALUE})", no_fit),
    (rf"no item read fits (contains|begins_with)\(({NAME}), ({VALUE})\)", no_fit_function),
    (rf"no item read fits all conditions(.*)", parts_removed),
    (r"no item read fits ", lambda line: line.expect(line.facts.get("returned", 0) == 0, "no item fits")),
    (rf"no item has ({NAME}) among the first (\d+)", lacks),
    (rf"no item read has ({NAME})", lacks),
    (rf"no item has ({NAME})", no_item_has),
    (rf"the item read has no ({NAME})", no_item_has),
    (rf"they have ({NAME}(?:(?:, | and ){NAME})*)", they_have),
    (rf"there is no table ([\w.-]+)(?: in [\w-]+)?(; there (?:is|are) [\w., …-]+)?", no_table),
    (rf"there is an item with ({NAME}) ({VALUE}) and ({NAME}) ({VALUE})", an_item_with),
    (rf"the item with ({KEYED}) is there", is_there),
    (rf"({PLACE}) has no item with ({KEYED})", no_item_with),
    (rf"(?:no item has|there is no item with) ({KEYED})", no_item_key),
    (rf"with {VALUE} there is ({VALUE}(?:(?:, | or ){VALUE})*)(, …)?", lambda line, shown, more: listed(line, "", shown, "…")),
    (rf"there is ({VALUE})", there_is),
    (rf"with ({KEYED}), ({NAME}) is ({VALUE}(?:(?:, | or | and ){VALUE})*)", with_others),
    (rf"({PLACE}) has (\d+) items?( or more)? with ({NAME}) ({VALUE})", items_at),
    (rf"it is a ({NAME}), of which ({PLACE}) has (\d+) items?( or more)?", is_a),
    (rf"it is the ({NAME}) of the item with ({NAME}) ({VALUE})", attribute_of),
    (rf"items there have it as their ({NAME})", holders),
    (rf"({VALUE}) has (\d+) items?( or more)?", partition_has),
    (rf"(\d+)( or more)? begins? with ({VALUE}|it)", begin_with),
    (rf"the (first|last) is ({VALUE})", ends),
    (rf"(?:with ({KEYED}), )?(?:those with ({VALUE}) go|they go|({NAME}) goes) from ({VALUE}) to ({VALUE})", go_from),
    (rf"the only one is ({VALUE})", only_one),
    (rf"they begin with ({VALUE}(?:(?:, | and ){VALUE})*)", starts),
    (rf"(?:also near:|there:) ({VALUE})", near),
    (rf"(?:such as|look like) ({VALUE})", such_as),
    (rf"keys that begin with ({VALUE}) would fit", beginning_fits),
    (rf"({NAME}) is read as an attribute's name, and no item looked at has it", no_attribute),
    (rf"segment \d+ of \d+ has no item of ({PLACE}), which has (\d+) items?", of_segment),
    (rf"no item of ({NAME}) fits (?:\S+ = (:\w+)(?! among))?", of_search),
    (rf"they (are) ({VALUE}(?:(?:, | and ){VALUE})*)(, …)?", lambda line, _, shown, more: listed(line, "", shown, more)),
    (rf"({NAME}) is ({VALUE}) in (\d+) items?", value_in),
    (rf"; ({NAME}) is ({VALUE}(?:(?:, | or ){VALUE})*)(, …)?", listed),
    (rf"({NAME}) is (S|N|B|BOOL|NULL|M|L|SS|NS|BS) in the (?:first \d+ )?items(?:, the value asked for is (\w+))?", type_in_items),
    (rf"items of ({PLACE})( with {KEYED})? have no ({NAME}), so ({NAME}) does not have them", lacking),
    (rf"({NAME}) is a path in the items", path_there),
))

# What is said of the service, or of the request alone.
OF_NO_DATA = re.compile("|".join((
    r"there is no (?:LIKE|IS NULL|ORDER BY|LIMIT|\+=|-=|\+\+|\*|function|GROUP BY|JOIN|[A-Z]+)\b", r"there is no .*: ", r"there are (?:attribute_exists|no)",
    r"begins? with (?![\"\d])", r"there is (?:attribute_exists|attribute_not_exists|attribute_type|begins_with|contains|size|if_not_exists|list_append)\b",
    r"begin with \":\": write", r"no item had this key", r"at most \d+|\d+ (?:KB|MB|digits|bytes|characters|levels|values|entries)", r"IN \(:a", r"\[0\]",
)))
SAYS = re.compile(r"\bthere (?:is|are)\b|\bnone\b|\bno items?\b|\bno \S+ is\b|\b\d+ items?\b|\b\d+ of \d+\b|\bbegins? with\b")


def lines_of(explanation):
    reason = explanation.get("reason", "")
    lines = explanation["text"].split("\n")
    below = [line.strip() for line in lines if re.match(r"  (?:and then|also|also near|there): ", line)]
    return [reason, *below] if reason else []


def check_line(line):
    seen = []
    for pattern, claim in CLAIMS:
        for match in pattern.finditer(line.text):
            if any(match.start() < end and start < match.end() for start, end in seen):
                continue
            claim(line, *match.groups())
            seen.append(match.span())
    for match in SAYS.finditer(re.sub(r'"(?:[^"\\]|\\.)*"', lambda quoted: "_" * len(quoted[0]), line.text)):
        if not any(start <= match.start() < end for start, end in seen) and not OF_NO_DATA.search(line.text[match.start():]):
            raise False_(f"nothing checks {line.text[match.start():]!r} of {line.text!r}")


def check_facts(line, answer):
    facts = line.explanation.get("facts")
    if not facts or answer is None:
        return
    if "ScannedCount" in answer:
        line.expect((facts["read"], facts["returned"], facts["more"]) == (answer["ScannedCount"], answer["Count"], "LastEvaluatedKey" in answer), "the facts")
    removed = sum(one["items"] for one in facts["removed"])
    line.expect(not removed or "of the first" in line.explanation["text"] or removed == facts["read"] - facts["returned"], "read = removed + returned")


# --- hints and notes ----------------------------------------------------------------------------------------------------


def instead_of(line, hint, units, before):
    whole = max(line.facts["units"], line.facts.get("all_pages_units", 0))
    line.expect(float(before) == whole and float(units) < whole, f"it takes {before} units")
    tried = re.search(r", ([\d.]+) units?$", hint.get("gives", ""))
    line.expect(not tried or float(tried[1]) == float(units) or ("BatchGetItem" in hint["text"] and float(tried[1]) < float(units)), f"it takes {units}")


def counts(line, _, read, returned):
    line.expect((line.facts["read"], line.facts["returned"]) == (int(read), int(returned)), f"{read} are read, {returned} returned")


def takes(line, _, units):
    line.expect(float(units) == line.facts["units"], f"it takes {units} units")


def would_take(line, _, units, before, first, fit, all_, name, op, shown):
    line.expect(2 * float(units) <= float(before) and int(fit) <= int(all_), "it takes half")
    if not first:
        partition = re.match(rf"({NAME}) = ({VALUE})", line.facts.get("range", ""))
        among = [item for item in line.place.items if not partition or same(item[partition[1]], partition[2])]
        items = [item for item in among if name in item and fits({None: "is", "beginning with": "begins with"}.get(op, f"is {op}"), item[name], shown)]
        line.expect((len(items), len(among)) == (int(fit), int(all_)), f"{fit} of {all_} items have {name} {shown}, not {len(items)} of {len(among)}")


def other_has(line, _, name, shown):
    line.expect(any(name in item and same(item[name], shown) for item in line.place.whole), f"an item has {name} {shown}")


def none_has(line, _, name):
    items = line.sampled(50) if line.operation in ("Query", "Scan") else []
    line.expect(not list(nested_values(items[: line.facts["read"]], name)), f"none of the items has {name}")


HINTS = {
    "access-pattern": (r"in ([\d.]+) instead of ([\d.]+) units", instead_of),
    "scan-has-index": (r"in ([\d.]+) instead of ([\d.]+) units", instead_of),
    "filter-is-sort-key": (r"in ([\d.]+) instead of ([\d.]+) units", instead_of),
    "limit-before-filter": (r": (\d+) read, (\d+) passed", counts),
    "statement-scans": (r"is read, (\d+) for (\d+)", counts),
    "index-fetches": (r"[\d.]+ of ([\d.]+) units", takes),
    "consistent-costs-double": (r"costs ([\d.]+) units", takes),
    "projection-saves-no-unit": (r"(?:instead of ([\d.]+) units)?$", lambda line, _, units: units and takes(line, _, units)),
    "index-would-halve": (rf"would take ([\d.]+) instead of ([\d.]+) units( for the first \d+ items)?: (\d+) of (\d+) items have ({NAME}) (after|before|from|up to|beginning with)? ?({VALUE})",
                          would_take),
    "projected-in-vain": (rf"none of the items has ({NAME})", none_has),
    "condition-of-one-item": (rf"(?:another item has ({NAME}) ({VALUE})|the condition looks)", lambda line, _, name, shown: name and other_has(line, _, name, shown)),
}


def check_hint(line, hint):
    pattern, claim = HINTS.get(hint["name"], (None, None))
    found = pattern and re.search(pattern, line.text)
    if pattern and not found and line.facts:
        raise False_(f"nothing checks the hint {line.text!r}")
    if found and (line.facts or claim not in (instead_of, counts, takes)):
        claim(line, hint, *found.groups())


def check(server, operation, request, tried):
    """`tried` is the answer of POST /_mockddb/try."""
    explanation = tried["explanation"]
    if explanation.get("facts") is None and tried["status"] == 200:
        forget(server)
    check_facts(Line(server, operation, request, explanation, "facts"), tried["response"] if tried["status"] == 200 else None)
    for text in lines_of(explanation):
        check_line(Line(server, operation, request, explanation, text))
    for hint in explanation["hints"]:
        check_hint(Line(server, operation, request, explanation, hint["text"]), hint)
