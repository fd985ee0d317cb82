#include "awscli/awscli_order.h"

#include <stdlib.h>
#include <time.h>

#include "wire/json.h"

/* The members of the structures in answers, in the order of the service's newest model. After a
 * name, {X} says that its value, or each in its list, is a structure X, and {} that it is one of
 * the same name; {*X}, {*}: each value of the map; @: a timestamp. Rows are sorted by name. A
 * structure without a row is printed as it came; members that a row lacks come last: a newer server
 * may have them. */
static const struct structure {
    const char *name, *members;
} structures[] = {
    {"ArchivalSummary", "ArchivalDateTime@ ArchivalReason ArchivalBackupArn"},
    {"AttributeDefinition", "AttributeName AttributeType"},
    {"AutoScalingPolicyDescription",
     "PolicyName "
     "TargetTrackingScalingPolicyConfiguration{"
     "AutoScalingTargetTrackingScalingPolicyConfigurationDescription}"},
    {"AutoScalingSettingsDescription",
     "MinimumUnits MaximumUnits AutoScalingDisabled AutoScalingRoleArn "
     "ScalingPolicies{AutoScalingPolicyDescription}"},
    {"AutoScalingTargetTrackingScalingPolicyConfigurationDescription",
     "DisableScaleIn ScaleInCooldown ScaleOutCooldown TargetValue"},
    {"BackupDescription", "BackupDetails{} SourceTableDetails{} SourceTableFeatureDetails{}"},
    {"BackupDetails",
     "BackupArn BackupName BackupSizeBytes BackupStatus BackupType BackupCreationDateTime@ "
     "BackupExpiryDateTime@"},
    {"BackupSummary", "TableName TableId TableArn BackupArn BackupName BackupCreationDateTime@ "
                      "BackupExpiryDateTime@ BackupStatus BackupType BackupSizeBytes"},
    {"BatchExecuteStatement", "Responses{BatchStatementResponse} ConsumedCapacity{}"},
    {"BatchGetItem", "Responses UnprocessedKeys{*KeysAndAttributes} ConsumedCapacity{}"},
    {"BatchStatementError", "Code Message Item"},
    {"BatchStatementResponse", "Error{BatchStatementError} TableName Item"},
    {"BatchWriteItem",
     "UnprocessedItems{*WriteRequest} ItemCollectionMetrics{*} ConsumedCapacity{}"},
    {"BillingModeSummary", "BillingMode LastUpdateToPayPerRequestDateTime@"},
    {"BulkOperationBytes", "BulkPutBytes"},
    {"BulkOperationDescription",
     "BulkOperationArn BulkOperationStatus TableDetails{BulkOperationTableDetail} ClientToken "
     "InputS3Configuration{} OutputS3Configuration{} StartTime@ EndTime@ ProcessedItemCount "
     "ProcessedInputBytes TotalInputBytes BulkOperationUsage{} FailedItemCount FailureCode "
     "FailureMessage MaxWriteRequestUnits PerformanceTier"},
    {"BulkOperationSummary", "BulkOperationArn BulkOperationStatus StartTime@ EndTime@"},
    {"BulkOperationTableDetail", "TableName TableId"},
    {"BulkOperationUsage",
     "TableName BulkPutBytes Table{BulkOperationBytes} "
     "LocalSecondaryIndexes{*BulkOperationBytes} GlobalSecondaryIndexes{*BulkOperationBytes} "
     "VectorIndexes{*BulkOperationVectorBytes}"},
    {"BulkOperationVectorBytes", "BulkPutVectorBytes"},
    {"CancelBulkOperation", "BulkOperationArn BulkOperationStatus"},
    {"Capacity", "ReadCapacityUnits WriteCapacityUnits CapacityUnits"},
    {"ConsumedCapacity",
     "TableName CapacityUnits ReadCapacityUnits WriteCapacityUnits Table{Capacity} "
     "LocalSecondaryIndexes{*Capacity} GlobalSecondaryIndexes{*Capacity} "
     "VectorIndexes{*VectorCapacity}"},
    {"ContinuousBackupsDescription", "ContinuousBackupsStatus PointInTimeRecoveryDescription{}"},
    {"ContributorInsightsSummary",
     "TableName IndexName ContributorInsightsStatus ContributorInsightsMode"},
    {"CreateBackup", "BackupDetails{}"},
    {"CreateGlobalTable", "GlobalTableDescription{}"},
    {"CreateTable", "TableDescription{}"},
    {"CsvOptions", "Delimiter HeaderList"},
    {"DeleteBackup", "BackupDescription{}"},
    {"DeleteItem", "Attributes ConsumedCapacity{} ItemCollectionMetrics{}"},
    {"DeleteRequest", "Key"},
    {"DeleteResourcePolicy", "RevisionId"},
    {"DeleteTable", "TableDescription{}"},
    {"DescribeBackup", "BackupDescription{}"},
    {"DescribeBulkOperation", "BulkOperationDescription{}"},
    {"DescribeContinuousBackups", "ContinuousBackupsDescription{}"},
    {"DescribeContributorInsights",
     "TableName IndexName ContributorInsightsRuleList ContributorInsightsStatus "
     "LastUpdateDateTime@ FailureException{} ContributorInsightsMode"},
    {"DescribeEndpoints", "Endpoints{Endpoint}"},
    {"DescribeExport", "ExportDescription{}"},
    {"DescribeGlobalTable", "GlobalTableDescription{}"},
    {"DescribeGlobalTableSettings", "GlobalTableName ReplicaSettings{ReplicaSettingsDescription}"},
    {"DescribeImport", "ImportTableDescription{}"},
    {"DescribeKinesisStreamingDestination",
     "TableName KinesisDataStreamDestinations{KinesisDataStreamDestination}"},
    {"DescribeLimits",
     "AccountMaxReadCapacityUnits AccountMaxWriteCapacityUnits TableMaxReadCapacityUnits "
     "TableMaxWriteCapacityUnits"},
    {"DescribeStream", "StreamDescription{}"},
    {"DescribeTable", "Table{TableDescription}"},
    {"DescribeTableReplicaAutoScaling", "TableAutoScalingDescription{}"},
    {"DescribeTimeToLive", "TimeToLiveDescription{}"},
    {"DisableKinesisStreamingDestination",
     "TableName StreamArn DestinationStatus EnableKinesisStreamingConfiguration{}"},
    {"EnableKinesisStreamingConfiguration", "ApproximateCreationDateTimePrecision"},
    {"EnableKinesisStreamingDestination",
     "TableName StreamArn DestinationStatus EnableKinesisStreamingConfiguration{}"},
    {"Endpoint", "Address CachePeriodInMinutes"},
    {"ExecuteStatement", "Items NextToken ConsumedCapacity{} LastEvaluatedKey"},
    {"ExecuteTransaction", "Responses{ItemResponse} ConsumedCapacity{}"},
    {"ExportDescription",
     "ExportArn ExportStatus StartTime@ EndTime@ ExportManifest TableArn TableId ExportTime@ "
     "ClientToken S3Bucket S3BucketOwner S3Prefix S3SseAlgorithm S3SseKmsKeyId FailureCode "
     "FailureMessage ExportFormat BilledSizeBytes ItemCount ExportType "
     "IncrementalExportSpecification{} FilterSpecification{}"},
    {"ExportSummary", "ExportArn ExportStatus ExportType"},
    {"ExportTableToPointInTime", "ExportDescription{}"},
    {"FailureException", "ExceptionName ExceptionDescription"},
    {"FilterSpecification",
     "FilterExpression ProjectionExpression KeyConditionExpression ExpressionAttributeNames "
     "ExpressionAttributeValues"},
    {"GetItem", "Item ConsumedCapacity{}"},
    {"GetRecords", "Records{Record} NextShardIterator"},
    {"GetResourcePolicy", "Policy RevisionId"},
    {"GetShardIterator", "ShardIterator"},
    {"GlobalSecondaryIndex",
     "IndexName KeySchema{KeySchemaElement} Projection{} ProvisionedThroughput{} "
     "OnDemandThroughput{} WarmThroughput{}"},
    {"GlobalSecondaryIndexDescription",
     "IndexName KeySchema{KeySchemaElement} Projection{} IndexStatus Backfilling "
     "ProvisionedThroughput{ProvisionedThroughputDescription} IndexSizeBytes ItemCount IndexArn "
     "OnDemandThroughput{} WarmThroughput{GlobalSecondaryIndexWarmThroughputDescription}"},
    {"GlobalSecondaryIndexInfo",
     "IndexName KeySchema{KeySchemaElement} Projection{} ProvisionedThroughput{} "
     "OnDemandThroughput{}"},
    {"GlobalSecondaryIndexWarmThroughputDescription",
     "ReadUnitsPerSecond WriteUnitsPerSecond Status"},
    {"GlobalTable", "GlobalTableName ReplicationGroup{Replica}"},
    {"GlobalTableDescription",
     "ReplicationGroup{ReplicaDescription} GlobalTableArn CreationDateTime@ GlobalTableStatus "
     "GlobalTableName"},
    {"GlobalTableWitnessDescription", "RegionName WitnessStatus"},
    {"Identity", "PrincipalId Type"},
    {"ImportSummary",
     "ImportArn ImportStatus TableArn S3BucketSource{} CloudWatchLogGroupArn InputFormat "
     "StartTime@ EndTime@"},
    {"ImportTable", "ImportTableDescription{}"},
    {"ImportTableDescription",
     "ImportArn ImportStatus TableArn TableId ClientToken S3BucketSource{} ErrorCount "
     "CloudWatchLogGroupArn InputFormat InputFormatOptions{} InputCompressionType "
     "TableCreationParameters{} StartTime@ EndTime@ ProcessedSizeBytes ProcessedItemCount "
     "ImportedItemCount FailureCode FailureMessage"},
    {"IncrementalExportSpecification", "ExportFromTime@ ExportToTime@ ExportViewType"},
    {"InputFormatOptions", "Csv{CsvOptions}"},
    {"InputS3Configuration", "S3BucketOwner S3Bucket S3KeyPrefix InputFormat InputCompressionType"},
    {"ItemCollectionMetrics", "ItemCollectionKey SizeEstimateRangeGB"},
    {"ItemResponse", "Item"},
    {"KeySchemaElement", "AttributeName KeyType"},
    {"KeysAndAttributes",
     "Keys AttributesToGet ConsistentRead ProjectionExpression ExpressionAttributeNames"},
    {"KinesisDataStreamDestination", "StreamArn DestinationStatus DestinationStatusDescription "
                                     "ApproximateCreationDateTimePrecision"},
    {"ListBackups", "BackupSummaries{BackupSummary} LastEvaluatedBackupArn"},
    {"ListBulkOperations", "BulkOperationsSummaryList{BulkOperationSummary} NextToken"},
    {"ListContributorInsights",
     "ContributorInsightsSummaries{ContributorInsightsSummary} NextToken"},
    {"ListExports", "ExportSummaries{ExportSummary} NextToken"},
    {"ListGlobalTables", "GlobalTables{GlobalTable} LastEvaluatedGlobalTableName"},
    {"ListImports", "ImportSummaryList{ImportSummary} NextToken"},
    {"ListStreams", "Streams{Stream} LastEvaluatedStreamArn"},
    {"ListTables", "TableNames LastEvaluatedTableName"},
    {"ListTagsOfResource", "Tags{Tag} NextToken"},
    {"LocalSecondaryIndexDescription",
     "IndexName KeySchema{KeySchemaElement} Projection{} IndexSizeBytes ItemCount IndexArn"},
    {"LocalSecondaryIndexInfo", "IndexName KeySchema{KeySchemaElement} Projection{}"},
    {"OnDemandThroughput", "MaxReadRequestUnits MaxWriteRequestUnits"},
    {"OnDemandThroughputOverride", "MaxReadRequestUnits"},
    {"OutputS3Configuration",
     "S3BucketOwner S3Bucket S3KeyPrefix S3SseAlgorithm S3SseKmsKeyId OutputType"},
    {"PointInTimeRecoveryDescription",
     "PointInTimeRecoveryStatus RecoveryPeriodInDays EarliestRestorableDateTime@ "
     "LatestRestorableDateTime@"},
    {"Projection", "ProjectionType NonKeyAttributes"},
    {"ProvisionedThroughput", "ReadCapacityUnits WriteCapacityUnits"},
    {"ProvisionedThroughputDescription",
     "LastIncreaseDateTime@ LastDecreaseDateTime@ NumberOfDecreasesToday ReadCapacityUnits "
     "WriteCapacityUnits"},
    {"ProvisionedThroughputOverride", "ReadCapacityUnits"},
    {"PutItem", "Attributes ConsumedCapacity{} ItemCollectionMetrics{}"},
    {"PutRequest", "Item"},
    {"PutResourcePolicy", "RevisionId"},
    {"Query", "Items Count ScannedCount LastEvaluatedKey ConsumedCapacity{}"},
    {"Record", "eventID eventName eventVersion eventSource awsRegion dynamodb{StreamRecord} "
               "userIdentity{Identity}"},
    {"Replica", "RegionName"},
    {"ReplicaAutoScalingDescription",
     "RegionName GlobalSecondaryIndexes{ReplicaGlobalSecondaryIndexAutoScalingDescription} "
     "ReplicaProvisionedReadCapacityAutoScalingSettings{AutoScalingSettingsDescription} "
     "ReplicaProvisionedWriteCapacityAutoScalingSettings{AutoScalingSettingsDescription} "
     "ReplicaStatus"},
    {"ReplicaDescription",
     "RegionName ReplicaStatus ReplicaArn ReplicaStatusDescription ReplicaStatusPercentProgress "
     "KMSMasterKeyId ProvisionedThroughputOverride{} OnDemandThroughputOverride{} "
     "WarmThroughput{TableWarmThroughputDescription} "
     "GlobalSecondaryIndexes{ReplicaGlobalSecondaryIndexDescription} "
     "ReplicaInaccessibleDateTime@ ReplicaTableClassSummary{TableClassSummary} "
     "GlobalTableSettingsReplicationMode"},
    {"ReplicaGlobalSecondaryIndexAutoScalingDescription",
     "IndexName IndexStatus "
     "ProvisionedReadCapacityAutoScalingSettings{AutoScalingSettingsDescription} "
     "ProvisionedWriteCapacityAutoScalingSettings{AutoScalingSettingsDescription}"},
    {"ReplicaGlobalSecondaryIndexDescription",
     "IndexName ProvisionedThroughputOverride{} OnDemandThroughputOverride{} "
     "WarmThroughput{GlobalSecondaryIndexWarmThroughputDescription}"},
    {"ReplicaGlobalSecondaryIndexSettingsDescription",
     "IndexName IndexStatus ProvisionedReadCapacityUnits "
     "ProvisionedReadCapacityAutoScalingSettings{AutoScalingSettingsDescription} "
     "ProvisionedWriteCapacityUnits "
     "ProvisionedWriteCapacityAutoScalingSettings{AutoScalingSettingsDescription}"},
    {"ReplicaSettingsDescription",
     "RegionName ReplicaStatus ReplicaBillingModeSummary{BillingModeSummary} "
     "ReplicaProvisionedReadCapacityUnits "
     "ReplicaProvisionedReadCapacityAutoScalingSettings{AutoScalingSettingsDescription} "
     "ReplicaProvisionedWriteCapacityUnits "
     "ReplicaProvisionedWriteCapacityAutoScalingSettings{AutoScalingSettingsDescription} "
     "ReplicaGlobalSecondaryIndexSettings{ReplicaGlobalSecondaryIndexSettingsDescription} "
     "ReplicaTableClassSummary{TableClassSummary}"},
    {"RestoreSummary", "SourceBackupArn SourceTableArn RestoreDateTime@ RestoreInProgress"},
    {"RestoreTableFromBackup", "TableDescription{}"},
    {"RestoreTableToPointInTime", "TableDescription{}"},
    {"S3BucketSource", "S3BucketOwner S3Bucket S3KeyPrefix"},
    {"SSEDescription", "Status SSEType KMSMasterKeyArn InaccessibleEncryptionDateTime@"},
    {"SSESpecification", "Enabled SSEType KMSMasterKeyId"},
    {"Scan", "Items Count ScannedCount LastEvaluatedKey ConsumedCapacity{}"},
    {"SearchResultItem", "Item Score"},
    {"SearchSchemaElement", "AttributeName SearchSchemaElementType"},
    {"SearchVectors", "ConsumedCapacity{VectorCapacity} SearchResults{SearchResultItem}"},
    {"SequenceNumberRange", "StartingSequenceNumber EndingSequenceNumber"},
    {"Shard", "ShardId SequenceNumberRange{} ParentShardId"},
    {"SourceTableDetails",
     "TableName TableId TableArn TableSizeBytes KeySchema{KeySchemaElement} "
     "TableCreationDateTime@ ProvisionedThroughput{} OnDemandThroughput{} ItemCount BillingMode"},
    {"SourceTableFeatureDetails",
     "LocalSecondaryIndexes{LocalSecondaryIndexInfo} "
     "GlobalSecondaryIndexes{GlobalSecondaryIndexInfo} StreamDescription{StreamSpecification} "
     "TimeToLiveDescription{} SSEDescription{} VectorIndexes{VectorIndexInfo}"},
    {"StartBulkPutItems", "BulkOperationDescription{}"},
    {"Stream", "StreamArn TableName StreamLabel"},
    {"StreamDescription",
     "StreamArn StreamLabel StreamStatus StreamViewType CreationRequestDateTime@ TableName "
     "KeySchema{KeySchemaElement} Shards{Shard} LastEvaluatedShardId"},
    {"StreamRecord", "ApproximateCreationDateTime@ Keys NewImage OldImage SequenceNumber SizeBytes "
                     "StreamViewType"},
    {"StreamSpecification", "StreamEnabled StreamViewType"},
    {"TableAutoScalingDescription",
     "TableName TableStatus Replicas{ReplicaAutoScalingDescription}"},
    {"TableClassSummary", "TableClass LastUpdateDateTime@"},
    {"TableCreationParameters",
     "TableName AttributeDefinitions{AttributeDefinition} KeySchema{KeySchemaElement} "
     "BillingMode ProvisionedThroughput{} OnDemandThroughput{} SSESpecification{} "
     "GlobalSecondaryIndexes{GlobalSecondaryIndex} VectorIndexes{VectorIndex}"},
    {"TableDescription",
     "AttributeDefinitions{AttributeDefinition} TableName KeySchema{KeySchemaElement} "
     "TableStatus CreationDateTime@ ProvisionedThroughput{ProvisionedThroughputDescription} "
     "TableSizeBytes ItemCount TableArn TableId BillingModeSummary{} "
     "LocalSecondaryIndexes{LocalSecondaryIndexDescription} "
     "GlobalSecondaryIndexes{GlobalSecondaryIndexDescription} StreamSpecification{} "
     "LatestStreamLabel LatestStreamArn GlobalTableVersion Replicas{ReplicaDescription} "
     "GlobalTableWitnesses{GlobalTableWitnessDescription} GlobalTableSettingsReplicationMode "
     "RestoreSummary{} SSEDescription{} ArchivalSummary{} TableClassSummary{} "
     "DeletionProtectionEnabled DisassociationProtectionEnabled OnDemandThroughput{} "
     "WarmThroughput{TableWarmThroughputDescription} MultiRegionConsistency "
     "VectorIndexes{VectorIndexDescription}"},
    {"TableWarmThroughputDescription", "ReadUnitsPerSecond WriteUnitsPerSecond Status"},
    {"Tag", "Key Value"},
    {"TimeToLiveDescription", "TimeToLiveStatus AttributeName"},
    {"TimeToLiveSpecification", "Enabled AttributeName"},
    {"TransactGetItems", "ConsumedCapacity{} Responses{ItemResponse}"},
    {"TransactWriteItems", "ConsumedCapacity{} ItemCollectionMetrics{*}"},
    {"UpdateContinuousBackups", "ContinuousBackupsDescription{}"},
    {"UpdateContributorInsights",
     "TableName IndexName ContributorInsightsStatus ContributorInsightsMode"},
    {"UpdateGlobalTable", "GlobalTableDescription{}"},
    {"UpdateGlobalTableSettings", "GlobalTableName ReplicaSettings{ReplicaSettingsDescription}"},
    {"UpdateItem", "Attributes ConsumedCapacity{} ItemCollectionMetrics{}"},
    {"UpdateKinesisStreamingConfiguration", "ApproximateCreationDateTimePrecision"},
    {"UpdateKinesisStreamingDestination",
     "TableName StreamArn DestinationStatus UpdateKinesisStreamingConfiguration{}"},
    {"UpdateTable", "TableDescription{}"},
    {"UpdateTableReplicaAutoScaling", "TableAutoScalingDescription{}"},
    {"UpdateTimeToLive", "TimeToLiveSpecification{}"},
    {"VectorAttributeDefinition", "AttributeName"},
    {"VectorCapacity", "VectorSearchRequestBytes VectorWriteRequestBytes"},
    {"VectorIndex",
     "IndexName VectorAttribute{VectorAttributeDefinition} SearchSchema{SearchSchemaElement} "
     "Projection{} Dimensions DistanceFunction"},
    {"VectorIndexDescription",
     "IndexName SearchSchema{SearchSchemaElement} Projection{} "
     "VectorAttribute{VectorAttributeDefinition} Dimensions DistanceFunction IndexStatus "
     "Backfilling IndexSizeBytes ItemCount IndexArn"},
    {"VectorIndexInfo",
     "IndexName VectorAttribute{VectorAttributeDefinition} SearchSchema{SearchSchemaElement} "
     "Projection{} Dimensions DistanceFunction"},
    {"WarmThroughput", "ReadUnitsPerSecond WriteUnitsPerSecond"},
    {"WriteRequest", "PutRequest{} DeleteRequest{}"},
};

