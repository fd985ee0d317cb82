"""Tools for agents of a server that keeps everything in PostgreSQL: they only read."""

import postgres
from e2e import Report, Server, equal
from mcp_kit import Mcp, text_of

KEY = {"pk": {"S": "a"}}
PUT = {"operation": "PutItem", "request": {"TableName": "Tab", "Item": KEY}}
TABLE = {
    "TableName": "Tab",
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "BillingMode": "PAY_PER_REQUEST",
}


def main():
    report = Report()
    if not postgres.binaries():
        report.lack("PostgreSQL", "it is not installed")
        report.done()
    with postgres.Cluster() as cluster:
        postgres.make_schema(cluster, "tools")
        with Server("--store", cluster.url("tools")) as server:
            server.call("CreateTable", TABLE)
            for writes in ("none", "own", "any"):
                with Mcp("--endpoint", server.url, "--mcp-writes", writes) as mcp, report.case(f"--mcp-writes {writes}"):
                    equal(mcp.call("tables")["structuredContent"]["reason"], "1 table")
                    assert not mcp.call("try", operation="GetItem", request={"TableName": "Tab", "Key": KEY})["isError"]
                    for arguments in (PUT, PUT | {"world": "agent-a"}):
                        assert mcp.call("try", **arguments)["isError"]
                    for tool, arguments in (("worlds", {"action": "make"}), ("explain", PUT), ("clock", {"freeze": "now"})):
                        result = mcp.call(tool, **arguments)
                        assert result["isError"], text_of(result)
            with report.case("the reason is the database"), Mcp("--endpoint", server.url) as mcp:
                assert "(--store)" in text_of(mcp.call("worlds", action="fork")), "it is another reason"
            with report.case("nothing was written"):
                equal(server.call("Scan", {"TableName": "Tab"})["Count"], 0)
    report.done()


main()
