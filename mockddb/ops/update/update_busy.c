#include "ops/update/update.h"

#include "ops/table/table_state.h"

/* The end of a rule's message, after its text. */
enum tail {
    TAIL_NONE,
    TAIL_TABLE,  /* " Table: T" */
    TAIL_STREAM, /* … " Stream: <label> Operation: ENABLE" */
    TAIL_CLASS   /* … " TableClassUpdateInProgress: STANDARD" */
};

#define IOPS  (UPDATE_THROUGHPUT | UPDATE_BILLING)
#define INDEX (UPDATE_INDEX_CREATE | UPDATE_INDEX_DELETE)

static const struct {
    unsigned wanted;
    enum table_change running;
    const char *text;
    enum tail tail;
} rules[] = {
    {IOPS, CHANGE_THROUGHPUT, "Table IOPS are currently being updated.", TAIL_TABLE},
    {IOPS, CHANGE_BILLING, "Table IOPS are currently being updated.", TAIL_TABLE},
    {IOPS, CHANGE_STREAM, "Can't change table IOPS when stream status is being updated.",
     TAIL_STREAM},
    {IOPS, CHANGE_CLASS, "Can't change table IOPS when a table class update is in progress.",
     TAIL_CLASS},
    {UPDATE_STREAM, CHANGE_THROUGHPUT,
     "Can't enable or disable stream while table IOPS are being updated.", TAIL_TABLE},
    {UPDATE_STREAM, CHANGE_BILLING,
     "Can't enable or disable stream while table IOPS are being updated.", TAIL_TABLE},
    {UPDATE_STREAM, CHANGE_STREAM, "A stream status change is currently in progress.", TAIL_STREAM},
    {UPDATE_STREAM, CHANGE_CLASS,
     "Can't enable or disable stream when a table class update is in progress.", TAIL_CLASS},
    {UPDATE_CLASS, CHANGE_THROUGHPUT,
     "Can't update table class while table IOPS are being updated.", TAIL_TABLE},
    {UPDATE_CLASS, CHANGE_BILLING, "Can't update table class while table IOPS are being updated.",
     TAIL_TABLE},
    {UPDATE_CLASS, CHANGE_STREAM, "Can't update table class when stream status is being updated.",
     TAIL_STREAM},
    {UPDATE_CLASS, CHANGE_CLASS,
     "Can't update table class when a table class update is in progress.", TAIL_CLASS},
    {INDEX, CHANGE_THROUGHPUT, "Can't create or delete indexes while table IOPS are being updated.",
     TAIL_TABLE},
    {INDEX, CHANGE_BILLING, "Can't create or delete indexes while table IOPS are being updated.",
     TAIL_TABLE},
    {INDEX, CHANGE_STREAM, "Can't create or delete an index when stream status is being updated.",
     TAIL_NONE},
    {INDEX, CHANGE_CLASS,
     "Can't create or delete an index when a table class update is in progress.", TAIL_NONE},
    {UPDATE_ON_DEMAND, CHANGE_BILLING,
     "OnDemandThroughput cannot be updated while BillingMode update is in progress", TAIL_NONE},
    {UPDATE_ON_DEMAND, CHANGE_STREAM,
     "OnDemandThroughput cannot be updated while stream status update is in progress", TAIL_NONE},
    {UPDATE_ON_DEMAND, CHANGE_CLASS,
     "OnDemandThroughput cannot be updated while TableClass update is in progress", TAIL_NONE},
};

static const char *tail_text(struct call *c, const struct table *t, enum tail tail)
{
    switch (tail) {
    case TAIL_TABLE:
        return arena_printf(c->arena, " Table: %.*s", SPAN_ARG(t->name));
    case TAIL_STREAM:
        return arena_printf(c->arena, " Table: %.*s Stream: %.*s Operation: %s", SPAN_ARG(t->name),
                            SPAN_ARG(t->stream_label), t->stream_enabled ? "ENABLE" : "DISABLE");
    case TAIL_CLASS:
        return arena_printf(c->arena, " Table: %.*s TableClassUpdateInProgress: %.*s",
                            SPAN_ARG(t->name), SPAN_ARG(t->next_table_class));
    default:
        return "";
    }
}

/* --- indexes under way ------------------------------------------------------------------------ */

/* The index that is being allocated or deleted, or NULL. Such an index blocks table changes. */
static const struct index *index_in_table_change(const struct table *t)
{
    for (size_t i = 0; t->change == CHANGE_INDEX && i < t->index_count; i++) {
        const struct index *ix = &t->indexes[i];

        if (ix->status == STATUS_DELETING || (ix->status == STATUS_CREATING && !ix->backfilling))
            return ix;
    }
    return NULL;
}

