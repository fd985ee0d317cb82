#include "model/error.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "model/limits.h"

#include <assert.h>

#define DYNAMODB   "com.amazonaws.dynamodb.v20120810#"
#define CORAL      "com.amazon.coral.service#"
#define SCALING    "com.amazonaws.applicationautoscaling#"
#define CLOUDWATCH "com.amazonaws.cloudwatch.v2010_08_01#"

static const struct error_form error_forms[ERROR_KIND_COUNT] = {
    [ERROR_VALIDATION] = {"com.amazon.coral.validate#ValidationException", "message", 400},
    [ERROR_SERIALIZATION] = {CORAL "SerializationException", "Message", 400},
    [ERROR_UNKNOWN_OPERATION] = {CORAL "UnknownOperationException", "message", 400},
    [ERROR_RESOURCE_NOT_FOUND] = {DYNAMODB "ResourceNotFoundException", "message", 400},
    [ERROR_RESOURCE_IN_USE] = {DYNAMODB "ResourceInUseException", "message", 400},
    [ERROR_LIMIT_EXCEEDED] = {DYNAMODB "LimitExceededException", "message", 400},
    [ERROR_CONDITION_FAILED] = {DYNAMODB "ConditionalCheckFailedException", "message", 400},
    [ERROR_ITEM_COLLECTION_SIZE] = {DYNAMODB "ItemCollectionSizeLimitExceededException", "message",
                                    400},
    [ERROR_THROUGHPUT_EXCEEDED] = {DYNAMODB "ProvisionedThroughputExceededException", "message",
                                   400},
    [ERROR_REQUEST_LIMIT] = {DYNAMODB "RequestLimitExceeded", "message", 400},
    [ERROR_THROTTLING] = {DYNAMODB "ThrottlingException", "message", 400},
    [ERROR_TRANSACTION_CANCELED] = {DYNAMODB "TransactionCanceledException", "Message", 400},
    [ERROR_TRANSACTION_CONFLICT] = {DYNAMODB "TransactionConflictException", "message", 400},
    [ERROR_TRANSACTION_IN_PROGRESS] = {DYNAMODB "TransactionInProgressException", "Message", 400},
    [ERROR_IDEMPOTENT_MISMATCH] = {DYNAMODB "IdempotentParameterMismatchException", "Message", 400},
    [ERROR_DUPLICATE_ITEM] = {DYNAMODB "DuplicateItemException", "message", 400},
    [ERROR_POLICY_NOT_FOUND] = {DYNAMODB "PolicyNotFoundException", "message", 400},
    [ERROR_TABLE_NOT_FOUND] = {DYNAMODB "TableNotFoundException", "message", 400},
    [ERROR_GLOBAL_TABLE_NOT_FOUND] = {DYNAMODB "GlobalTableNotFoundException", "message", 400},
    [ERROR_TABLE_EXISTS] = {DYNAMODB "TableAlreadyExistsException", "message", 400},
    [ERROR_TABLE_IN_USE] = {DYNAMODB "TableInUseException", "message", 400},
    [ERROR_BACKUP_NOT_FOUND] = {DYNAMODB "BackupNotFoundException", "message", 400},
    [ERROR_BACKUP_IN_USE] = {DYNAMODB "BackupInUseException", "message", 400},
    [ERROR_RECOVERY_UNAVAILABLE] = {DYNAMODB "PointInTimeRecoveryUnavailableException", "message",
                                    400},
    [ERROR_RESTORE_TIME] = {DYNAMODB "InvalidRestoreTimeException", "message", 400},
    [ERROR_EXPORT_NOT_FOUND] = {DYNAMODB "ExportNotFoundException", "message", 400},
    [ERROR_EXPORT_CONFLICT] = {DYNAMODB "ExportConflictException", "message", 400},
    [ERROR_EXPORT_TIME] = {DYNAMODB "InvalidExportTimeException", "message", 400},
    [ERROR_IMPORT_NOT_FOUND] = {DYNAMODB "ImportNotFoundException", "message", 400},
    [ERROR_IMPORT_CONFLICT] = {DYNAMODB "ImportConflictException", "message", 400},
    [ERROR_TRIMMED_DATA] = {DYNAMODB "TrimmedDataAccessException", "message", 400},
    [ERROR_EXPIRED_ITERATOR] = {DYNAMODB "ExpiredIteratorException", "message", 400},
    [ERROR_ACCESS_DENIED] = {CORAL "AccessDeniedException", "Message", 400},
    [ERROR_MISSING_TOKEN] = {CORAL "MissingAuthenticationTokenException", "message", 400},
    [ERROR_INCOMPLETE_SIGNATURE] = {CORAL "IncompleteSignatureException", "message", 400},
    [ERROR_INVALID_SIGNATURE] = {CORAL "InvalidSignatureException", "message", 400},
    [ERROR_UNRECOGNIZED_CLIENT] = {CORAL "UnrecognizedClientException", "message", 400},
    [ERROR_INTERNAL] = {DYNAMODB "InternalServerError", "message", 500},
    [ERROR_SERVICE_UNAVAILABLE] = {DYNAMODB "ServiceUnavailable", "message", 503},
    [ERROR_METRICS_VALUE] = {CLOUDWATCH "InvalidParameterValueException", "message", 400},
    [ERROR_METRICS_MISSING] = {CLOUDWATCH "MissingRequiredParameterException", "message", 400},
    [ERROR_METRICS_COMBINATION] = {CLOUDWATCH "InvalidParameterCombinationException", "message",
                                   400},
    [ERROR_METRICS_QUERY] = {CLOUDWATCH "ValidationError", "message", 400},
    [ERROR_OBJECT_NOT_FOUND] = {SCALING "ObjectNotFoundException", "Message", 400},
    [ERROR_NEXT_TOKEN] = {SCALING "InvalidNextTokenException", "Message", 400},
    [ERROR_TARGET_NOT_FOUND] = {SCALING "ResourceNotFoundException", "Message", 400},
    [ERROR_TOO_MANY_TAGS] = {SCALING "TooManyTagsException", "Message", 400},
};

