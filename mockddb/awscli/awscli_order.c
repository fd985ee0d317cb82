#include "awscli/awscli_order.h"

#include <stdlib.h>
#include <time.h>

#include "wire/json.h"

/* The members of what answers consist of: after a name, {X} says that its value, or each in its
 * list, is a structure X; {*X}: each value of the map; @: a moment. A structure without a
 * row stays as it came; of the others, members that the model does not have are left out. In byte
 * order of the names. */
static const struct structure {
    const char *name, *members;
} structures[] = {
    {"ArchivalSummary", "ArchivalDateTime@ ArchivalReason ArchivalBackupArn"},
    {"AttributeDefinition", "AttributeName AttributeType"},
    {"BatchExecuteStatement",
     "Responses{BatchStatementResponse} ConsumedCapacity{ConsumedCapacity}"},
    {"BatchGetItem",
     "Responses UnprocessedKeys{*KeysAndAttributes} ConsumedCapacity{ConsumedCapacity}"},
    {"BatchStatementError", "Code Message"},
    {"BatchStatementResponse", "Error{BatchStatementError} TableName Item"},
    {"BatchWriteItem",
     "UnprocessedItems{*WriteRequest} ItemCollectionMetrics{*ItemCollectionMetrics} "
     "ConsumedCapacity{ConsumedCapacity}"},
    {"BillingModeSummary", "BillingMode LastUpdateToPayPerRequestDateTime@"},
    {"Capacity", "ReadCapacityUnits WriteCapacityUnits CapacityUnits"},
    {"ConsumedCapacity",
     "TableName CapacityUnits ReadCapacityUnits WriteCapacityUnits Table{Capacity} "
     "LocalSecondaryIndexes{*Capacity} GlobalSecondaryIndexes{*Capacity}"},
    {"CreateTable", "TableDescription{TableDescription}"},
    {"DeleteItem",
     "Attributes ConsumedCapacity{ConsumedCapacity} ItemCollectionMetrics{ItemCollectionMetrics}"},
    {"DeleteTable", "TableDescription{TableDescription}"},
    {"DescribeEndpoints", "Endpoints{Endpoint}"},
    {"DescribeLimits", "AccountMaxReadCapacityUnits AccountMaxWriteCapacityUnits "
                       "TableMaxReadCapacityUnits TableMaxWriteCapacityUnits"},
    {"DescribeStream", "StreamDescription{StreamDescription}"},
    {"DescribeTable", "Table{TableDescription}"},
    {"DescribeTimeToLive", "TimeToLiveDescription{TimeToLiveDescription}"},
    {"Endpoint", "Address CachePeriodInMinutes"},
    {"ExecuteStatement", "Items NextToken ConsumedCapacity{ConsumedCapacity} LastEvaluatedKey"},
    {"ExecuteTransaction", "Responses{ItemResponse} ConsumedCapacity{ConsumedCapacity}"},
    {"GetItem", "Item ConsumedCapacity{ConsumedCapacity}"},
    {"GetRecords", "Records{Record} NextShardIterator"},
    {"GlobalSecondaryIndexDescription",
     "IndexName KeySchema{KeySchemaElement} Projection{Projection} IndexStatus Backfilling "
     "ProvisionedThroughput{ProvisionedThroughputDescription} IndexSizeBytes ItemCount IndexArn "
     "OnDemandThroughput{OnDemandThroughput} WarmThroughput{WarmThroughput}"},
    {"Identity", "PrincipalId Type"},
    {"ItemCollectionMetrics", "ItemCollectionKey SizeEstimateRangeGB"},
    {"KeySchemaElement", "AttributeName KeyType"},
    {"KeysAndAttributes",
     "Keys AttributesToGet ConsistentRead ProjectionExpression ExpressionAttributeNames"},
    {"ListStreams", "Streams{Stream} LastEvaluatedStreamArn"},
    {"ListTables", "TableNames LastEvaluatedTableName"},
    {"ListTagsOfResource", "Tags{Tag} NextToken"},
    {"LocalSecondaryIndexDescription", "IndexName KeySchema{KeySchemaElement} "
                                       "Projection{Projection} IndexSizeBytes ItemCount IndexArn"},
    {"OnDemandThroughput", "MaxReadRequestUnits MaxWriteRequestUnits"},
    {"Projection", "ProjectionType NonKeyAttributes"},
    {"ProvisionedThroughputDescription",
     "LastIncreaseDateTime@ LastDecreaseDateTime@ NumberOfDecreasesToday ReadCapacityUnits "
     "WriteCapacityUnits"},
    {"PutItem",
     "Attributes ConsumedCapacity{ConsumedCapacity} ItemCollectionMetrics{ItemCollectionMetrics}"},
    {"Query", "Items Count ScannedCount LastEvaluatedKey ConsumedCapacity{ConsumedCapacity}"},
    {"Record", "eventID eventName eventVersion eventSource awsRegion dynamodb{StreamRecord} "
               "userIdentity{Identity}"},
    {"ReplicaDescription",
     "RegionName ReplicaStatus ReplicaStatusDescription ReplicaStatusPercentProgress "
     "KMSMasterKeyId ProvisionedThroughputOverride{ProvisionedThroughputOverride} "
     "GlobalSecondaryIndexes{ReplicaGlobalSecondaryIndexDescription} ReplicaInaccessibleDateTime@ "
     "ReplicaTableClassSummary{TableClassSummary}"},
    {"ReplicaGlobalSecondaryIndexDescription",
     "IndexName ProvisionedThroughputOverride{ProvisionedThroughputOverride}"},
    {"RestoreSummary", "SourceBackupArn SourceTableArn RestoreDateTime@ RestoreInProgress"},
    {"SSEDescription", "Status SSEType KMSMasterKeyArn InaccessibleEncryptionDateTime@"},
    {"Scan", "Items Count ScannedCount LastEvaluatedKey ConsumedCapacity{ConsumedCapacity}"},
    {"SequenceNumberRange", "StartingSequenceNumber EndingSequenceNumber"},
    {"Shard", "ShardId SequenceNumberRange{SequenceNumberRange} ParentShardId"},
    {"Stream", "StreamArn TableName StreamLabel"},
    {"StreamDescription",
     "StreamArn StreamLabel StreamStatus StreamViewType CreationRequestDateTime@ TableName "
     "KeySchema{KeySchemaElement} Shards{Shard} LastEvaluatedShardId"},
    {"StreamRecord",
     "ApproximateCreationDateTime@ Keys NewImage OldImage SequenceNumber SizeBytes StreamViewType"},
    {"StreamSpecification", "StreamEnabled StreamViewType"},
    {"TableClassSummary", "TableClass LastUpdateDateTime@"},
    {"TableDescription",
     "AttributeDefinitions{AttributeDefinition} TableName KeySchema{KeySchemaElement} TableStatus "
     "CreationDateTime@ ProvisionedThroughput{ProvisionedThroughputDescription} TableSizeBytes "
     "ItemCount TableArn TableId BillingModeSummary{BillingModeSummary} "
     "LocalSecondaryIndexes{LocalSecondaryIndexDescription} "
     "GlobalSecondaryIndexes{GlobalSecondaryIndexDescription} "
     "StreamSpecification{StreamSpecification} LatestStreamLabel LatestStreamArn "
     "GlobalTableVersion Replicas{ReplicaDescription} RestoreSummary{RestoreSummary} "
     "SSEDescription{SSEDescription} ArchivalSummary{ArchivalSummary} "
     "TableClassSummary{TableClassSummary} DeletionProtectionEnabled "
     "OnDemandThroughput{OnDemandThroughput} GlobalTableWitnesses MultiRegionConsistency "
     "WarmThroughput{WarmThroughput}"},
    {"Tag", "Key Value"},
    {"TimeToLiveDescription", "TimeToLiveStatus AttributeName"},
    {"TimeToLiveSpecification", "Enabled AttributeName"},
    {"TransactGetItems", "ConsumedCapacity{ConsumedCapacity} Responses{ItemResponse}"},
    {"TransactWriteItems",
     "ConsumedCapacity{ConsumedCapacity} ItemCollectionMetrics{*ItemCollectionMetrics}"},
    {"UpdateItem",
     "Attributes ConsumedCapacity{ConsumedCapacity} ItemCollectionMetrics{ItemCollectionMetrics}"},
    {"UpdateTable", "TableDescription{TableDescription}"},
    {"UpdateTimeToLive", "TimeToLiveSpecification{TimeToLiveSpecification}"},
    {"WarmThroughput", "ReadUnitsPerSecond WriteUnitsPerSecond Status"},
    {"WriteRequest", "PutRequest{PutRequest} DeleteRequest{DeleteRequest}"},
};

