#include "patterns/pattern_operation.h"

#include "base/ascii.h"
#include "base/attributes.h"

enum operation_flags {
    READS = 1,     /* changes nothing */
    CAPACITY = 2,  /* has ReturnConsumedCapacity */
    PAGED = 4,     /* has ExclusiveStartKey */
    STATEMENT = 8, /* reads when its statement is a SELECT */
};

static const struct operation {
    const char *name;
    unsigned flags;
} operations[] = {
    {"GetItem", READS | CAPACITY},
    {"Query", READS | CAPACITY | PAGED},
    {"Scan", READS | CAPACITY | PAGED},
    {"SearchVectors", READS | CAPACITY},
    {"BatchGetItem", READS | CAPACITY},
    {"TransactGetItems", READS | CAPACITY},
    {"ExecuteStatement", STATEMENT | CAPACITY},
    {"PutItem", CAPACITY},
    {"UpdateItem", CAPACITY},
    {"DeleteItem", CAPACITY},
    {"BatchWriteItem", CAPACITY},
    {"TransactWriteItems", CAPACITY},
    {"BatchExecuteStatement", CAPACITY},
    {"ExecuteTransaction", CAPACITY},
    {"DescribeTable", READS},
    {"ListTables", READS},
    {"DescribeTimeToLive", READS},
    {"DescribeContinuousBackups", READS},
    {"DescribeBackup", READS},
    {"ListBackups", READS},
    {"DescribeExport", READS},
    {"ListExports", READS},
    {"DescribeImport", READS},
    {"ListImports", READS},
    {"DescribeBulkOperation", READS},
    {"ListBulkOperations", READS},
    {"ListTagsOfResource", READS},
    {"GetResourcePolicy", READS},
    {"DescribeContributorInsights", READS},
    {"ListContributorInsights", READS},
    {"DescribeKinesisStreamingDestination", READS},
    {"ListGlobalTables", READS},
    {"DescribeGlobalTable", READS},
    {"DescribeGlobalTableSettings", READS},
    {"DescribeTableReplicaAutoScaling", READS},
    {"ListStreams", READS},
    {"DescribeStream", READS},
    {"GetShardIterator", READS},
    {"GetRecords", READS},
    {"DescribeLimits", READS},
    {"DescribeEndpoints", READS},
    {"CancelBulkOperation", 0},
    {"CreateBackup", 0},
    {"CreateGlobalTable", 0},
    {"CreateTable", 0},
    {"DeleteBackup", 0},
    {"DeleteResourcePolicy", 0},
    {"DeleteTable", 0},
    {"DisableKinesisStreamingDestination", 0},
    {"EnableKinesisStreamingDestination", 0},
    {"ExportTableToPointInTime", 0},
    {"ImportTable", 0},
    {"PutResourcePolicy", 0},
    {"RestoreTableFromBackup", 0},
    {"RestoreTableToPointInTime", 0},
    {"StartBulkPutItems", 0},
    {"TagResource", 0},
    {"UntagResource", 0},
    {"UpdateContinuousBackups", 0},
    {"UpdateContributorInsights", 0},
    {"UpdateGlobalTable", 0},
    {"UpdateGlobalTableSettings", 0},
    {"UpdateKinesisStreamingDestination", 0},
    {"UpdateTable", 0},
    {"UpdateTableReplicaAutoScaling", 0},
    {"UpdateTimeToLive", 0},
};

static const struct operation *find(const char *operation)
{
    size_t i;

    for (i = 0; i < COUNT(operations); i++) {
        if (strcmp(operations[i].name, operation) == 0)
            return &operations[i];
    }
    return NULL;
}

static unsigned flags_of(const char *operation)
{
    const struct operation *found = find(operation);

    return found ? found->flags : 0;
}

bool pattern_operation_is_one(const char *operation)
{
    return find(operation) != NULL;
}

/* Leading blanks apart, the statement's first word, in either case. */
static bool is_select(struct span statement)
{
    static const char word[] = "SELECT";
    size_t i, start = 0;

    while (start < statement.len && ascii_is_blank(statement.at[start]))
        start++;
    for (i = 0; i < sizeof word - 1; i++) {
        if (start + i >= statement.len || (statement.at[start + i] & ~0x20) != word[i])
            return false;
    }
    return true;
}

bool pattern_operation_writes(const char *operation, const wire_node *request)
{
    unsigned flags = flags_of(operation);

    if (flags & STATEMENT)
        return !is_select(wire_text(wire_get(request, "Statement")));
    return !(flags & READS);
}

bool pattern_operation_reports_capacity(const char *operation)
{
    return (flags_of(operation) & CAPACITY) != 0;
}

bool pattern_operation_is_paged(const char *operation)
{
    return (flags_of(operation) & PAGED) != 0;
}

size_t pattern_operation_keys(const char *operation, const wire_node *request)
{
    const wire_node *table;
    size_t sum = 0;

    if (strcmp(operation, "GetItem") == 0)
        return 1;
    if (strcmp(operation, "TransactGetItems") == 0)
        return wire_count(wire_get(request, "TransactItems"));
    if (strcmp(operation, "BatchGetItem") == 0) {
        for (table = wire_first(wire_get(request, "RequestItems")); table; table = wire_next(table))
            sum += wire_count(wire_get(table, "Keys"));
    }
    return sum;
}
