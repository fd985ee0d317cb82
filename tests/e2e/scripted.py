"""An HTTP server that gives the answers of a script, one a request, and keeps the requests."""

import hashlib
import hmac
import http.server
import json
import re
import ssl
import threading
import zlib

AUTHORIZATION = re.compile(
    r"AWS4-HMAC-SHA256 Credential=(?P<key>[^/]+)/(?P<scope>[^,]+), "
    r"SignedHeaders=(?P<names>[^,]+), Signature=(?P<signature>[0-9a-f]{64})"
)


class Scripted:
    """`answers` are JSON values, or (status, JSON value, headers) where 200 is not wanted."""

    def __init__(self, *answers, certificate=None):
        self.answers = list(answers)
        self.requests = []
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_port
        self.url = f"{'https' if certificate else 'http'}://127.0.0.1:{self.port}"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    def handler(self):
        script = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):  # pylint: disable=invalid-name # the library's name
                body = self.rfile.read(int(self.headers["Content-Length"]))
                script.requests.append((dict(self.headers.items()), body))
                answer = script.answers.pop(0) if script.answers else (500, {}, {})
                status, value, headers = answer if isinstance(answer, tuple) else (200, answer, {})
                text = value if isinstance(value, bytes) else json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(text)))
                if "x-amz-crc32" not in headers:
                    self.send_header("x-amz-crc32", str(zlib.crc32(text)))
                for name, content in headers.items():
                    self.send_header(name, content)
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):  # quiet
                pass

        return Handler

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    @property
    def bodies(self):
        return [json.loads(body) for _, body in self.requests]

    @property
    def operations(self):
        return [lower(headers)["x-amz-target"].split(".")[1] for headers, _ in self.requests]


def lower(headers):
    return {name.lower(): value for name, value in headers.items()}


def signature_holds(request, secret):
    """Signs the request once more, by the published rules, and compares."""
    headers, body = lower(request[0]), request[1]
    match = AUTHORIZATION.fullmatch(headers["authorization"])
    names = match["names"].split(";")
    canonical = "\n".join(
        ["POST", "/", ""]
        + [f"{name}:{headers[name].strip()}" for name in names]
        + ["", match["names"], hashlib.sha256(body).hexdigest()]
    )
    digest = hashlib.sha256(canonical.encode()).hexdigest()
    text = "\n".join(["AWS4-HMAC-SHA256", headers["x-amz-date"], match["scope"], digest])
    key = b"AWS4" + secret.encode()
    for part in match["scope"].split("/") + [text]:
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return key.hex() == match["signature"]
