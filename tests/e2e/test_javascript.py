"""Runs guides.mjs, the JavaScript code of a guide, with the SDK that scripts/setup installed."""

from e2e import Report, Server, has_node


# Of whoever runs the tests: the guide's code would go to port 8000.
UNSET = {"DYNAMODB_LOCAL": "", "DYNAMODB_TABLE": ""}


def main():
    report = Report()
    if not has_node():
        report.skip("the guide's JavaScript code", "there is no Node.js 20 or no SDK")
        report.done()
    with Server() as server:
        report.relay_script("guides.mjs", server, **UNSET)
        with report.case("the server ends cleanly"):
            server.stop()
    report.done()


main()
