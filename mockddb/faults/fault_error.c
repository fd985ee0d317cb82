/* "error": the operation does not run, and this error is the reply; "message" replaces the
 * service's; "reasons" are those of throttling (in the reply from 2025 on) or of a cancelled
 * transaction.
 *
 * Source: API reference, "Common errors", ThrottlingReason and CancellationReason. */
#include "faults/fault_kind.h"
#include "ops/collection.h"
#include "ops/op_fault.h"
#include "ops/op_write.h"
#include "ops/table/table_arn.h"
#include "ops/throttle/throttle_error.h"
#include "wire/wire_node.h"

#define RATE_EXCEEDED "Rate exceeded" /* of operations that only manage tables */
#define NO_ATTRIBUTE \
    "The provided expression refers to an attribute that does not exist in the item"

/* The default messages. Throttling errors have their own. */
static const struct error_row {
    enum error_kind kind;
    const char *message;
} rows[] = {
    {ERROR_THROUGHPUT_EXCEEDED, NULL},
    {ERROR_REQUEST_LIMIT, NULL},
    {ERROR_THROTTLING, NULL},
    {ERROR_INTERNAL, "Internal server error"},
    {ERROR_SERVICE_UNAVAILABLE, "The service is currently unavailable or busy."},
    {ERROR_TRANSACTION_CONFLICT, OP_FAULT_CONFLICT},
    {ERROR_TRANSACTION_CANCELED, NULL},
    {ERROR_CONDITION_FAILED, OP_WRITE_CONDITION},
    {ERROR_ITEM_COLLECTION_SIZE, collection_exceeded},
};

/* Codes of a cancelled transaction's reasons. */
static const struct {
    const char *code, *message;
} codes[] = {
    {"None", NULL},
    {"ConditionalCheckFailed", OP_WRITE_CONDITION},
    {"ItemCollectionSizeLimitExceeded", collection_exceeded},
    {"TransactionConflict", OP_FAULT_CONFLICT},
    {"ProvisionedThroughputExceeded", throttle_error_exceeded},
    {"ThrottlingError", throttle_error_busy},
    {"ValidationError", NO_ATTRIBUTE},
    {"DuplicateItem", OP_FAULT_DUPLICATE},
};

struct named_error {
    const struct error_row *row;
    struct span message;  /* at NULL: the row's message */
    struct span *reasons; /* names of throttling reasons, or codes */
    size_t reason_count;  /* 0: the default for the request */
};

/* --- reading ---------------------------------------------------------------------------------- */

static const struct error_row *find_row(struct fault_reading *r, struct span name)
{
    struct buf list = buf_in(r->arena);

    for (size_t i = 0; i < COUNT(rows); i++) {
        if (span_is(name, error_name(rows[i].kind)))
            return &rows[i];
        buf_printf(&list, "%s%s", i ? ", " : "", error_name(rows[i].kind));
    }
    fault_kind_refuse(r, "error", "must be one of %s", buf_text(&list));
    return NULL;
}

static const char *code_message(struct span code, bool *known)
{
    for (size_t i = 0; i < COUNT(codes); i++) {
        *known = span_is(code, codes[i].code);
        if (*known)
            return codes[i].message;
    }
    return NULL;
}

static bool reason_fits(const struct error_row *row, struct span reason)
{
    enum throttle_cause usual;
    bool known = false;

    if (row->kind == ERROR_TRANSACTION_CANCELED)
        (void)code_message(reason, &known);
    else if (throttle_error_has_reasons(row->kind, &usual))
        known = throttle_error_is_reason(reason);
    return known;
}

static bool read_reasons(struct fault_reading *r, const wire_node *rule, struct named_error *e)
{
    const wire_node *list = wire_get(rule, "reasons");

    if (!list)
        return true;
    if (!wire_is_list(list) || !wire_count(list))
        return fault_kind_refuse(r, "reasons", "must be a list of reasons");
    e->reasons = arena_array(r->arena, wire_count(list), sizeof *e->reasons);
    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        struct span reason = wire_text(n);

        if (!reason_fits(e->row, reason))
            return fault_kind_refuse(r, "reasons", "has %.*s, which is not a reason of %s",
                                     SPAN_ARG(wire_raw(n)), error_name(e->row->kind));
        e->reasons[e->reason_count++] = reason;
    }
    return true;
}

