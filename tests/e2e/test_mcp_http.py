"""Tools for agents over HTTP, at /_mockddb/mcp: docs/mcp.md."""

import http.client
import json
import pathlib
import socket
import stat
import sys
import threading

from e2e import BINARY, ROOT, Report, Server, equal, run_program, temporary_folder
from mcp_kit import ALL, META, STATELESS, call_of, python_packages, request, typescript_folder
from toolchains import run

FIXTURE = ("--fixtures", "fixtures/ecommerce")
SETTINGS = "EcomIndexSettingsTable"
PATH = "/_mockddb/mcp"
KEY = {"pk": {"S": "p"}, "sk": {"S": "s"}}


def put(world):
    return {"operation": "PutItem", "request": {"TableName": SETTINGS, "Item": KEY}, "world": world}


class Door:
    """Messages to a server, with its token."""

    def __init__(self, server, token):
        self.port, self.token = server.port, token
        self.open = http.client.HTTPConnection("127.0.0.1", server.port, timeout=900)

    def send(self, body, method="POST", **headers):
        """The status and the body. A header of None is left out."""
        sent = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        body = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        self.open.request(method, PATH, body, {name: value for name, value in sent.items() if value is not None})
        answer = self.open.getresponse()
        return answer.status, answer.read()

    def call(self, tool, **arguments):
        message = call_of(tool, arguments)
        headers = {"Mcp_Protocol_Version": STATELESS, "Mcp_Method": "tools/call", "Mcp_Name": tool}
        status, body = self.send(message, **headers)
        equal(status, 200)
        return json.loads(body)["result"]


LIST = request("tools/list", stateless=False)


def access(report, server, door):
    with report.case("without the token, nothing is answered"):
        for token in (None, "", "Bearer", "Bearer ", f"Bearer {door.token[:-1]}", f"Bearer {door.token}0", f"Basic {door.token}"):
            for method in ("POST", "GET", "DELETE", "PUT"):
                status, body = door.send(LIST, method, Authorization=token)
                equal((status, b"tools" in body.replace(b"the token of --mcp", b"")), (401, False))
    with report.case("with the token, nothing to a page of another origin, or to another host"):
        for headers in (
            {"Origin": "http://evil.example"},
            {"Origin": "null"},
            {"Origin": f"http://localhost:{server.port}"},  # not the host that was asked
            {"Host": "evil.example"},
            {"Host": f"evil.example:{server.port}"},
            {"Sec_Fetch_Site": "cross-site"},
        ):
            equal((headers, door.send(LIST, **headers)[0]), (headers, 403))
        equal(door.send(LIST, Origin=f"http://127.0.0.1:{server.port}")[0], 200)
    with report.case("other methods"):
        for method in ("GET", "DELETE", "PUT"):
            equal(door.send(None, method)[0], 405)


def texts(report, door):
    right = {"Mcp_Protocol_Version": STATELESS, "Mcp_Method": "tools/list"}
    with report.case("the text without a handshake: headers as in the message"):
        message = request("tools/list")
        equal(door.send(message, **right)[0], 200)
        for name, value in (("Mcp_Method", "tools/call"), ("Mcp_Method", None), ("Mcp_Protocol_Version", "2025-11-25")):
            status, body = door.send(message, **(right | {name: value}))
            equal((status, json.loads(body)["error"]["code"]), (400, -32020))
        unknown = request("tools/list") | {"params": {"_meta": META | {"io.modelcontextprotocol/protocolVersion": "2099-01-01"}}}
        status, body = door.send(unknown, **(right | {"Mcp_Protocol_Version": "2099-01-01"}))
        equal((status, json.loads(body)["error"]["code"]), (400, -32022))
        status, body = door.send(request("nope"), **(right | {"Mcp_Method": "nope"}))
        equal((status, json.loads(body)["error"]["code"]), (404, -32601))
    with report.case("the text with a handshake"):
        start = request("initialize", stateless=False, protocolVersion="2025-11-25", capabilities={})
        status, body = door.send(start)
        equal((status, json.loads(body)["result"]["protocolVersion"]), (200, "2025-11-25"))
        equal(door.send({"jsonrpc": "2.0", "method": "notifications/initialized"}), (202, b""))
        equal(door.send(LIST, Mcp_Protocol_Version="2025-11-25")[0], 200)
    with report.case("what is no message"):
        for body in (b"", b"{", b"[]", json.dumps([LIST]).encode(), b"\xff"):
            status, answer = door.send(body)
            equal((status, json.loads(answer)["id"]), (400, None))


def tools(report, server, door):
    with report.case("each kind of verb: at once, in slices, alone, in lines, with a file"):
        equal(door.call("tables")["structuredContent"]["reason"], "3 tables")
        equal(door.call("worlds", action="fork", name="a")["structuredContent"]["world"], "agent-a")
        assert not door.call("try", **put("agent-a"))["isError"]
        equal(door.call("patterns_run")["structuredContent"]["reason"], "all 21 access patterns hold")
        assert not door.call("clock", world="agent-a", advance="48h")["isError"]
        equal(len(door.call("journal", world="agent-a")["structuredContent"]["data"]), 1)
        assert not door.call("assert", world="agent-a", **{"assert": [{"no": "Scan"}]})["isError"]
        result = door.call("import", world="agent-a", table="Made", key="id:S", text='{"id": {"S": "a"}}')
        equal(result["structuredContent"]["reason"], "1 items were put, 0 refused")
        equal(door.call("export", world="agent-a", table=SETTINGS)["structuredContent"]["cut"][0]["entries"], 357)
        assert "nothing was changed" in door.call("explain", **put("default"))["content"][0]["text"]
    with report.case("the default world is as it was"):
        equal(server.call("GetItem", {"TableName": SETTINGS, "Key": KEY}), {})
        assert door.call("try", **put("default"))["isError"]


