#include "explain/explain_cause.h"

#include "base/cut.h"
#include "explain/explain_near.h"
#include "explain/explain_trial.h"
#include "explain/say.h"
#include "wire/wire_print.h"

#define LISTED 5 /* names */

/* --- how near --------------------------------------------------------------------------------- */

#define STAGES  3 /* parts in front of a name: "dev-payments-Orders" */
#define TOO_FAR ((size_t)99)

/* The name without its first `stages` parts; empty if it has fewer. */
static struct span without_stages(struct span name, size_t stages)
{
    while (stages--)
        (void)cut_part(&name, '-');
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

static void consider_name(struct inquiry *q, struct near_best *best, struct span asked,
                          struct span there)
{
    size_t least = bare_distance(q, asked, there);

    for (size_t i = 0; i <= STAGES; i++)
        for (size_t k = 0; k <= STAGES; k++) {
            struct span bare = without_stages(asked, i);
            size_t distance = bare.len < 4 ? TOO_FAR
                                           : bare_distance(q, bare, without_stages(there, k));

            least = distance < least ? distance : least;
        }
    if (least < TOO_FAR)
        explain_near_keep(best, there, least);
}

/* --- tables ----------------------------------------------------------------------------------- */

static const struct table *next_table(struct inquiry *q, const struct table *t)
{
    return op_region_table_after(&q->call, t ? t->name : SPAN_LIT(""));
}

static const char *all_tables(struct inquiry *q)
{
    struct span names[LISTED];
    const struct table *t = NULL;
    size_t len = 0;

    while (len < LISTED && (t = next_table(q, t)))
        names[len++] = t->name;
    if (!len)
        return "there are no tables here";
    return say_text(q, "there % %%", len == 1 ? "is" : "are", say_names(names, len),
                    t && next_table(q, t) ? ", …" : "");
}

/* "Table.Index" in one pair of quotes. */
static bool say_joined_index(struct inquiry *q, struct span name)
{
    const struct index *ix = NULL;
    const struct table *t;
    const char *both;

    for (size_t i = 0; i < name.len && !ix && wire_get(q->call.body, "Statement"); i++)
        if (name.at[i] == '.' && (t = op_region_table(&q->call, (struct span){name.at, i})))
            ix = schema_find_index(t, span_from(name, i + 1));
    if (!ix)
        return false;
    both = say_text(q, "\"%\".\"%\"", t->name, ix->name);
    say_why(q, "table and index have quotes of their own: %", both);
    explain_statement_propose(q, explain_statement_table(q, name), both);
    return true;
}

/* The same name in another region, where the server tells them apart. */
static bool say_other_region(struct inquiry *q, struct span name)
{
    const struct settings *settings = q->call.settings;
    const struct table *t = NULL;

    while (settings->regional && inquiry_may_read(q) &&
           (t = store_table_next(q->arena, q->call.store, t))) {
        if (!span_equal(t->name, name) || span_equal(t->region, q->call.region))
            continue;
        say_why(q,
                "there is no table % in %; it is in %: a request reads the region that it is "
                "signed for",
                name, op_region(&q->call), t->region.len ? t->region : settings->region);
        return true;
    }
    return false;
}

void explain_names_table(struct inquiry *q, const struct refusal *r)
{
    struct span name = r->why->operand;
    const struct table *there = op_region_table(&q->call, name), *t = NULL;
    struct near_best near = {.len = 0};

    if (there && there->status == STATUS_CREATING)
        say_why(q,
                "% is being created, and has no items meanwhile: wait until DescribeTable says "
                "ACTIVE",
                name);
    else if (there)
        say_why(q,
                "% is being deleted, and has no items meanwhile: create it again when it is gone",
                name);
    if (there || say_joined_index(q, name) || say_other_region(q, name))
        return;
    while ((t = next_table(q, t)) && inquiry_may_read(q))
        consider_name(q, &near, name, t->name);
    if (!near.len) {
        say_why(q, "there is no table % in %; %", name, op_region(&q->call), all_tables(q));
        return;
    }
    say_why(q, "there is no table %; there is %%", name, near.at[0],
            explain_near_case(name, near.at[0]));
    if (wire_get(q->call.body, "Statement"))
        explain_statement_propose(q, explain_statement_table(q, name),
                                  say_text(q, "\"%\"", near.at[0]));
    if (wire_get(q->entry, "TableName") &&
        (q->call.op->access == OP_READS || q->call.op->form != OP_NO_ITEMS))
        explain_trial_propose_text(q, "TableName", near.at[0]);
}

/* --- indexes ---------------------------------------------------------------------------------- */

void explain_names_index(struct inquiry *q, const struct refusal *r)
{
    const struct table *other = NULL, *t = op_region_table(&q->call, r->why->beside);
    struct span name = r->why->operand, *names;
    struct near_best near = {.len = 0};

    if (!t)
        return;
    if (schema_find_index(t, name)) {
        say_why(q, "% is % of %: this is for global indexes", name,
                schema_kind(schema_find_index(t, name)) == KIND_LOCAL ? "a local index"
                                                                      : "a vector index",
                t);
        return;
    }
    names = arena_array(q->arena, t->index_count, sizeof *names);
    for (size_t i = 0; i < t->index_count; i++) {
        names[i] = t->indexes[i].name;
        consider_name(q, &near, name, names[i]);
    }
    if (near.len) {
        say_why(q, "% has no index %; it has %%", t, name, near.at[0],
                explain_near_case(name, near.at[0]));
        if (wire_get(q->entry, "IndexName"))
            explain_trial_propose_text(q, "IndexName", near.at[0]);
        return;
    }
    while ((other = next_table(q, other)))
        if (schema_find_index(other, name))
            say_why(q, "% has no index %; that is one of %", t, name, other);
    say_why(q, "% has no index %; %%", t, name, t->index_count ? "it has " : "it has no indexes",
            say_names(names, t->index_count));
}

/* --- their keys ------------------------------------------------------------------------------- */

/* "the table's" or "INDEX's", by the key that has the attribute. */
static const char *owner_of(struct inquiry *q, struct span name)
{
    static const char *const lists[] = {"LocalSecondaryIndexes", "GlobalSecondaryIndexes",
                                        "GlobalSecondaryIndexUpdates"};

    for (size_t i = 0; i < COUNT(lists); i++)
        for (const wire_node *n = wire_first(wire_get(q->call.body, lists[i])); n;
             n = wire_next(n)) {
            const wire_node *index = wire_get(n, "Create") ? wire_get(n, "Create") : n;
            const wire_node *part = wire_first(wire_get(index, "KeySchema"));

            for (; part; part = wire_next(part))
                if (span_equal(wire_text(wire_get(part, "AttributeName")), name))
                    return say_text(q, "%'s", wire_text(wire_get(index, "IndexName")));
        }
    return "the table's";
}

void explain_names_undefined(struct inquiry *q, const struct refusal *r)
{
    struct span name = r->why->operand;

    say_why(q,
            "% is in % key and not defined: add {\"AttributeName\": \"%\", \"AttributeType\": "
            "\"S\"} to AttributeDefinitions",
            name, owner_of(q, name), name);
}

/* Proposes AttributeDefinitions without the one. */
void explain_names_unused(struct inquiry *q, const struct refusal *r)
{
    const wire_node *n = wire_first(wire_get(q->call.body, "AttributeDefinitions"));
    struct buf list = buf_in(q->arena);

    for (; n; n = wire_next(n))
        if (!span_equal(wire_text(wire_get(n, "AttributeName")), r->why->operand)) {
            buf_add_text(&list, list.len ? "," : "[");
            wire_print_json(&list, n);
        }
    buf_add_text(&list, list.len ? "]" : "[]");
    explain_trial_propose_with(q, TRIAL_JSON("AttributeDefinitions", buf_span(&list)));
}

void explain_names_no_units(struct inquiry *q, const struct refusal *r)
{
    (void)r;
    explain_trial_propose_text(q, "BillingMode", SPAN_LIT("PAY_PER_REQUEST"));
}