static const void *read_error(struct fault_reading *r, const wire_node *rule)
{
    struct named_error *e = arena_alloc(r->arena, sizeof *e);
    const wire_node *message = wire_get(rule, "message");

    if (!(e->row = find_row(r, wire_text(wire_get(rule, "error")))))
        return NULL;
    e->message = wire_text(message);
    if (message && !e->message.at) {
        fault_kind_refuse(r, "message", "must be a string");
        return NULL;
    }
    return read_reasons(r, rule, e) ? e : NULL;
}

/* --- applying ------------------------------------------------------------------------------- */

/* The ARN of the resource without capacity; empty if the request names no table. */
static struct span resource_of(const struct fault_hit *hit, struct span reason)
{
    const struct op_subject *s = hit->subject;

    if (!s || !s->table.len)
        return (struct span){"", 0};
    if (throttle_error_is_of_index(reason) && s->index.len)
        return table_arn(hit->call, s->table, "/index/", s->index);
    return table_arn(hit->call, s->table, "", (struct span){"", 0});
}

static const struct error *throttled_error(const struct named_error *e, const struct fault_hit *hit,
                                           enum throttle_cause usual_cause)
{
    struct arena *a = hit->call->arena;
    struct span usual = throttle_error_reason(a, hit->subject && hit->subject->index.len,
                                              hit->call->op->access != OP_READS, usual_cause);
    const struct span *names = e->reason_count ? e->reasons : &usual;
    size_t count = e->reason_count ? e->reason_count : 1;
    struct throttle_reason *reasons = arena_array(a, count, sizeof *reasons);

    for (size_t i = 0; i < count; i++)
        reasons[i] = (struct throttle_reason){names[i], resource_of(hit, names[i])};
    return throttle_error(a, e->row->kind, reasons, count);
}

static size_t action_count(const wire_node *body)
{
    const wire_node *actions = wire_get(body, "TransactItems");

    return wire_count(actions ? actions : wire_get(body, "TransactStatements"));
}

/* One reason for each action; by default the first action met another transaction. */
static const struct error *cancelled_error(const struct named_error *e, const struct fault_hit *hit)
{
    size_t actions = action_count(hit->call->body), count = actions ? actions : 1;
    struct buf members = buf_in(hit->call->arena), list = buf_in(hit->call->arena);
    struct wire_writer w = {.out = &members};
    struct error *error = arena_alloc(hit->call->arena, sizeof *error);

    wire_open_member(&w, "CancellationReasons", '[');
    for (size_t i = 0; i < count; i++) {
        struct span usual = i ? SPAN_LIT("None") : SPAN_LIT("TransactionConflict");
        struct span code = i < e->reason_count ? e->reasons[i]
                           : e->reason_count   ? SPAN_LIT("None")
                                               : usual;
        bool known;
        const char *message = code_message(code, &known);

        wire_open(&w, '{');
        wire_put_member_text(&w, "Code", code);
        if (message)
            wire_put_member_word(&w, "Message", message);
        wire_close(&w, '}');
        buf_printf(&list, "%s%.*s", i ? ", " : "", SPAN_ARG(code));
    }
    wire_close(&w, ']');
    error->kind = ERROR_TRANSACTION_CANCELED;
    error->message = span_of(arena_printf(hit->call->arena,
                                          "Transaction cancelled, please refer cancellation "
                                          "reasons for specific reasons [%s]",
                                          buf_text(&list)));
    error->members = buf_span(&members);
    return error;
}

static void apply_error(const void *state, struct fault_hit *hit)
{
    const struct named_error *e = state;
    const struct error *error;
    struct error *worded;
    enum throttle_cause usual;

    if (e->row->kind == ERROR_TRANSACTION_CANCELED)
        error = cancelled_error(e, hit);
    else if (e->row->kind == ERROR_THROTTLING && !e->reason_count &&
             !op_takes(hit->call->op, "ReturnConsumedCapacity"))
        error = error_new(hit->call->arena, ERROR_THROTTLING, RATE_EXCEEDED);
    else if (throttle_error_has_reasons(e->row->kind, &usual))
        error = throttled_error(e, hit, usual);
    else
        error = error_of(hit->call->arena, e->row->kind, span_of(e->row->message));
    if (e->message.at) {
        worded = arena_alloc(hit->call->arena, sizeof *worded);
        *worded = *error;
        worded->message = e->message;
        error = worded;
    }
    hit->error = error;
}

static const char *const and_those[] = {"message", "reasons", NULL};

const struct fault_kind fault_error = {
    .member = "error", .and_those = and_those, .read = read_error, .apply = apply_error};
