#include "awscli/awscli_paging.h"

static const char *const items[] = {"Items", "Count", "ScannedCount", NULL};
static const char *const names[] = {"TableNames", NULL};
static const char *const tags[] = {"Tags", NULL};
static const char *const backups[] = {"BackupSummaries", NULL};
static const char *const bulks[] = {"BulkOperationsSummaryList", NULL};
static const char *const capacity[] = {"ConsumedCapacity", NULL};
static const char *const nothing[] = {NULL};

static const struct awscli_paging pagings[] = {
    {"Query", "ExclusiveStartKey", "LastEvaluatedKey", "Limit", items, capacity},
    {"Scan", "ExclusiveStartKey", "LastEvaluatedKey", "Limit", items, capacity},
    {"ListTables", "ExclusiveStartTableName", "LastEvaluatedTableName", "Limit", names, nothing},
    {"ListBackups", "ExclusiveStartBackupArn", "LastEvaluatedBackupArn", "Limit", backups, nothing},
    {"ListBulkOperations", "NextToken", "NextToken", "MaxResults", bulks, nothing},
    {"ListTagsOfResource", "NextToken", "NextToken", NULL, tags, nothing},
};

const struct awscli_paging *awscli_paging_of(const struct op *op)
{
    for (size_t i = 0; i < COUNT(pagings); i++)
        if (op->service == OP_DYNAMODB && strcmp(op->name, pagings[i].operation) == 0)
            return &pagings[i];
    return NULL;
}
