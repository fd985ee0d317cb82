/* error.h: the service's errors as values.
 *
 * NULL is success; anything else travels up unchanged and becomes the reply. Errors live in
 * the request's arena. Types, namespaces and statuses: docs/behaviour/errors.md. */
#pragma once

#include "base/arena.h"

enum error_kind {
    ERROR_NONE, /* no error; no struct error has this kind */
    ERROR_VALIDATION,
    ERROR_SERIALIZATION,
    ERROR_UNKNOWN_OPERATION,
    ERROR_RESOURCE_NOT_FOUND,
    ERROR_RESOURCE_IN_USE,
    ERROR_LIMIT_EXCEEDED,
    ERROR_CONDITION_FAILED,
    ERROR_ITEM_COLLECTION_SIZE,
    ERROR_THROUGHPUT_EXCEEDED,
    ERROR_REQUEST_LIMIT,
    ERROR_THROTTLING,
    ERROR_TRANSACTION_CANCELED,
    ERROR_TRANSACTION_CONFLICT,
    ERROR_TRANSACTION_IN_PROGRESS,
    ERROR_IDEMPOTENT_MISMATCH,
    ERROR_DUPLICATE_ITEM,
    ERROR_POLICY_NOT_FOUND,
    ERROR_TABLE_NOT_FOUND,
    ERROR_GLOBAL_TABLE_NOT_FOUND,
    ERROR_TABLE_EXISTS,
    ERROR_TABLE_IN_USE,
    ERROR_BACKUP_NOT_FOUND,
    ERROR_BACKUP_IN_USE,
    ERROR_RECOVERY_UNAVAILABLE,
    ERROR_RESTORE_TIME,
    ERROR_EXPORT_NOT_FOUND,
    ERROR_EXPORT_CONFLICT,
    ERROR_EXPORT_TIME,
    ERROR_IMPORT_NOT_FOUND,
    ERROR_IMPORT_CONFLICT,
    ERROR_TRIMMED_DATA,
    ERROR_EXPIRED_ITERATOR,
    ERROR_ACCESS_DENIED,
    ERROR_MISSING_TOKEN,
    ERROR_INCOMPLETE_SIGNATURE,
    ERROR_INVALID_SIGNATURE,
    ERROR_UNRECOGNIZED_CLIENT,
    ERROR_INTERNAL,
    ERROR_SERVICE_UNAVAILABLE,
    ERROR_METRICS_VALUE, /* these four belong to CloudWatch */
    ERROR_METRICS_MISSING,
    ERROR_METRICS_COMBINATION,
    ERROR_METRICS_QUERY,
    ERROR_OBJECT_NOT_FOUND, /* these three belong to application auto scaling */
    ERROR_NEXT_TOKEN,
    ERROR_TARGET_NOT_FOUND,
    ERROR_TOO_MANY_TAGS,
    ERROR_KIND_COUNT
};

/* What a request was refused for, more exactly than its kind says, for programs that explain it
 * (explain/explain_error.c has the words for each). Where the fault is found knows it. */
