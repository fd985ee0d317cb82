"""A test's server in its own process: no program, no port. `pip install mockddb boto3`, then `python orders.py`."""

import mockddb

ORDERS = {
    "TableName": "Orders",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "until"},
}

with mockddb.embedded(tables=[ORDERS]) as db:
    db.clock.freeze("2026-01-01T00:00:00Z")
    until = int(db.clock.now().timestamp()) + 3600
    orders = db.resource().Table("Orders")
    orders.put_item(Item={"id": "o1", "state": "paid", "until": until})

    db.faults.add(operation="GetItem", times=1, error="InternalServerError")
    answer = orders.get_item(Key={"id": "o1"})
    print(f"o1 is {answer['Item']['state']}, after {1 + answer['ResponseMetadata']['RetryAttempts']} tries")

    db.clock.advance("72h")
    print("o1 is still here" if "Item" in orders.get_item(Key={"id": "o1"}) else "o1 has expired")
    db.assert_(no="Scan")