const struct error_form *error_form(enum error_kind kind)
{
    assert(kind > ERROR_NONE && kind < ERROR_KIND_COUNT);
    return &error_forms[kind];
}

const char *error_name(enum error_kind kind)
{
    return strchr(error_form(kind)->type, '#') + 1;
}

bool error_is_at_the_door(enum error_kind kind)
{
    static const enum error_kind kinds[] = {ERROR_SERIALIZATION, ERROR_MISSING_TOKEN,
                                            ERROR_INCOMPLETE_SIGNATURE, ERROR_INVALID_SIGNATURE,
                                            ERROR_UNRECOGNIZED_CLIENT};

    for (size_t i = 0; i < COUNT(kinds); i++)
        if (kind == kinds[i])
            return true;
    return false;
}

bool error_is_refusal(enum error_kind kind)
{
    return kind != ERROR_NONE && kind != ERROR_CONDITION_FAILED && kind != ERROR_DUPLICATE_ITEM &&
           kind != ERROR_TRANSACTION_CANCELED;
}

const struct error *error_of(struct arena *a, enum error_kind kind, struct span message)
{
    struct error *e = arena_alloc(a, sizeof *e);

    e->kind = kind;
    e->message = utf8_cut(message, LIMIT_ERROR_MESSAGE);
    return e;
}

/* Appends the argument for the conversion after a percent sign; returns the text after it. */
static const char *add_argument(struct buf *out, const char *conversion, va_list *args)
{
    if (!strncmp(conversion, ".*s", 3)) {
        int len = va_arg(*args, int);

        buf_add(out, va_arg(*args, const char *), (size_t)len);
        return conversion + 3;
    }
    if (!strncmp(conversion, "zu", 2)) {
        buf_printf(out, "%zu", va_arg(*args, size_t));
        return conversion + 2;
    }
    if (!strncmp(conversion, "lld", 3)) {
        buf_printf(out, "%lld", va_arg(*args, long long));
        return conversion + 3;
    }
    switch (*conversion) {
    case 's':
        buf_add_text(out, va_arg(*args, const char *));
        break;
    case 'd':
        buf_printf(out, "%d", va_arg(*args, int));
        break;
    case 'u':
        buf_printf(out, "%u", va_arg(*args, unsigned));
        break;
    case 'c':
        buf_add_char(out, (char)va_arg(*args, int));
        break;
    default:
        assert(false && "a conversion that messages do not have");
    }
    return conversion + 1;
}

/* Does not use printf, which ends %.*s at a NUL byte: names and values may contain one. */
static void add_message(struct buf *out, const char *fmt, va_list args)
{
    const char *percent;
    va_list left;

    va_copy(left, args);
    while ((percent = strchr(fmt, '%'))) {
        buf_add(out, fmt, (size_t)(percent - fmt));
        fmt = add_argument(out, percent + 1, &left);
    }
    va_end(left);
    buf_add_text(out, fmt);
}

const struct error *error_new(struct arena *a, enum error_kind kind, const char *fmt, ...)
{
    struct buf message = buf_in(a);
    va_list args;

    va_start(args, fmt);
    add_message(&message, fmt, args);
    va_end(args);
    return error_of(a, kind, buf_span(&message));
}

