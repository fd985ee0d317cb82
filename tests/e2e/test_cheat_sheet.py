"""The access-patterns cheat sheet, command by command as typed, on the e-commerce fixture.

Expected answers are worked out from the fixture's own files by a few lines of Python (select), so
they are exact and follow the data.
"""

import json
from unittest.mock import ANY

from e2e import Commands, Refusal, Report, Server, Shell, equal, fixture_items, fixture_table

JOBS = fixture_items("ecommerce", "EcomIndexerJobsTable")
SETTINGS = fixture_items("ecommerce", "EcomIndexSettingsTable")
ENTITIES = fixture_items("ecommerce", "ShopifyEntitiesTable")

SHOP_ID = "kl7a9h55-shopify-e513a8-4"
SHOP_PK = f"PLATFORM#shopify#SHOP#{SHOP_ID}"
COOL_STORE = "SHOP#cool-store.myshopify.com"


def text(item, attribute):
    return item.get(attribute, {}).get("S")


def select(items, by, descending=False, **conditions):
    """Items whose string attributes equal the conditions (`name` or, for a prefix, `name__begins`),
    in the order of the attribute `by`; items without it are not in a sparse index."""

    def matches(item):
        for name, wanted in conditions.items():
            name, begins = name.removesuffix("__begins"), name.endswith("__begins")
            value = text(item, name)
            if value is None or not (value.startswith(wanted) if begins else value == wanted):
                return False
        return by in item

    return sorted(filter(matches, items), key=lambda item: text(item, by), reverse=descending)


def index_attributes(table, index):
    """Names projected into an index, or None when it has everything."""
    schema = fixture_table("ecommerce", table)
    keys = {key["AttributeName"] for key in schema["KeySchema"]}
    (found,) = [i for i in schema["GlobalSecondaryIndexes"] if i["IndexName"] == index]
    keys |= {key["AttributeName"] for key in found["KeySchema"]}
    return keys | set(found["Projection"].get("NonKeyAttributes", []))


def project(items, names):
    return [{name: item[name] for name in item if name in names} for item in items]


def page(items, scanned=None):
    """A query's answer as the CLI prints it."""
    return {
        "Items": items,
        "Count": len(items),
        "ScannedCount": len(items) if scanned is None else scanned,
        "ConsumedCapacity": None,
    }


# The document lost its indentation on the way here; this is its helper as Python reads it.
DESERIALIZE = """python3 -c '
import sys, json
def und(v):
    (t, x), = v.items()
    if t == "S": return x
    if t == "N": return float(x) if ("." in x or "e" in x.lower()) else int(x)
    if t == "BOOL": return x
    if t == "NULL": return None
    if t == "M": return {k: und(w) for k, w in x.items()}
    if t == "L": return [und(w) for w in x]
    if t in ("SS", "NS"): return x
    return x
data = json.load(sys.stdin)
for it in data.get("Items", []):
    print(json.dumps({k: und(v) for k, v in it.items()}))
'
"""
DESERIALIZE_ONE = DESERIALIZE.replace(
    'for it in data.get("Items", []):\n    print(json.dumps({k: und(v) for k, v in it.items()}))',
    'print(json.dumps({k: und(v) for k, v in data["Item"].items()}))',
)


def plain(value):
    """What the helper above makes of an attribute value."""
    ((kind, content),) = value.items()
    if kind == "N":
        return float(content) if "." in content or "e" in content.lower() else int(content)
    if kind == "M":
        return {name: plain(inner) for name, inner in content.items()}
    if kind == "L":
        return [plain(inner) for inner in content]
    return None if kind == "NULL" else content