static int compare_name(const void *name, const void *row)
{
    return span_compare(*(const struct span *)name, span_of(((const struct structure *)row)->name));
}

static const struct structure *find(struct span name)
{
    return bsearch(&name, structures, COUNT(structures), sizeof *structures, compare_name);
}

/* --- the members of a row --------------------------------------------------------------------- */

struct member {
    struct span name;
    struct span of; /* the structure of its values; len 0: none */
    bool is_map, is_moment;
};

static bool next_member(const char **rest, struct member *out)
{
    const char *text = *rest;
    size_t len = strcspn(text, "{@ ");

    *out = (struct member){.name = {text, len}};
    if (!len)
        return false;
    text += len;
    if (*text == '@') {
        out->is_moment = true;
        text++;
    } else if (*text == '{') {
        out->is_map = text[1] == '*';
        text += 1 + out->is_map;
        out->of = (struct span){text, strcspn(text, "}")};
        text += out->of.len + 1;
    }
    *rest = text + (*text == ' ');
    return true;
}

/* --- writing ---------------------------------------------------------------------------------- */

/* 2026-01-01T00:00:00.123000+00:00 */
static void write_moment(struct buf *out, const wire_node *node)
{
    double seconds = wire_double(node, 0);
    time_t whole = (time_t)seconds;
    long micros = (long)((seconds - (double)whole) * 1e6 + 0.5);
    char date[32] = "", zone[8] = "";
    struct tm local;

    if (!localtime_r(&whole, &local) || !strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &local) ||
        !strftime(zone, sizeof zone, "%z", &local)) {
        json_write(out, node);
        return;
    }
    buf_printf(out, "\"%s", date);
    if (micros)
        buf_printf(out, ".%06ld", micros);
    buf_printf(out, "%.3s:%s\"", zone, zone + 3);
}

