#include "explain/explain_cause.h"

#include "explain/explain_entry.h"
#include "explain/explain_find.h"
#include "explain/explain_near.h"
#include "explain/explain_trial.h"
#include "explain/say.h"
#include "model/num.h"
#include "ops/key_check.h"
#include "ops/op_target.h"

/* An index of the table whose partition key is this attribute alone, or NULL. */
static const struct index *index_of(const struct table *t, struct span name)
{
    for (size_t i = 0; i < t->index_count; i++) {
        const struct index *ix = &t->indexes[i];

        if (ix->keys.hash_count == 1 && span_equal(ix->keys.hash[0].name, name))
            return ix;
    }
    return NULL;
}

bool explain_key_is_typed_twice(const struct attr *value)
{
    const struct field *member = value->map.at;
    struct num number;

    if (value->type != ATTR_M || value->map.len != 1)
        return false;
    if (span_is(member->name, "S"))
        return member->value.type == ATTR_S;
    return span_is(member->name, "N") && member->value.type <= ATTR_N &&
           num_parse(member->value.bytes, false, &number) == NUM_OK;
}

void explain_key_propose_query(struct inquiry *q, const struct table *t, const struct index *ix,
                               struct span name, const struct attr *value)
{
    struct expr_key_clause hash = {.attribute = name, .op = EXPR_EQ, .low = *value};

    explain_draft_propose_query(q, t, ix, &(struct expr_key){&hash, 1});
}

/* --- words ------------------------------------------------------------------------------------ */

bool explain_key_sent(struct inquiry *q, struct item *out)
{
    const wire_node *key = wire_get(q->entry, "Key"), *it = wire_get(q->entry, "Item");

    return inquiry_read_item(q, key ? key : it ? it : q->entry, out);
}

static bool find_table(struct inquiry *q, const struct refusal *r, const struct table **out)
{
    return !op_target_find_named(&q->call, r->why->beside, out);
}

/* The part of the key that is called nearly so and is not sent; NULL: none is. */
static const struct key_part *find_meant(struct inquiry *q, const struct table *t, struct span name,
                                         const struct item *sent)
{
    const struct key_part *part;

    for (size_t i = 0; (part = schema_key_part(&t->keys, i)); i++)
        if (!item_find(sent, part->name) && explain_near_names(q, name, part->name))
            break;
    return part;
}

/* Proposes the key or the item with all attributes that are called nearly as its key's. */
static void propose_names(struct inquiry *q, const struct table *t, const struct item *sent)
{
    struct item named = {.at = arena_array(q->arena, sent->len + 1, sizeof *named.at)};
    const struct key_part *part;

    for (size_t i = 0; i < sent->len; i++) {
        part = find_meant(q, t, sent->at[i].name, sent);
        named.at[named.len++] = (struct field){part ? part->name : sent->at[i].name,
                                               sent->at[i].value};
    }
    explain_trial_propose_with(q, TRIAL_JSON(wire_get(q->entry, "Item") ? "Item" : "Key",
                                             explain_trial_json_item(q, &named)));
}

/* An attribute that does not belong to the key, and the index that it belongs to. */
void explain_key_stranger(struct inquiry *q, const struct refusal *r)
{
    struct span name = r->why->operand;
    const struct key_part *part;
    const struct attr *value;
    const struct index *ix;
    const struct table *t;
    struct item sent;

    if (!find_table(q, r, &t))
        return;
    if (explain_key_sent(q, &sent) && (part = find_meant(q, t, name, &sent))) {
        say_why(q, "% is no key of %, whose key is %: write %%", name, t, &t->keys, part->name,
                explain_near_case(name, part->name));
        propose_names(q, t, &sent);
        return;
    }
    if (!(ix = index_of(t, name))) {
        say_why(q, "% is no key of %, whose key is %", name, t, &t->keys);
        return;
    }
    say_why(q, "% is no key of % (%); it is the key of %, which a Query asks", name, t, &t->keys,
            ix);
    if (explain_key_sent(q, &sent) && (value = item_find(&sent, name)))
        explain_key_propose_query(q, t, ix, name, value);
}

