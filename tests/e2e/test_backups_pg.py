"""Backups and restores of tables in PostgreSQL, while they are written: a table is copied in slices, and the copy has it as of one
moment. Each writer has keys of its own and knows what it wrote, so the copy must have a beginning of each writer's history, and
the beginnings must fit together."""

import contextlib
import json
import random
import threading
import time

import postgres
from e2e import PATIENCE, Report, Server, equal, wait_until
from invariants import check_invariants

SERVERS, WRITERS = 3, 3
PAIRS = 40
MORE = 8
ITEMS = 2500  # of each writer, when the first backup begins
TABLE = {
    "TableName": "Tab",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "g")],
    "BillingMode": "PAY_PER_REQUEST",
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "Gsi",
            "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
}


def item(key, number):
    return {"pk": {"S": key}, "g": {"S": f"g{number % 50}"}, "n": {"N": str(number)}}


class Writer(threading.Thread):
    """Puts, changes and deletes its own items, one and two at a time. `history` has (begun, ended, {key: number or None})."""

    def __init__(self, server, name):
        super().__init__(daemon=True)
        self.server, self.prefix = server, f"{name}-"
        self.random = random.Random(name)
        self.first = {f"{self.prefix}{n}": 0 for n in range(ITEMS)}
        self.history = []
        self.running = True
        self.problem = None

    def changes(self, number):
        keys = self.random.sample(range(ITEMS + 200), 2)
        new = [number, number if self.random.random() < 0.6 else None]
        return {f"{self.prefix}{key}": value for key, value in zip(keys, new, strict=True)}

    def send(self, changes):
        writes = [
            {"Put": {"TableName": "Tab", "Item": item(key, number)}} if number is not None else
            {"Delete": {"TableName": "Tab", "Key": {"pk": {"S": key}}}}
            for key, number in changes.items()
        ]
        if self.random.random() < 0.5:
            self.server.call("TransactWriteItems", {"TransactItems": writes})
            return changes
        key, number = next(iter(changes.items()))
        self.server.call("PutItem", {"TableName": "Tab", "Item": item(key, number)})
        return {key: number}

    def run(self):
        number = 0
        while self.running:
            number += 1
            begun = time.monotonic()
            entry = [begun, None, self.changes(number)]
            try:
                entry[2] = self.send(entry[2])
            except (OSError, RuntimeError) as problem:
                if "TransactionConflict" in str(problem):
                    continue
                self.problem = problem
                return
            entry[1] = time.monotonic()
            self.history.append(tuple(entry))

    def finish(self):
        self.running = False
        self.join(PATIENCE)
        if self.problem:
            raise RuntimeError(f"a writer failed: {self.problem}")


class Pairs(threading.Thread):
    """Changes both items of a pair at once, which others do as well: a copy has both or neither of the changes."""

    def __init__(self, server, name):
        super().__init__(daemon=True)
        self.server, self.random = server, random.Random(name)
        self.number = name * 1_000_000
        self.running = True
        self.kept = 0

    def run(self):
        while self.running:
            self.number += 1
            pair = self.random.randrange(PAIRS)
            items = [item(f"pair-{pair}-{half}", self.number) for half in ("one", "other")]
            status, _, _ = self.server.post("TransactWriteItems", {"TransactItems": [{"Put": {"TableName": "Tab", "Item": one}} for one in items]})
            self.kept += status == 200

    def finish(self):
        self.running = False
        self.join(PATIENCE)
        assert self.kept, "no pair was changed"


def check_pairs(have):
    for pair in range(PAIRS):
        one, other = (have[f"pair-{pair}-{half}"] for half in ("one", "other"))
        equal((pair, one), (pair, other))


def scanned(server, table, **more):
    """The numbers of all items by their keys."""
    have, start = {}, {}
    while start is not None:
        page = server.call("Scan", {"TableName": table, **start, **more})
        have |= {one["pk"]["S"]: int(one["n"]["N"]) for one in page["Items"]}
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]} if "LastEvaluatedKey" in page else None
    return have


