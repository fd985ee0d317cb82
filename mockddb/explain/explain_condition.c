#include "explain/explain_cause.h"

#include "base/fold.h"
#include "explain/explain_entry.h"
#include "explain/explain_find.h"
#include "explain/explain_near.h"
#include "explain/explain_trial.h"
#include "explain/say.h"
#include "model/limits.h"
#include "ops/item/legacy.h"
#include "ops/read/read_index.h"

#define CONDITION "KeyConditionExpression"
#define CLAUSES   8 /* of a key condition */

/* What a Query asks. */
struct asked {
    const struct table *table;
    const struct index *index; /* NULL: the table itself */
    const struct key_schema *keys;
    struct expr_vars vars;
    struct expr_key key;
    struct span text; /* KeyConditionExpression; at NULL: none */
};

/* What can be read of the request; false: it names no table, or its condition cannot be read. */
static bool read_asked(struct inquiry *q, struct asked *r)
{
    struct span index = wire_text(wire_get(q->entry, "IndexName"));
    struct node *tree;

    *r = (struct asked){.text = wire_text(wire_get(q->entry, CONDITION))};
    if (!explain_entry_table(q, &r->table))
        return false;
    r->index = index.at ? schema_find_index(r->table, index) : NULL;
    r->keys = r->index ? &r->index->keys : &r->table->keys;
    r->vars = explain_entry_vars(q);
    if (!r->text.at)
        return !legacy_filter_read_keys(&q->call, WIRE_LAYER_CURRENT, &r->key);
    return !expr_read_key_condition(q->arena, r->text, &r->vars, &tree) &&
           !expr_reduce_key_condition(q->arena, tree, &r->key);
}

/* --- the key condition's text ------------------------------------------------------------------
 */

/* The text of each clause: what is between the ANDs that are not BETWEEN's. */
static size_t clause_texts(struct inquiry *q, struct span text, struct span *out)
{
    struct token *t = explain_tokens(q, GRAMMAR_CONDITION, text);
    const char *from = text.at;
    bool between = false;
    size_t count = 0, depth = 0;

    for (; t->kind != TOKEN_END && count < CLAUSES - 1; t++) {
        depth += t->kind == TOKEN_OPEN;
        depth -= t->kind == TOKEN_CLOSE && depth;
        if (t->kind == TOKEN_AND && !between && !depth) {
            out[count++] = fold_trimmed((struct span){from, (size_t)(t->text.at - from)});
            from = span_end(t->text);
        }
        between = t->kind == TOKEN_BETWEEN || (between && t->kind != TOKEN_AND);
    }
    out[count++] = fold_trimmed((struct span){from, (size_t)(span_end(text) - from)});
    return count;
}

/* Whether a clause names the attribute. */
static bool names_attribute(struct inquiry *q, struct span clause, struct span name)
{
    struct token *t = explain_tokens(q, GRAMMAR_CONDITION, clause);

    while (t->kind != TOKEN_END && !explain_tokens_name(q, t, name))
        t++;
    return t->kind != TOKEN_END;
}

static void add_clause(struct buf *out, struct span clause)
{
    if (clause.len)
        say_add(out, "%%", out->len ? " AND " : "", clause);
}

/* Clauses about this attribute from one expression to the other. */
static void propose_moved(struct inquiry *q, const char *from, const char *to, struct span name)
{
    struct span text = wire_text(wire_get(q->call.body, from)), clauses[CLAUSES];
    struct span moved = {NULL, 0};
    size_t count = clause_texts(q, text, clauses);
    struct buf left = buf_in(q->arena), grown = buf_in(q->arena);

    add_clause(&grown, fold_trimmed(wire_text(wire_get(q->call.body, to))));
    for (size_t i = 0; i < count; i++) {
        bool is_it = names_attribute(q, clauses[i], name);

        moved = is_it ? clauses[i] : moved;
        add_clause(is_it ? &grown : &left, clauses[i]);
    }
    if (!moved.at)
        return;
    explain_expression_mark(q, from, text, moved);
    explain_trial_propose_with(q, TRIAL_TEXT(from, buf_span(&left)),
                               TRIAL_TEXT(to, buf_span(&grown)));
}

/* --- attributes that do not belong ------------------------------------------------------------ */

static const struct expr_key_clause *find_clause(const struct asked *r, struct span name)
{
    for (size_t i = 0; i < r->key.len; i++)
        if (span_equal(r->key.at[i].attribute, name))
            return &r->key.at[i];
    return NULL;
}

/* Whether the whole condition fits the keys, and has their partition key. */
static bool fits_keys(const struct asked *r, const struct key_schema *keys)
{
    size_t i = 0;

    while (i < r->key.len && schema_is_key(keys, r->key.at[i].attribute))
        i++;
    return i == r->key.len && find_clause(r, keys->hash[0].name);
}

