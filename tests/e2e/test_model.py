"""Nothing that a caller asks for is lost in silence: every member of every operation in the newest
service model is checked and acted on.

The model is that of the JavaScript SDK which scripts/setup installed (model.mjs reads it). A member
of a wrong JSON type shows that the server knows it: of a name that it does not know it would not
even look at the value. That what it knows is read somewhere, its sources show. When a newer model
has a new member, it goes into the operation's table of members, and what it does into the operation.
"""

import json
import re
import subprocess

from e2e import PATIENCE, ROOT, Report, Server, equal, has_node, node_script

# Their members have to be right, and then nothing depends on them: there are no such tables.
CLOSED = (
    "CreateGlobalTable",
    "DescribeGlobalTableSettings",
    "ListGlobalTables",
    "UpdateGlobalTable",
    "UpdateGlobalTableSettings",
)
ONE_VALUE = ("DisassociationMode",)  # there is nothing to be read from it


def read_model():
    """{service: {operation: [{"path": […], "type": "…"}, …]}}"""
    text = subprocess.check_output(["node", node_script("model.mjs")], timeout=PATIENCE)
    return json.loads(text)["inputs"]


def wrapped(path, value):
    """The request in which the value stands at that path."""
    for step in reversed(path):
        value = [value] if step == "[]" else {"T01" if step == "{}" else step: value}
    return value


def error_of(server, operation, body):
    status, _, answer = server.post(operation, body)
    error = json.loads(answer) if status == 400 else {}
    return error.get("__type", "").split("#")[-1], error.get("message")


def is_known(server, operation, member):
    """Whether a wrong type of the member is reported."""
    wrong = [] if member["type"] in ("map", "structure") else {}
    error, _ = error_of(server, operation, wrapped(member["path"], wrong))
    return error == "SerializationException"


def read_sources():
    """The server's code without the rows of members and the names of operations' structures."""
    text = "".join(path.read_text() for path in sorted((ROOT / "mockddb").rglob("*.c")))
    return re.sub(r'\{"\w+", &\w+', "", text)


def documented_operations():
    """Those of docs/compatibility.md: of the sentence about the exact ones, and of the rows."""
    text = (ROOT / "docs/compatibility.md").read_text()
    section = text.split("## Operations")[1].split("##")[0]
    exact = re.search(r"^Nothing differs for ([\w,\s]*)\.", section, re.M)[1]
    rows = re.findall(r"^\| ([A-Z][\w, ]*) \|", section, re.M)
    return [name for names in (exact, *rows) for name in re.split(r",\s+", names)]


def check_members(server, operation, members, sources):
    unknown = [
        ".".join(member["path"]) for member in members if not is_known(server, operation, member)
    ]
    unread = [
        ".".join(member["path"])
        for member in members
        if member["path"][-1].isalnum()
        and f'"{member["path"][-1]}"' not in sources
        and operation not in CLOSED
        and member["path"][-1] not in ONE_VALUE
    ]
    equal({"unknown": unknown, "never read": unread}, {"unknown": [], "never read": []})


def check_operation(server, operation, members, sources):
    assert error_of(server, operation, {})[0] != "UnknownOperationException", "unknown"
    check_members(server, operation, members, sources)


def main():
    report = Report()
    if not has_node():
        report.skip("members of the service model", "there is no Node.js 20 or no SDK")
        report.done()
    model = read_model()
    sources = read_sources()
    with Server() as server:
        for service, operations in model.items():
            for operation, members in operations.items():
                with report.case(f"{service} {operation}: {len(members)} members"):
                    check_operation(server, operation, members, sources)
        with report.case("docs/compatibility.md has each operation"):
            operations = [name for known in model.values() for name in known]
            equal(sorted(documented_operations()), sorted(operations))
        with report.case("the server ends cleanly"):
            server.stop()
    report.done()


main()
