"""`mockddb try` beside the AWS CLI: the same requests, the same output, the same refusals. A worker runs the CLI's
commands, and test_aws_worker.py proves that they are the CLI's own."""

import http.server
import json
import os
import pathlib
import re
import shlex
import threading

from e2e import BINARY, ROOT, Report, Server, aws_worker, equal, outcome, run_program, temporary_folder

CLI = "/usr/bin/aws"
FIXTURE = ("--fixtures", "ecommerce", "--table-prefix", "prod-")
JOBS = "prod-EcomIndexerJobsTable"
SHOP = "PLATFORM#shopify#SHOP#kl7a9h55-shopify-e513a8-4"
OF_SHOP = (
    f"dynamodb query --table-name {JOBS} --key-condition-expression 'pk = :pk' "
    f"--expression-attribute-values ':pk={{S={SHOP}}}'"
)

# What the CLI prints, and with which status.
PRINTED = (
    "dynamodb list-tables",
    "dynamodb list-tables --max-items 1",
    "dynamodb list-tables --output table",
    f"{OF_SHOP} --no-scan-index-forward --max-items 2",
    f"{OF_SHOP} --page-size 2 --output text --max-items 5",
    f"{OF_SHOP} --select COUNT --return-consumed-capacity INDEXES",
    f"{OF_SHOP} --limit 1 --output table",
    f"dynamodb scan --table-name {JOBS} --max-items 1 --output table",
    f"dynamodb scan --table-name {JOBS} --max-items 2 --output text",
    f"dynamodb describe-time-to-live --table-name {JOBS}",
    f"dynamodb get-item --table-name {JOBS} --key pk={{S=x}},sk={{S=é}}",
    f"dynamodb execute-statement --statement \"SELECT * FROM \\\"{JOBS}\\\" WHERE pk='x'\"",
    "dynamodb describe-limits --output table",
    f"dynamodb wait table-exists --table-name {JOBS}",
    "dynamodbstreams list-streams",
    # --query and YAML
    *(
        f"{OF_SHOP} --max-items 3 --output {form} --query '{query}'"
        for form in ("json", "text", "table", "yaml")
        for query in (
            "Items[].sk.S",
            "Items[*].[pk.S, sk.S]",
            "[Items[*].[pk.S, [sk.S]], Count]",
            "Items[].{key: sk.S, type: type(@)}",
            'Items[?contains(sk.S, `"#"`)] | [0]',
            "length(Items)",
            "sort_by(Items, &sk.S)[-1].sk",
        )
    ),
    f"{OF_SHOP} --page-size 1 --output text --query 'Items[].sk.S'",
    f"{OF_SHOP} --page-size 1 --query 'Items[].sk.S'",
    f"{OF_SHOP} --max-items 2 --output yaml",
    f"dynamodb describe-time-to-live --table-name {JOBS} --output yaml",
    f"dynamodb describe-table --table-name {JOBS} --query Table.TableName --output yaml",
    f"dynamodb get-item --table-name {JOBS} --key pk={{S=x}},sk={{S=y}} --query Item",
    f"dynamodb get-item --table-name {JOBS} --key pk={{S=x}},sk={{S=y}} --output yaml",
    # errors of the service
    "dynamodb get-item --table-name nope --key pk={S=x}",
    f"dynamodb query --table-name {JOBS}",
    f"dynamodb get-item --table-name {JOBS} --key pk={{N=x}}",
)

# What it says of an answer that --query does not fit.
UNFIT = (
    "dynamodb list-tables --query 'unknown(@)'",
    "dynamodb list-tables --query 'length()'",
    "dynamodb list-tables --query 'length(Nothing)'",
    "dynamodb list-tables --query 'TableNames[::0]'",
)