/* The key attribute that was meant; NULL: no key attribute has nearly that name. */
static const struct key_part *find_meant(struct inquiry *q, const struct asked *r, struct span name)
{
    const struct key_part *part;

    for (size_t i = 0; (part = schema_key_part(r->keys, i)); i++)
        if (!find_clause(r, part->name) && explain_near_names(q, name, part->name))
            break;
    return part;
}

/* Without its partition key, a Scan alone can ask for it. */
static void propose_scan(struct inquiry *q, const struct asked *r)
{
    struct buf filter = buf_in(q->arena);

    add_clause(&filter, fold_trimmed(r->text));
    add_clause(&filter, fold_trimmed(wire_text(wire_get(q->call.body, "FilterExpression"))));
    (void)explain_trial_propose(
        q, "Scan",
        explain_trial_with(q, q->entry, TRIAL_WITHOUT(CONDITION), TRIAL_WITHOUT("ScanIndexForward"),
                           TRIAL_TEXT("FilterExpression", buf_span(&filter))),
        &q->proposal);
}

/* The index that the condition fits, or the table. */
static bool say_elsewhere(struct inquiry *q, const struct asked *r, struct span name)
{
    const struct table *t = r->table;

    for (size_t i = 0; i < t->index_count; i++)
        if (&t->indexes[i] != r->index && fits_keys(r, &t->indexes[i].keys)) {
            say_why(q, "% is the key of %: name that index", name, t->indexes[i].name);
            explain_trial_propose_text(q, "IndexName", t->indexes[i].name);
            return true;
        }
    return false;
}

/* An attribute that is no key of what is read. */
void explain_condition_stranger(struct inquiry *q, const struct refusal *refusal)
{
    struct span name = refusal->why->operand, hash;
    const struct key_part *key;
    struct word place;
    struct asked r;

    if (!read_asked(q, &r))
        return;
    place = say_place(r.table, r.index);
    hash = r.keys->hash[0].name;
    key = find_meant(q, &r, name);
    if (r.index && fits_keys(&r, &r.table->keys)) {
        say_why(q, "% is asked by %; % is the key of % itself: leave IndexName out", r.index,
                r.keys, r.table->keys.hash[0].name, r.table);
        explain_trial_propose_with(q, TRIAL_WITHOUT("IndexName"));
    } else if (say_elsewhere(q, &r, name)) {
        return;
    } else if (key) {
        say_why(q, "% is no key of %, whose key is %: write %%", name, place, r.keys, key->name,
                explain_near_case(name, key->name));
        if (r.text.at)
            explain_draft_rename(q, CONDITION, name, key->name);
    } else if (!find_clause(&r, hash)) {
        say_why(q,
                "a Query of % needs % = …, and % is no key of it: a Scan with that in its filter "
                "reads all items",
                place, hash, name);
        if (r.text.at)
            propose_scan(q, &r);
    } else {
        say_why(q, "% is no key of %, whose key is %: it belongs in the filter", name, place,
                r.keys);
        if (r.text.at)
            propose_moved(q, CONDITION, "FilterExpression", name);
    }
}

/* --- the parts of the key --------------------------------------------------------------------- */

/* The placeholder that a value has. */
static struct span name_of_value(const struct asked *r, const struct attr *value)
{
    for (size_t i = 0; i < r->vars.value_count; i++)
        if (attr_equal(&r->vars.values[i].value, value))
            return r->vars.values[i].key;
    return SPAN_LIT("the value");
}

void explain_condition_type(struct inquiry *q, const struct refusal *refusal)
{
    const struct error_why *why = refusal->why;
    struct attr typed = {.type = (enum attr_type)why->wanted};
    enum attr_type wanted = typed.type;
    const struct expr_key_clause *clause;
    const struct attr *value;
    const char *how;
    struct asked r;
    bool is_known;

    if (wire_get(q->entry, "Statement"))
        explain_statement_type(q, refusal);
    if (!read_asked(q, &r) || !(clause = find_clause(&r, why->operand)))
        return;
    value = (int)clause->low.type == why->found ? &clause->low : &clause->high;
    is_known = explain_missing_typed(q, &(struct rows){r.table, r.index}, &r.key, why->operand,
                                     &how);
    if (explain_key_is_typed_twice(value))
        say_why(q, "% is a map with one member \"%\": it looks typed twice",
                name_of_value(&r, value), value->map.at[0].name);
    say_why(q, "% is declared %, % is %%", why->operand, wanted, name_of_value(&r, value),
            value->type, say_behind(q, ": ", how));
    typed.bytes = value->bytes;
    if (!is_known && value->type <= ATTR_B && wanted <= ATTR_N)
        explain_trial_propose_value(q, value, &typed);
}

