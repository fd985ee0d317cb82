"""A client that keeps one connection, for filling tables and for asking once."""

import http.client
import json
import time
import urllib.parse

HEADERS = {
    "Content-Type": "application/x-amz-json-1.0",
    "X-Amz-Date": "20240101T000000Z",
    "Authorization": "AWS4-HMAC-SHA256 Credential=a/20240101/us-east-1/dynamodb/aws4_request,"
    " SignedHeaders=host;x-amz-date, Signature=0",
}
TRANSIENT_TRIES = 3


class Failed(Exception):
    """The answer was an error; its text is the argument."""


class Client:
    def __init__(self, url):
        parts = urllib.parse.urlsplit(url)
        self.connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=120)

    def send(self, operation, body):
        """One request of bytes; returns the answer's bytes."""
        headers = HEADERS | {"X-Amz-Target": f"DynamoDB_20120810.{operation}"}
        for left in reversed(range(TRANSIENT_TRIES)):
            try:
                self.connection.request("POST", "/", body, headers)
                answer = self.connection.getresponse()
                content = answer.read()
                break
            except (ConnectionError, http.client.HTTPException):  # closed while it was idle
                self.connection.close()
                if not left:
                    raise
        if answer.status != 200:
            raise Failed(f"{operation}: {answer.status} {content[:500]}")
        return content

    def call(self, operation, request):
        return json.loads(self.send(operation, json.dumps(request).encode()))

    def wait_until_active(self, table):
        while True:
            status = self.call("DescribeTable", {"TableName": table})["Table"]["TableStatus"]
            if status == "ACTIVE":
                return
            time.sleep(0.05)
