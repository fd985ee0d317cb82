"""The rules of values, conditions and updates once more, written down in Python, to hold the server
against: it must agree on requests that are drawn at random.

Values are as in requests, {"N": "1"}. A condition is drawn with what it has to give for one item,
an update with the item that it has to leave, or the texts of which one has to be the answer.
"""

import base64
import copy
import operator
from decimal import Decimal

ATTRIBUTES = ("a", "b", "c")
SCALARS = ("N", "S", "B")  # of which one is before another
TYPES = (*SCALARS, "BOOL", "NULL", "SS", "NS", "BS", "L", "M")
BYTES = tuple(base64.b64encode(text).decode() for text in (b"", b"\0", b"\0\1", b"a"))

NO_PATH = "The document path provided in the update expression is invalid for update"
NO_ATTRIBUTE = "The provided expression refers to an attribute that does not exist in the item"
WRONG_TYPE = "An operand in the update expression has an incorrect data type"


class Refused(Exception):
    """A text that the service may answer instead."""


def draw_value(random, depth=0):
    """Few different ones, so that many are equal."""
    kind = random.choice(TYPES + ("L", "M") if depth < 3 else TYPES[:-2])
    count = random.randint(0, 3)

    def inner():
        return draw_value(random, depth + 1)

    draws = {
        "N": lambda: random.choice(("0", "1", "2", "1.0", "-1", "1e2", "100", "0.5")),
        "S": lambda: random.choice(("", "a", "ab", "abc", "b", "é", "\U0001f600")),
        "B": lambda: random.choice(BYTES),
        "BOOL": lambda: random.random() < 0.5,
        "NULL": lambda: True,
        "SS": lambda: random.sample(("a", "b", "ab", ""), max(count, 1)),
        "NS": lambda: random.sample(("0", "1", "2", "-1"), max(count, 1)),
        "BS": lambda: random.sample(BYTES, max(count, 1)),
        "L": lambda: [inner() for _ in range(count)],
        "M": lambda: {random.choice(ATTRIBUTES): inner() for _ in range(count)},
    }
    return {kind: draws[kind]()}


def draw_item(random):
    item = {name: draw_value(random) for name in ATTRIBUTES if random.random() < 0.85}
    return {**item, "pk": {"S": "x"}}


def normal(value):
    """What equal values have in common; can be compared, and be in sets."""
    ((kind, content),) = value.items()
    contents = {
        "N": Decimal,
        "S": str.encode,
        "B": base64.b64decode,
        "SS": lambda texts: frozenset(text.encode() for text in texts),
        "NS": lambda texts: frozenset(map(Decimal, texts)),
        "BS": lambda texts: frozenset(map(base64.b64decode, texts)),
        "L": lambda values: tuple(map(normal, values)),
        "M": lambda values: tuple(sorted((name, normal(one)) for name, one in values.items())),
    }
    return kind, contents.get(kind, bool)(content)


def length(value):
    """What size() gives, None where it gives nothing."""
    ((kind, content),) = value.items()
    if kind == "S":
        return len(content.encode("utf-16-le")) // 2
    if kind == "B":
        return len(base64.b64decode(content))
    return len(content) if kind in ("SS", "NS", "BS", "L", "M") else None


def digits(text):
    """The bytes of a number: one, one for two digits on each side of the point, one for a minus."""
    sign, figures, exponent = Decimal(text).as_tuple()
    figures = "".join(map(str, figures)).lstrip("0")
    before = figures[: max(len(figures) + exponent, 0)] if exponent < 0 else figures
    after = figures[len(before) :].rstrip("0")
    before = before if after else before.rstrip("0")
    return 1 + (len(before) + 1) // 2 + (len(after) + 1) // 2 + (sign if before or after else 0)


def weight(value):
    """The bytes of a value that are charged."""
    ((kind, content),) = value.items()
    weights = {
        "S": lambda: len(content.encode()),
        "B": lambda: len(base64.b64decode(content)),
        "N": lambda: digits(content),
        "SS": lambda: sum(len(text.encode()) for text in content),
        "BS": lambda: sum(len(base64.b64decode(text)) for text in content),
        "NS": lambda: sum(map(digits, content)),
        "L": lambda: 3 + sum(1 + weight(one) for one in content),
        "M": lambda: 3 + len(content) + item_weight(content),
    }
    return weights.get(kind, lambda: 1)()


def item_weight(item):
    return sum(len(name.encode()) + weight(value) for name, value in item.items())


def draw_path(random):
    more = random.choice((0, 0, 1, 1, 2, 3))
    steps = ATTRIBUTES + (0, 1, 2)
    return (random.choice(ATTRIBUTES), *(random.choice(steps) for _ in range(more)))


def look_up(item, path):
    value = {"M": item}
    for step in path:
        content = value.get("L", []) if isinstance(step, int) else value.get("M", {})
        if isinstance(step, int):
            content = dict(enumerate(content))
        if step not in content:
            return None
        value = content[step]
    return value


