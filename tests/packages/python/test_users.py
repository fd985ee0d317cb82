"""A user's suite: each test passes. Run by tests/e2e/test_package_pip.py."""

import datetime
import os
import subprocess
import sys

import boto3
import pytest

URL = os.environ["AWS_ENDPOINT_URL_DYNAMODB"]  # is set before this file is imported
THINGS = {
    "TableName": "Things",
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"},
}


@pytest.fixture
def client(mockddb):
    return mockddb.client()


@pytest.mark.parametrize("repetition", range(16))
def test_no_test_sees_what_another_wrote(client, repetition):
    assert client.list_tables()["TableNames"] == ["Orders"]
    assert client.scan(TableName="Orders")["Count"] == 0
    client.put_item(TableName="Orders", Item={"id": {"S": "1"}})
    client.create_table(**THINGS)


@pytest.mark.mockddb(clock="2026-01-01T00:00:00Z")
def test_the_clock_is_frozen(mockddb_clock):
    start = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
    assert mockddb_clock.now() == start
    mockddb_clock.advance("25h")
    mockddb_clock.advance(datetime.timedelta(hours=1))
    assert mockddb_clock.now() == start + datetime.timedelta(hours=26)
    mockddb_clock.freeze(start)
    assert mockddb_clock.state()["frozen"]
    mockddb_clock.real()
    assert not mockddb_clock.state()["frozen"]


def test_the_next_test_has_the_real_time(mockddb_clock):
    assert not mockddb_clock.state()["frozen"]


def test_a_time_without_a_zone_is_refused(mockddb_clock):
    with pytest.raises(ValueError, match="time zone"):
        mockddb_clock.set(datetime.datetime(2026, 1, 1))


def test_a_throttled_write(client, mockddb_faults, mockddb_journal):
    mockddb_faults.add(operation="PutItem", times=1, error="ThrottlingException")
    client.put_item(TableName="Orders", Item={"id": {"S": "1"}})
    assert [request["status"] for request in mockddb_journal.requests(operation="PutItem")] == [400, 200]
    assert mockddb_faults.rules()[0]["hits"] == 1


def test_faults_and_journal_begin_anew(mockddb_faults, mockddb_journal):
    assert (mockddb_faults.rules(), len(mockddb_journal)) == ([], 0)


@pytest.mark.parametrize("repetition", range(4))
@pytest.mark.mockddb(fixtures=["seed"], clock="2026-01-01T00:00:00Z", no_scan=True)
def test_a_fixture(client, mockddb_clock, repetition):
    assert client.get_item(TableName="Users", Key={"id": {"S": "u1"}})["Item"]["name"] == {"S": "Ada"}
    client.delete_item(TableName="Users", Key={"id": {"S": "u1"}})
    assert client.list_tables()["TableNames"] == ["Orders", "Users"]
    assert mockddb_clock.now().year == 2026


@pytest.mark.parametrize("repetition", range(2))
@pytest.mark.mockddb(tables=[THINGS])
def test_the_input_of_create_table(mockddb, client, repetition):
    assert client.scan(TableName="Things")["Count"] == 0
    client.put_item(TableName="Things", Item={"id": {"S": "1"}})
    assert len(mockddb.client("dynamodbstreams").list_streams(TableName="Things")["Streams"]) == 1


@pytest.mark.mockddb(fixtures=["template.yaml"], clock="2026-01-01T00:00:00Z")
def test_a_sam_template(mockddb, client, mockddb_faults, mockddb_clock):
    assert client.list_tables()["TableNames"] == ["Orders", "Sessions", "dev-Carts"]
    mockddb_faults.add(operation="PutItem", times=1, error="ProvisionedThroughputExceededException")
    ends = int(mockddb_clock.now().timestamp()) + 3600
    mockddb.resource().Table("dev-Carts").put_item(Item={"id": "1", "ends": ends})
    mockddb_clock.advance("2h")
    assert client.scan(TableName="dev-Carts")["Count"] == 0
    assert len(mockddb.journal.requests(operation="PutItem", error="any")) == 1


@pytest.mark.mockddb(no_validation_errors=True)
class TestMarks:
    def test_of_the_class(self, client):
        client.put_item(TableName="Orders", Item={"id": {"S": "1"}})

    @pytest.mark.mockddb(reset=False)
    def test_nothing_is_reset(self, client):
        client.put_item(TableName="Orders", Item={"id": {"S": "2"}})

    @pytest.mark.mockddb(max_read_units=1, clock="2026-01-01T00:00:00Z")
    def test_what_fixtures_request_does_not_count(self, scanned, client):
        client.get_item(TableName="Orders", Key={"id": {"S": "1"}})


@pytest.fixture
def scanned(client):
    for _ in range(9):
        client.scan(TableName="Orders")


def test_a_client_with_keys_of_its_own_uses_this_world(mockddb, client):
    own = boto3.client("dynamodb", endpoint_url=URL, aws_access_key_id="dummy", aws_secret_access_key="x")
    own.put_item(TableName="Orders", Item={"id": {"S": "1"}})
    assert client.scan(TableName="Orders")["Count"] == 1
    assert {request["world"] for request in mockddb.journal} == {mockddb.name}


def test_another_process_uses_this_world(client):
    script = (
        "import boto3, os; boto3.client('dynamodb', endpoint_url=os.environ['AWS_ENDPOINT_URL_DYNAMODB'])"
        ".put_item(TableName='Orders', Item={'id': {'S': '1'}})"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
    assert client.scan(TableName="Orders")["Count"] == 1


def test_a_further_world(mockddb_world, client):
    other = mockddb_world("other")
    other.client().put_item(TableName="Orders", Item={"id": {"S": "1"}})
    assert client.scan(TableName="Orders")["Count"] == 0
    assert other.client().scan(TableName="Orders")["Count"] == 1


def test_the_further_world_is_gone(mockddb):
    assert not [world for world in mockddb.verb("GET", "worlds")["worlds"] if world["name"] == f"{mockddb.name}-other"]


def test_a_start_of_its_own(mockddb, mockddb_world, client):
    client.put_item(TableName="Orders", Item={"id": {"S": "1"}})
    mockddb.set_start()
    mockddb.reset()
    assert client.scan(TableName="Orders")["Count"] == 1
    assert mockddb_world("copy").client().scan(TableName="Orders")["Count"] == 1
    client.delete_item(TableName="Orders", Key={"id": {"S": "1"}})
    mockddb.set_start()  # as it was


def test_other_services_keep_their_endpoints():
    assert "amazonaws.com" in boto3.client("sqs").meta.endpoint_url
    assert "AWS_ENDPOINT_URL" not in os.environ


def test_a_pytest_in_a_test_has_its_own_server(mockddb, client, tmp_path):
    tmp_path.joinpath("test_inner.py").write_text(f"def test_inner(mockddb): assert mockddb.url != {mockddb.url!r}")
    client.put_item(TableName="Orders", Item={"id": {"S": "1"}})
    command = [sys.executable, "-m", "pytest", "-q", tmp_path]
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert "1 passed" in ended.stdout, ended.stdout
    assert client.scan(TableName="Orders")["Count"] == 1
