"""PynamoDB: a table with an index, pages, a condition, transactions, a batch with unprocessed items. It has no streams."""

import os

import pynamodb
from pynamodb.attributes import MapAttribute, NumberAttribute, TTLAttribute, UnicodeAttribute, VersionAttribute
from pynamodb.connection import Connection
from pynamodb.exceptions import PutError, TransactWriteError
from pynamodb.indexes import AllProjection, GlobalSecondaryIndex
from pynamodb.models import Model
from pynamodb.transactions import TransactGet, TransactWrite

HOST = os.environ["AWS_ENDPOINT_URL_DYNAMODB"]


class ByStatus(GlobalSecondaryIndex):
    class Meta:
        index_name = "byStatus"
        projection = AllProjection()

    status = UnicodeAttribute(hash_key=True)
    number = NumberAttribute(range_key=True)


class Order(Model):
    class Meta:
        table_name = "Orders"
        host = HOST
        region = "us-east-1"
        billing_mode = "PAY_PER_REQUEST"

    customer = UnicodeAttribute(hash_key=True)
    number = NumberAttribute(range_key=True)
    status = UnicodeAttribute()
    address = MapAttribute(null=True)
    version = VersionAttribute()
    ends = TTLAttribute(null=True)
    by_status = ByStatus()


Order.create_table(wait=True)

with Order.batch_write() as batch:  # sends again what a batch leaves unprocessed
    for number in range(30):
        batch.save(Order("c1", number, status="open", address={"city": "Berlin"}))

found = Order.by_status.query("open", page_size=7)
assert [order.number for order in found] == list(range(30))
assert Order.get("c1", 3).address.city == "Berlin"

order = Order.get("c1", 1)
stale = Order.get("c1", 1)
order.status = "closed"
order.save()
try:
    stale.save()  # its version is not the stored one
    raise SystemExit("the condition holds")
except PutError as error:
    assert error.cause_response_code == "ConditionalCheckFailedException", error

connection = Connection(region="us-east-1", host=HOST)
with TransactWrite(connection=connection) as write:
    write.update(Order.get("c1", 4), actions=[Order.status.set("closed")], condition=Order.status == "open")
    write.save(Order("c1", 31, status="open"))
try:
    with TransactWrite(connection=connection) as write:
        write.save(Order("c1", 32, status="open"))
        write.update(Order.get("c1", 4), actions=[Order.status.set("closed")], condition=Order.status == "open")
    raise SystemExit("the transaction is not cancelled")
except TransactWriteError as error:
    reasons = [reason and reason.code for reason in error.cancellation_reasons]
    assert reasons == [None, "ConditionalCheckFailed"], reasons
with TransactGet(connection=connection) as read:
    futures = [read.get(Order, "c1", 4), read.get(Order, "c1", 31)]
assert [future.get().status for future in futures] == ["closed", "open"]
print("PynamoDB", pynamodb.__version__)
