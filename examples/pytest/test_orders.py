import datetime

import pytest

from orders import close


@pytest.fixture(scope="session", autouse=True)
def seeded(mockddb):
    """Puts the items once in each worker; each test begins with them."""
    with mockddb.resource().Table("Orders").batch_writer() as batch:
        for number in range(100):
            batch.put_item(Item={"id": f"o{number}", "status": "open"})
    mockddb.set_start()


@pytest.fixture
def orders(mockddb):
    return mockddb.resource().Table("Orders")


@pytest.mark.parametrize("repetition", range(8))
@pytest.mark.mockddb(no_scan=True, max_write_units=2)
def test_an_open_order_is_closed_once(orders, repetition):
    close("o1")
    assert orders.get_item(Key={"id": "o1"})["Item"]["status"] == "closed"
    with pytest.raises(orders.meta.client.exceptions.ConditionalCheckFailedException):
        close("o1")


@pytest.mark.mockddb(faults=[{"operation": "UpdateItem", "times": 1, "error": "ThrottlingException"}])
def test_a_throttled_write_is_sent_once_more(orders, mockddb_journal):
    close("o1")
    assert [request["status"] for request in mockddb_journal.requests(operation="UpdateItem")] == [400, 200]
    assert orders.get_item(Key={"id": "o1"})["Item"]["status"] == "closed"


def test_an_order_ends_after_a_day(orders, mockddb_clock):
    tomorrow = mockddb_clock.now() + datetime.timedelta(days=1)
    orders.put_item(Item={"id": "new", "status": "open", "ends": int(tomorrow.timestamp())})
    mockddb_clock.advance("25h")
    assert "Item" not in orders.get_item(Key={"id": "new"})
