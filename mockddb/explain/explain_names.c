#include "explain/explain_names.h"

#include "explain/explain_near.h"
#include "explain/explain_statement.h"
#include "explain/explain_trial.h"

#define LISTED 5 /* names */

/* --- how near --------------------------------------------------------------------------------- */

#define STAGES  3 /* parts in front of a name: "dev-payments-Orders" */
#define TOO_FAR ((size_t)99)

/* The name without its first `stages` parts; empty if it has fewer. */
static struct span without_stages(struct span name, size_t stages)
{
    for (; stages; stages--) {
        const char *dash = span_find(name, '-');

        name = dash ? span_from(name, (size_t)(dash - name.at) + 1) : (struct span){"", 0};
    }
    return name;
}

/* 0: the same except for its case; 1: in another stage or with something behind it; larger is
 * farther. */
static size_t bare_distance(struct inquiry *q, struct span asked, struct span there)
{
    size_t limit = explain_near_threshold(asked), distance;

    if (!asked.len || !there.len)
        return TOO_FAR;
    if (explain_near_same(asked, there))
        return 0;
    if (span_starts_with(there, asked) || span_starts_with(asked, there))
        return 1;
    distance = explain_near_distance(q, asked, there, limit);
    return distance > limit ? TOO_FAR : 2 + distance;
}

static size_t name_distance(struct inquiry *q, struct span asked, struct span there)
{
    size_t best = bare_distance(q, asked, there);

    for (size_t i = 0; i <= STAGES; i++)
        for (size_t k = 0; k <= STAGES; k++) {
            struct span bare = without_stages(asked, i);
            size_t distance = bare.len < 4 ? TOO_FAR
                                           : bare_distance(q, bare, without_stages(there, k));

            if (distance < best)
                best = distance;
        }
    return best;
}

/* --- tables ----------------------------------------------------------------------------------- */

static const struct table *nearest_table(struct inquiry *q, struct span asked)
{
    const struct table *best = NULL, *t = NULL;
    size_t least = TOO_FAR;

    while ((t = op_region_table_after(&q->call, t ? t->name : SPAN_LIT(""))) &&
           inquiry_may_read(q)) {
        size_t distance = name_distance(q, asked, t->name);

        if (distance >= least)
            continue;
        least = distance;
        best = t;
    }
    return best;
}

static const char *all_tables(struct inquiry *q)
{
    struct span names[LISTED];
    const struct table *t = NULL;
    size_t len = 0;

    while (len < LISTED && (t = op_region_table_after(&q->call, t ? t->name : SPAN_LIT(""))))
        names[len++] = t->name;
    if (!len)
        return "there are no tables here";
    return arena_printf(q->arena, "there %s %s%s", len == 1 ? "is" : "are",
                        inquiry_names(q, names, len),
                        t && op_region_table_after(&q->call, t->name) ? ", …" : "");
}

static void propose_in_statement(struct inquiry *q, struct span name, const char *instead)
{
    struct span place = explain_statement_table(q, name);

    if (place.at)
        explain_statement_propose(q, place, instead);
}

/* "Table.Index" in one pair of quotes. */
static bool joined_index(struct inquiry *q, struct span name)
{
    const char *dot = span_find(name, '.');
    struct span table, index;
    const struct table *t;

    if (!dot || !wire_get(q->call.body, "Statement"))
        return false;
    table = (struct span){name.at, (size_t)(dot - name.at)};
    index = span_from(name, table.len + 1);
    if (!(t = op_region_table(&q->call, table)) || !schema_find_index(t, index))
        return false;
    inquiry_reason(q, "table and index have quotes of their own: \"%.*s\".\"%.*s\"",
                   SPAN_ARG(table), SPAN_ARG(index));
    propose_in_statement(
        q, name, arena_printf(q->arena, "\"%.*s\".\"%.*s\"", SPAN_ARG(table), SPAN_ARG(index)));
    return true;
}

