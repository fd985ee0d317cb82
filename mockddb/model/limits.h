/* limits.h: the service's limits and ours, each in one place; messages and shapes use them too.
 *
 * Sources: [Q] developer guide, "Service, account, and table quotas" and "Constraints"; [A] API
 * reference, the member's own page; [S] seen on the service, in its messages; [M] mockddb's own.
 * Sizes are in bytes unless stated otherwise. Limits of numbers are in model/num.h. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define LIMIT_KB        ((size_t)1024)
#define LIMIT_MB        (1024 * LIMIT_KB)
#define LIMIT_SECOND_MS ((int64_t)1000)
#define LIMIT_HOUR_MS   (3600 * LIMIT_SECOND_MS)
#define LIMIT_DAY_MS    (24 * LIMIT_HOUR_MS)

/* --- requests --------------------------------------------------------------------------------- */

#define LIMIT_REQUEST_BYTES (16 * LIMIT_MB)  /* [S] the body of a request */
#define LIMIT_LIST_ENTRIES  4096             /* [S] of lists that other lists are looked up in */
#define LIMIT_ERROR_MESSAGE (160 * LIMIT_KB) /* [M] longer ones are cut; as JSON at most 1 MB */
#define LIMIT_ECHO          (128 * LIMIT_KB) /* [M] of a request's value in constraint messages */
#define LIMIT_ARN           1024             /* [A] of a table, where a name is also allowed */
#define LIMIT_RESOURCE_ARN  1283             /* [A] of a resource that carries tags or a policy */

/* --- items ------------------------------------------------------------------------------------ */

#define LIMIT_ITEM_BYTES     (400 * LIMIT_KB) /* [Q] names and values together */
#define LIMIT_NESTING        31               /* [Q] lists and maps around a value */
#define LIMIT_ATTRIBUTE_NAME 65535            /* [Q] */
#define LIMIT_HASH_BYTES     2048             /* [Q] all attributes of a partition key together */
#define LIMIT_RANGE_BYTES    1024             /* [Q] all attributes of a sort key together */

/* --- tables ----------------------------------------------------------------------------------- */

#define LIMIT_NAME_MIN       3   /* [Q] of a table's or an index's name … */
#define LIMIT_NAME           255 /* [Q] … */
#define LIMIT_REGION         63  /* [M] characters of a region's name */
#define LIMIT_KEY_NAME       255 /* [Q] of the name of an attribute of a schema */
#define LIMIT_KEY_PARTS      4   /* [Q] attributes of a kind in a GSI key; tables and LSIs have 1 */
#define LIMIT_LOCALS         5   /* [Q] LSIs of a table */
#define LIMIT_GLOBALS        20  /* [Q] GSIs of a table */
#define LIMIT_INCLUDE        20  /* [A] NonKeyAttributes of an index … */
#define LIMIT_INCLUDE_TOTAL  100 /* [Q] … and of all indexes of a table together */
#define LIMIT_TAGS           50  /* [Q] of a table */
#define LIMIT_TAG_KEY        128 /* [A] UTF-16 units */
#define LIMIT_TAG_VALUE      256 /* [A] UTF-16 units */
#define LIMIT_TAG_SET_BYTES  (10 * LIMIT_KB) /* [Q] keys and values of a table's tags */
#define LIMIT_POLICY_BYTES   (20 * LIMIT_KB) /* [Q] of a policy, white space included */
#define LIMIT_REVISION_ID    255             /* [A] */
#define LIMIT_ACCOUNT_DIGITS 12              /* [A] of an account's number */
#define LIMIT_TABLES_PAGE    100             /* [A] names in an answer of ListTables */

#define LIMIT_TABLE_UNITS         40000               /* [Q] provisioned for a table or a GSI */
#define LIMIT_ACCOUNT_UNITS       80000               /* [Q] provisioned in an account and region */
#define LIMIT_UNITS_BEYOND        1000000000000       /* [S] above: another error than "too many" */
#define LIMIT_DECREASES           4                   /* [Q] of throughput on a day, before … */
#define LIMIT_DECREASE_WAIT_MS    LIMIT_HOUR_MS       /* [Q] … each further one has to wait */
#define LIMIT_SSE_CHANGES         4                   /* [Q] of encryption in a day, before … */
#define LIMIT_SSE_CHANGE_WAIT_MS  (6 * LIMIT_HOUR_MS) /* [Q] … each further one has to wait */
#define LIMIT_CLASS_CHANGE_DAY_MS (30 * LIMIT_DAY_MS) /* [Q] in which the class changes twice */

