import pytest

from orders import close


@pytest.mark.parametrize("repetition", range(8))
def test_an_open_order_is_closed_once(world, repetition):
    close("o1")
    assert world.dynamodb.Table("Orders").get_item(Key={"id": "o1"})["Item"]["status"] == "closed"
    with pytest.raises(world.dynamodb.meta.client.exceptions.ConditionalCheckFailedException):
        close("o1")


def test_a_throttled_write_is_sent_once_more(world):
    world.verb("faults", rules=[{"operation": "UpdateItem", "times": 1, "error": "ThrottlingException"}])
    close("o1")
    assert world.dynamodb.Table("Orders").get_item(Key={"id": "o1"})["Item"]["status"] == "closed"