def jobs(command):
    in_progress = select(
        JOBS, "status_created_at", True, shop_id=SHOP_ID, status_created_at__begins="IN_PROGRESS#"
    )
    pending = select(
        JOBS, "status_created_at", True, shop_id=SHOP_ID, status_created_at__begins="PENDING#"
    )
    all_jobs = select(JOBS, "sk", True, pk=SHOP_PK, sk__begins="JOB#")
    listing = index_attributes("EcomIndexerJobsTable", "GSI_JobsByStatus_v2")
    with command.report.case("the fixture has jobs to find"):
        assert in_progress and pending and len(all_jobs) >= 3

    job = all_jobs[0]
    command(
        "jobs: find the base-table key for the job id",
        r"""
aws dynamodb query \
--table-name prod-EcomIndexerJobsTable \
--index-name GSI_JobLookup_v2 \
--key-condition-expression "job_id = :jid" \
--expression-attribute-values '{":jid": {"S": "<job-id>"}}' \
--profile controller --region us-east-1
""".replace("<job-id>", text(job, "job_id")),
        page(project([job], {"pk", "sk", "job_id", "created_at"})),
    )
    command(
        "jobs: hydrate the full row",
        r"""
aws dynamodb get-item \
--table-name prod-EcomIndexerJobsTable \
--key '{"pk": {"S": "PLATFORM#shopify#SHOP#kl7a9h55-shopify-e513a8-4"}, "sk": {"S": "JOB#<created_at>#<job-id>"}}' \
--profile controller --region us-east-1
""".replace("<created_at>", text(job, "created_at")).replace("<job-id>", text(job, "job_id")),
        {"Item": job},
    )
    command(
        "jobs: list by status for a shop, newest first",
        r"""
aws dynamodb query \
--table-name prod-EcomIndexerJobsTable \
--index-name GSI_JobsByStatus_v2 \
--key-condition-expression "shop_id = :sid AND begins_with(status_created_at, :sp)" \
--expression-attribute-values '{":sid": {"S": "kl7a9h55-shopify-e513a8-4"}, ":sp": {"S": "IN_PROGRESS#"}}' \
--no-scan-index-forward \
--profile controller --region us-east-1
""",
        page(project(in_progress, listing)),
    )
    command(
        "jobs: the pending ones, of one platform",
        r"""
aws dynamodb query \
--table-name prod-EcomIndexerJobsTable \
--index-name GSI_JobsByStatus_v2 \
--key-condition-expression "shop_id = :sid AND begins_with(status_created_at, :sp)" \
--filter-expression "platform = :platform" \
--expression-attribute-values '{":sid": {"S": "kl7a9h55-shopify-e513a8-4"}, ":sp": {"S": "PENDING#"}, ":platform": {"S": "shopify"}}' \
--no-scan-index-forward \
--profile controller --region us-east-1
""",
        page(project(select(pending, "sk", True, platform="shopify"), listing), len(pending)),
    )
    latest = page(all_jobs)
    if len(all_jobs) > 10:  # the CLI cuts the list itself and leaves the counts as they came
        latest |= {"Items": all_jobs[:10], "NextToken": ANY}
    command(
        "jobs: latest 10 for an index",
        r"""
aws dynamodb query \
--table-name prod-EcomIndexerJobsTable \
--key-condition-expression "pk = :pk AND begins_with(sk, :skp)" \
--expression-attribute-values '{":pk": {"S": "PLATFORM#shopify#SHOP#kl7a9h55-shopify-e513a8-4"}, ":skp": {"S": "JOB#"}}' \
--no-scan-index-forward --max-items 10 \
--profile controller --region us-east-1
""",
        latest,
    )
    command(
        "jobs: the pk trap, a shop domain instead of the index name finds nothing",
        r"""
aws dynamodb query \
--table-name prod-EcomIndexerJobsTable \
--key-condition-expression "pk = :pk AND begins_with(sk, :skp)" \
--expression-attribute-values '{":pk": {"S": "PLATFORM#shopify#SHOP#e513a8-4.myshopify.com"}, ":skp": {"S": "JOB#"}}' \
--no-scan-index-forward --max-items 10 \
--profile controller --region us-east-1
""",
        page([]),
    )
    command(
        "jobs: another environment has no such table here",
        r"""
aws dynamodb query \
--table-name staging-EcomIndexerJobsTable \
--index-name GSI_JobLookup_v2 \
--key-condition-expression "job_id = :jid" \
--expression-attribute-values '{":jid": {"S": "x"}}' \
--profile controller --region us-east-1
""",
        Refusal("Query", "ResourceNotFoundException", "Requested resource not found"),
    )
    return in_progress


