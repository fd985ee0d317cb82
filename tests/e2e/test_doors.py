"""Who gets in: the pages under /_mockddb/ are not for other sites."""

import http.client
import json
import subprocess

from e2e import BINARY, Report, Server, equal


def ask(server, method, path, headers):
    """One request with these headers and no others; returns (status, headers, body)."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    try:
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def own_pages(report):
    with Server() as server:
        here = f"127.0.0.1:{server.port}"
        cases = (
            ("the address that it listens on", {"Host": here}, 200),
            ("localhost", {"Host": f"localhost:{server.port}"}, 200),
            ("its own page", {"Host": here, "Origin": f"http://{here}"}, 200),
            ("a bookmark", {"Host": here, "Sec-Fetch-Site": "none"}, 200),
            ("no Host", {}, 403),
            ("a name that leads here", {"Host": f"attacker.example:{server.port}"}, 403),
            ("another port", {"Host": "127.0.0.1:1"}, 403),
            ("another site's page", {"Host": here, "Origin": "http://attacker.example"}, 403),
            ("another site's image", {"Host": here, "Sec-Fetch-Site": "cross-site"}, 403),
            ("another port's page", {"Host": here, "Sec-Fetch-Site": "same-site"}, 403),
        )
        for name, headers, expected in cases:
            with report.case(f"own pages: {name}"):
                status, answered, body = ask(server, "GET", "/_mockddb/health", headers)
                equal((status, answered["Access-Control-Allow-Origin"]), (expected, None))
                answered = sorted(json.loads(body))
                equal(answered, ["status", "version"] if status == 200 else ["message"])
        with report.case("own pages: no preflight for other sites"):
            headers = {"Host": here, "Origin": "http://attacker.example"}
            status, answered, _ = ask(server, "OPTIONS", "/_mockddb/health", headers)
            equal((status, answered["Access-Control-Allow-Origin"]), (403, None))
    with Server("--host", "0.0.0.0") as server:
        for host, expected in (("10.9.8.7:9000", 200), ("localhost", 200), ("db.example", 403)):
            with report.case(f"own pages, on all addresses: {host}"):
                equal(ask(server, "GET", "/_mockddb/health", {"Host": host})[0], expected)
    for host in ("127.0.0.1", "0.0.0.0"):
        with report.case(f"healthcheck of a server on {host}"), Server("--host", host) as server:
            endpoint = f"http://127.0.0.1:{server.port}"
            command = [BINARY, "healthcheck", "--endpoint", endpoint]
            equal(subprocess.run(command, check=False, timeout=30).returncode, 0)


def main():
    report = Report()
    own_pages(report)
    report.done()


main()