void explain_key_missing(struct inquiry *q, const struct refusal *r)
{
    const struct attr *hash;
    const char *near;
    const struct table *t;
    struct item sent;

    if (wire_get(q->entry, "Statement"))
        explain_statement_key(q, r);
    if (q->reason.len || !find_table(q, r, &t))
        return;
    if (!explain_key_sent(q, &sent))
        sent.len = 0;
    near = explain_entry_near_name(q, &sent, r->why->operand);
    say_why(q, "the key of % is %: % is missing%", t, &t->keys, r->why->operand,
            say_behind(q, ", the request has ", near));
    if (near)
        propose_names(q, t, &sent);
    if (near || sent.len != 1 || wire_get(q->entry, "Item"))
        return;
    hash = item_find(&sent, t->keys.hash[0].name);
    if (hash && t->keys.hash_count == 1 && hash->type == t->keys.hash[0].type)
        explain_key_propose_query(q, t, NULL, t->keys.hash[0].name, hash);
}

/* The value of the attribute that is sent: in a key, an item, or as a placeholder's value. */
static const struct attr *find_sent(struct inquiry *q, const struct refusal *r, struct attr *out)
{
    const struct attr *value;
    struct item sent;

    if (explain_key_sent(q, &sent) && (value = item_find(&sent, r->why->operand))) {
        *out = *value;
        return out;
    }
    for (const wire_node *n = wire_first(wire_get(q->entry, EXPLAIN_VALUES)); n; n = wire_next(n))
        if (inquiry_read_attr(q, n, out) && (int)out->type == r->why->found)
            return out;
    return NULL;
}

/* Whether stored values of the table's key, or of an index's, say what was meant. */
static bool propose_typed(struct inquiry *q, const struct refusal *r, const char **how)
{
    struct rows rows = {NULL, NULL};
    struct expr_key key;
    struct item sent;

    bool in_index = r->why->cause == CAUSE_INDEX_TYPE;

    *how = NULL;
    if (!(in_index ? explain_entry_table(q, &rows.table) : find_table(q, r, &rows.table)) ||
        !explain_key_sent(q, &sent))
        return false;
    if (in_index)
        rows.index = schema_find_index(rows.table, r->why->beside);
    key = explain_read_key(q, explain_rows_keys(&rows), &sent);
    return explain_missing_typed(q, &rows, &key, r->why->operand, how);
}

void explain_key_type(struct inquiry *q, const struct refusal *r)
{
    struct attr value, typed = {.type = (enum attr_type)r->why->wanted};
    const struct attr *sent = find_sent(q, r, &value);
    enum attr_type found = (enum attr_type)r->why->found;
    const char *how;
    bool is_known;

    if (wire_get(q->entry, "Statement")) {
        explain_statement_type(q, r);
        return;
    }
    is_known = propose_typed(q, r, &how);
    if (sent && explain_key_is_typed_twice(sent))
        say_why(q,
                "% is a map with one member \"%\": it looks typed twice, document clients add the "
                "type",
                r->why->operand, sent->map.at[0].name);
    say_why(q, "% is declared %, the request sends %%", r->why->operand, typed.type, found,
            say_behind(q, ": ", how));
    explain_expression_mark_name(q, r);
    if (is_known || !sent || found > ATTR_N || typed.type > ATTR_N)
        return;
    typed.bytes = sent->bytes;
    explain_trial_propose_value(q, sent, &typed);
}

void explain_key_index_type(struct inquiry *q, const struct refusal *r)
{
    bool is_empty = r->why->cause == CAUSE_INDEX_EMPTY;

    if (!is_empty && r->why->found != ATTR_NULL) {
        explain_key_type(q, r);
        return;
    }
    say_why(q,
            "% is a key of % and cannot be %: leave the attribute out to keep the item out of the "
            "index",
            r->why->operand, r->why->beside, is_empty ? "empty" : "NULL");
    explain_expression_mark_name(q, r);
}

const struct error *explain_key_mended(struct inquiry *q, const struct error_why *why,
                                       struct item *sent)
{
    /* A sound text, number and base64 alike. */
    struct attr fit = {.type = (enum attr_type)why->wanted, .bytes = SPAN_LIT("1")};
    struct field *fields = arena_array(q->arena, sent->len + 1, sizeof *fields);
    const struct key_part *part;
    const struct table *t;
    size_t len = 0;

    if (op_target_find_named(&q->call, why->beside, &t))
        return NULL;
    part = find_meant(q, t, why->operand, sent);
    for (size_t i = 0; i < sent->len; i++)
        if (!span_equal(sent->at[i].name, why->operand))
            fields[len++] = sent->at[i];
    if (why->cause != CAUSE_KEY_STRANGER)
        fields[len++] = (struct field){why->operand, fit};
    else if (part)
        fields[len++] = (struct field){part->name, {.type = part->type, .bytes = fit.bytes}};
    *sent = (struct item){.at = fields, .len = len};
    return wire_get(q->entry, "Item") ? key_check_item(q->arena, t, sent)
                                      : key_check_parameter(q->arena, t, sent);
}