static const struct error *check_table_index(struct call *c, const struct table *t, unsigned wanted)
{
    const struct index *ix = index_in_table_change(t);
    bool creating;

    if (!ix)
        return NULL;
    creating = ix->status == STATUS_CREATING;
    if (wanted & IOPS)
        return table_state_in_use(
            c, "Can't change table IOPS when an index is being %s. Table: %.*s Indexes: [%.*s]",
            creating ? "created" : "deleted", SPAN_ARG(t->name), SPAN_ARG(ix->name));
    if (wanted & UPDATE_STREAM)
        return table_state_in_use(c, "Can't change stream status when an index is being %s",
                                  creating ? "created" : "deleted");
    if (wanted & UPDATE_CLASS)
        return table_state_in_use(c, "Can't update table class when an index is being %s",
                                  creating ? "created" : "deleted");
    if (wanted & UPDATE_ON_DEMAND)
        return table_state_in_use(c,
                                  "OnDemandThroughput cannot be updated while index %s is in "
                                  "progress for indexes: [%.*s]",
                                  creating ? "creation" : "deletion", SPAN_ARG(ix->name));
    return NULL;
}

/* Refuses Update and Delete of an index that is being changed. */
static const struct error *check_index(struct call *c, const struct table *t,
                                       const struct index_change *change)
{
    const struct index *ix = schema_find_index(t, change->index.name);
    const char *text;

    if (!ix || change->action == INDEX_CREATE || ix->status == STATUS_ACTIVE)
        return NULL;
    if (ix->status == STATUS_CREATING && ix->backfilling)
        return NULL;
    if (ix->status == STATUS_UPDATING)
        text = "Index is being updated.";
    else if (ix->status == STATUS_DELETING)
        text = "Index is being deleted.";
    else if (change->action == INDEX_UPDATE)
        text = "Index is being created but is not backfilling yet. ";
    else
        text = "Index creation is in resource allocation phase. Retry deletion during backfilling "
               "phase or when the index is active.";
    return table_state_in_use(c, "%s Table: %.*s Index: %.*s", text, SPAN_ARG(t->name),
                              SPAN_ARG(ix->name));
}

const struct error *update_busy_one_index(struct call *c)
{
    return error_caused(c->arena, ERROR_LIMIT_EXCEEDED, ERROR_WHY(CAUSE_ONE_INDEX),
                        "Subscriber limit exceeded: Only 1 online index can be created or deleted "
                        "simultaneously per table");
}

/* Refuses creating or deleting an index while another index is being created or deleted. An index
 * that is being backfilled can itself be deleted. */
static const struct error *check_other_index(struct call *c, const struct table *t,
                                             const struct index_change *change)
{
    const struct index *own = schema_find_index(t, change->index.name);

    if (change->action == INDEX_UPDATE)
        return NULL;
    for (size_t i = 0; i < t->index_count; i++) {
        const struct index *ix = &t->indexes[i];

        if (ix != own && (ix->status == STATUS_CREATING || ix->status == STATUS_DELETING))
            return update_busy_one_index(c);
    }
    return NULL;
}

/* PAY_PER_REQUEST changes nothing for an on-demand table, or one that is leaving this mode. */
static unsigned without_repeated_billing(const struct table *t, const struct table_spec *spec,
                                         unsigned wanted)
{
    if (!table_spec_on_demand(spec))
        return wanted;
    if (t->change == CHANGE_BILLING ? !t->on_demand : t->on_demand)
        return wanted & ~(unsigned)UPDATE_BILLING;
    return wanted;
}

/* Runs a check over both lists of index changes. */
static const struct error *check_each(
    struct call *c, const struct table *t, const struct table_spec *spec,
    const struct error *(*check)(struct call *, const struct table *, const struct index_change *))
{
    const struct index_change_list *const lists[] = {&spec->index_changes, &spec->vector_changes};
    const struct error *e = NULL;

    for (size_t k = 0; k < COUNT(lists); k++)
        for (size_t i = 0; !e && i < lists[k]->len; i++)
            e = check(c, t, &lists[k]->at[i]);
    return e;
}

const struct error *update_busy_check(struct call *c, const struct table *t,
                                      const struct table_spec *spec)
{
    unsigned wanted = without_repeated_billing(t, spec, update_request_aspects(spec));
    const struct error *e;

    if ((e = check_each(c, t, spec, check_index)))
        return e;
    for (size_t i = 0; i < COUNT(rules); i++)
        if ((wanted & rules[i].wanted) && t->change == rules[i].running)
            return table_state_in_use(c, "%s%s", rules[i].text, tail_text(c, t, rules[i].tail));
    if ((wanted & UPDATE_SSE) && t->sse_until_ms)
        return table_state_in_use(c, "Server-Side Encryption is still being updated");
    if ((e = check_table_index(c, t, wanted)))
        return e;
    return check_each(c, t, spec, check_other_index);
}