def hostile(report, server, door):
    with report.case("a body of 100 MB is refused"):
        with socket.create_connection(("127.0.0.1", server.port)) as one:
            head = f"POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {door.token}\r\n"
            one.sendall(f"{head}Content-Length: 100000000\r\n\r\n".encode() + b" " * 100000)
            assert b" 413 " in one.recv(100)
    with report.case("a message of more than 4 MB is refused"):
        equal(door.send(b" " * 5000000)[0], 400)
    with report.case("a thousand calls at once are all answered, and others are served meanwhile"):
        answered = []

        def ask():
            one = Door(server, door.token)
            for _ in range(50):
                answered.append(one.call("worlds", action="list")["isError"])

        threads = [threading.Thread(target=ask) for _ in range(20)]
        for thread in threads:
            thread.start()
        for _ in range(20):
            server.call("ListTables", {})
        for thread in threads:
            thread.join()
        equal((len(answered), any(answered)), (1000, False))
    with report.case("a client that goes in the middle of a call"):
        for tool, arguments in (("clock", {"world": "agent-a", "advance": "2000d"}), ("patterns_run", {}), ("explain", put("default"))):
            body = json.dumps(call_of(tool, arguments, stateless=False)).encode()
            with socket.create_connection(("127.0.0.1", server.port)) as one:
                head = f"POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {door.token}\r\n"
                one.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        equal(door.call("tables")["structuredContent"]["reason"], "3 tables")


# --- official clients -----------------------------------------------------------------------------

PYTHON_PROGRAM = """
import asyncio, sys, httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

async def main(mode, url, token):
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=mode) as client:
            tools = (await client.list_tools()).tools
            result = await client.call_tool("tables", {})
            print(client.protocol_version, len(tools), result.structured_content["reason"])

asyncio.run(main(*sys.argv[1:]))
"""

TYPESCRIPT_PROGRAM = """
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
const [mode, url, token] = process.argv.slice(2);
const options = mode === "legacy" ? {} : { versionNegotiation: { mode: { pin: mode } } };
const client = new Client({ name: "test", version: "1" }, options);
const headers = { Authorization: `Bearer ${token}` };
await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
const { tools } = await client.listTools();
const result = await client.callTool({ name: "tables", arguments: {} });
console.log(client.getNegotiatedProtocolVersion(), tools.length, result.structuredContent.reason);
await client.close();
"""


def clients(report, server, token, folder):
    url = f"{server.url}{PATH}"
    packages, modules = python_packages(), typescript_folder()
    programs = []
    if packages:
        (folder / "client.py").write_text(PYTHON_PROGRAM)
        programs.append(("Python", [sys.executable, "-B", folder / "client.py"], {"PYTHONPATH": packages}))
    if modules:
        (modules / "client_http.mjs").write_text(TYPESCRIPT_PROGRAM)
        programs.append(("TypeScript", ["node", modules / "client_http.mjs"], {}))
    if len(programs) < 2:
        report.skip("official clients over HTTP", "not all of them can be installed")
    for name, words, environment in programs:
        for mode, version in ((STATELESS, STATELESS), ("legacy", "2025-11-25")):
            with report.case(f"the client for {name} over HTTP speaks {version}"):
                ended = run([*words, mode, url, token], ROOT, **environment)
                equal((ended.stdout, ended.returncode), (f"{version} 16 3 tables\n", 0))


def options(report, folder):
    with Server() as server, report.case("without --mcp the page does not exist"):
        equal(Door(server, "x" * 20).send(LIST)[0], 404)
    (folder / "short").write_text("short\n")
    for words, status in ((["--mcp", folder / "short"], 1), (["--mcp", folder / "no/file"], 1), (["--mcp", folder / "a", "--no-admin"], 2)):
        with report.case(f"wrong options: {words[-1] if len(words) > 2 else words[1].name}"):
            ended = run_program([BINARY, "--port", "0", *map(str, words)])
            equal((ended.returncode, "--mcp" in ended.stderr), (status, True))


def main():
    report = Report()
    with temporary_folder() as folder:
        folder = pathlib.Path(folder)
        file = folder / "token"
        with Server(*FIXTURE, "--mcp", str(file), "--mcp-tools", ALL) as server:
            token = file.read_text().strip()
            door = Door(server, token)
            with report.case("the file with the token is made for its user alone"):
                equal((stat.S_IMODE(file.stat().st_mode), len(token)), (0o600, 48))
            access(report, server, door)
            texts(report, door)
            tools(report, server, door)
            clients(report, server, token, folder)
            hostile(report, server, Door(server, token))  # whose connection has not been idle for as long as the clients took
        with Server("--mcp", str(file)) as server, report.case("an existing token stays"):
            equal(Door(server, token).send(LIST)[0], 200)
        options(report, folder)
    report.done()


main()