static void write_structure(struct buf *out, struct span name, const wire_node *node);

static void write_value(struct buf *out, const struct member *m, const wire_node *node)
{
    bool each = json_kind(node) == JSON_ARRAY || (m->is_map && json_kind(node) == JSON_OBJECT);
    struct member inner = *m;

    if (m->is_moment) {
        write_moment(out, node);
    } else if (!m->of.len) {
        json_write(out, node);
    } else if (!each) {
        write_structure(out, m->of, node);
    } else {
        inner.is_map = m->is_map && json_kind(node) == JSON_ARRAY;
        buf_add_char(out, json_kind(node) == JSON_ARRAY ? '[' : '{');
        for (const wire_node *n = wire_first(node); n; n = wire_next(n)) {
            buf_add_text(out, n == wire_first(node) ? "" : ", ");
            if (json_kind(node) == JSON_OBJECT) {
                buf_add_json_string(out, wire_name(n));
                buf_add_text(out, ": ");
            }
            write_value(out, &inner, n);
        }
        buf_add_char(out, json_kind(node) == JSON_ARRAY ? ']' : '}');
    }
}

static void write_member(struct buf *out, const struct member *m, const wire_node *node)
{
    buf_add_text(out, out->at[out->len - 1] == '{' ? "" : ", ");
    buf_add_json_string(out, m->name);
    buf_add_text(out, ": ");
    write_value(out, m, node);
}

static void write_structure(struct buf *out, struct span name, const wire_node *node)
{
    const struct structure *s = find(name);
    const char *rest;
    struct member m;

    if (!s || json_kind(node) != JSON_OBJECT) {
        json_write(out, node);
        return;
    }
    buf_add_char(out, '{');
    for (rest = s->members; next_member(&rest, &m);) {
        const wire_node *n = wire_get_span(node, m.name);

        if (n)
            write_member(out, &m, n);
    }
    buf_add_char(out, '}');
}

void awscli_order_write(struct buf *out, const char *name, const wire_node *node)
{
    const struct member m = {.name = span_of(name), .of = span_of(name)};

    write_value(out, &m, node);
}
