"""Turns the golden cases into seeds for the targets `request`, `replicas` and `body`, and those of
explanations into seeds for `explain`.

Usage: seeds.py DIRECTORY. They are many, follow from the cases, and are not committed. A `request` is
a case with its setup, which takes milliseconds to run: of each file the shortest is enough, since
`body` has every single body.
"""

import hashlib
import json
import pathlib
import sys

LONGEST_REQUEST = 8192  # what scripts/fuzz lets a target see

EXPLAIN = pathlib.Path(__file__).resolve().parents[1] / "explain/cases"
GOLDEN = pathlib.Path(__file__).resolve().parents[1] / "golden"


def is_plain(value):
    """Whether the value has none of the shorthands that only the golden runner knows."""
    if isinstance(value, dict):
        return all(not k.startswith("$") and is_plain(v) for k, v in value.items())
    return not isinstance(value, list) or all(map(is_plain, value))


def requests_of(steps):
    """(operation, body) of each step that is a request; other words as they stand in a seed."""
    for step in steps:
        if "region" in step:
            yield "region", step["region"]
        if "include" in step:
            included = json.loads((GOLDEN / step["include"]).read_text(encoding="utf-8"))
            yield from requests_of(included)
        elif "advance_ms" in step:
            yield "advance", str(int(step["advance_ms"]))
        elif "idle" in step:
            yield "idle", ""
        elif ("op" in step or "target" in step) and is_plain(step.get("in", {})):
            body = step.get("body") or json.dumps(step.get("in", {}), ensure_ascii=False)
            yield step.get("op") or step["target"], body
        if "region" in step:
            yield "region", "us-east-1"


def write(folder, text):
    data = text.encode("utf-8", "surrogatepass")
    (folder / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)


def write_explained(folder):
    for path in sorted(EXPLAIN.glob("*.json")):
        for case in json.loads(path.read_text(encoding="utf-8"))["cases"]:
            body = case.get("request") or {"Statement": case["statement"]}
            write(folder, f"{case.get('operation', 'ExecuteStatement')}\n{json.dumps(body)}")


def main():
    root = pathlib.Path(sys.argv[1])
    for name in ("request", "replicas", "body", "explain"):
        (root / name).mkdir(parents=True, exist_ok=True)
    write_explained(root / "explain")
    for path in sorted(GOLDEN.rglob("*.json")):
        case_file = json.loads(path.read_text(encoding="utf-8"))
        if path.parent.name == "setup":
            continue
        setup = list(requests_of(case_file.get("setup", [])))
        requests = []
        for case in case_file.get("cases", [case_file]):
            steps = list(requests_of(case.get("steps", [case])))
            lines = [f"{op} {body}".replace("\n", " ") for op, body in setup + steps]
            requests.append("\n".join(lines))
            for op, body in steps:
                write(root / "body", f"{op.rpartition('.')[2]}\n{body}")
        shortest = min(requests, key=len)
        if len(shortest) <= LONGEST_REQUEST:
            write(root / ("replicas" if "regional" in case_file else "request"), shortest)


main()