const struct error *error_caused(struct arena *a, enum error_kind kind, struct error_why why,
                                 const char *fmt, ...)
{
    struct buf message = buf_in(a);
    va_list args;

    va_start(args, fmt);
    add_message(&message, fmt, args);
    va_end(args);
    return error_because(a, error_of(a, kind, buf_span(&message)), why);
}

const struct error *error_written(const struct buf *message, struct error_why why)
{
    struct arena *a = message->arena;

    return error_because(a, error_of(a, ERROR_VALIDATION, buf_span(message)), why);
}

const struct error *error_internal(struct arena *a)
{
    return error_of(a, ERROR_INTERNAL, SPAN_LIT("Internal server error"));
}

const struct error *error_disk_full(struct arena *a)
{
    return error_of(a, ERROR_INTERNAL,
                    SPAN_LIT("Internal server error: the disk is full; until it has room, items "
                             "can be deleted, but not written"));
}

const struct error *error_validation(struct arena *a, const char *fmt, ...)
{
    struct buf message = buf_in(a);
    va_list args;

    va_start(args, fmt);
    add_message(&message, fmt, args);
    va_end(args);
    return error_of(a, ERROR_VALIDATION, buf_span(&message));
}

const struct error *error_parameter(struct arena *a, const char *fmt, ...)
{
    struct buf message = buf_in(a);
    va_list args;

    buf_add_text(&message, ERROR_PARAMETER);
    va_start(args, fmt);
    add_message(&message, fmt, args);
    va_end(args);
    return error_of(a, ERROR_VALIDATION, buf_span(&message));
}

static struct error *copy_of(struct arena *a, const struct error *e)
{
    struct error *copy = arena_alloc_raw(a, sizeof *copy);

    *copy = *e;
    return copy;
}

const struct error *error_not_when_strong(struct arena *a, const char *what)
{
    return error_validation(a,
                            "%s not supported for global tables with MultiRegionConsistency set to "
                            "STRONG.",
                            what);
}

const struct error *error_bare(struct arena *a, const struct error *e)
{
    struct error *copy;

    if (!e || e->bare)
        return e;
    copy = copy_of(a, e);
    copy->bare = true;
    return copy;
}

const struct error *error_unprefixed(struct arena *a, const struct error *e)
{
    struct error *copy;

    if (!e || e->unprefixed)
        return e;
    copy = copy_of(a, e);
    copy->unprefixed = true;
    return copy;
}

const struct error *error_because(struct arena *a, const struct error *e, struct error_why why)
{
    struct error *copy;

    if (!e)
        return e;
    copy = copy_of(a, e);
    copy->why = why;
    return copy;
}

const struct error *error_about(struct arena *a, const struct error *e, struct span beside)
{
    struct error_why why;

    if (!e || e->why.cause == CAUSE_UNKNOWN || e->why.beside.at)
        return e;
    why = e->why;
    why.beside = beside;
    return error_because(a, e, why);
}

const struct error *error_in(struct arena *a, const struct error *e, size_t entry)
{
    struct error *copy;

    if (!e)
        return e;
    copy = copy_of(a, e);
    copy->entry = entry;
    return copy;
}

const struct error *error_whole(struct arena *a, const struct error *e)
{
    struct error *copy;

    if (!e || e->whole)
        return e;
    copy = copy_of(a, e);
    copy->whole = true;
    return copy;
}

const struct error *error_enveloped(struct arena *a, const struct error *e)
{
    static const struct span envelope = SPAN_LIT_INIT("1 validation error detected: ");
    struct error *copy;
    char *text;

    if (!e || e->bare || e->kind != ERROR_VALIDATION)
        return e;
    text = arena_alloc_raw(a, envelope.len + e->message.len);
    memcpy(text, envelope.at, envelope.len);
    if (e->message.len)
        memcpy(text + envelope.len, e->message.at, e->message.len);
    copy = copy_of(a, e);
    copy->message = (struct span){text, envelope.len + e->message.len};
    copy->bare = true; /* one envelope is enough */
    return copy;
}

const struct error *error_copy(struct arena *a, const struct error *e)
{
    struct error *copy;

    if (!e)
        return NULL;
    copy = arena_alloc(a, sizeof *copy);
    *copy = *e;
    copy->message = arena_span(a, e->message);
    copy->members = arena_span(a, e->members);
    copy->why.operand = arena_span(a, e->why.operand);
    copy->why.beside = arena_span(a, e->why.beside);
    return copy;
}