enum error_cause {
    CAUSE_UNKNOWN,
    CAUSE_FAULT, /* count: the number of a fault rule that gives this error */
    /* Expressions. The place is in the text that was sent. */
    CAUSE_SYNTAX,      /* the token that cannot follow */
    CAUSE_PARENTHESES, /* redundant ones */
    CAUSE_EMPTY_TEXT,
    CAUSE_RESERVED_WORD,
    CAUSE_UNDEFINED,     /* a placeholder */
    CAUSE_FUNCTION,      /* one that does not exist */
    CAUSE_MISPLACED,     /* a function that cannot be used there */
    CAUSE_OPERAND_COUNT, /* operand: the function; count */
    CAUSE_OPERAND_TYPE,  /* operand: the operator or function; found */
    CAUSE_NO_PATH,       /* operand: the function that needs one */
    CAUSE_SAME_OPERANDS, /* operand: the path that is compared with itself */
    CAUSE_BOUND_TYPES,   /* BETWEEN of operand and beside; wanted and found: their types */
    CAUSE_BOUND_ORDER,
    CAUSE_IN_COUNT,   /* count: of its values */
    CAUSE_TYPE_NAME,  /* attribute_type's second operand */
    CAUSE_KEY_SECOND, /* operand: the key attribute, where it is; beside: the function */
    CAUSE_KEY_OR,
    CAUSE_KEY_IN,
    CAUSE_KEY_OPERATOR,
    CAUSE_KEY_OPERAND, /* a clause that does not compare one whole attribute with a value */
    CAUSE_KEY_TWICE,   /* operand: the attribute; the place is its second clause */
    CAUSE_SECTION_TWICE,
    CAUSE_OVERLAP, /* operand: a path; beside: a later one, whose place it is */
    CAUSE_CHANGES_OVERLAP,
    CAUSE_NAMED_TWICE,
    CAUSE_SET_TWICE,
    CAUSE_CHANGED_TWICE,
    /* Placeholders. operand: the key; beside: the map that has it */
    CAUSE_UNUSED,
    CAUSE_PLACEHOLDER, /* is not of the form of one */
    CAUSE_EMPTY_MAP,
    CAUSE_TWO_STYLES, /* operand: the older parameters; beside: the expressions */
    /* Updates of an item. operand: a path in it, with the attributes' names */
    CAUSE_ITEM_LACKS,
    CAUSE_ITEM_SUM,   /* is no number, or … */
    CAUSE_ITEM_LIST,  /* … no list; found */
    CAUSE_ITEM_ADDED, /* it is of another type than the value, which is beside */
    CAUSE_ITEM_DELETED,
    CAUSE_ITEM_PARENT, /* the parent of what is beside: missing, or of another type */
    CAUSE_KEY_UPDATED,
    CAUSE_KEY_PATH, /* operand: a key attribute, below which a path goes */
    /* Keys and items. operand: the attribute; beside: the table, or the index */
    CAUSE_KEY_STRANGER, /* is no key attribute */
    CAUSE_KEY_MISSING,
    CAUSE_KEY_TYPE, /* wanted, found */
    CAUSE_KEY_EMPTY,
    CAUSE_KEY_LONG, /* operand: which part of the key; count: its bytes; beside: how many it may
                       have */
    CAUSE_INDEX_TYPE,
    CAUSE_INDEX_EMPTY,
    CAUSE_ITEM_SIZE,
    /* Reads. operand: the attribute */
    CAUSE_CONDITION_NONE,
    CAUSE_CONDITION_MISSING,  /* on the partition attribute */
    CAUSE_CONDITION_STRANGER, /* on what is no key attribute */
    CAUSE_CONDITION_TYPE,     /* wanted, found */
    CAUSE_CONDITION_EMPTY,
    CAUSE_CONDITION_HASH,     /* on the partition attribute, and not by = */
    CAUSE_CONDITION_OPERATOR, /* beside: the one that no key condition has */
    CAUSE_CONDITION_ORDER,    /* beside: attributes before it that need = */
    CAUSE_FILTER_KEY,
    CAUSE_START_KEY,       /* is no key of the table or index that is read */
    CAUSE_START_PARTITION, /* operand: the attribute with its value; beside: the value asked for */
    CAUSE_START_SEGMENT,   /* is of another segment */
    CAUSE_START_RANGE,     /* operand: the attribute with its value */
    CAUSE_NOT_HELD,        /* by an index, which is beside */
    CAUSE_NOT_CONSISTENT,  /* operand: a global index; beside: ConsistentRead */
    /* Select; beside: the member that has to go */
    CAUSE_SELECT_UNLISTED,
    CAUSE_SELECT_TABLE,
    CAUSE_SELECT_COUNT,
    CAUSE_SELECT_LISTED, /* operand: its word */
    /* Values. beside: the attribute or the placeholder */
    CAUSE_NUMBER,       /* operand: the text that is no number */
    CAUSE_NUMBER_RANGE, /* operand: a number that is too large or too near to 0 */
    CAUSE_NUMBER_SUM,
    CAUSE_NUMBER_DIGITS, /* operand: a number of too many digits */
    CAUSE_EMPTY_NAME,    /* operand: what has no name */
    CAUSE_NULL_ELEMENT,
    CAUSE_NULL_FALSE,
    CAUSE_NESTED,
    CAUSE_EMPTY_SET,
    CAUSE_NO_TYPE, /* a value without a type, or … */
    CAUSE_SEVERAL_TYPES,
    CAUSE_REPEATED, /* operand: the element that a set has twice */
    /* The older parameters. operand: the attribute; beside: the operator or the action */
    CAUSE_OLDER_COUNT, /* count: of the values that the operator is given */
    CAUSE_OLDER_MIXED,
    CAUSE_OLDER_TYPE, /* found */
    CAUSE_OLDER_ORDER,
    CAUSE_OLDER_VALUES,  /* Value and AttributeValueList at once */
    CAUSE_OLDER_NOTHING, /* no value, where one is needed */
    CAUSE_OLDER_EXISTS,  /* Exists beside an operator or a value */
    CAUSE_OLDER_JOINED,  /* operand: none; ConditionalOperator of less than two */
    /* Tables and indexes. operand: the name */
    CAUSE_NO_TABLE,
    CAUSE_NO_INDEX, /* beside: the table */
    CAUSE_TABLE_BUSY,
    CAUSE_TABLE_EXISTS,
    CAUSE_INDEX_BUSY,
    CAUSE_KEY_UNDEFINED, /* operand: an attribute of a key */
    CAUSE_DEFINITION_UNUSED,
    CAUSE_UNITS_GIVEN,
    CAUSE_UNITS_MISSING,
    CAUSE_KEY_KINDS,     /* HASH and RANGE of a KeySchema */
    CAUSE_REDEFINED,     /* operand: an attribute that is a key already; wanted, found */
    CAUSE_LOCAL_CHANGED, /* operand: a local index */
    CAUSE_LOCAL_KEY,     /* operand: a local index; beside: the table's partition attribute */
    CAUSE_ONE_INDEX,     /* two indexes are made or deleted */
    CAUSE_CHANGES_APART, /* operand and beside: changes that are not made in one request */
    CAUSE_UNCHANGED,     /* operand: what is as the request asks */
    CAUSE_NOTHING_ASKED,
    CAUSE_IN_CHANGE,    /* the table, by an earlier request */
    CAUSE_PROTECTED,    /* operand: a table that is protected against deletion */
    CAUSE_TAG_RESERVED, /* operand: the tag's key */
    CAUSE_TAG_COUNT,    /* count: how many a table may have */
    CAUSE_VECTOR_INDEX, /* is not for Query and Scan */
    CAUSE_COLLECTION,   /* its size */
    CAUSE_NO_RECOVERY,  /* operand: a table */
    CAUSE_RESTORE_INDEX,
    CAUSE_REPLICA_UNITS, /* operand: the table or index whose write units are fixed */
    CAUSE_NO_REPLICAS,
    CAUSE_GLOBAL_OLD, /* operations of the older global tables */
    /* Streams */
    CAUSE_NO_STREAM,
    CAUSE_NO_SHARD,
    CAUSE_TRIMMED,
    CAUSE_ITERATOR,
    CAUSE_ITERATOR_OLD,
    CAUSE_SEQUENCE,    /* the place: the number */
    CAUSE_TAG_TEXT,    /* operand: Key or Value; beside: how many characters it has */
    CAUSE_STREAM_VIEW, /* operand: what the table's stream shows, which is another view */
    CAUSE_SSE_OWNED,   /* the encryption that tables have without being asked for it */
    CAUSE_TTL_OTHER,   /* operand: the attribute of the table's time to live */
    /* Searches of vectors. operand: the attribute, or the index */
    CAUSE_SEARCH_OPERATOR, /* the place */
    CAUSE_SEARCH_STRANGER, /* beside: the attributes of the SearchSchema, as a sentence */
    CAUSE_SEARCH_HASH,     /* is not in the condition; beside: the index */
    CAUSE_SEARCH_VALUE,    /* the place: an element that is no number; count: its place, from 0 */
    CAUSE_SEARCH_INDEX,    /* is not of vectors */
    CAUSE_SEARCH_SIZE,
    CAUSE_VECTOR, /* operand: an attribute that is no vector of the index, which is beside; count */
    /* PartiQL. The place is in the statement. */
    CAUSE_STATEMENT, /* the token or word that cannot follow */
    CAUSE_PARAMETERS,
    CAUSE_ORDER_SCAN,
    CAUSE_ORDER_STRANGER,
    CAUSE_ORDER_PARTITIONS,
    CAUSE_STATEMENT_FUNCTION, /* a function that does not exist, or not there */
    CAUSE_STATEMENT_VALUE,    /* what is no value */
    CAUSE_STATEMENT_FIELD,    /* operand: the name of a field, without quotes */
    CAUSE_STATEMENT_NAME,     /* a name where a value belongs */
    CAUSE_STATEMENT_COLUMN,   /* what is no path, where one belongs */
    CAUSE_STATEMENT_ALL,      /* a path with .* or [*], or an expression in brackets; operand: what
                                 is before that */
    CAUSE_STATEMENT_PART,     /* a ? within a value */
    CAUSE_STATEMENT_SOURCE,   /* a path of three parts or more */
    CAUSE_STATEMENT_INDEX,    /* operand: an index that is written to */
    CAUSE_STATEMENT_BAG,
    CAUSE_STATEMENT_TWICE, /* a set with a value twice */
    CAUSE_STATEMENT_EXISTS,
    CAUSE_STATEMENT_TYPE, /* IS with a type that does not exist */
    CAUSE_STATEMENT_RANGES,
    CAUSE_STATEMENT_KEYS,  /* operand: the table or index with a key of several attributes */
    CAUSE_STATEMENT_TOKEN, /* is of another statement */
    CAUSE_STATEMENT_KEY,   /* the key is not in the WHERE */
    CAUSE_STATEMENT_READ,  /* a SELECT of a batch or transaction that is no read by key */
    /* Policies. operand: a name or value in one */
    CAUSE_POLICY_TEXT,   /* is not JSON */
    CAUSE_POLICY_MEMBER, /* does not exist */
    CAUSE_POLICY_VALUE,  /* of a member that takes another one; beside: what it takes */
    CAUSE_POLICY_ACTION,
    CAUSE_POLICY_RESOURCE, /* beside: the resource that the policy is of */
    CAUSE_POLICY_PRINCIPAL,
    CAUSE_POLICY_PUBLIC,
    CAUSE_POLICY_OWN,
    CAUSE_POLICY_REVISION, /* operand: the expected one; beside: the policy's */
    CAUSE_NO_POLICY,       /* operand: a table */
    /* Members of the request. operand: its name; the place is its JSON; beside: what it may be */
    CAUSE_MEMBER_MISSING,
    CAUSE_MEMBER_WORD,
    CAUSE_MEMBER_SHORT, /* count: its characters */
    CAUSE_MEMBER_LONG,
    CAUSE_MEMBER_NAME, /* has characters that names do not have */
    CAUSE_MEMBER_FORM,
    CAUSE_MEMBER_LOW,
    CAUSE_MEMBER_HIGH,
    CAUSE_MEMBER_FEW, /* count: its entries */
    CAUSE_MEMBER_MANY,
    CAUSE_MEMBER_TYPE,    /* of JSON */
    CAUSE_MEMBER_PARTNER, /* beside: another member without which it is not given */
    CAUSE_MEMBER_NEEDS,   /* beside: what is not given */
    CAUSE_ARN_KIND,       /* place: what is no ARN of the form that is beside */
    CAUSE_ARN_FORM,       /* place: what is no ARN of a table or stream */
    CAUSE_ARN_ELSEWHERE,  /* place: an ARN; operand: what it is of; beside: what is asked */
    CAUSE_ENTRY_ACTIONS,  /* operand: a list; beside: what an entry has one of; count */
    CAUSE_MEMBER_BARRED,  /* beside: what it is not given with */
    CAUSE_SCHEDULE,       /* place: the expression */
    CAUSE_SCALED,         /* what cannot be scaled */
    CAUSE_TOKEN_USED,     /* operand: the token; beside: its member */
    CAUSE_SEGMENT,        /* operand and beside: Segment and TotalSegments */
    CAUSE_ENTRY_TWICE,    /* count and found: the places of equal entries; operand: their table */
    CAUSE_COUNT
};

