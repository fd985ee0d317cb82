"""Runs guides.mjs, the JavaScript code of a guide, with the SDK that scripts/setup installed."""

import os

from e2e import Report, Server, has_node, node_script


def run(report, server):
    environment = os.environ | {
        "AWS_ACCESS_KEY_ID": "a",
        "AWS_SECRET_ACCESS_KEY": "b",
        "AWS_REGION": "us-east-1",
        "AWS_ENDPOINT_URL_DYNAMODB": server.url,
        "DYNAMODB_LOCAL": "",  # of whoever runs the tests: the guide's code would go to port 8000
        "DYNAMODB_TABLE": "",
    }
    report.relay("the script comes to its end", ["node", node_script("guides.mjs")], environment)


def main():
    report = Report()
    if not has_node():
        report.skip("the guide's JavaScript code", "there is no Node.js 20 or no SDK")
        report.done()
    with Server() as server:
        run(report, server)
        with report.case("the server ends cleanly"):
            server.stop()
    report.done()


main()
