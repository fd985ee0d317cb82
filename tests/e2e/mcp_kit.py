"""What the tests of MCP share: messages of both texts of the protocol, and `mockddb mcp` on pipes."""

import json
import subprocess

from e2e import BINARY, ROOT, Running

ALL = "rehearse,tests,data"
STATELESS = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": STATELESS,
    "io.modelcontextprotocol/clientCapabilities": {},
}


def request(method, number=1, stateless=True, **params):
    params = params | ({"_meta": META} if stateless else {})
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def call_of(tool, arguments, number=1, stateless=True):
    return request("tools/call", number, stateless, name=tool, arguments=arguments)


def text_of(result):
    return result["content"][0]["text"]


class Mcp:
    """`mockddb mcp` with these options; a context manager that checks its clean end."""

    def __init__(self, *options, tools=ALL):
        self.process = Running(
            [BINARY, "mcp", "--mcp-tools", tools, *options],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self):
        return self

    def __exit__(self, kind, *rest):
        if kind:
            self.process.kill()
        else:
            self.end()
        self.process.__exit__(kind, *rest)

    def end(self):
        left, _ = self.process.communicate()
        if left or self.process.returncode:
            raise AssertionError(f"status {self.process.returncode}, {left!r} was not asked for")

    def write(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def read(self):
        return json.loads(self.process.stdout.readline())

    def send(self, message):
        self.write(json.dumps(message).encode())
        return self.read()

    def call(self, tool, **arguments):
        return self.send(call_of(tool, arguments))["result"]