/* A cause with its place: the part of an expression or statement, inside the text that was sent (at
 * NULL: unknown); and with what it is about. */
struct error_why {
    enum error_cause cause;
    struct span place, operand, beside;
    size_t count;
    int wanted, found; /* types (enum attr_type); -1: any, or nothing was found */
};

#define ERROR_WHY(...) ((struct error_why){.cause = __VA_ARGS__})

struct error {
    enum error_kind kind;
    struct span message; /* exactly what the client sees; len 0: no message member */
    struct span members; /* further members of the reply as JSON text without a leading comma
                            (`"Item":{…}`), or len 0 */
    struct error_why why;
    size_t entry; /* of the request that it is about, from 1: action, statement, or table of
                     a batch; 0: unknown, or the whole request */
    const struct error *const *reasons; /* of a cancelled transaction: `reason_count`, one for each
                                           action, or NULL */
    size_t reason_count;
    bool bare;       /* never gets the prefix `1 validation error detected: ` */
    bool unprefixed; /* never gets the prefix for start keys, `The provided starting key is …` */
    bool whole;      /* about a whole transaction: never the cancellation reason of one action */
};

/* How an error kind is sent. */
struct error_form {
    const char *type;        /* value of __type: namespace#Name */
    const char *message_key; /* "message" or "Message" */
    int status;              /* HTTP status */
};
const struct error_form *error_form(enum error_kind kind);