/* --- batches, transactions, pages ------------------------------------------------------------- */

#define LIMIT_BATCH_WRITES     25                      /* [Q] requests of a BatchWriteItem */
#define LIMIT_BATCH_KEYS       100                     /* [Q] keys of a BatchGetItem */
#define LIMIT_BATCH_BYTES      (16 * LIMIT_MB)         /* [Q] items in an answer of BatchGetItem */
#define LIMIT_BATCH_TEXT       (31 * LIMIT_MB)         /* [M] the same, as JSON; usually less */
#define LIMIT_BATCH_STATEMENTS 25                      /* [A] of a BatchExecuteStatement */
#define LIMIT_ACTIONS          100                     /* [Q] of a transaction */
#define LIMIT_ACTION_BYTES     (4 * LIMIT_MB)          /* [Q] sent or read by a transaction */
#define LIMIT_REASONS          (40 * LIMIT_MB)         /* [M] a hundred items of plain text */
#define LIMIT_CLIENT_TOKEN     36                      /* [A] characters of a ClientRequestToken */
#define LIMIT_TOKEN_LIFE_MS    (600 * LIMIT_SECOND_MS) /* [A] for which the token is remembered */
#define LIMIT_PAGE_BYTES       LIMIT_MB                /* [Q] items read for a page; records */
#define LIMIT_SEGMENTS         1000000                 /* [A] of a parallel Scan */

/* --- expressions and statements --------------------------------------------------------------- */

#define LIMIT_EXPRESSION       4096 /* [Q] */
#define LIMIT_OPERATORS        300  /* [Q] operators and functions of an expression */
#define LIMIT_IN               100  /* [Q] values that IN compares with */
#define LIMIT_PLACEHOLDER      255  /* [Q] of #name and :value, first character included */
#define LIMIT_PATH             32   /* [Q] elements of a path */
#define LIMIT_EXPRESSION_NAMES 255  /* [A] AttributesToGet */
#define LIMIT_UPDATE_CHARGE    (400 * LIMIT_KB) /* [S] the total charge of an UpdateExpression */
#define LIMIT_STATEMENT        8192             /* [A] */
#define LIMIT_PARTITIONS       50               /* [S] partition keys that IN and OR may name */
#define LIMIT_NEXT_TOKEN       32768            /* [A] */

/* --- vector indexes --------------------------------------------------------------------------- */

#define LIMIT_VECTORS             5                /* [Q] vector indexes of a table */
#define LIMIT_DIMENSIONS          4096             /* [Q] of a vector */
#define LIMIT_SEARCH_HASHES       1                /* [Q] HASH elements of a SearchSchema */
#define LIMIT_INLINE_FILTERS      18               /* [Q] INLINE_FILTER elements of it */
#define LIMIT_INLINE_FILTER_BYTES (10 * LIMIT_KB)  /* [S] of the value of one */
#define LIMIT_TOP_K               100              /* [Q] results of a search … */
#define LIMIT_SEARCH_BYTES        (16 * LIMIT_MB)  /* [Q] … and of their items */
#define LIMIT_SEARCH_AT_ONCE      (500 * LIMIT_MB) /* [M] of vectors; more are searched in slices */

/* --- metrics ---------------------------------------------------------------------------------- */

#define LIMIT_DATAPOINTS        1440   /* [A] of an answer of GetMetricStatistics */
#define LIMIT_STATISTICS        5      /* [A] that one of them asks for */
#define LIMIT_MORE_STATISTICS   10     /* [A] percentiles and similar ones */
#define LIMIT_METRIC_DIMENSIONS 30     /* [A] of a metric … */
#define LIMIT_METRIC_FILTERS    10     /* [A] … in a filter of ListMetrics */
#define LIMIT_METRIC_QUERIES    500    /* [A] of a GetMetricData */
#define LIMIT_METRIC_VALUES     100800 /* [A] datapoints in an answer of GetMetricData */
#define LIMIT_MATH_LEN          2048   /* [A] characters of an expression of metric math */
#define LIMIT_MATH_DEPTH        64     /* [M] nested brackets and signs in it */
#define LIMIT_METRICS_PAGE      500    /* [A] metrics in an answer of ListMetrics */
#define LIMIT_ALARMS_PAGE       100    /* [A] alarms in an answer */