# What it refuses by itself.
REFUSED = (
    "",
    "dynamodb",
    "dynamodb query",
    "dynamodb create-table",
    "dynamodb tag-resource",
    "dynamodb get-item --table-name",
    f"dynamodb query --table-name {JOBS} --scan-index-forward false",
    f"dynamodb query --table-name {JOBS} --foo bar",
    f"dynamodb query --table-name {JOBS} --expr x",
    f"dynamodb query --table {JOBS} --max-items x",
    f"dynamodb query --table {JOBS} --limit 1 --max-items 5",
    f"dynamodb query --table {JOBS} --limit 0",
    f"dynamodb get-item --table-name {JOBS} --key '{{\"pk\":{{\"N\":5}}}}'",
    f"dynamodb get-item --table-name {JOBS} --key '{{\"pk\":\"x\"}}'",
    "dynamodb list-backups --time-range-lower-bound 2020-13-01",
    "dynamodb list-backups --time-range-lower-bound ''",
    f"dynamodb get-item --table-name {JOBS} --key pk=a,pk=b",
    f"dynamodb get-item --table-name {JOBS} --key pk",
    f"dynamodb get-item --table-name {JOBS} --key é=1",
    f"dynamodb get-item --table-name {JOBS} --key 'a={{S=日本}}語'",
    f"dynamodb get-item --table-name {JOBS} --key '[1]'",
    f"dynamodb get-item --table-name {JOBS} --key file:///no/such",
    "dynamodb create-table --table-name Made --attribute-definitions "
    "AttributeName=a,AttributeType=S --key-schema AttributeName=a,KeyTyp=HASH",
    'dynamodb describe-table --cli-input-json \'{"X":"zz"}\'',
    "dynamodb list-tables --query 'TableNames['",
    "dynamodb list-tables --query 'TableNames[?a=`1`]'",
    "dynamodb list-tables --query ''",
)

# What a shell did to a line, or a person.
WHYS = (
    (
        "aws dynamodb get-item --table-name T --key '{pk: {S: x}}'",
        "the shell removed the double quotes of the JSON: put it in single "
        "quotes, or into a file, file://values.json",
    ),
    (
        "aws dynamodb query --table-name T --scan-index-forward false",
        "--scan-index-forward takes no value: --no-scan-index-forward says false",
    ),
    (
        "aws dynamodb query --table-name T --key '{}'",
        "a query takes --key-condition-expression; --key is a whole key, for get-item",
    ),
)


def run(words, stdin=None, folder=ROOT):
    return run_program(
        words,
        stdin,
        folder,
        LANG="C.UTF-8",
        TZ="UTC",
        AWS_ACCESS_KEY_ID="a",
        AWS_SECRET_ACCESS_KEY="b",
        AWS_DEFAULT_REGION="us-east-1",
        AWS_EC2_METADATA_DISABLED="true",
    )


def own_words(ended):
    """Without the explanation, which comes before what the CLI says itself."""
    said = re.search(r"\n(An error occurred|In function) .*", ended.stderr, re.DOTALL)
    return ended.returncode, ended.stdout, said[0] if said else ""


# --- the same output ------------------------------------------------------------------------------


def printed(report):
    with Server(*FIXTURE) as server:
        for line in PRINTED:
            with report.case(f"as the CLI prints it: {line}"):
                ours = run([BINARY, "try", "--endpoint", server.url, "aws", *shlex.split(line)])
                theirs = run([aws_worker(CLI).program, "--endpoint-url", server.url, *shlex.split(line)])
                equal(own_words(ours), outcome(theirs))
        for line in UNFIT:
            with report.case(f"as the CLI says that --query does not fit: {line}"):
                ours = run([BINARY, "try", "--endpoint", server.url, "aws", *shlex.split(line)])
                theirs = run([aws_worker(CLI).program, "--endpoint-url", server.url, *shlex.split(line)])
                status, text, told = outcome(ours)
                equal((status, text, told.removeprefix("ListTables: 200\n")), outcome(theirs))


WIDE = {
    name: {"S": name}
    for name in ("plain", "日本語", "한글", "ａｂｃ", "😀 ok", "👩\u200d👩\u200d👧", "e\u0301", "é", "Привет", "“q”", "½")
}


def wide_letters(report):
    with Server(*FIXTURE) as server:
        key = {"pk": {"S": "wide"}, "sk": {"S": "漢字"}}
        server.call("PutItem", {"TableName": JOBS, "Item": {**key, **WIDE}})
        line = f"dynamodb get-item --table-name {JOBS} --key pk={{S=wide}},sk={{S=漢字}} --output table"
        with report.case("wide letters in a table as the CLI draws it"):
            ours = run([BINARY, "try", "--endpoint", server.url, "aws", *shlex.split(line)])
            theirs = run([aws_worker(CLI).program, "--endpoint-url", server.url, *shlex.split(line)])
            equal(own_words(ours), outcome(theirs))


def refused(report):
    for line in REFUSED:
        with report.case(f"as the CLI refuses it: {line}"):
            nobody = ("--endpoint", "http://127.0.0.1:1")
            ours = run([BINARY, "try", *nobody, "aws", *shlex.split(line)])
            theirs = run([aws_worker(CLI).program, *shlex.split(line)])
            status, printed, told = outcome(ours)
            equal((status, printed, re.sub(r"^why: .*\n", "", told)), outcome(theirs))
    for line, why in WHYS:
        with report.case(f"why it is refused: {line}"):
            ended = run([BINARY, "try", "--endpoint", "http://127.0.0.1:1", *shlex.split(line)])
            equal((ended.returncode, ended.stderr.splitlines()[0]), (252, f"why: {why}"))


