"""The doors of the verbs: each of them, as the sources list them, behind each door."""

import http.client
import json
import pathlib
import tempfile

from admin import all_verbs, ask, must
from e2e import PATIENCE, Report, Server, equal, temporary_folder

# Those that ask. What they send to a world is refused as operations are.
LEFT_TO_READ_ONLY = {"POST assert", "POST command", "POST mask", "POST patterns/run", "POST try"}


VERBS = list(all_verbs())


def send(server, method, path, **headers):
    """A verb with these headers; returns the status. Bodies do not matter to doors."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    try:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        body = "{}" if method in ("POST", "PUT") else None
        connection.request(method, f"/_mockddb/{path.replace('*', 'a')}", body, named)
        answer = connection.getresponse()
        answer.read()
        return answer.status, answer.headers["Access-Control-Allow-Origin"]
    finally:
        connection.close()


STRANGERS = (
    ("a name that leads here", {"Host": "attacker.example"}),
    ("another site's page", {"Origin": "http://attacker.example"}),
    ("another site's image", {"Sec_Fetch_Site": "cross-site"}),
    ("another port's page", {"Sec_Fetch_Site": "same-site"}),
)


def strangers(report):
    with Server("--cors", "*") as server:
        for method, path, _ in VERBS:
            with report.case(f"not for strangers: {method} {path}"):
                for name, headers in STRANGERS:
                    equal((name, send(server, method, path, **headers)), (name, (403, None)))
    with Server("--host", "0.0.0.0", "--allow-host", "db.example") as server:
        for host, status in (("mockddb:8000", 200), ("db.example", 200), ("other.example", 403)):
            with report.case(f"on all addresses, a verb by the name {host}"):
                equal(send(server, "GET", "clock", Host=host)[0], status)


def without(report):
    with Server("--no-admin") as server:
        for method, path, _ in VERBS:
            with report.case(f"--no-admin: {method} {path}"):
                equal(send(server, method, path)[0], 404)
    with temporary_folder() as folder:
        keys = pathlib.Path(folder) / "keys"
        keys.write_text("known secret\n")
        with Server("--require-signature", str(keys)) as server:
            for method, path, _ in VERBS:
                with report.case(f"--require-signature: {method} {path}"):
                    equal(send(server, method, path)[0], 403)
            with report.case("--require-signature: health is for all"):
                equal(send(server, "GET", "health")[0], 200)


RULES = {"rules": [{"operation": "PutItem", "error": "ThrottlingException", "times": 1}]}
PUT = {"TableName": "Made", "Item": {"pk": {"S": "a"}}}
CHANGING = (
    ("POST", "clock", {"advance": "1h"}),
    ("POST", "faults", RULES),
    ("DELETE", "faults", None),
    ("DELETE", "faults/1", None),
    ("POST", "throttle", {"mode": "provisioned"}),
    ("DELETE", "throttle", None),
    ("DELETE", "journal", None),
    ("POST", "reset", None),
    ("POST", "snapshots/a", None),
    ("POST", "worlds/a", None),
    ("DELETE", "worlds/default", None),
    ("POST", "import?table=Made&key=pk:S", '{"pk":"a"}'),
    ("POST", "write", {"operation": "PutItem", "request": PUT, "old": None}),
)
ASKING = (
    ("try", {"operation": "PutItem", "request": PUT}),
    ("try", {"statement": "INSERT INTO \"Made\" VALUE {'pk': 'a'}"}),
    ("assert", {"assert": [{"no_validation_errors": True}]}),
    ("command", {"command": "aws dynamodb delete-table --table-name Made"}),
)


def read_only(report):
    with Server("--read-only") as server:
        for method, path, changes in VERBS:
            with report.case(f"--read-only: {method} {path}"):
                allowed = method == "GET" or f"{method} {path}" in LEFT_TO_READ_ONLY
                equal(changes, not allowed)
                equal(send(server, method, path)[0] == 403, changes)
    refuses_changes(report)


def refuses_changes(report):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as rules:
        rules.write(json.dumps(RULES))
        rules.flush()
        options = ("--fixtures", "guides", "--faults", rules.name, "--clock", "2026-01-01T00:00:00Z,frozen")
        with Server("--read-only", *options) as server:
            before = state(server)
            for method, path, body in CHANGING:
                with report.case(f"--read-only: nothing is changed by {method} {path}"):
                    status, answer = ask(server, method, path, body)
                    equal((status, answer["message"]), (403, "the server is read-only"))
                    equal(state(server), before)
            for path, body in ASKING:
                with report.case(f"--read-only: nothing is changed by POST {path}: {list(body)}"):
                    must(server, "POST", path, body)
                    equal(state(server), before)


def state(server):
    """All that verbs can change."""
    parts = ("worlds", "snapshots", "faults", "throttle", "clock")
    seen = {part: must(server, "GET", part) for part in parts}
    for row in seen["worlds"]["worlds"]:
        del row["last_used"], row["memory"], row["clock"]  # which goes on
    return json.dumps(seen, sort_keys=True)


def safe(report):
    with Server("--fixtures", "guides") as server:
        must(server, "POST", "clock", {"freeze": "2026-01-01T00:00:00Z"})
        must(server, "POST", "snapshots/a")
        must(server, "POST", "worlds/a")
        must(server, "POST", "faults", {"rules": [{"delay": 1}]})
        server.post("ListTables", {}, {"x-mockddb-explain": "true"})
        before = state(server)
        for method, path, _ in VERBS:
            if method != "GET":
                continue
            with report.case(f"nothing is changed by GET {path}"):
                send(server, "GET", path)
                send(server, "HEAD", path)
                send(server, "GET", path, x_mockddb_world="new")
                equal(state(server), before)


NAMES = ("a b", "a%2Fb", "..", ".a", "a%00", "a" * 65, "http:", "%2e%2e%2fetc", "a%5Cb")


def names(report):
    with temporary_folder() as folder:
        with Server("--data-dir", f"{folder}/data") as server:
            before = sorted(p.name for p in pathlib.Path(folder).rglob("*"))
            for method, path, _ in VERBS:
                if "*" not in path or path.startswith("explanations"):
                    continue
                with report.case(f"names only: {method} {path}"):
                    for name in NAMES:
                        target = path.replace("*", name.replace(" ", "%20"))
                        body = {} if method == "POST" else None
                        status = ask(server, method, target, body)[0]
                        assert status in (400, 404), (name, status)
            for name in NAMES[2:5]:
                with report.case(f"no name of a world in the header: {name}"):
                    header = name.replace("%00", "\x01")
                    equal(send(server, "GET", "clock", x_mockddb_world=header)[0], 400)
            with report.case("names that were refused have left no file"):
                equal(sorted(p.name for p in pathlib.Path(folder).rglob("*")), before)
            with report.case("a name of each sign is a file in the folder"):
                must(server, "POST", "worlds/A-z_0.9")
                found = {p.name for p in pathlib.Path(folder, "data").glob("world.*.db")}
                equal(found, {"world.default.db", "world._41-z_5f0_2e9.db"})


if __name__ == "__main__":
    report = Report()
    strangers(report)
    without(report)
    read_only(report)
    safe(report)
    names(report)
    report.done()