def beginnings(writer, have):
    """The lengths of all beginnings of the writer's history after which its items are those."""
    have = {key: number for key, number in have.items() if key.startswith(writer.prefix)}
    state = dict(writer.first)
    wrong = {key for key in have.keys() | state.keys() if have.get(key) != state.get(key)}
    found = [] if wrong else [0]
    for count, (_, _, changes) in enumerate(writer.history, 1):
        for key, number in changes.items():
            if have.get(key) == number:
                wrong.discard(key)
            else:
                wrong.add(key)
        if not wrong:
            found.append(count)
    return found


def check_moment(writers, have, asked, answered):
    """What the copy has is the table as of one moment, at the earliest `asked`, at the latest `answered`."""
    last_included, first_excluded = 0, float("inf")
    for writer in writers:
        found = beginnings(writer, have)
        assert found, f"no beginning of {writer.prefix} is in the copy"
        before = sum(ended < asked for _, ended, _ in writer.history)
        begun = sum(begun < answered for begun, _, _ in writer.history)
        fits = [count for count in found if before <= count <= begun]
        assert fits, (writer.prefix, found[:5], before, begun)
        # the shortest beginning is the most careful for what is included, the longest for what is not
        if fits[0]:
            last_included = max(last_included, writer.history[fits[0] - 1][0])
        if fits[-1] < len(writer.history):
            first_excluded = min(first_excluded, writer.history[fits[-1]][1])
    assert last_included < first_excluded, (last_included, first_excluded)


def writers_with_items(servers):
    writers = [Writer(server, f"writer{n}") for n, server in enumerate(servers)]
    for writer in writers:
        writer.server.put_items("Tab", [item(key, 0) for key in writer.first])
    return writers


def create_backup(server, name):
    """The backup's ARN, and the times before and after the call."""
    asked = time.monotonic()
    details = server.call("CreateBackup", {"TableName": "Tab", "BackupName": name})["BackupDetails"]
    return details["BackupArn"], asked, time.monotonic()


def backup_status(server, arn):
    description = server.call("DescribeBackup", {"BackupArn": arn})["BackupDescription"]
    return description["BackupDetails"]["BackupStatus"]


def restored(server, arn, name):
    server.call("RestoreTableFromBackup", {"BackupArn": arn, "TargetTableName": name})
    wait_until(lambda: server.call("DescribeTable", {"TableName": name})["Table"]["TableStatus"] == "ACTIVE")
    have = scanned(server, name)
    equal(scanned(server, name, IndexName="Gsi"), have)
    equal(server.call("DescribeTable", {"TableName": name})["Table"]["ItemCount"], len(have))
    return have


