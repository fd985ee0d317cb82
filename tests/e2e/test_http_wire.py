"""From bytes to operation, row by row: docs/behaviour/wire.md, "From bytes to operation", headers,
authentication and cross-origin requests."""

import gzip
import http.client
import itertools
import json
import socket
import zlib

from e2e import HEADERS, PATIENCE, Report, Server, changed, equal

CORAL = "com.amazon.coral.service#"
MALFORMED = b'{"__type":"com.amazon.coral.service#SerializationException"}'
UNKNOWN = b'{"__type":"com.amazon.coral.service#UnknownOperationException"}'
NAMED = {"Host": "dynamodb.us-east-1.amazonaws.com"}
PAGE = b"<UnknownOperationException/>\n"
HEALTHY = b"healthy: dynamodb.us-east-1.amazonaws.com "
ANSWER = b'{"TableNames":[]}'
PARTS = ("Credential=a", "Signature=b", "SignedHeaders=c")
QUERY = ("Algorithm", "Credential", "Signature", "SignedHeaders", "Date")


def send(server, method="POST", path="/", body=b"{}", headers=None):
    """One request on a connection of its own; returns (status, headers, body)."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    try:
        connection.request(method, path, body, HEADERS if headers is None else headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def check(server, report, name, expected, **request):
    with report.case(name):
        status, headers, body = send(server, **request)
        equal((status, body.decode()), (expected[0], expected[1].decode()))
        equal(headers["x-amz-crc32"], str(zlib.crc32(body)))
        equal(headers["Content-Length"], str(len(body)))


def rows(server, report):
    """The first row that applies answers."""
    cases = (
        ("GET", 200, HEALTHY, {"method": "GET", "body": None, "headers": NAMED}),
        ("GET with a query", 200, HEALTHY, {"method": "GET", "path": "/?a", "headers": NAMED}),
        ("GET of another path", 404, PAGE, {"method": "GET", "path": "/a?b=c", "body": None}),
        ("PUT", 404, PAGE, {"method": "PUT"}),
        ("DELETE", 404, PAGE, {"method": "DELETE"}),
        ("PATCH", 404, PAGE, {"method": "PATCH"}),
        ("OPTIONS without Origin", 404, PAGE, {"method": "OPTIONS", "headers": {}}),
        ("no content type", 404, PAGE, {"headers": changed(Content_Type=None)}),
        (
            "another version",
            404,
            PAGE,
            {"headers": changed(Content_Type="application/x-amz-json-1.1")},
        ),
        (
            "a content type too long",
            404,
            PAGE,
            {"headers": changed(Content_Type="application/jsonx")},
        ),
        (
            "content type before JSON",
            404,
            PAGE,
            {"body": b"{", "headers": changed(Content_Type="a/b")},
        ),
        ("no JSON", 400, MALFORMED, {"body": b"{"}),
        ("invalid UTF-8", 400, MALFORMED, {"body": b'{"ExclusiveStartTableName":"\xff"}'}),
        (
            "no JSON, no target",
            400,
            MALFORMED,
            {"body": b"{", "headers": changed(X_Amz_Target=None)},
        ),
        (
            "no JSON, no authorization",
            400,
            MALFORMED,
            {"body": b"{", "headers": changed(Authorization=None)},
        ),
        ("no target", 400, UNKNOWN, {"headers": changed(X_Amz_Target=None)}),
        ("an empty target", 400, UNKNOWN, {"headers": changed(X_Amz_Target="")}),
        (
            "no target, no authorization",
            400,
            UNKNOWN,
            {"headers": changed(X_Amz_Target=None, Authorization=None)},
        ),
        ("no target, no body", 400, UNKNOWN, {"body": b"", "headers": changed(X_Amz_Target=None)}),
        ("no body", 400, MALFORMED, {"body": b""}),
        (
            "no body, no content type",
            400,
            MALFORMED,
            {"body": b"", "headers": changed(Content_Type=None)},
        ),
        ("another path", 200, ANSWER, {"path": "/other/path"}),
        ("JSON", 200, ANSWER, {"headers": changed(Content_Type="application/json")}),
        (
            "a parameter of the type",
            200,
            ANSWER,
            {"headers": changed(Content_Type="application/json; charset=utf-8")},
        ),
        (
            "blanks around the type",
            200,
            ANSWER,
            {"headers": changed(Content_Type=" application/x-amz-json-1.0 ;a=b")},
        ),
    )
    for name, status, body, request in cases:
        check(server, report, name, (status, body), **request)
    with report.case("no body, no authorization: the latter"):
        status, _, body = send(server, body=b"", headers=changed(Authorization=None))
        equal(
            (status, json.loads(body)["__type"]),
            (400, CORAL + "MissingAuthenticationTokenException"),
        )


def checksums(server, report):
    """The sums that the service sends with its best known bodies."""
    get = {"method": "GET", "body": None, "headers": NAMED}
    item = {"TableName": "Sums", "Key": {"pk": {"S": "a"}}}
    server.call(
        "CreateTable",
        {
            "TableName": "Sums",
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "BillingMode": "PAY_PER_REQUEST",
        },
    )
    cases = (
        (
            "2745614147",
            {
                "body": json.dumps(item).encode(),
                "headers": changed(X_Amz_Target="DynamoDB_20120810.GetItem"),
            },
        ),
        ("3552371480", {"method": "PUT"}),
        ("3948637019", {"body": b"{"}),
        ("1368724161", {"headers": changed(X_Amz_Target="x")}),
        ("3128867991", get),
    )
    for expected, request in cases:
        with report.case(f"checksum {expected}"):
            _, headers, _ = send(server, **request)
            equal(headers["x-amz-crc32"], expected)


def authorization_header(server, report):
    def refused(name, header, message, **changes):
        with report.case(f"authorization: {name}"):
            status, _, body = send(server, headers=changed(Authorization=header, **changes))
            expected = {"__type": CORAL + "IncompleteSignatureException", "message": message}
            equal((status, json.loads(body)), (400, expected))

    sentences = [
        "Authorization header requires '%s' parameter. " % part.split("=")[0] for part in PARTS
    ]
    dated = "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. "
    for size in range(3):
        for chosen in itertools.combinations(range(3), size):
            header = "AWS4-HMAC-SHA256 " + ", ".join(PARTS[i] for i in chosen)
            header = header.strip()
            missing = "".join(sentences[i] for i in range(3) if i not in chosen)
            names = " and ".join(PARTS[i].split("=")[0] for i in chosen) or "nothing"
            refused(f"{names} alone", header, f"{missing}Authorization={header}")
    whole = "AWS4-HMAC-SHA256 " + ", ".join(PARTS)
    refused("no date", whole, f"{dated}Authorization={whole}", X_Amz_Date=None)
    bare = "AWS4-HMAC-SHA256"
    refused(
        "all is missing", bare, f"{''.join(sentences)}{dated}Authorization={bare}", X_Amz_Date=None
    )
    headers = (
        ("parts with commas only", "AWS4-HMAC-SHA256 " + ",".join(PARTS), {}),
        ("parts with blanks only", "AWS4-HMAC-SHA256 " + " ".join(PARTS), {}),
        ("parts in another order", "AWS4-HMAC-SHA256 " + ", ".join(reversed(PARTS)), {}),
        (
            "Date instead of X-Amz-Date",
            whole,
            {"X_Amz_Date": None, "Date": "Mon, 01 Jan 2024 00:00:00 GMT"},
        ),
        ("another algorithm of the family", "AWS4-ECDSA-P256-SHA256 " + ", ".join(PARTS), {}),
    )
    for name, header, changes in headers:
        check(
            server,
            report,
            f"authorization: {name}",
            (200, ANSWER),
            headers=changed(Authorization=header, **changes),
        )
    for name, header in (
        ("none", None),
        ("of another kind", "Basic YTpi"),
        ("of an older kind", "AWS a:b"),
    ):
        with report.case(f"authorization: {name}"):
            status, _, body = send(server, headers=changed(Authorization=header))
            expected = {
                "__type": CORAL + "MissingAuthenticationTokenException",
                "message": "Request is missing Authentication Token",
            }
            equal((status, json.loads(body)), (400, expected))


def authorization_query(server, report):
    unsigned = changed(Authorization=None, X_Amz_Date=None)
    path = "/?" + "&".join(f"X-Amz-{name}=x" for name in QUERY)
    check(server, report, "a presigned URL", (200, ANSWER), path=path, headers=unsigned)
    with report.case("a presigned URL and the header as well"):
        status, _, body = send(server, path=path)
        expected = {
            "__type": CORAL + "InvalidSignatureException",
            "message": "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as "
            "HTTP header.",
        }
        equal((status, json.loads(body)), (400, expected))
    for missing in (("Credential",), ("Signature", "Date"), QUERY[1:]):
        with report.case(f"a presigned URL without {', '.join(missing)}"):
            present = [name for name in QUERY if name not in missing]
            path = "/?" + "&".join(f"X-Amz-{name}=x" for name in present)
            status, _, body = send(server, path=path, headers=unsigned)
            sentences = "".join(
                f"AWS query-string parameters must include 'X-Amz-{name}'. "
                for name in QUERY
                if name in missing
            )
            expected = {
                "__type": CORAL + "IncompleteSignatureException",
                "message": sentences + "Re-examine the query-string parameters.",
            }
            equal((status, json.loads(body)), (400, expected))


ALLOW = (
    "Access-Control-Allow-Origin",
    "Access-Control-Allow-Headers",
    "Access-Control-Allow-Methods",
    "Access-Control-Max-Age",
)


def allowed(headers):
    return {name: headers[name] for name in ALLOW if name in headers}


def cross_origin(server, report):
    asked = {
        "Access-Control-Request-Headers": "x-amz-target",
        "Access-Control-Request-Method": "POST",
    }
    granted = {
        "Access-Control-Allow-Headers": "x-amz-target",
        "Access-Control-Allow-Methods": "POST",
    }
    for chosen in ((), (0,), (1,), (0, 1)):
        names = [list(asked)[i] for i in chosen]
        with report.case(f"preflight with {' and '.join(names) or 'nothing more'}"):
            request = {"Origin": "http://localhost:3000", **{name: asked[name] for name in names}}
            status, headers, body = send(server, "OPTIONS", body=None, headers=request)
            expected = {"Access-Control-Allow-Origin": "*", "Access-Control-Max-Age": "172800"}
            expected.update({list(granted)[i]: list(granted.values())[i] for i in chosen})
            equal((status, body, headers["Content-Length"]), (200, b"", "0"))
            equal(allowed(headers), expected)
    origin = {"Access-Control-Allow-Origin": "*"}
    exposed = (
        "x-amzn-errortype,x-amzn-requestid,x-amzn-errormessage,x-amzn-trace-id,"
        "x-amz-request-id,x-amz-crc32,date"
    )
    cases = (
        ("an answer", {"headers": changed(Origin="http://localhost:3000")}),
        ("an error", {"body": b"{", "headers": changed(Origin="http://localhost:3000")}),
        ("an unknown method", {"method": "PUT", "headers": {"Origin": "http://localhost:3000"}}),
        (
            "the health check",
            {"method": "GET", "body": None, "headers": {"Origin": "http://localhost:3000"}},
        ),
    )
    for name, request in cases:
        with report.case(f"Origin with {name}"):
            _, headers, _ = send(server, **request)
            equal(allowed(headers), origin)
            equal(headers["Access-Control-Expose-Headers"], exposed)
    with report.case("no Origin, no header"):
        equal(allowed(send(server)[1]), {})
    for origin in ("http://a.example", "null", ""):
        for name, request in (("a preflight", {"method": "OPTIONS", "body": None, "headers": asked}), *cases):
            with report.case(f"Origin {origin!r}, which nobody named, with {name}"):
                headers = {**request.get("headers", {}), "Origin": origin}
                status, answered, text = send(server, **{**request, "headers": headers})
                equal((status, list(json.loads(text))), (403, ["message"]))
                equal(allowed(answered), {})
    with report.case("two Origins"):
        lines = "POST / HTTP/1.1\r\nHost: a\r\nOrigin: http://localhost\r\nOrigin: http://a.example\r\n\r\n"
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
            connection.sendall(lines.encode())
            equal(connection.recv(4096).split()[1], b"400")


def names_of_headers(server, report):
    with report.case("header names in any case"):
        headers = {name.upper(): value for name, value in HEADERS.items()}
        equal(send(server, headers=headers)[2], ANSWER)
        headers = {name.lower(): value for name, value in HEADERS.items()}
        equal(send(server, headers=headers)[2], ANSWER)
    with report.case("order of the headers"):
        _, headers, _ = send(server)
        expected = [
            "Server",
            "Date",
            "Content-Type",
            "Content-Length",
            "Connection",
            "x-amzn-RequestId",
            "x-amz-crc32",
        ]
        equal([name for name in headers if name in expected], expected)
        equal((headers["Server"], headers["Connection"]), ("Server", "keep-alive"))
    with report.case("the content type is the request's, without what it had beside it"):
        for sent, expected in (
            ("application/x-amz-json-1.0; a=b", "application/x-amz-json-1.0"),
            ("application/json;charset=utf-8", "application/json"),
        ):
            equal(send(server, headers=changed(Content_Type=sent))[1]["Content-Type"], expected)
    with report.case("application/json where the request names none"):
        equal(
            send(server, body=b"", headers=changed(Content_Type=None))[1]["Content-Type"],
            "application/json",
        )


def packed_bodies(server, report):
    """Bodies in gzip form, or in zlib's, which HTTP calls deflate."""
    body, most = b'{"Limit": 7}', 16 * 1024 * 1024
    full = body + b" " * (most - len(body))
    taken = (
        ("gzip", gzip.compress(body), "gzip"),
        ("gzip in capitals", gzip.compress(body), "GZIP"),
        ("deflate", zlib.compress(body), "deflate"),
        ("gzip in two parts", gzip.compress(body[:5]) + gzip.compress(body[5:]), "gzip"),
        ("16 MB in gzip form", gzip.compress(full), "gzip"),
        ("16 MB deflated", zlib.compress(full), "deflate"),
    )
    broken = (
        ("plain text that says it is gzip", body, "gzip"),
        ("half of a gzip file", gzip.compress(body)[:15], "gzip"),
        ("gzip with a byte too many", gzip.compress(body) + b"x", "gzip"),
        ("gzip that says it is deflate", gzip.compress(body), "deflate"),
        ("gzip that does not say so", gzip.compress(body), None),
    )
    for name, sent, encoding in taken:
        headers = changed(Content_Encoding=encoding)
        check(server, report, f"a body: {name}", (200, ANSWER), body=sent, headers=headers)
    for name, sent, encoding in broken:
        headers = changed(Content_Encoding=encoding)
        check(server, report, f"a body: {name}", (400, MALFORMED), body=sent, headers=headers)
    too_long = (
        ("gzip of more than 16 MB", gzip.compress(full + b" "), "gzip"),
        ("deflate of more than 16 MB", zlib.compress(full + b" "), "deflate"),
        ("more than 4 MB of gzip", gzip.compress(full, 0)[: 4 * 1024 * 1024 + 1], "gzip"),
    )
    for name, sent, encoding in too_long:
        with report.case(f"a body: {name}"):
            answer = send(server, body=sent, headers=changed(Content_Encoding=encoding))
            equal((answer[0], answer[2]), (413, b""))


def main():
    report = Report()
    with Server() as server:
        rows(server, report)
        authorization_header(server, report)
        authorization_query(server, report)
        cross_origin(server, report)
        names_of_headers(server, report)
        packed_bodies(server, report)
        checksums(server, report)
    report.done()


main()