/* The same name in another region, where the server tells them apart. */
static bool in_other_region(struct inquiry *q, struct span name)
{
    const struct settings *settings = q->call.settings;
    const struct table *t = NULL;

    while (settings->regional && inquiry_may_read(q) &&
           (t = store_table_next(q->arena, q->call.store, t))) {
        if (!span_equal(t->name, name) || span_equal(t->region, q->call.region))
            continue;
        inquiry_reason(q,
                       "there is no table %.*s in %.*s; it is in %.*s: a request reads the region "
                       "that it is signed for",
                       SPAN_ARG(name), SPAN_ARG(op_region(&q->call)),
                       SPAN_ARG(t->region.len ? t->region : settings->region));
        return true;
    }
    return false;
}

void explain_names_table(struct inquiry *q, const struct refusal *r)
{
    struct span name = r->why->operand;
    const struct table *near = nearest_table(q, name), *there = op_region_table(&q->call, name);

    if (there) {
        inquiry_reason(q, "%.*s is being %s, and has no items meanwhile: %s", SPAN_ARG(name),
                       there->status == STATUS_CREATING ? "created" : "deleted",
                       there->status == STATUS_CREATING ? "wait until DescribeTable says ACTIVE"
                                                        : "create it again when it is gone");
        return;
    }
    if (joined_index(q, name) || in_other_region(q, name))
        return;
    if (!near) {
        inquiry_reason(q, "there is no table %.*s in %.*s; %s", SPAN_ARG(name),
                       SPAN_ARG(op_region(&q->call)), all_tables(q));
        return;
    }
    inquiry_reason(q, "there is no table %.*s; there is %.*s", SPAN_ARG(name),
                   SPAN_ARG(near->name));
    if (wire_get(q->call.body, "Statement"))
        propose_in_statement(q, name, arena_printf(q->arena, "\"%.*s\"", SPAN_ARG(near->name)));
    if (wire_get(q->entry, "TableName") &&
        (q->call.op->access == OP_READS || q->call.op->form != OP_NO_ITEMS))
        explain_trial_propose_members(
            q, (struct trial_member[]){{"TableName", explain_trial_json_text(q, near->name)}}, 1);
}

/* --- indexes ---------------------------------------------------------------------------------- */

static const struct index *nearest_index(struct inquiry *q, const struct table *t,
                                         struct span asked)
{
    const struct index *best = NULL;
    size_t least = TOO_FAR;

    for (size_t i = 0; i < t->index_count; i++) {
        size_t distance = name_distance(q, asked, t->indexes[i].name);

        if (distance >= least)
            continue;
        least = distance;
        best = &t->indexes[i];
    }
    return best;
}

void explain_names_index(struct inquiry *q, const struct refusal *r)
{
    const struct table *other = NULL, *t = op_region_table(&q->call, r->why->beside);
    struct span name = r->why->operand, *names;
    const struct index *near;

    if (!t)
        return;
    near = nearest_index(q, t, name);
    names = arena_array(q->arena, t->index_count, sizeof *names);
    if (near) {
        inquiry_reason(q, "%.*s has no index %.*s; it has %.*s", SPAN_ARG(t->name), SPAN_ARG(name),
                       SPAN_ARG(near->name));
        explain_trial_propose_members(
            q, (struct trial_member[]){{"IndexName", explain_trial_json_text(q, near->name)}}, 1);
        return;
    }
    while ((other = op_region_table_after(&q->call, other ? other->name : SPAN_LIT(""))))
        if (schema_find_index(other, name))
            inquiry_reason(q, "%.*s has no index %.*s; that is one of %.*s", SPAN_ARG(t->name),
                           SPAN_ARG(name), SPAN_ARG(other->name));
    for (size_t i = 0; i < t->index_count; i++)
        names[i] = t->indexes[i].name;
    inquiry_reason(q, "%.*s has no index %.*s; %s%s", SPAN_ARG(t->name), SPAN_ARG(name),
                   t->index_count ? "it has " : "it has no indexes",
                   inquiry_names(q, names, t->index_count));
}