/* The name after the '#', e.g. "ValidationException". */
const char *error_name(enum error_kind kind);

/* Whether requests are refused with this error for their signature or for the JSON types of their
 * members: the rest of such a request was not checked. */
bool error_is_at_the_door(enum error_kind kind);

/* Whether a request that ends with this error was refused. A condition that failed is a result, and
 * so is an item that exists already. */
bool error_is_refusal(enum error_kind kind);

/* The message is formatted as by printf, but only with the conversions %s %.*s %c %d %u %lld %zu;
 * %.*s keeps all bytes, including NUL. */
MUST_CHECK const struct error *error_new(struct arena *a, enum error_kind kind, const char *fmt,
                                         ...) PRINTF_LIKE(3, 4);

/* Like error_new, with the cause. */
MUST_CHECK const struct error *error_caused(struct arena *a, enum error_kind kind,
                                            struct error_why why, const char *fmt, ...)
    PRINTF_LIKE(4, 5);

/* ERROR_VALIDATION with a message that is complete, and the cause. */
struct buf;
MUST_CHECK const struct error *error_written(const struct buf *message, struct error_why why);

/* "Internal server error"; the cause is in the log. */
MUST_CHECK const struct error *error_internal(struct arena *a);

/* Like error_internal, for a write that fails because the disk is full; the message says so. */
MUST_CHECK const struct error *error_disk_full(struct arena *a);