static int compare_name(const void *name, const void *row)
{
    return span_compare(*(const struct span *)name, span_of(((const struct structure *)row)->name));
}

static const struct structure *find_structure(struct span name)
{
    return bsearch(&name, structures, COUNT(structures), sizeof *structures, compare_name);
}

/* --- the members of a row --------------------------------------------------------------------- */

struct order_member {
    struct span name;
    struct span of; /* the structure of its values; len 0: none */
    bool is_map, is_moment;
};

static bool next_member(const char **rest, struct order_member *out)
{
    const char *text = *rest;
    size_t len = strcspn(text, "{@ ");

    *out = (struct order_member){.name = {text, len}};
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
        if (!out->of.len)
            out->of = out->name;
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

static void write_value(struct buf *out, const struct order_member *m, const wire_node *node)
{
    bool each = json_kind(node) == JSON_ARRAY || (m->is_map && json_kind(node) == JSON_OBJECT);
    struct order_member inner = *m;

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

static void write_member(struct buf *out, const struct order_member *m, const wire_node *node)
{
    buf_add_text(out, out->at[out->len - 1] == '{' ? "" : ", ");
    buf_add_json_string(out, m->name);
    buf_add_text(out, ": ");
    write_value(out, m, node);
}

static bool has_member(const struct structure *s, struct span name)
{
    const char *rest = s->members;
    struct order_member m;

    while (next_member(&rest, &m))
        if (span_equal(m.name, name))
            return true;
    return false;
}

static void write_structure(struct buf *out, struct span name, const wire_node *node)
{
    const struct structure *s = find_structure(name);
    const char *rest;
    struct order_member m;

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
    for (const wire_node *n = wire_first(node); n; n = wire_next(n))
        if (!has_member(s, wire_name(n)))
            write_member(out, &(struct order_member){.name = wire_name(n)}, n);
    buf_add_char(out, '}');
}

void awscli_order_write(struct buf *out, const char *name, const wire_node *node)
{
    write_structure(out, span_of(name), node);
}

void awscli_order_write_part(struct buf *out, const char *name, const char *member,
                             const wire_node *node)
{
    const struct structure *s = find_structure(span_of(name));
    const char *rest = s ? s->members : "";
    struct order_member m;

    while (next_member(&rest, &m)) {
        if (!span_is(m.name, member))
            continue;
        write_value(out, &m, node);
        return;
    }
    json_write(out, node);
}
