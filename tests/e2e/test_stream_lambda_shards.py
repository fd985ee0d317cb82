"""ddb-stream-lambda on streams whose shards end and have children, and on errors of the service: an
endpoint of its own plays both, for mockddb's shards never split."""

import json

from e2e import Report, equal
from stream_lambda import Endpoint, Function, run, summary

ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/Played/stream/2026-01-01T00:00:00.000"
KEYS = """
def handler(event, context):
    log([r["dynamodb"]["Keys"]["pk"]["S"] for r in event["Records"]])
"""


def shard_id(letter):
    return f"shardId-{letter * 20}-00000000"


def number(key):
    """The sequence number of the record with that key, which is one letter."""
    return f"1{ord(key):020}"


def record(key):
    return {
        "eventID": key,
        "eventName": "INSERT",
        "dynamodb": {
            "ApproximateCreationDateTime": 4000000000,
            "Keys": {"pk": {"S": key}},
            "SequenceNumber": number(key),
        },
    }


class Shard:
    """`pages` are what GetRecords gives one after the other: texts of keys, or an error's name. A
    shard that is to be closed ends behind the last; another one goes on without records."""

    def __init__(self, letter, *pages, parent=None, closed=False):
        self.letter = letter
        self.pages = list(pages)
        self.reads = 0
        self.parent = parent
        self.closed = closed

    def description(self):
        numbers = {"StartingSequenceNumber": number("A")}
        if self.closed and not self.pages:
            numbers["EndingSequenceNumber"] = number("z")
        out = {"ShardId": shard_id(self.letter), "SequenceNumberRange": numbers}
        if self.parent:
            out["ParentShardId"] = shard_id(self.parent)
        return out

    def read(self):
        self.reads += 1
        page = self.pages.pop(0) if self.pages else ""
        if page.endswith("Exception") or page.endswith("Error"):
            return error(page)
        answer = {"Records": [record(key) for key in page]}
        if self.pages or not self.closed:
            answer["NextShardIterator"] = f"{self.letter}{self.reads}"  # never one that was there
        return answer


def error(name):
    status = 500 if name == "InternalServerError" else 400
    return status, {"__type": f"com.amazonaws.dynamodb.v20120810#{name}", "message": "played"}


class Stream(Endpoint):
    """A stream of these shards; a shard shows once its parent has been read. Shards are described
    two at a time."""

    def __init__(self, *shards):
        super().__init__(self.answer)
        self.shards = shards
        self.starts = []  # (letter, type, key of the sequence number) of each iterator

    def answer(self, _, headers, request):
        service, operation = headers["X-Amz-Target"].split(".")
        equal(service, "DynamoDBStreams_20120810")
        answer = getattr(self, operation)(request)
        status, value = answer if isinstance(answer, tuple) else (200, answer)
        return status, {}, json.dumps(value)

    def find(self, identifier):
        return next(
            shard for shard in self.shards if identifier in (shard.letter, shard_id(shard.letter))
        )

    def visible(self):
        letters = [shard.letter for shard in self.shards]
        return [
            shard
            for shard in self.shards
            if shard.parent not in letters or not self.find(shard.parent).pages
        ]

    def DescribeStream(self, request):  # pylint: disable=invalid-name
        shards = [shard.description() for shard in self.visible()]
        ids = [shard["ShardId"] for shard in shards]
        after = request.get("ExclusiveStartShardId")
        first = ids.index(after) + 1 if after else 0
        description = {"StreamArn": ARN, "Shards": shards[first : first + 2]}
        if len(ids) > first + 2:
            description["LastEvaluatedShardId"] = ids[first + 1]
        return {"StreamDescription": description}

    def GetShardIterator(self, request):  # pylint: disable=invalid-name
        shard = self.find(request["ShardId"])
        sequence = request.get("SequenceNumber")
        key = chr(int(sequence[1:])) if sequence else None
        self.starts.append((shard.letter, request["ShardIteratorType"], key))
        return {"ShardIterator": shard.letter}

    def GetRecords(self, request):  # pylint: disable=invalid-name
        return self.find(request["ShardIterator"][0]).read()


CASES = [
    # name, shards, options, calls, iterators
    (
        "a child is read when its parent has been",
        [Shard("p", "ab", closed=True), Shard("c", "cd", parent="p")],
        ["--once"],
        ["ab", "cd"],
        [("p", "TRIM_HORIZON", None), ("c", "TRIM_HORIZON", None)],
    ),
    (
        "children of a shard that ends later begin where it ends, also after LATEST",
        [
            Shard("p", "a", "", "b", closed=True),
            Shard("c", "c", parent="p", closed=True),
            Shard("d", "d", parent="c", closed=True),
        ],
        ["--starting-position", "LATEST"],
        ["a", "b", "c", "d"],
        [("p", "LATEST", None), ("c", "TRIM_HORIZON", None), ("d", "TRIM_HORIZON", None)],
    ),
    (
        "LATEST passes over shards that are closed",
        [Shard("p", closed=True), Shard("c", "c", parent="p", closed=True)],
        ["--starting-position", "LATEST"],
        ["c"],
        [("c", "LATEST", None)],
    ),
    (
        "a shard whose parent is forgotten is read at once",
        [Shard("c", "ab", parent="x")],
        ["--once"],
        ["ab"],
        [("c", "TRIM_HORIZON", None)],
    ),
    (
        "shards on several pages",
        [Shard(letter, letter, closed=True) for letter in "abcde"],
        [],
        ["a", "b", "c", "d", "e"],
        [(letter, "TRIM_HORIZON", None) for letter in "abcde"],
    ),
    (
        "an iterator that has expired is replaced by one behind the last record",
        [Shard("p", "ab", "ExpiredIteratorException", "cd")],
        ["--once"],
        ["ab", "cd"],
        [("p", "TRIM_HORIZON", None), ("p", "AFTER_SEQUENCE_NUMBER", "b")],
    ),
    (
        "where records were trimmed it goes on with the oldest",
        [Shard("p", "ab", "TrimmedDataAccessException", "xy")],
        ["--once"],
        ["ab", "xy"],
        [("p", "TRIM_HORIZON", None), ("p", "TRIM_HORIZON", None)],
    ),
    (
        "what passes is waited for",
        [Shard("p", "a", "LimitExceededException", "InternalServerError", "b")],
        ["--once"],
        ["a", "b"],
        [("p", "TRIM_HORIZON", None)],
    ),
]


def test_shards(report):
    for name, shards, options, calls, starts in CASES:
        with Stream(*shards) as stream, Function(KEYS) as function, report.case(name):
            status, _, stderr = run(
                stream, "--stream-arn", ARN, "--command", function.command, *options
            )
            equal((status, summary(stderr)[0]), (0, len("".join(calls))))
            in_order = len(shards) == 1 or any(shard.parent for shard in shards)
            logged = function.logged if in_order else sorted(function.logged)
            equal(["".join(keys) for keys in logged], calls)
            equal(stream.starts, starts)
    with report.case("other errors end it"):
        with Stream(Shard("p", "a", "AccessDeniedException")) as stream:
            status, _, stderr = run(stream, "--stream-arn", ARN, "--command", "true")
            equal((status, summary(stderr)[0]), (1, 1))
            assert "ddb-stream-lambda: GetRecords: AccessDeniedException: played\n" in stderr


def main():
    report = Report()
    test_shards(report)
    report.done()


main()