class Expression:
    """Texts with placeholders, and what these stand for."""

    def __init__(self, random, item):
        self.random = random
        self.item = item
        self.names = {}
        self.values = {}

    def path(self, path):
        text = ""
        for step in path:
            if isinstance(step, int):
                text += f"[{step}]"
            else:
                self.names[f"#{step}"] = step
                text += f".#{step}" if text else f"#{step}"
        return text

    def value(self, value):
        name = f":v{len(self.values)}"
        self.values[name] = value
        return name

    def members(self):
        """Of a request."""
        members = {"ExpressionAttributeNames": self.names, "ExpressionAttributeValues": self.values}
        return {name: content for name, content in members.items() if content}


def order(one, other):
    """-1, 0 or 1; None where neither is before the other."""
    if one is None or other is None:
        return None
    (kind, left), (other_kind, right) = normal(one), normal(other)
    return (left > right) - (left < right) if kind == other_kind and kind in SCALARS else None


def same(one, other):
    return one is not None and other is not None and normal(one) == normal(other)


def contains(whole, part):
    if whole is None or part is None:
        return False
    (kind, content), (part_kind, member) = normal(whole), normal(part)
    if kind in ("S", "B"):
        return kind == part_kind and member in content
    if kind in ("SS", "NS", "BS"):
        return part_kind == kind[0] and member in content
    return kind == "L" and (part_kind, member) in content


class Condition(Expression):
    """Draws conditions; each with whether the item fits. What is refused is never drawn: the same
    path twice, and written values that have no order where they would need one."""

    COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}

    def draw(self, depth=0):
        kind = self.random.random()
        if depth < 3 and kind < 0.45:
            (left, one), (right, other) = self.draw(depth + 1), self.draw(depth + 1)
            if self.random.random() < 0.5:
                return f"({left}) AND ({right})", one and other
            return f"({left}) OR ({right})", one or other
        if depth < 3 and kind < 0.55:
            text, fits = self.draw(depth + 1)
            return f"NOT ({text})", not fits
        return self.random.choice(
            (self.comparison, self.comparison, self.between, self.within, self.function)
        )()

    def operand(self, others=(), ordered=False):
        """Its text, its value, and what it is, which is none of the others."""
        while True:
            kind = self.random.random()
            path = draw_path(self.random)
            found = look_up(self.item, path)
            if kind < 0.6 and path not in others:
                return self.path(path), found, path
            if kind < 0.75 and ("size", path) not in others:
                count = None if found is None else length(found)
                number = None if count is None else {"N": str(count)}
                return f"size({self.path(path)})", number, ("size", path)
            if kind >= 0.75:
                value = draw_value(self.random, 3 if ordered else 2)
                if not ordered or next(iter(value)) in SCALARS:
                    return self.value(value), value, None

    def comparison(self):
        sign = self.random.choice(("=", "<>", *self.COMPARISONS))
        left, one, what = self.operand(ordered=sign in self.COMPARISONS)
        right, other, _ = self.operand((what,), ordered=sign in self.COMPARISONS)
        if sign in self.COMPARISONS:
            found = order(one, other)
            fits = found is not None and self.COMPARISONS[sign](found, 0)
        else:
            fits = same(one, other) == (sign == "=")
        return f"{left} {sign} {right}", fits

    def between(self):
        text, value, what = self.operand(ordered=True)
        while True:
            values = dict(self.values)
            lower, low, lower_what = self.operand((what,), ordered=True)
            upper, high, upper_what = self.operand((what,), ordered=True)
            if lower_what or upper_what or (order(low, high) or 1) <= 0:
                break
            self.values = values
        fits = order(low, value) in (-1, 0) and order(value, high) in (-1, 0)
        return f"{text} BETWEEN {lower} AND {upper}", fits

    def within(self):
        text, value, what = self.operand()
        one, other = self.operand((what,)), self.operand((what,))
        return f"{text} IN ({one[0]}, {other[0]})", same(value, one[1]) or same(value, other[1])

    def function(self):
        path = draw_path(self.random)
        text = self.path(path)
        found = look_up(self.item, path)
        name = self.random.choice(
            ("exists", "not_exists", "attribute_type", "begins_with", "contains")
        )
        if name in ("exists", "not_exists"):
            return f"attribute_{name}({text})", (found is not None) == (name == "exists")
        if name == "attribute_type":
            kind = self.random.choice(TYPES)
            fits = found is not None and kind in found
            return f"attribute_type({text}, {self.value({'S': kind})})", fits
        if name == "begins_with":
            start = self.random.choice(({"S": "a"}, {"S": ""}, {"B": BYTES[1]}))
            fits = found is not None and found.keys() == start.keys()
            fits = fits and normal(found)[1].startswith(normal(start)[1])
            return f"begins_with({text}, {self.value(start)})", fits
        part, value, _ = self.operand((path,))
        return f"contains({text}, {part})", contains(found, value)


def parent_of(item, path):
    """The list or map that a target is in; only an end may be missing."""
    parent = look_up(item, path[:-1]) if len(path) > 1 else {"M": item}
    kind = "L" if isinstance(path[-1], int) else "M"
    if parent is None or kind not in parent:
        raise Refused(NO_PATH)
    return parent[kind]