def test_writes(report, cluster):
    """Writers are spread over the servers."""
    url = postgres.make_schema(cluster, "copies")
    with contextlib.ExitStack() as stack:
        started = [stack.enter_context(Server("--store", url)) for _ in range(SERVERS)]
        servers = [started[n % SERVERS] for n in range(WRITERS)]
        server = servers[0]
        server.call("CreateTable", TABLE)
        writers = writers_with_items(servers)
        server.put_items("Tab", [item(f"pair-{pair}-{half}", 0) for pair in range(PAIRS) for half in ("one", "other")])
        pairs = [Pairs(one, number) for number, one in enumerate(servers)]
        before = scanned(server, "Tab")
        recovery = {"TableName": "Tab", "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}}
        server.call("UpdateContinuousBackups", recovery)
        for writer in writers + pairs:
            writer.start()
        with report.case("two backups of a table that is written: writes go on while it is copied"):
            taken = [create_backup(server, f"backup-{n}") for n in range(2)]
            for arn, _, _ in taken:
                wait_until(lambda arn=arn: backup_status(server, arn) == "AVAILABLE")
            done = time.monotonic()
            assert any(taken[1][2] < ended < done for writer in writers for _, ended, _ in writer.history)
        with report.case("a restore to the first moment of recovery, which is the latest one for minutes, while the table is written"):
            request = {"SourceTableName": "Tab", "TargetTableName": "Past", "UseLatestRestorableTime": True}
            server.call("RestoreTableToPointInTime", request)
            wait_until(lambda: server.call("DescribeTable", {"TableName": "Past"})["Table"]["TableStatus"] == "ACTIVE")
            equal(scanned(server, "Past") == before, True)
        more = []
        with report.case(f"{MORE} more backups begin while each server has a unit under way"):
            for number in range(MORE):
                arn, *times = create_backup(server, f"more-{number}")
                space = int(cluster.sql("SELECT slot FROM entry WHERE space = 4", "copies")[0]) + 2**31
                more.append((space, times))
                wait_until(lambda arn=arn: backup_status(server, arn) == "AVAILABLE")
        for writer in writers + pairs:
            writer.finish()
        with report.case("each of those has the table as of one moment"):
            for space, times in more:
                bodies = map(json.loads, cluster.sql(f"SELECT convert_from(body, 'UTF8') FROM entry WHERE space = {space}", "copies"))
                have = {one["pk"]["S"]: int(one["n"]["N"]) for one in bodies}
                check_pairs(have)
                check_moment(writers, have, *times)
        for number, (arn, *times) in enumerate(taken):
            with report.case(f"backup {number} has the table as of one moment"):
                have = restored(server, arn, f"Restored{number}")
                check_moment(writers, have, *times)
                check_pairs(have)
        with report.case("the table has all that was written"):
            now = time.monotonic()
            check_moment(writers, scanned(server, "Tab"), now, now)
        with report.case("a backup whose table is deleted meanwhile is whole"):
            have = scanned(server, "Tab")
            arn, _, _ = create_backup(server, "last")
            server.call("DeleteTable", {"TableName": "Tab"})
            wait_until(lambda: backup_status(server, arn) == "AVAILABLE")
            equal(restored(server, arn, "Last"), have)
        with report.case("a backup that is given up meanwhile leaves nothing"):
            server.call("RestoreTableFromBackup", {"BackupArn": arn, "TargetTableName": "Tab"})
            wait_until(lambda: server.call("DescribeTable", {"TableName": "Tab"})["Table"]["TableStatus"] == "ACTIVE")
            other, _, _ = create_backup(server, "given-up")
            server.call("DeleteItem", {"TableName": "Tab", "Key": {"pk": {"S": next(iter(have))}}})
            wait_until(lambda: server.post("DeleteBackup", {"BackupArn": other})[0] == 200)
        with report.case("what the copies used is gone, and indexes and counts are right"):
            wait_until(lambda: cluster.sql("SELECT count(*) FROM space WHERE doomed IS NOT NULL", "copies") == ["0"])
            equal(cluster.sql("SELECT count(*) FROM entry WHERE space = 4 OR space NOT IN (SELECT number FROM space) AND space >= 16", "copies"), ["0"])
            check_invariants(cluster, "copies")


def test_crash(report, cluster):
    """The server ends while it copies, and the next one continues."""
    url = postgres.make_schema(cluster, "crash")
    first = Server("--store", url)
    first.call("CreateTable", TABLE)
    writers_with_items([first])
    with report.case("kill -9 while a backup is copied: the next server continues, and its writes are not in the backup"):
        have = scanned(first, "Tab")
        arn, _, _ = create_backup(first, "crashed")
        first.kill()
        equal(cluster.sql("SELECT count(*) FROM entry WHERE space = 4", "crash"), ["1"])
        with Server("--store", url) as second:
            again = Writer(second, "writer0")
            again.start()
            wait_until(lambda: backup_status(second, arn) == "AVAILABLE")
            again.finish()
            equal(restored(second, arn, "Restored"), have)
    check_invariants(cluster, "crash")


def main():
    report = Report()
    if not postgres.binaries():
        report.lack("backups in PostgreSQL", "there is no PostgreSQL server (scripts/setup installs it)")
        report.done()
    with postgres.Cluster() as cluster:
        test_writes(report, cluster)
        test_crash(report, cluster)
    report.done()


if __name__ == "__main__":
    main()