/* --- ours --------------------------------------------------------------------------------------
 */

#define LIMIT_WORLD_NAME 64 /* [M] characters of a world's or a snapshot's name */

/* --- neighbouring services -------------------------------------------------------------------- */

#define LIMIT_POLICY_NAME   256  /* [A] of a scaling policy */
#define LIMIT_SCALING_PAGE  50   /* [A] targets or policies in an answer, names in a filter */
#define LIMIT_SCALING_ID    1600 /* [A] of a resource, of a role's ARN */
#define LIMIT_SCALING_ARN   1011 /* [A] of a target */
#define LIMIT_SCALING_KEYS  200  /* [A] of tags that an UntagResource names */
#define LIMIT_TAGGED        20   /* [A] ARNs of a TagResources */
#define LIMIT_TAGS_PAGE_MIN 100  /* [A] of GetResources: TagsPerPage at least … */
#define LIMIT_TAGS_PAGE_MAX 500  /* [A] … at most */
#define LIMIT_TAGGED_PAGE   100  /* [A] resources in an answer of GetResources */
#define LIMIT_TAGGED_ARNS   100  /* [A] in its filter, … */
#define LIMIT_TAGGED_ARN    1011 /* [A] … each of them */
#define LIMIT_TAG_FILTERS   50   /* [A] in its filter */
#define LIMIT_FILTER_VALUES 20   /* [A] of one of these */
#define LIMIT_RESOURCE_TYPE 256  /* [A] in its filter */
#define LIMIT_KEY_ID        2048 /* [A] of KMS */

/* --- insights and destinations ---------------------------------------------------------------- */

#define LIMIT_INSIGHTS_PAGE       100             /* [A] summaries in an answer */
#define LIMIT_DESTINATION_KEPT_MS LIMIT_HOUR_MS   /* [M] how long a disabled one stays listed */
#define LIMIT_KINESIS_NAME        128             /* [A] of a Kinesis stream */
#define LIMIT_KINESIS_WAITING     (16 * LIMIT_MB) /* [M] unwritten records of a world */

/* --- backups ---------------------------------------------------------------------------------- */

#define LIMIT_BACKUP_ARN_MIN   37  /* [A] */
#define LIMIT_BACKUPS_PAGE     100 /* [A] backups in an answer */
#define LIMIT_RECOVERY_DAYS    35  /* [A] RecoveryPeriodInDays, also the default */
#define LIMIT_RECOVERY_LAG_MS  (300 * LIMIT_SECOND_MS) /* [Q] from now back to the latest one */
#define LIMIT_SYSTEM_BACKUP_MS (35 * LIMIT_DAY_MS)     /* [Q] how long a deleted table's is kept */

/* --- templates ---------------------------------------------------------------------------------
 */

#define LIMIT_TEMPLATE         (64 * LIMIT_MB) /* [M] a template's text: plans have all resources */
#define LIMIT_TEMPLATE_DEPTH   100             /* [M] levels of brackets or indentation in it */
#define LIMIT_TEMPLATE_NODES   (2 * 1000000)   /* [M] values in it */
#define LIMIT_TEMPLATE_ANCHORS 1000            /* [M] in a YAML text */
#define LIMIT_TEMPLATE_STEPS   1000000         /* [M] values that are evaluated for its tables */
#define LIMIT_TEMPLATE_MADE    (4 * LIMIT_MB)  /* [M] bytes of texts that functions make */

/* --- exports and imports ---------------------------------------------------------------------- */