def clash(one, other):
    """Whether two targets overlap, or take one value for a list and for a map."""
    for step, other_step in zip(one, other):
        if step != other_step:
            return isinstance(step, int) != isinstance(other_step, int)
    return True


def unite(kind, members):
    """A set of what is there once or more, or nothing where that is nothing."""
    members = {normal({kind[0]: member}): member for member in members}
    return {kind: list(members.values())} if members else None


class Update(Expression):
    """Draws an update; what it has to do to the item, or the texts it may be refused with."""

    def __init__(self, random, item):
        super().__init__(random, item)
        self.refusals = set()
        self.changes = []  # path and value, None to take away
        self.sections = {}
        paths = []
        for path in (self.target() for _ in range(random.randint(1, 4))):
            if not any(clash(path, other) for other in paths):
                paths.append(path)
                self.draw(path)

    def target(self):
        """Mostly one that is there, or whose parent is."""
        while True:
            path = draw_path(self.random)
            try:
                parent_of(self.item, path)
                return path
            except Refused:
                if self.random.random() < 0.03:
                    return path

    def draw(self, path):
        section, text, change = self.random.choice(
            (self.put, self.copy, self.add_up, self.default, self.append, self.remove)
            + (self.remove, self.add, self.delete)
        )(path)
        self.sections.setdefault(section, []).append(text)
        for part in (lambda: parent_of(self.item, path), change):
            try:
                changed = part()
            except Refused as refused:
                self.refusals.add(str(refused))
        if not self.refusals:
            self.changes.append((path, changed))

    def text(self):
        sections = [f"{name} {', '.join(texts)}" for name, texts in self.sections.items()]
        self.random.shuffle(sections)
        return " ".join(sections)

    def read(self, path):
        found = look_up(self.item, path)
        if found is None:
            raise Refused(NO_ATTRIBUTE)
        return found

    def typed(self, path, kind):
        found = self.read(path)
        if kind not in found:
            raise Refused(WRONG_TYPE)
        return found[kind]

    def put(self, path):
        value = draw_value(self.random, 2)
        return "SET", f"{self.path(path)} = {self.value(value)}", lambda: value

    def copy(self, path):
        source = draw_path(self.random)
        return "SET", f"{self.path(path)} = {self.path(source)}", lambda: self.read(source)

    def add_up(self, path):
        source = draw_path(self.random)
        sign, number = self.random.choice("+-"), self.random.choice(("1", "-2.5", "1e3"))

        def change():
            total = Decimal(self.typed(source, "N")) + Decimal(sign + "1") * Decimal(number)
            return {"N": str(total)}

        text = f"{self.path(path)} = {self.path(source)} {sign} {self.value({'N': number})}"
        return "SET", text, change

    def default(self, path):
        source, value = draw_path(self.random), draw_value(self.random, 2)
        text = f"{self.path(path)} = if_not_exists({self.path(source)}, {self.value(value)})"
        return "SET", text, lambda: look_up(self.item, source) or value

    def append(self, path):
        source, values = draw_path(self.random), [draw_value(self.random, 2)]
        text = f"{self.path(path)} = list_append({self.path(source)}, {self.value({'L': values})})"
        return "SET", text, lambda: {"L": self.typed(source, "L") + values}

    def remove(self, path):
        return "REMOVE", self.path(path), lambda: None

    def add(self, path):
        value = self.random.choice(({"N": "2"}, {"SS": ["a", "q"]}, {"NS": ["1", "7"]}))
        ((kind, more),) = value.items()

        def change():
            if look_up(self.item, path) is None:
                return value
            there = self.typed(path, kind)
            if kind == "N":
                return {"N": str(Decimal(there) + Decimal(more))}
            return unite(kind, [*there, *more])

        return "ADD", f"{self.path(path)} {self.value(value)}", change

    def delete(self, path):
        value = self.random.choice(({"SS": ["a", "q"]}, {"NS": ["1", "7", "2"]}))
        ((kind, less),) = value.items()

        def change():
            if look_up(self.item, path) is None:
                return None
            out = {normal({kind[0]: member}) for member in less}
            there = self.typed(path, kind)
            return unite(kind, [one for one in there if normal({kind[0]: one}) not in out])

        return "DELETE", f"{self.path(path)} {self.value(value)}", change

    def apply(self):
        """The changed item: lists keep their places until all is set, then shrink and grow."""
        changed = copy.deepcopy(self.item)
        places = [(parent_of(changed, path), path[-1], value) for path, value in self.changes]
        lists = {}
        for parent, step, value in places:
            if isinstance(parent, list):
                beyond, gone = lists.setdefault(id(parent), (parent, {}, []))[1:]
                if value is None:
                    gone.append(step)
                elif step < len(parent):
                    parent[step] = copy.deepcopy(value)
                else:
                    beyond[step] = copy.deepcopy(value)
            elif value is None:
                parent.pop(step, None)
            else:
                parent[step] = copy.deepcopy(value)
        for parent, beyond, gone in lists.values():
            kept = [value for place, value in enumerate(parent) if place not in gone]
            parent[:] = kept + [beyond[place] for place in sorted(beyond)]
        return changed