void explain_condition_missing(struct inquiry *q, const struct refusal *refusal)
{
    struct word place;
    struct asked r;

    (void)read_asked(q, &r);
    if (!r.table)
        return;
    place = say_place(r.table, r.index);
    if (refusal->why->cause == CAUSE_CONDITION_NONE)
        say_why(q,
                "a Query of % needs KeyConditionExpression, such as '% = :v'; all of it is read by "
                "a Scan",
                place, r.keys->hash[0].name);
    else if (names_attribute(q, wire_text(wire_get(q->entry, "FilterExpression")),
                             refusal->why->operand)) {
        say_why(q, "% is in the filter: a Query of % needs % = … in its key condition",
                refusal->why->operand, place, refusal->why->operand);
        propose_moved(q, "FilterExpression", CONDITION, refusal->why->operand);
    } else {
        say_why(q, "a Query of % needs % = …, and the condition does not have it", place,
                refusal->why->operand);
    }
}

/* --- two conditions on one key ---------------------------------------------------------------- */

/* "sk >= :a AND sk <= :b" → "sk BETWEEN :a AND :b" */
void explain_condition_twice(struct inquiry *q, const struct refusal *r)
{
    struct span clauses[CLAUSES];
    size_t count = clause_texts(q, r->text, clauses);
    struct token *low = NULL, *high = NULL;
    size_t found = 0;
    struct buf out = buf_in(q->arena);

    for (size_t i = 0; r->parameter && i < count; i++) {
        struct token *t = explain_tokens(q, GRAMMAR_CONDITION, clauses[i]);

        if (!names_attribute(q, clauses[i], r->why->operand)) {
            add_clause(&out, clauses[i]);
            continue;
        }
        found++;
        if (t[2].kind == TOKEN_VALUE && t[1].kind == TOKEN_GE)
            low = t;
        else if (t[2].kind == TOKEN_VALUE && t[1].kind == TOKEN_LE)
            high = t;
    }
    if (found != 2 || !low || !high)
        return;
    add_clause(&out, say_text_span(q, "% BETWEEN % AND %", low->text, low[2].text, high[2].text));
    explain_trial_propose_text(q, CONDITION, buf_span(&out));
}

/* --- what else a read asks for ---------------------------------------------------------------- */

/* A Query's filter that names a key attribute. */
void explain_condition_filter(struct inquiry *q, const struct refusal *refusal)
{
    struct span name = refusal->why->operand;
    bool is_hash = false;
    struct asked r;

    if (!read_asked(q, &r))
        return;
    for (size_t i = 0; i < r.keys->hash_count; i++)
        is_hash = is_hash || span_equal(r.keys->hash[i].name, name);
    say_why(q, "% is the % key: say it in the key condition, where it also saves the reading", name,
            is_hash ? "partition" : "sort");
    if (r.text.at)
        propose_moved(q, "FilterExpression", CONDITION, name);
}

void explain_condition_held(struct inquiry *q, const struct refusal *refusal)
{
    struct name_list held;
    struct asked r;

    (void)refusal;
    (void)read_asked(q, &r);
    if (!r.table || !r.index)
        return;
    held = read_index_names(q->arena, r.table, r.index);
    say_line(q, "it holds %", say_names(held.at, held.len));
}

/* Key attributes of an index, of which a global one has several of each kind, and of the table. */
#define PARTS (2 * LIMIT_KEY_PARTS + 2)

/* An ExclusiveStartKey that is no key of what is read: it consists of the key of the index, and the
 * table's key. */
void explain_condition_start(struct inquiry *q, const struct refusal *refusal)
{
    const wire_node *sent = wire_get(q->entry, "ExclusiveStartKey");
    const struct key_schema *keys[2];
    const struct key_part *part;
    struct span names[PARTS];
    const struct attr *value;
    const char *fault = NULL;
    size_t count = 0;
    struct item start;
    struct asked r;

    (void)refusal;
    (void)read_asked(q, &r);
    if (!r.table || !inquiry_read_item(q, sent, &start))
        return;
    keys[0] = r.keys;
    keys[1] = &r.table->keys;
    for (size_t k = 0; k < COUNT(keys); k++)
        for (size_t i = 0; (part = schema_key_part(keys[k], i)) && count < PARTS; i++) {
            if (span_is_among(part->name, names, count))
                continue;
            names[count++] = part->name;
            value = item_find(&start, part->name);
            if (!fault && !value)
                fault = say_text(q, "% is missing", part->name);
            else if (!fault && value->type != part->type)
                fault = say_text(q, "% is %, not %", part->name, part->type, value->type);
        }
    for (size_t i = 0; i < start.len && !fault; i++)
        if (!span_is_among(start.at[i].name, names, count))
            fault = say_text(q, "% does not belong to it", start.at[i].name);
    if (fault)
        say_why(q, "ExclusiveStartKey of % consists of %: %; pass on LastEvaluatedKey as it came",
                say_place(r.table, r.index), say_names(names, count), fault);
}
