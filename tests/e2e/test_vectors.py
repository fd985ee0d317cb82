"""Vector indexes with the SDK v3 for JavaScript, in memory and in a file, and after a restart."""


from e2e import Report, Server, equal, has_node, temporary_folder

SEARCH = {
    "TableName": "Documents",
    "IndexName": "all",
    "SearchVector": [{"N": str(n / 64)} for n in range(64)],
    "TopK": 5,
    "ProjectionExpression": "pk",
}


def run(report, server, what):
    report.relay_script("vectors.mjs", server, f"{what}: the script comes to its end")


def main():
    report = Report()
    if not has_node():
        report.skip("vector indexes with the SDK", "there is no Node.js 20 or no SDK")
        report.done()
    with Server() as server:
        run(report, server, "in memory")
    with temporary_folder() as folder:
        path = f"{folder}/data.db"
        with Server("--db", path) as server:
            run(report, server, "in a file")
            before = server.call("SearchVectors", SEARCH)
        with Server("--db", path) as server:
            with report.case("after a restart"):
                equal(server.call("SearchVectors", SEARCH), before)
            with report.case("the server ends cleanly"):
                server.stop()
    report.done()


main()