#define LIMIT_TRANSFER_RECORD      (16 * LIMIT_MB)  /* [M] of a record in a file … */
#define LIMIT_TRANSFER_TEXT        (4 * LIMIT_MB)   /* [M] … without blanks: nine times an item */
#define LIMIT_BULK_REPORTS         (256 * LIMIT_MB) /* [M] of a bulk put; more are only counted */
#define LIMIT_TASK_ARN_MIN         37 /* [A] of exports, imports and bulk operations */
#define LIMIT_TASKS_PAGE           25 /* [A] exports or imports in an answer */
#define LIMIT_BULK_PAGE            10 /* [A] default number of bulk operations in an answer */
#define LIMIT_TASK_TOKEN_MS        (8 * LIMIT_HOUR_MS) /* [Q] how long a ClientToken is remembered */
#define LIMIT_TASKS_OPEN           50    /* [Q] of imports at once; of exports and bulk puts [M] */
#define LIMIT_OBJECTS              50000 /* [Q] that an import reads */
#define LIMIT_BUCKET               255   /* [A] of a bucket's name */
#define LIMIT_OBJECT_KEY           1024  /* [A] of an object's key, and of a key prefix */
#define LIMIT_KMS_KEY              2048  /* [A] of a key's id */
#define LIMIT_CSV_COLUMNS          255   /* [A] of a HeaderList */
#define LIMIT_CSV_COLUMN           65536 /* [A] of a name in it */
#define LIMIT_BULK_LISTED_MS       (90 * LIMIT_DAY_MS)     /* [Q] how long a bulk put is listed */
#define LIMIT_BULK_UNITS           1024                    /* [A] MaxWriteRequestUnits at least */
#define LIMIT_EXPORT_WINDOW_MIN_MS (900 * LIMIT_SECOND_MS) /* [Q] of an incremental export */
#define LIMIT_EXPORT_WINDOW_MS     (24 * LIMIT_HOUR_MS)    /* [Q] */

/* --- throttling, if enabled (ops/throttle) ---------------------------------------------------- */

#define LIMIT_BURST_SECONDS    300   /* [Q] for which unused provisioned units are kept */
#define LIMIT_PARTITION_READS  3000  /* [Q] units a second of one partition, or … */
#define LIMIT_PARTITION_WRITES 1000  /* [Q] … these, or a mix in proportion */
#define LIMIT_ON_DEMAND_READS  12000 /* [Q] units a second of a new table on demand */
#define LIMIT_ON_DEMAND_WRITES 4000  /* [Q] */
#define LIMIT_PEAK_MS          (LIMIT_HOUR_MS / 2) /* [Q] until twice a peak is available */
#define LIMIT_POOLS            10000 /* [M] tables and indexes with counters of their own */

/* --- limits of one request -------------------------------------------------------------------- */

/* Memory: the longest body, its tree and what is made of it. Steps: a quarter of a second, at about
 * 10 ns each (base/arena.h). Reply: no answer of the service is longer than 16 MB, except for the
 * items that a hundred failed conditions return. See docs/reliability.md. */
#define LIMIT_REQUEST_MEMORY (96 * LIMIT_MB) /* [M] */
#define LIMIT_REQUEST_STEPS  25000000        /* [M] */
#define LIMIT_REPLY_MEMORY   (96 * LIMIT_MB) /* [M] */

/* --- streams ---------------------------------------------------------------------------------- */

#define LIMIT_STREAM_ARN_MIN      37   /* [A] */
#define LIMIT_STREAM_PAGE         100  /* [A] streams or shards in an answer */
#define LIMIT_RECORDS_PAGE        1000 /* [A] records in an answer of GetRecords */
#define LIMIT_ITERATOR            2048 /* [A] */
#define LIMIT_ITERATOR_LIFE_MS    (900 * LIMIT_SECOND_MS)                    /* [A] */
#define LIMIT_TTL_AGE_SECONDS     (LIMIT_DAY_MS * 365 * 5 / LIMIT_SECOND_MS) /* [Q] older is kept */
#define LIMIT_STREAM_RETENTION_MS LIMIT_DAY_MS                               /* [Q] */
#define LIMIT_STREAM_SHARDS       100 /* [M] of a new stream */

/* --- what a world remembers for fault rules (ops/past.h) -------------------------------------- */

#define LIMIT_PAST_NOTES ((size_t)1000) /* [M] changed items, and index entries that were added */
#define LIMIT_PAST_BYTES (8 * LIMIT_MB) /* [M] of each */

/* --- global tables ---------------------------------------------------------------------------- */

#define LIMIT_STRONG_REGIONS 3 /* [Q] of a strongly consistent one, with its witness */