# --- the same requests ----------------------------------------------------------------------------


UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Listener(http.server.HTTPServer):
    """Keeps what operations are sent, and answers them with nothing; it has no verbs."""

    def __init__(self):
        self.got = []
        super().__init__(("127.0.0.1", 0), Keeper)
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def take(self):
        got, self.got = self.got, []
        return got


class Keeper(http.server.BaseHTTPRequestHandler):
    def do_POST(self):  # pylint: disable=invalid-name # the library's name
        body = self.rfile.read(int(self.headers["Content-Length"]))
        operation = self.path == "/"
        if operation:
            request = json.loads(body)
            for name in ("ClientRequestToken", "ClientToken"):
                if UUID.fullmatch(request.get(name, "")):
                    request[name] = "made up"
            self.server.got.append((self.headers["X-Amz-Target"], request))
        self.send_response(200 if operation else 404)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass


def commands():
    text = (ROOT / "tests/data/aws_commands.txt").read_text()
    return [part.strip() for part in text.split("\n\n") if part.strip()]


def requests(report):
    listener = Listener()
    with temporary_folder() as folder:
        for command in commands():
            with report.case("sends what the CLI sends: " + " ".join(command.split())):
                ours = run([BINARY, "try", "--endpoint", listener.url, "-"], command, folder)
                sent = listener.take()
                script = command.replace("aws ", f"{aws_worker(CLI).program} --endpoint-url {listener.url} ", 1)
                script = script.replace("--profile controller", "")
                theirs = run(["bash", "-c", script], folder=folder)
                expected = listener.take()
                equal((sent, ours.returncode), (expected, theirs.returncode))
    listener.shutdown()


# --- ways to ask ----------------------------------------------------------------------------------


