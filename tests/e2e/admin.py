"""What tests of the verbs under /_mockddb/ share."""

import http.client
import json
import pathlib
import re
import shlex
import subprocess
import tempfile

from e2e import PATIENCE

FOLDER = tempfile.TemporaryDirectory()  # where documented commands run
ROOT = pathlib.Path(__file__).resolve().parents[2]


def ask(server, method, path, body=None, **headers):
    """One verb; returns (status, answer). Headers with _ for -."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    try:
        text = body if body is None or isinstance(body, (str, bytes)) else json.dumps(body)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, f"/_mockddb/{path}", text, named)
        answer = connection.getresponse()
        raw = answer.read()
        return answer.status, json.loads(raw) if raw else None
    finally:
        connection.close()


def must(server, method, path, body=None, **headers):
    """A verb that has to succeed; returns its answer."""
    status, answer = ask(server, method, path, body, **headers)
    if status != 200:
        raise RuntimeError(f"{method} {path} answered {status}: {answer}")
    return answer


VERB = re.compile(r'^    \{"([A-Z]+)", "([^"]+)",(.*?)\},$', re.DOTALL | re.MULTILINE)


def all_verbs():
    """(method, path, whether it is marked as one that changes) of each row in the sources."""
    for source in sorted((ROOT / "mockddb/admin").glob("verb_*.c")):
        rows = VERB.findall(source.read_text())
        assert rows, f"{source.name} has no row that this test can read"
        for method, path, rest in rows:
            yield method, path, "ADMIN_CHANGES" in rest


def documented_commands(page):
    """The lines of a page of docs/ that begin with curl."""
    text = (ROOT / "docs" / page).read_text()
    return [line for line in text.splitlines() if line.startswith("curl ")]


def run_documented(server, line):
    """Runs such a line against the server; returns its answer, a list where that comes in lines."""
    words = shlex.split(line.replace("http://127.0.0.1:8000", server.url))
    done = subprocess.run(
        words, cwd=FOLDER.name, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return [json.loads(line) for line in done.stdout.splitlines()] if done.stdout else {}
