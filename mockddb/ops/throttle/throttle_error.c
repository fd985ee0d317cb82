#include "ops/throttle/throttle_error.h"

#include <assert.h>

const char throttle_error_exceeded[] =
    "The level of configured provisioned throughput for the table was exceeded. Consider "
    "increasing your provisioning level with the UpdateTable API.";
const char throttle_error_busy[] =
    "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically "
    "scaling your table or index so please try again shortly. If exceptions persist, check if you "
    "have a hot key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/"
    "bp-partition-key-design.html.";

#define INDEX_EXCEEDED                                                                         \
    "The level of configured provisioned throughput for one or more global secondary indexes " \
    "of the table was exceeded. Consider increasing your provisioning level for the "          \
    "under-provisioned global secondary indexes with the UpdateTable API."
#define INDEX_BUSY                                                               \
    "Throughput exceeds the current capacity for one or more global secondary "  \
    "indexes. DynamoDB is automatically scaling your index so please try again " \
    "shortly."
#define ACCOUNT_EXCEEDED                                                                    \
    "Throughput exceeds the current throughput limit for your account. Please contact AWS " \
    "Support at https://aws.amazon.com/support request a limit increase"
#define MAXIMUM_EXCEEDED \
    "Throughput exceeds the maximum OnDemandThroughput configured on table or index"

/* The member with the reasons, and the messages of the errors. */
static const struct throttle_form {
    enum error_kind kind;
    const char *message, *of_index;
    const char *reasons_key;
    enum throttle_cause usual;
} forms[] = {
    {ERROR_THROUGHPUT_EXCEEDED, throttle_error_exceeded, INDEX_EXCEEDED, "ThrottlingReasons",
     THROTTLE_PROVISIONED},
    {ERROR_REQUEST_LIMIT, ACCOUNT_EXCEEDED, ACCOUNT_EXCEEDED, "ThrottlingReasons",
     THROTTLE_ACCOUNT},
    {ERROR_THROTTLING, throttle_error_busy, INDEX_BUSY, "throttlingReasons", THROTTLE_KEY_RANGE},
};

static const char *const causes[] = {
    [THROTTLE_PROVISIONED] = "ProvisionedThroughputExceeded",
    [THROTTLE_ACCOUNT] = "AccountLimitExceeded",
    [THROTTLE_KEY_RANGE] = "KeyRangeThroughputExceeded",
    [THROTTLE_MAX_ON_DEMAND] = "MaxOnDemandThroughputExceeded",
};

static const struct throttle_form *form_of(enum error_kind kind)
{
    for (size_t i = 0; i < COUNT(forms); i++)
        if (forms[i].kind == kind)
            return &forms[i];
    return NULL;
}

bool throttle_error_has_reasons(enum error_kind kind, enum throttle_cause *usual)
{
    const struct throttle_form *form = form_of(kind);

    if (form)
        *usual = form->usual;
    return form != NULL;
}

/* --- reasons ---------------------------------------------------------------------------------- */

struct span throttle_error_reason(struct arena *a, bool of_index, bool writes,
                                  enum throttle_cause cause)
{
    return span_of(arena_printf(a, "%s%s%s", of_index ? "Index" : "Table",
                                writes ? "Write" : "Read", causes[cause]));
}

/* The part of a reason after "TableRead" or one of the other three; .at is NULL for other texts. */
static struct span cause_in(struct span name)
{
    static const char *const fronts[] = {"TableRead", "TableWrite", "IndexRead", "IndexWrite"};

    for (size_t i = 0; i < COUNT(fronts); i++)
        if (span_starts_with(name, span_of(fronts[i])))
            return span_from(name, strlen(fronts[i]));
    return (struct span){NULL, 0};
}

bool throttle_error_is_reason(struct span name)
{
    struct span cause = cause_in(name);

    for (size_t i = 0; cause.at && i < COUNT(causes); i++)
        if (span_is(cause, causes[i]))
            return true;
    return false;
}

bool throttle_error_is_of_index(struct span name)
{
    return span_starts_with(name, SPAN_LIT("Index"));
}

/* --- errors ----------------------------------------------------------------------------------- */

static struct span message_of(const struct throttle_form *form, struct span reason)
{
    if (form->kind == ERROR_THROTTLING && span_is(cause_in(reason), causes[THROTTLE_MAX_ON_DEMAND]))
        return SPAN_LIT(MAXIMUM_EXCEEDED);
    return span_of(throttle_error_is_of_index(reason) ? form->of_index : form->message);
}

const struct error *throttle_error(struct arena *a, enum error_kind kind,
                                   const struct throttle_reason *reasons, size_t count)
{
    const struct throttle_form *form = forms;
    struct error *e = arena_alloc(a, sizeof *e);
    struct buf members = buf_in(a);
    struct wire_writer w = {.out = &members};

    for (; form->kind != kind; form++)
        assert(form + 1 < forms + COUNT(forms));
    assert(count);
    wire_open_member(&w, form->reasons_key, '[');
    for (size_t i = 0; i < count; i++) {
        const struct throttle_reason *reason = &reasons[i];

        wire_open(&w, '{');
        wire_put_member_text(&w, "reason", reason->name);
        wire_put_set_text(&w, "resource", reason->resource);
        wire_close(&w, '}');
    }
    wire_close(&w, ']');
    e->kind = kind;
    e->message = message_of(form, reasons[0].name);
    e->members = buf_span(&members);
    return e;
}

bool throttle_error_is_one(const struct error *e)
{
    return e && form_of(e->kind);
}

enum error_kind throttle_error_kind(enum throttle_cause cause, bool on_demand)
{
    if (cause == THROTTLE_ACCOUNT)
        return ERROR_REQUEST_LIMIT;
    return on_demand ? ERROR_THROTTLING : ERROR_THROUGHPUT_EXCEEDED;
}