def ways(report):
    get = f"aws dynamodb get-item --table-name {JOBS} --key '{{\"pk\": {{\"S\": \"x\"}}}}'"
    inside = [BINARY, "try", *FIXTURE]
    with report.case("fixtures without a server"):
        answer = run([*inside, "aws", *shlex.split(OF_SHOP), "--limit", "1"])
        equal((answer.returncode, json.loads(answer.stdout)["Count"]), (0, 1))
    with report.case("a paste on standard input"):
        answer = run([*inside, "-"], f"$ aws {OF_SHOP} \\\n  --select COUNT # all of them\n")
        equal((answer.returncode, json.loads(answer.stdout)["Count"] > 1), (0, True))
    with report.case("a paste as one word"):
        equal(run([*inside, "aws " + OF_SHOP]).returncode, 0)
    with report.case("a second command waits for the first to go well"):
        answer = run([*inside, "-"], f"{get}\naws dynamodb list-tables\n")
        equal((answer.returncode, answer.stdout), (254, ""))
    with report.case("PartiQL"):
        answer = run([*inside, f"SELECT sk FROM \"{JOBS}\" WHERE pk = '{SHOP}'"])
        equal((answer.returncode, "sk" in json.loads(answer.stdout)["Items"][0]), (0, True))
    with report.case("a file"), temporary_folder() as folder:
        (pathlib.Path(folder) / "key.json").write_text('{"pk": {"S": "a"}, "sk": {"S": "b"}}\n')
        words = ["aws", "dynamodb", "get-item", "--table-name", JOBS, "--key", "file://key.json"]
        equal(run([*inside, *words], folder=folder).returncode, 0)
    with report.case("the page after the token"):
        first = json.loads(run([*inside, "aws", *shlex.split(OF_SHOP), "--max-items", "2"]).stdout)
        more = shlex.split(OF_SHOP) + ["--max-items", "1", "--starting-token", first["NextToken"]]
        second = json.loads(run([*inside, "aws", *more]).stdout)
        whole = json.loads(run([*inside, "aws", *shlex.split(OF_SHOP)]).stdout)
        equal(first["Items"] + second["Items"], whole["Items"][:3])
    for name, paste, why in (
        ("a no-break space behind aws", "aws\u00a0dynamodb list-tables", "a no-break space (U+00A0)"),
        ("a dash for --", "aws dynamodb scan \u2013table-name x", "\u2013 is a dash"),
    ):
        with report.case(f"why it is refused: {name}"):
            answer = run([*inside, "-"], paste)
            equal((answer.returncode != 0, answer.stdout), (True, ""))
            assert answer.stderr.startswith(f"why: {why}"), answer.stderr
    filtered = f"aws dynamodb query --table-name {JOBS} --key-condition-expression 'pk = :p' --filter-expression 'job_type = :t'"
    for name, value, whys, line in (
        ("says why once, at their end", "bulk", 1, 'why: no item read fits job_type = "bulk"; there is "BULK"'),
        ("does not say why, if a later one has items", "BULK", 0, "Query "),
    ):
        with report.case(f"a try of several pages {name}"):
            values = json.dumps({":p": {"S": SHOP}, ":t": {"S": value}})
            told = run([*inside, *shlex.split(filtered), "--expression-attribute-values", values, "--page-size", "7"]).stderr
            lines = told.splitlines()
            equal(len([one for one in lines if one.startswith("why: ")]), whys)
            assert told.startswith(line) and "all 8 pages: 49 items read" in lines[-1] and "LastEvaluatedKey" not in told, told
    cost = re.compile(r"note\[cost-a-day\]: 1000 calls a day take (\d+) read units(?: for all their pages)?, on demand ")
    for name, words in (
        ("one page", []),
        ("several pages", ["--page-size", "7"]),
        ("several pages, all of them empty", ["--page-size", "7", "--filter-expression", "job_type = :t"]),
    ):
        with report.case(f"--calls-a-day says what all pages cost: {name}"):
            values = [*shlex.split(OF_SHOP)[:-1], json.dumps({":pk": {"S": SHOP}} | ({":t": {"S": "bulk"}} if len(words) > 2 else {}))]
            told = run([*inside, "--calls-a-day", "1000", "aws", *values, *words]).stderr
            equal((told.count("note[cost-a-day]"), "for all their pages" in told), (1, bool(words)))
            assert int(cost.search(told)[1]) >= 4500, told  # of one page
    with report.case("without --calls-a-day nothing is said of a day"):
        assert "a day" not in run([*inside, "aws", *shlex.split(OF_SHOP)]).stderr
    for calls in ("0", "-1", "x", "1e3", "10000000000000"):
        with report.case(f"refused: --calls-a-day {calls}"):
            answer = run([*inside, "--calls-a-day", calls, "aws", *shlex.split(OF_SHOP)])
            equal((answer.returncode, answer.stdout, "is not a number from 1 to 1000000000000" in answer.stderr), (2, "", True))
    with report.case("--max-items beside a filter, which Limit does not replace"):
        values = json.dumps({":p": {"S": SHOP}, ":t": {"S": "BULK"}})
        words = [*shlex.split(filtered), "--expression-attribute-values", values, "--max-items", "1"]
        told = run([*inside, *words]).stderr.splitlines()
        notes = [one for one in told if one.startswith("note[max-items]: ")]
        assert len(notes) == 1 and "--limit counts items before the filter" in notes[0], told
        notes = run([*inside, "aws", *shlex.split(OF_SHOP), "--max-items", "1"]).stderr
        assert "note[max-items]: 49 items were read to show 1: --limit 1 reads no more than that" in notes, notes
    with report.case("pastes of Windows' shells"):
        for end in ("^", "`"):
            answer = run([*inside, "-"], f"aws dynamodb list-tables {end}\r\n  --max-items 1\r\n")
            equal((answer.returncode, len(json.loads(answer.stdout)["TableNames"])), (0, 1))
    for name, words, status, text in (
        ("a pipe", ["aws dynamodb list-tables | jq ."], 2, "| is for a shell"),
        ("no command", ["ls", "-l"], 2, "aws dynamodb COMMAND"),
        ("nothing", [], 2, "no command to try"),
    ):
        with report.case(f"refused: {name}"):
            answer = run([*inside, *words])
            equal((answer.returncode, answer.stdout), (status, ""))
            assert text in answer.stderr, answer.stderr
    with report.case("nobody is there"):
        nobody = ("--endpoint", "http://127.0.0.1:1")
        answer = run([BINARY, "try", *nobody, "aws", "dynamodb", "list-tables"])
        equal((answer.returncode, answer.stdout), (255, ""))
        equal(answer.stderr.splitlines()[1], "127.0.0.1:1: cannot connect")
        assert "start one with mockddb, or use none: mockddb try --fixtures" in answer.stderr, answer.stderr


def main():
    report = Report()
    ways(report)
    if os.access(CLI, os.X_OK):
        requests(report)
        printed(report)
        wide_letters(report)
        refused(report)
    else:
        report.skip("beside the CLI", "there is no AWS CLI")
    report.done()


main()