def settings(command):
    (root,) = select(SETTINGS, "sk", pk="kl7a9h55", sk="INDEX#shopify-e513a8-4")
    (defaults,) = select(SETTINGS, "sk", pk="kl7a9h55", sk="INDEX#DEFAULT_CONFIGS")
    get_root = r"""
aws dynamodb get-item \
--table-name prod-EcomIndexSettingsTable \
--key '{"pk": {"S": "kl7a9h55"}, "sk": {"S": "INDEX#shopify-e513a8-4"}}' \
--projection-expression "add_docs_config" \
--profile controller --region us-east-1
"""
    command(
        "settings: an index's add_docs_config",
        get_root,
        {"Item": {"add_docs_config": root["add_docs_config"]}},
    )
    command(
        "settings: the whole record, without the projection",
        get_root.replace('--projection-expression "add_docs_config" \\\n', ""),
        {"Item": root},
    )
    command(
        "settings: the account-level defaults",
        r"""
aws dynamodb get-item \
--table-name prod-EcomIndexSettingsTable \
--key '{"pk": {"S": "kl7a9h55"}, "sk": {"S": "INDEX#DEFAULT_CONFIGS"}}' \
--profile controller --region us-east-1
""",
        {"Item": defaults},
    )
    command(
        "settings: every config record of an account",
        r"""
aws dynamodb query \
--table-name prod-EcomIndexSettingsTable \
--key-condition-expression 'pk = :pk AND begins_with(sk, :skp)' \
--expression-attribute-values '{":pk": {"S": "kl7a9h55"}, ":skp": {"S": "INDEX#"}}' \
--profile controller --region us-east-1
""",
        page(select(SETTINGS, "sk", pk="kl7a9h55", sk__begins="INDEX#")),
    )
    command(
        "settings: index roots only, from the sparse index",
        r"""
aws dynamodb query \
--table-name prod-EcomIndexSettingsTable \
--index-name GSI_IndexRootsByName \
--key-condition-expression 'pk = :pk' \
--expression-attribute-values '{":pk": {"S": "kl7a9h55"}}' \
--profile controller --region us-east-1
""",
        page(select(SETTINGS, "index_name", pk="kl7a9h55")),
    )
    domain = text(root, "shopify_domain")
    command(
        "settings: from a Shopify domain to its index settings",
        rf"""
aws dynamodb query \
--table-name prod-EcomIndexSettingsTable \
--index-name GSI_ShopifyDomain \
--key-condition-expression 'shopify_domain = :d' \
--expression-attribute-values '{{":d": {{"S": "{domain}"}}}}' \
--profile controller --region us-east-1
""",
        page(select(SETTINGS, "sk", shopify_domain=domain)),
    )


