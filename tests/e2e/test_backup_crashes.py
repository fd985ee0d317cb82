"""Kills the server while backups and restores are under way: each that it acknowledged is finished
after the restart, and is what the table was at its moment; none is seen before it is whole.

    test_backup_crashes.py [SEED]      $MOCKDDB_KILLS: how often, 8 by default
"""

import os
import random
import sys
import time

import admin
import nearest
import stores
from crashes import RECOVERY, all_of, check_vectors, killed, table
from e2e import SLOWNESS, Report, Server, equal, wait_until

ROUNDS = int(os.environ.get("MOCKDDB_KILLS", "8"))
ITEMS = 3000  # ten slices of a copy
STEP_SECONDS = 400  # from one round to the next: more than the latest moment lags behind
START_MS = 1_800_000_000_000


class Trial:
    """One file or schema, the servers that open it one after another, and what its table should be like."""

    def __init__(self, place, seed):
        self.place = place
        self.random = random.Random(seed)
        self.items = {}
        self.backups = {}  # ARN → items
        self.restores = {}  # table → items
        self.moments = []  # (second, items)
        self.rounds = 0
        self.half_way = 0  # backups and restores that a kill has met
        self.server = None
        self.open()
        self.server.call("CreateTable", table("Items"))
        self.server.call("UpdateContinuousBackups", RECOVERY)
        self.put(range(ITEMS))

    def open(self):
        self.server = Server(*self.place.options)
        self.second = START_MS // 1000 + self.rounds * STEP_SECONDS
        self.freeze(self.second)

    def freeze(self, second):
        """A server with a database has the real time: no moment is far enough back to restore it."""
        if not stores.IN_DATABASE:
            admin.must(self.server, "POST", "clock", {"freeze": second * 1000})

    def put(self, numbers):
        text = "x" * 99
        items = [
            {
                "pk": {"S": str(n)},
                "a": {"S": f"a{n % 7}"},
                "v": {"S": text[self.random.randrange(99) :]},
                "e": nearest.vector(n),
            }
            for n in numbers
        ]
        self.server.put_items("Items", items)
        self.items |= {item["pk"]["S"]: item for item in items}

    def change(self):
        self.put(self.random.sample(range(2 * ITEMS), 50))
        for pk in self.random.sample(sorted(self.items), 10):
            self.server.call("DeleteItem", {"TableName": "Items", "Key": {"pk": {"S": pk}}})
            del self.items[pk]

    def back_up(self):
        asked = {"TableName": "Items", "BackupName": "backup"}
        arn = self.server.call("CreateBackup", asked)["BackupDetails"]["BackupArn"]
        self.backups[arn] = dict(self.items)

    def restore_backup(self):
        ready = [arn for arn in self.backups if self.status_of_backup(arn) == "AVAILABLE"]
        if not ready:
            return
        arn = self.random.choice(ready)
        name = f"From-{self.rounds}"
        self.server.call("RestoreTableFromBackup", {"TargetTableName": name, "BackupArn": arn})
        self.restores[name] = self.backups[arn]

    def restore_moment(self):
        second, items = self.random.choice(self.moments)
        name = f"At-{self.rounds}"
        self.server.call(
            "RestoreTableToPointInTime",
            {"SourceTableName": "Items", "TargetTableName": name, "RestoreDateTime": second},
        )
        self.restores[name] = items

    def status_of_backup(self, arn):
        answer = self.server.call("DescribeBackup", {"BackupArn": arn})
        return answer["BackupDescription"]["BackupDetails"]["BackupStatus"]

    def status_of_table(self, name):
        return self.server.call("DescribeTable", {"TableName": name})["Table"]["TableStatus"]

    def check_hidden(self):
        """What is not whole is not there."""
        for name in self.restores:
            if self.status_of_table(name) == "CREATING":
                status, _, answer = self.server.post("Scan", {"TableName": name})
                if self.status_of_table(name) == "CREATING":
                    equal((status, b"ResourceNotFoundException" in answer), (400, True))

    def settle(self):
        wait_until(lambda: all(self.status_of_backup(b) == "AVAILABLE" for b in self.backups))
        wait_until(lambda: all(self.status_of_table(t) == "ACTIVE" for t in self.restores))

    def check(self):
        equal(all_of(self.server, TableName="Items"), self.items)
        for name, items in self.restores.items():
            equal(all_of(self.server, TableName=name), items)
            equal(all_of(self.server, TableName=name, IndexName="by-a"), items)
            check_vectors(self.server, name, items)
            self.server.call("DeleteTable", {"TableName": name})
        self.restores = {}

    def round(self):
        for step in self.random.sample((self.back_up, self.restore_backup, self.restore_moment), 3):
            if step == self.back_up or self.moments:  # pylint: disable=comparison-with-callable
                step()
        if not stores.IN_DATABASE:
            self.moments.append((self.second, dict(self.items)))
        self.freeze(self.second + 1)
        self.change()
        time.sleep(self.random.uniform(0, 0.1) * SLOWNESS)
        self.half_way += sum(self.status_of_backup(b) == "CREATING" for b in self.backups)
        self.half_way += sum(self.status_of_table(t) == "CREATING" for t in self.restores)
        self.server.kill()
        self.rounds += 1
        self.open()
        self.check_hidden()
        self.change()
        self.settle()
        self.check()


def main():
    report = Report()
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with stores.place(report) as place:
        trial = Trial(place, seed)
        killed(report, trial, ROUNDS, "in backups and restores", seed)
        with report.case("every backup is what the table was"):
            trial.settle()
            for number, (arn, items) in enumerate(trial.backups.items()):
                trial.rounds = ROUNDS + number
                name = f"Last-{number}"
                trial.server.call(
                    "RestoreTableFromBackup", {"TargetTableName": name, "BackupArn": arn}
                )
                trial.restores[name] = items
            trial.settle()
            trial.check()
        with report.case("the server ends cleanly"):
            trial.server.stop()
        print(f"# {trial.half_way} backups and restores caught half-way")
    report.done()


main()
