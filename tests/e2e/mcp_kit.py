"""What the tests of MCP share: messages of both texts of the protocol, and `mockddb mcp` on pipes."""

import json
import shutil
import subprocess

from e2e import BINARY, ROOT, Running
from pip_package import from_registry, has_pip
from toolchains import installed

ALL = "rehearse,tests,data"
PYTHON = "2.3.0"  # of mcp, the official client for Python
TYPESCRIPT = {"@modelcontextprotocol/client": "2.4.0", "@modelcontextprotocol/sdk": "1.32.2"}
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


def python_packages():
    """The folder with the official client for Python; None where it cannot be installed."""
    return from_registry(f"mcp-{PYTHON}", f"mcp=={PYTHON}") if has_pip() else None


def typescript_folder():
    """A folder in which programs find the official clients for TypeScript; None where they cannot be installed."""
    packages = [f"{name}@{version}" for name, version in TYPESCRIPT.items()]
    folder = ROOT / "build/javascript-clients/mcp"
    install = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]
    if not shutil.which("node") or not shutil.which("npm"):
        return None
    return installed(folder, packages, [*install, "--prefix", folder, *packages])


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
