from orders import total


def test_a_total():
    assert total([1, 2]) == 3
