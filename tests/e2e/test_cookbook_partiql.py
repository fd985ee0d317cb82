"""The cookbook's PartiQL, as typed.

Its batch and transaction put three single quotes around each string, inside a shell word in single
quotes: the shell takes all of them away, and the service gets names where strings were meant.
"""

from cookbook import drop, item, run_sections, table
from e2e import Commands, Refusal, Report, Server, Shell, equal


def statement(text):
    return f'aws dynamodb execute-statement \\\n--statement "{text}"'


def single(command, server):
    table(server, "Users", "userId")
    table(server, "Orders", "customerId", "orderId")
    alice = item(userId="u1", name="Alice", age=30)
    server.put_items("Users", [alice, item(userId="u2", name="Bob")])
    orders = [item(customerId="c1", orderId=f"202{n}-06") for n in (3, 4, 5)]
    server.put_items("Orders", orders)
    command("select an item", statement("SELECT * FROM Users WHERE userId = 'u1'"), items(alice))
    command(
        "select some of its attributes",
        statement("SELECT userId, name FROM Users WHERE userId = 'u1'"),
        items(item(userId="u1", name="Alice")),
    )
    insert = statement("INSERT INTO Users VALUE {'userId':'u5','name':'Eve','age':28}")
    command("insert an item", insert, items())
    command(
        "insert it again",
        insert,
        Refusal(
            "ExecuteStatement", "DuplicateItemException", "Duplicate primary key exists in table"
        ),
    )
    update = statement("UPDATE Users SET name='Eve Smith' WHERE userId='u5'")
    command("update an item", update, items())
    with command.report.case("the item as inserted and updated"):
        key = {"TableName": "Users", "Key": item(userId="u5")}
        equal(server.call("GetItem", key), {"Item": item(userId="u5", name="Eve Smith", age=28)})
    command("delete an item", statement("DELETE FROM Users WHERE userId='u5'"), items())
    command(
        "update an item that is not there",
        update,
        Refusal(
            "ExecuteStatement", "ConditionalCheckFailedException", "The conditional request failed"
        ),
    )
    command(
        "a statement with parameters",
        r"""
aws dynamodb execute-statement \
--statement "SELECT * FROM Orders WHERE customerId = ? AND begins_with(orderId, ?)" \
--parameters '[{"S":"c1"},{"S":"2024"}]'
""",
        items(orders[1]),
    )


def items(*found):
    return {"Items": list(found)}


BATCH = r"""
aws dynamodb batch-execute-statement \
--statements '[
{"Statement": "SELECT * FROM Users WHERE userId = '''u1'''"},
{"Statement": "SELECT * FROM Orders WHERE customerId = '''c1'''"}
]'
"""
TRANSACTION = r"""
aws dynamodb execute-transaction \
--transact-statements '[
{
"Statement": "UPDATE Inventory SET stock = stock - 1 WHERE itemId = '''sku-1''' AND stock > 0"
},
{
"Statement": "INSERT INTO Orders VALUE {'''orderId''':'''ord-99''','''status''':'''placed'''}"
}
]'
"""


def quoted(script):
    """The quotes as they were meant: '\\'' puts one into a word in single quotes."""
    return script.replace("'''", r"'\''")


def error(message):
    return {"Error": {"Code": "ValidationError", "Message": message}}


def batch(command, server):
    key = "Select statements within BatchExecuteStatement must specify the primary key in the "
    key += "where clause."
    command("a batch, its quotes lost", BATCH, {"Responses": [error(key), error(key)]})
    alice = {"TableName": "Users", "Item": item(userId="u1", name="Alice", age=30)}
    command(
        "a batch, of which one statement lacks the sort key",
        quoted(BATCH),
        {"Responses": [alice, error(key)]},
    )
    drop(server, "Orders")
    table(server, "Orders", "customerId")
    server.put_items("Orders", [item(customerId="c1", total=5)])
    order = {"TableName": "Orders", "Item": item(customerId="c1", total=5)}
    command("a batch", quoted(BATCH), {"Responses": [alice, order]})
    drop(server, "Users", "Orders")


def transaction(command, server):
    table(server, "Inventory", "itemId")
    table(server, "Orders", "orderId")
    server.put_items("Inventory", [item(itemId="sku-1", stock=1)])
    command(
        "a transaction, its quotes lost",
        TRANSACTION,
        Refusal(
            "ExecuteTransaction",
            "ValidationException",
            "Validation failed in TransactStatements[0]: Unsupported operator in Condition "
            "Expression. Operator: -",
        ),
    )
    command("a transaction", quoted(TRANSACTION), {"Responses": []})
    with command.report.case("both of its writes are done"):
        equal(
            server.call("Scan", {"TableName": "Orders"})["Items"],
            [item(orderId="ord-99", status="placed")],
        )
        equal(server.call("Scan", {"TableName": "Inventory"})["Items"][0]["stock"], {"N": "0"})
    command(
        "the same transaction again: the order exists and stock is out",
        quoted(TRANSACTION),
        Refusal(
            "ExecuteTransaction",
            "TransactionCanceledException",
            "Transaction cancelled, please refer cancellation reasons for specific reasons "
            "[ConditionalCheckFailed, DuplicateItem]",
        ),
    )


def main():
    report = Report()
    with Server() as server, Shell(server) as shell:
        if not shell.cli:
            report.skip("the cookbook's PartiQL", "there is no AWS CLI")
            report.done()
        command = Commands(report, shell)
        run_sections(report, command, server, (single, batch, transaction))
        with report.case("the server ends cleanly"):
            server.stop()
    report.done()


main()
