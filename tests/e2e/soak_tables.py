"""One who creates, changes and deletes tables and remembers what must become of them."""

import random
import time

import nearest
import stores
from soak import Lost, Refused, Worker, check_indexes, everything
from e2e import PATIENCE

BATCH = 100  # items that one transaction puts
MOST_ITEMS = 800  # more than one slice of a backfill
ATTRIBUTES = {"pk": "S", "a": "S", "b": "N", "c": "S"}
INDEXES = {  # name: (keys, projection)
    "by-a": (("a",), {"ProjectionType": "ALL"}),
    "by-b": (("b", "pk"), {"ProjectionType": "KEYS_ONLY"}),
    "by-c": (("c", "b"), {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["a"]}),
}
VIEWS = ("KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES")


def key_schema(names):
    return [
        {"AttributeName": name, "KeyType": role} for name, role in zip(names, ("HASH", "RANGE"))
    ]


def definitions(indexes):
    names = {"pk"}.union(*(INDEXES[index][0] for index in indexes))
    return [{"AttributeName": n, "AttributeType": ATTRIBUTES[n]} for n in sorted(names)]


def index_of(name):
    keys, projection = INDEXES[name]
    return {"IndexName": name, "KeySchema": key_schema(keys), "Projection": projection}


def throughput(units):
    return {"ReadCapacityUnits": units, "WriteCapacityUnits": units}


class Changer(Worker):
    """The only one who changes its tables. `shapes` has what each is (None: there is none) as far
    as it knows; `under_way` is the change that was not answered: (table, what it leaves)."""

    def __init__(self, port, names, label):
        super().__init__(port)
        self.label = label
        self.random = random.Random(label)
        self.shapes = {name: None for name in names}
        self.under_way = None
        self.is_waiting = False
        self.caught = 0  # kills in the middle of something that takes time
        self.counts = {}
        self.ways = []

    def __str__(self):
        return f"changer {self.label}"

    def work(self):
        """Until the server is gone."""
        while not self.stopping.is_set():
            name = self.random.choice(list(self.shapes))
            way = self.random.choice(self.ways)
            try:
                if way(name, self.shapes[name]) is not False:
                    self.counts[way.__name__] = self.counts.get(way.__name__, 0) + 1
                    self.settle(name)
            except Lost:
                break

    def change(self, operation, name, after, request):
        self.under_way = (name, after)
        self.client.send(operation, request)
        self.shapes[name] = after
        self.under_way = None
        return True

    def update(self, name, after, **members):
        return self.change("UpdateTable", name, after, {"TableName": name, **members})

    def describe(self, name):
        try:
            return self.client.send("DescribeTable", {"TableName": name})["Table"]
        except Refused as refused:
            if "ResourceNotFoundException" not in str(refused):
                raise
        return None

    @staticmethod
    def states_of(table):
        indexes = table.get("GlobalSecondaryIndexes", []) + table.get("VectorIndexes", [])
        return {index["IndexStatus"] for index in indexes} | {table["TableStatus"]}

    def settle(self, name):
        """Waits until nothing about a table is in motion; its description, or None."""
        end = time.monotonic() + PATIENCE
        while table := self.describe(name):
            self.is_waiting = True
            if self.states_of(table) == {"ACTIVE"}:
                break
            if time.monotonic() > end:
                raise AssertionError(f"{name} is still {table}")
            time.sleep(0.005)
        self.is_waiting = False
        return table

    def shape_of(self, table):
        """What is compared: all of a table that its owner changes."""
        if not table:
            return None
        name = table["TableName"]
        items = everything(self.client.send, {"TableName": name})
        check_indexes(self.client.send, table, items)
        expiry = self.client.send("DescribeTimeToLive", {"TableName": name})
        tags = self.client.send("ListTagsOfResource", {"ResourceArn": table["TableArn"]})["Tags"]
        return {
            "indexes": sorted(i["IndexName"] for i in table.get("GlobalSecondaryIndexes", [])),
            "stream": table.get("StreamSpecification", {}).get("StreamViewType"),
            "expiry": expiry["TimeToLiveDescription"].get("AttributeName"),
            "units": table["ProvisionedThroughput"]["ReadCapacityUnits"],
            "protected": table["DeletionProtectionEnabled"],
            "tags": {tag["Key"]: tag["Value"] for tag in tags},
            "count": len(items),
            "items": sorted(item["pk"]["S"] for item in items),
        }

    def check(self):
        """After the server was away: each table is what was acknowledged, and only what was under
        way may be as it was before or as it was to become."""
        self.caught += self.is_waiting
        for name, shape in self.shapes.items():
            found = self.shape_of(self.settle(name))
            allowed = [shape]
            if self.under_way and self.under_way[0] == name:
                allowed.append(self.under_way[1])
            if found not in allowed:
                raise AssertionError(f"{name} is {found!s:.400}, not one of {allowed!s:.800}")
            self.shapes[name] = found
        self.under_way = None


