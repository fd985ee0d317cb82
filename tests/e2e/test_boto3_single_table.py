"""The boto3 code of two guides to single-table design: a shop's users and a clinic's appointments."""

# pylint: disable=import-outside-toplevel

import json
import os
from datetime import datetime
from decimal import Decimal
from typing import List, Optional
from unittest.mock import ANY

import boto
from e2e import Report, Server, equal

KEYS = ("PK", "SK", "GSI1PK", "GSI1SK")


def create_table(dynamodb, name):
    """The table of both guides: generic keys and one index of everything."""
    table = dynamodb.create_table(
        TableName=name,
        AttributeDefinitions=[{"AttributeName": n, "AttributeType": "S"} for n in KEYS],
        KeySchema=[
            {"AttributeName": "PK", "KeyType": "HASH"},
            {"AttributeName": "SK", "KeyType": "RANGE"},
        ],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "GSI1",
                "KeySchema": [
                    {"AttributeName": "GSI1PK", "KeyType": "HASH"},
                    {"AttributeName": "GSI1SK", "KeyType": "RANGE"},
                ],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
        BillingMode="PAY_PER_REQUEST",
    )
    table.wait_until_exists()


def shop(report, url):
    """From here to the cases the code is the guide's, indented anew."""
    import boto3
    from boto3.dynamodb.conditions import Key

    os.environ["DYNAMODB_LOCAL_ENDPOINT"] = url
    dynamodb = boto3.Session().resource(
        "dynamodb",
        region_name=os.getenv("AWS_REGION", "us-east-1"),
        endpoint_url=os.getenv("DYNAMODB_LOCAL_ENDPOINT"),  # For local dev
    )
    table = dynamodb.Table(os.getenv("DYNAMODB_TABLE", "MyTable"))

    def create_user(user_id: str, email: str, name: str) -> dict:
        now = datetime.utcnow().isoformat()
        item = {
            "PK": f"USER#{user_id}",
            "SK": "PROFILE",
            "EntityType": "User",
            "userId": user_id,
            "email": email,
            "name": name,
            "createdAt": now,
            "updatedAt": now,
        }
        table.put_item(Item=item, ConditionExpression="attribute_not_exists(PK)")
        return item

    def get_user(user_id: str) -> Optional[dict]:
        response = table.get_item(Key={"PK": f"USER#{user_id}", "SK": "PROFILE"})
        return response.get("Item")

    def get_user_orders(user_id: str) -> List[dict]:
        response = table.query(
            KeyConditionExpression=Key("PK").eq(f"USER#{user_id}")
            & Key("SK").begins_with("ORDER#"),
            ScanIndexForward=False,
        )
        return response.get("Items", [])

    def update_user(user_id: str, **updates) -> dict:
        update_parts = ["#updatedAt = :updatedAt"]
        names = {"#updatedAt": "updatedAt"}
        values = {":updatedAt": datetime.utcnow().isoformat()}
        for key, value in updates.items():
            update_parts.append(f"#{key} = :{key}")
            names[f"#{key}"] = key
            values[f":{key}"] = value
        response = table.update_item(
            Key={"PK": f"USER#{user_id}", "SK": "PROFILE"},
            UpdateExpression=f'SET {", ".join(update_parts)}',
            ExpressionAttributeNames=names,
            ExpressionAttributeValues=values,
            ReturnValues="ALL_NEW",
        )
        return response["Attributes"]

    def delete_user(user_id: str) -> None:
        table.delete_item(Key={"PK": f"USER#{user_id}", "SK": "PROFILE"})

    case = report.case
    create_table(dynamodb, "MyTable")
    user = create_user("123", "john@test.com", "John")
    with case("shop: a user as created"):
        equal(get_user("123"), user)
    with case("shop: a user cannot be created twice"):
        try:
            create_user("123", "other@test.com", "Other")
            raise AssertionError("the second user was created")
        except dynamodb.meta.client.exceptions.ConditionalCheckFailedException:
            equal(get_user("123"), user)
    with case("shop: a user that is not there"):
        equal(get_user("456"), None)
    orders = [
        {"PK": "USER#123", "SK": f"ORDER#2024-00{n}", "total": Decimal("99.99")}
        for n in (1, 2, 3)
    ]
    for order in orders:
        table.put_item(Item=order)
    with case("shop: orders of a user, newest first"):
        equal(get_user_orders("123"), orders[::-1])
    with case("shop: update a user"):
        new = update_user("123", name="John Smith", loyalty=Decimal("1.5"))
        equal(
            new, user | {"name": "John Smith", "loyalty": Decimal("1.5"), "updatedAt": ANY}
        )
        equal(get_user("123"), new)
    with case("shop: delete a user, his orders stay"):
        delete_user("123")
        equal((get_user("123"), len(get_user_orders("123"))), (None, 3))