/* An error with a message that exists already. The span is borrowed. */
MUST_CHECK const struct error *error_of(struct arena *a, enum error_kind kind, struct span message);

/* ERROR_VALIDATION, the common case. */
MUST_CHECK const struct error *error_validation(struct arena *a, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

/* The beginning of many messages. */
#define ERROR_PARAMETER "One or more parameter values were invalid: "

/* ERROR_VALIDATION with ERROR_PARAMETER before the text. */
MUST_CHECK const struct error *error_parameter(struct arena *a, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

/* "… not supported for global tables with MultiRegionConsistency set to STRONG."; `what` is the
 * subject with its verb. */
MUST_CHECK const struct error *error_not_when_strong(struct arena *a, const char *what);

/* The message for an item of more than LIMIT_ITEM_BYTES. */
#define ERROR_ITEM_SIZE "Item size has exceeded the maximum allowed size"

/* The message for an attribute name of more than LIMIT_ATTRIBUTE_NAME. */
#define ERROR_NAME_SIZE "Attribute name is too large, must be less than 65536 bytes"

/* A copy of the error with `bare`, `unprefixed`, `why`, `entry` or `whole` set; NULL stays NULL. */
MUST_CHECK const struct error *error_bare(struct arena *a, const struct error *e);
MUST_CHECK const struct error *error_unprefixed(struct arena *a, const struct error *e);
MUST_CHECK const struct error *error_because(struct arena *a, const struct error *e,
                                             struct error_why why);
/* Says what the error is about, where its cause needs that and does not have it. */
MUST_CHECK const struct error *error_about(struct arena *a, const struct error *e,
                                           struct span beside);
MUST_CHECK const struct error *error_in(struct arena *a, const struct error *e, size_t entry);
MUST_CHECK const struct error *error_whole(struct arena *a, const struct error *e);

/* A copy in another arena. Its place still points into the text that was sent. NULL stays NULL. */
const struct error *error_copy(struct arena *a, const struct error *e);

/* A copy with "1 validation error detected: " before its message; unchanged if it is bare, not a
 * ValidationException, or NULL. For request checks of single-item writes. */
MUST_CHECK const struct error *error_enveloped(struct arena *a, const struct error *e);