class Builder(Changer):
    """Works on tables of its own, from CreateTable to DeleteTable."""

    def __init__(self, port, names, label):
        super().__init__(port, names, label)
        self.last_number = 0
        self.ways = [
            *(self.create, self.create, self.delete, self.fill, self.fill, self.add_index),
            *(self.add_index, self.drop_index, self.turn_stream, self.set_units, self.protect),
            *(self.turn_expiry, self.tag, self.untag),
        ]

    def create(self, name, shape):
        if shape:
            return False
        indexes = sorted(self.random.sample(list(INDEXES), self.random.randint(0, 2)))
        view = self.random.choice((None, *VIEWS))
        units = self.random.choice((0, 5))
        after = {
            "indexes": indexes,
            "stream": view,
            "expiry": None,
            "units": units,
            "protected": False,
            "tags": {"made": "new"},
            "count": 0,
            "items": [],
        }
        request = {
            "TableName": name,
            "KeySchema": key_schema(("pk",)),
            "AttributeDefinitions": definitions(indexes),
            "Tags": [{"Key": "made", "Value": "new"}],
            "BillingMode": "PROVISIONED" if units else "PAY_PER_REQUEST",
        }
        more = {"ProvisionedThroughput": throughput(units)} if units else {}
        if indexes:
            request["GlobalSecondaryIndexes"] = [index_of(index) | more for index in indexes]
        if view:
            request["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": view}
        return self.change("CreateTable", name, after, request | more)

    def delete(self, name, shape):
        """Tables with few items live longer."""
        if not shape or shape["protected"] or self.random.randrange(400) > shape["count"]:
            return False
        return self.change("DeleteTable", name, None, {"TableName": name})

    def fill(self, name, shape):
        if not shape or shape["count"] >= MOST_ITEMS:
            return False
        keys = [str(self.last_number + n) for n in range(BATCH)]
        self.last_number += BATCH
        items = [
            {"pk": {"S": key}, "a": {"S": key[-1]}, "b": {"N": key}, "text": {"S": "x" * 200}}
            for key in keys
        ]
        for item in items[::2]:
            item["c"] = {"S": item["pk"]["S"][:1]}
        after = shape | {"count": shape["count"] + BATCH, "items": sorted(shape["items"] + keys)}
        puts = [{"Put": {"TableName": name, "Item": item}} for item in items]
        return self.change("TransactWriteItems", name, after, {"TransactItems": puts})

    def add_index(self, name, shape):
        missing = shape and [index for index in INDEXES if index not in shape["indexes"]]
        if not missing:
            return False
        index = self.random.choice(missing)
        indexes = sorted([*shape["indexes"], index])
        create = index_of(index)
        if shape["units"]:
            create["ProvisionedThroughput"] = throughput(shape["units"])
        return self.update(
            name,
            shape | {"indexes": indexes},
            AttributeDefinitions=definitions(indexes),
            GlobalSecondaryIndexUpdates=[{"Create": create}],
        )

    def drop_index(self, name, shape):
        if not shape or not shape["indexes"]:
            return False
        index = self.random.choice(shape["indexes"])
        return self.update(
            name,
            shape | {"indexes": [other for other in shape["indexes"] if other != index]},
            GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": index}}],
        )

    def turn_stream(self, name, shape):
        if not shape:
            return False
        view = None if shape["stream"] else self.random.choice(VIEWS)
        stream = {"StreamEnabled": True, "StreamViewType": view} if view else {}
        return self.update(
            name,
            shape | {"stream": view},
            StreamSpecification=stream or {"StreamEnabled": False},
        )

    def set_units(self, name, shape):
        if not shape or not shape["units"]:
            return False
        units = shape["units"] + 1
        return self.update(name, shape | {"units": units}, ProvisionedThroughput=throughput(units))

    def protect(self, name, shape):
        if not shape:
            return False
        protected = not shape["protected"]
        return self.update(
            name, shape | {"protected": protected}, DeletionProtectionEnabled=protected
        )

    def turn_expiry(self, name, shape):
        if not shape:
            return False
        on = shape["expiry"] is None
        return self.change(
            "UpdateTimeToLive",
            name,
            shape | {"expiry": "until" if on else None},
            {
                "TableName": name,
                "TimeToLiveSpecification": {"Enabled": on, "AttributeName": "until"},
            },
        )

    def change_tags(self, operation, name, after, **members):
        request = {"ResourceArn": self.describe(name)["TableArn"], **members}
        return self.change(operation, name, after, request)

    def tag(self, name, shape):
        if not shape:
            return False
        key, value = self.random.choice("xyz"), str(self.random.random())
        after = shape | {"tags": shape["tags"] | {key: value}}
        return self.change_tags("TagResource", name, after, Tags=[{"Key": key, "Value": value}])

    def untag(self, name, shape):
        if not shape or not shape["tags"]:
            return False
        key = self.random.choice(list(shape["tags"]))
        after = shape | {"tags": {k: v for k, v in shape["tags"].items() if k != key}}
        return self.change_tags("UntagResource", name, after, TagKeys=[key])


class Indexer(Changer):
    """Adds indexes to a table that others write, and deletes them; its shape is which of them are
    there. That they are complete is checked with the table's other indexes."""

    LATE = {  # name: (UpdateTable's member, the definition)
        "late": (
            "GlobalSecondaryIndexUpdates",
            {
                "IndexName": "late",
                "KeySchema": key_schema(("v", "sk")),
                "Projection": {"ProjectionType": "ALL"},
            },
        ),
        "late-o": ("VectorIndexUpdates", nearest.definition("late-o", "DOT_PRODUCT", "o")),
    }
    USED = {"v": "N", "sk": "N", "o": "S"}  # attributes, by these indexes and the table's
    if stores.IN_DATABASE:
        del LATE["late-o"], USED["o"]

    def __init__(self, port, table, label):
        super().__init__(port, [table], label)
        self.shapes[table] = frozenset()
        self.ways = [self.turn]

    def turn(self, name, there):
        late = self.random.choice(list(self.LATE))
        member, index = self.LATE[late]
        update = {"Delete": {"IndexName": late}} if late in there else {"Create": index}
        return self.update(
            name,
            there ^ {late},
            AttributeDefinitions=[
                {"AttributeName": attribute, "AttributeType": kind}
                for attribute, kind in self.USED.items()
            ],
            **{member: [update]},
        )

    def shape_of(self, table):
        indexes = table["GlobalSecondaryIndexes"] + table.get("VectorIndexes", [])
        return frozenset(index["IndexName"] for index in indexes) & self.LATE.keys()