def entities(command):
    users = select(ENTITIES, "sk", pk=COOL_STORE, sk__begins="USER#")
    sessions = select(users, "sk", entity_type="SESSION")
    (shop,) = select(ENTITIES, "sk", pk=COOL_STORE, sk="SETTINGS")
    find_sessions = r"""
aws dynamodb query \
--table-name prod-ShopifyEntitiesTable \
--key-condition-expression "pk = :pk AND begins_with(sk, :skp)" \
--filter-expression "entity_type = :et" \
--expression-attribute-values '{":pk": {"S": "SHOP#cool-store.myshopify.com"}, ":skp": {"S": "USER#"}, ":et": {"S": "SESSION"}}' \
--profile controller --region us-east-1
"""
    with command.report.case("the fixture has sessions to choose from"):
        assert len(sessions) >= 2
    command("entities: sessions of a shop", find_sessions, page(sessions, len(users)))
    newest = max(sessions, key=lambda item: text(item, "last_updated"))
    command(
        "entities: the access token of the latest session",
        find_sessions.rstrip()
        + " --query 'sort_by(Items, &last_updated.S)[-1].access_token.S' --output text",
        text(newest, "access_token") + "\n",
    )
    command(
        "entities: a shop's settings",
        r"""
aws dynamodb get-item \
--table-name prod-ShopifyEntitiesTable \
--key '{"pk": {"S": "SHOP#cool-store.myshopify.com"}, "sk": {"S": "SETTINGS"}}' \
--profile controller --region us-east-1
""",
        {"Item": shop},
    )
    account = text(shop, "system_account_id")
    command(
        "entities: all shops of an account",
        rf"""
aws dynamodb query \
--table-name prod-ShopifyEntitiesTable \
--index-name GSI_SystemAccountId \
--key-condition-expression 'system_account_id = :a' \
--expression-attribute-values '{{":a": {{"S": "{account}"}}}}' \
--profile controller --region us-east-1
""",
        OneOrder(select(ENTITIES, "sk", system_account_id=account)),
    )


class OneOrder:
    """Equal to a page with these items in any order: their index keys are all the same."""

    def __init__(self, items):
        self.items = items

    def __eq__(self, other):
        def by_key(item):
            return text(item, "pk"), text(item, "sk")

        return other == page(sorted(self.items, key=by_key)) | {"Items": other["Items"]} and sorted(
            other["Items"], key=by_key
        ) == sorted(self.items, key=by_key)

    def __repr__(self):
        return f"OneOrder({self.items})"


def deserializing(command, in_progress):
    query = r"""
aws dynamodb query \
--table-name prod-EcomIndexerJobsTable \
--index-name GSI_JobsByStatus_v2 \
--key-condition-expression "shop_id = :sid AND begins_with(status_created_at, :sp)" \
--expression-attribute-values '{":sid": {"S": "kl7a9h55-shopify-e513a8-4"}, ":sp": {"S": "IN_PROGRESS#"}}' \
--no-scan-index-forward \
--profile controller --region us-east-1 --output json \
| """
    listing = index_attributes("EcomIndexerJobsTable", "GSI_JobsByStatus_v2")
    with command.report.case("the hand-rolled deserializer reads a query's answer"):
        answer = command.shell.run(query + DESERIALIZE)
        rows = [json.loads(line) for line in answer.stdout.splitlines()]
        expected = [
            {name: plain(value) for name, value in item.items()}
            for item in project(in_progress, listing)
        ]
        equal(rows, expected)
    get = r"""
aws dynamodb get-item \
--table-name prod-EcomIndexSettingsTable \
--key '{"pk": {"S": "kl7a9h55"}, "sk": {"S": "INDEX#shopify-e513a8-4"}}' \
--profile controller --region us-east-1 --output json \
| """
    (root,) = select(SETTINGS, "sk", pk="kl7a9h55", sk="INDEX#shopify-e513a8-4")
    command(
        "the same helper reads a get-item's answer",
        get + DESERIALIZE_ONE,
        {name: plain(value) for name, value in root.items()},
    )


def main():
    report = Report()
    with Server("--fixtures", "ecommerce", "--table-prefix", "prod-") as server:
        with Shell(server) as shell:
            if not shell.cli:
                report.skip("the cheat sheet's commands", "there is no AWS CLI")
                report.done()
            command = Commands(report, shell)
            in_progress = jobs(command)
            settings(command)
            entities(command)
            deserializing(command, in_progress)
        with report.case("the server ends cleanly"):
            server.stop()
    report.done()


main()