def clinic(report):
    """From here to the cases the code is the guide's, indented anew."""
    import boto3
    from boto3.dynamodb.conditions import Key

    os.environ["TABLE_NAME"] = "learnixo-dev"
    dynamodb = boto3.resource("dynamodb", region_name=os.environ["AWS_REGION"])
    table = dynamodb.Table(os.environ["TABLE_NAME"])

    def create_appointment(appt: dict) -> None:
        table.put_item(
            Item={
                "PK": f"CLINIC#{appt['clinic_id']}",
                "SK": f"APPT#{appt['date']}#{appt['id']}",
                "GSI1PK": f"PATIENT#{appt['patient_id']}",
                "GSI1SK": f"APPT#{appt['date']}#{appt['id']}",
                "type": "APPOINTMENT",
                "id": appt["id"],
                "clinic_id": appt["clinic_id"],
                "patient_id": appt["patient_id"],
                "datetime": appt["datetime"],
                "status": "scheduled",
                "created_at": appt["created_at"],
            },
            ConditionExpression="attribute_not_exists(PK)",  # prevent overwrites
        )

    def get_clinic_appointments(clinic_id: str, date_prefix: str = None) -> list:
        key_condition = Key("PK").eq(f"CLINIC#{clinic_id}")
        if date_prefix:
            key_condition &= Key("SK").begins_with(f"APPT#{date_prefix}")
        else:
            key_condition &= Key("SK").begins_with("APPT#")
        response = table.query(KeyConditionExpression=key_condition)
        return response["Items"]

    def get_all_clinic_appointments(clinic_id: str) -> list:
        items = []
        kwargs = {
            "KeyConditionExpression": Key("PK").eq(f"CLINIC#{clinic_id}")
            & Key("SK").begins_with("APPT#")
        }
        while True:
            response = table.query(**kwargs)
            items.extend(response["Items"])
            if "LastEvaluatedKey" not in response:
                break
            kwargs["ExclusiveStartKey"] = response["LastEvaluatedKey"]
        return items

    def update_appointment_status(
        clinic_id: str, appt_id: str, date: str, new_status: str
    ) -> None:
        table.update_item(
            Key={"PK": f"CLINIC#{clinic_id}", "SK": f"APPT#{date}#{appt_id}"},
            UpdateExpression="SET #status = :status, updated_at = :ts",
            ConditionExpression="#status = :current_status",
            ExpressionAttributeNames={"#status": "status"},  # 'status' is a reserved word
            ExpressionAttributeValues={
                ":status": new_status,
                ":ts": datetime.utcnow().isoformat(),
                ":current_status": "scheduled",  # only update if still scheduled
            },
        )

    def cancel_appointment(clinic_id: str, appt_id: str, date: str) -> None:
        table.delete_item(
            Key={"PK": f"CLINIC#{clinic_id}", "SK": f"APPT#{date}#{appt_id}"},
            ConditionExpression="attribute_exists(PK)",
        )

    def get_patient_appointments(patient_id: str) -> list:
        response = table.query(
            IndexName="GSI1",
            KeyConditionExpression=Key("GSI1PK").eq(f"PATIENT#{patient_id}")
            & Key("GSI1SK").begins_with("APPT#"),
        )
        return response["Items"]

    def decimal_default(obj):
        if isinstance(obj, Decimal):
            return int(obj) if obj % 1 == 0 else float(obj)
        raise TypeError(f"Object of type {type(obj)} is not JSON serializable")

    case = report.case
    refused = dynamodb.meta.client.exceptions.ConditionalCheckFailedException
    create_table(dynamodb, "learnixo-dev")
    appointments = [
        {
            "id": f"APT-{n}",
            "date": date,
            "clinic_id": clinic_id,
            "patient_id": patient_id,
            "datetime": f"{date}T09:00:00",
            "created_at": "2026-04-01T08:00:00",
        }
        for n, (date, clinic_id, patient_id) in enumerate(
            (
                ("2026-04-15", "CLN-001", "PAT-456"),
                ("2026-04-16", "CLN-001", "PAT-456"),
                ("2026-04-16", "CLN-001", "PAT-457"),
                ("2026-04-16", "CLN-002", "PAT-456"),
            )
        )
    ]
    for appointment in appointments:
        create_appointment(appointment)
    table.put_item(Item={"PK": "CLINIC#CLN-001", "SK": "META", "name": "Sunrise Eye Care"})

    def ids(items):
        return [item["id"] for item in items]

    with case("clinic: an appointment is not overwritten"):
        try:
            create_appointment(appointments[0])
            raise AssertionError("it was")
        except refused:
            pass
    with case("clinic: all appointments of a clinic"):
        equal(ids(get_clinic_appointments("CLN-001")), ["APT-0", "APT-1", "APT-2"])
    with case("clinic: appointments of a day"):
        equal(ids(get_clinic_appointments("CLN-001", "2026-04-16")), ["APT-1", "APT-2"])
    with case("clinic: appointments of a patient, across clinics"):
        equal(ids(get_patient_appointments("PAT-456")), ["APT-0", "APT-1", "APT-3"])
    with case("clinic: status moves on from scheduled once"):
        update_appointment_status("CLN-001", "APT-0", "2026-04-15", "completed")
        equal(get_clinic_appointments("CLN-001", "2026-04-15")[0]["status"], "completed")
        try:
            update_appointment_status("CLN-001", "APT-0", "2026-04-15", "cancelled")
            raise AssertionError("it moved twice")
        except refused:
            equal(get_patient_appointments("PAT-456")[0]["status"], "completed")
    with case("clinic: cancel an appointment, once"):
        cancel_appointment("CLN-001", "APT-0", "2026-04-15")
        equal(ids(get_clinic_appointments("CLN-001")), ["APT-1", "APT-2"])
        equal(ids(get_patient_appointments("PAT-456")), ["APT-1", "APT-3"])
        try:
            cancel_appointment("CLN-001", "APT-0", "2026-04-15")
            raise AssertionError("it was cancelled twice")
        except refused:
            pass
    with case("clinic: 3 MB of appointments, a page is 1 MB"):
        with table.batch_writer() as batch:
            for n in range(300):
                batch.put_item(
                    Item={
                        "PK": "CLINIC#CLN-009",
                        "SK": f"APPT#2026-05-01#{n:03}",
                        "id": f"{n:03}",
                        "notes": "x" * 10_000,
                    }
                )
        first = get_clinic_appointments("CLN-009")
        assert 95 <= len(first) <= 105, f"{len(first)} items in the first page"
        equal(ids(get_all_clinic_appointments("CLN-009")), [f"{n:03}" for n in range(300)])
    with case("clinic: numbers become JSON"):
        table.put_item(Item={"PK": "P", "SK": "1", "count": 3, "price": Decimal("12.5")})
        items = table.query(KeyConditionExpression=Key("PK").eq("P"))["Items"]
        equal(
            json.loads(json.dumps(items, default=decimal_default)),
            [{"PK": "P", "SK": "1", "count": 3, "price": 12.5}],
        )


def main():
    report = Report()
    if not boto.boto3:
        report.skip("the guides' boto3 code", "there is no boto3")
        report.done()
    with Server() as server:
        boto.connect(server)
        shop(report, server.url)
        clinic(report)
        with report.case("the server ends cleanly"):
            server.stop()
    report.done()


main()
