#include "explain/explain_condition.h"

#include "base/fold.h"
#include "explain/explain_entry.h"
#include "explain/explain_key.h"
#include "explain/explain_moment.h"
#include "explain/explain_near.h"
#include "explain/explain_rewrite.h"
#include "explain/explain_rows.h"
#include "explain/explain_statement.h"
#include "explain/explain_trial.h"
#include "expr/expr_lex.h"
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

/* --- the key condition's text ----------------------------------------------------------------- */

/* The text of each clause: what is between the ANDs that are not BETWEEN's. */
static size_t clause_texts(struct span text, struct span *out)
{
    struct lexer lexer = {GRAMMAR_CONDITION, text};
    const char *from = text.at;
    bool between = false;
    size_t count = 0, depth = 0;
    struct token token;

    while ((token = expr_lex(&lexer)).kind != TOKEN_END && count < CLAUSES - 1) {
        depth += token.kind == TOKEN_OPEN;
        depth -= token.kind == TOKEN_CLOSE && depth;
        if (token.kind == TOKEN_AND && !between && !depth) {
            out[count++] = (struct span){from, (size_t)(token.text.at - from)};
            from = span_end(token.text);
        }
        between = token.kind == TOKEN_BETWEEN || (between && token.kind != TOKEN_AND);
    }
    out[count++] = (struct span){from, (size_t)(span_end(text) - from)};
    return count;
}

/* Whether a clause names the attribute, itself or by a placeholder. */
static bool names_attribute(struct inquiry *q, struct span clause, struct span name)
{
    const wire_node *map = wire_get(q->call.body, "ExpressionAttributeNames");
    struct lexer lexer = {GRAMMAR_CONDITION, clause};
    struct token token;

    while ((token = expr_lex(&lexer)).kind != TOKEN_END)
        if (span_equal(token.text, name) ||
            (token.kind == TOKEN_NAME &&
             span_equal(wire_text(wire_get_span(map, token.text)), name)))
            return true;
    return false;
}

static void add_clause(struct buf *out, struct span clause)
{
    clause = fold_trimmed(clause);
    if (clause.len)
        buf_printf(out, "%s%.*s", out->len ? " AND " : "", SPAN_ARG(clause));
}

/* Clauses about this attribute from one expression to the other. */
static void propose_moved(struct inquiry *q, const char *from, const char *to, struct span name)
{
    struct span clauses[CLAUSES], moved = {NULL, 0};
    size_t count = clause_texts(wire_text(wire_get(q->call.body, from)), clauses);
    struct buf left = buf_in(q->arena), grown = buf_in(q->arena);

    add_clause(&grown, wire_text(wire_get(q->call.body, to)));
    for (size_t i = 0; i < count; i++) {
        bool is_it = names_attribute(q, clauses[i], name);

        if (is_it)
            moved = clauses[i];
        add_clause(is_it ? &grown : &left, clauses[i]);
    }
    if (!moved.at)
        return;
    explain_expression_mark(q, from, wire_text(wire_get(q->call.body, from)), moved);
    explain_expression_propose(
        q,
        (struct trial_member[]){
            {from, left.len ? explain_trial_json_text(q, buf_span(&left)) : (struct span){"", 0}},
            {to, explain_trial_json_text(q, buf_span(&grown))},
        },
        2);
}

/* --- attributes that do not belong ------------------------------------------------------------ */

static const struct expr_key_clause *find_clause(const struct asked *r, struct span name)
{
    for (size_t i = 0; i < r->key.len; i++)
        if (span_equal(r->key.at[i].attribute, name))
            return &r->key.at[i];
    return NULL;
}

/* The table or the index that the whole condition fits, and its partition key with it. */
static bool find_fitting(const struct asked *r, const struct index **out)
{
    const struct table *t = r->table;

    for (size_t i = 0; i <= t->index_count; i++) {
        const struct key_schema *keys = i ? &t->indexes[i - 1].keys : &t->keys;
        size_t fit = 0;

        *out = i ? &t->indexes[i - 1] : NULL;
        for (size_t k = 0; k < r->key.len; k++)
            fit += schema_is_key(keys, r->key.at[k].attribute);
        if (*out != r->index && fit == r->key.len && find_clause(r, keys->hash[0].name))
            return true;
    }
    return false;
}

static void other_index(struct inquiry *q, const struct asked *r, const struct index *ix,
                        struct span name)
{
    const struct key_schema *keys = ix ? &ix->keys : &r->table->keys;

    if (!ix)
        inquiry_reason(q,
                       "%.*s is asked by %s; %.*s is the key of %.*s itself: leave IndexName out",
                       SPAN_ARG(r->index->name), inquiry_schema(q, &r->index->keys),
                       SPAN_ARG(keys->hash[0].name), SPAN_ARG(r->table->name));
    else
        inquiry_reason(q, "%.*s is the key of %.*s: name that index", SPAN_ARG(name),
                       SPAN_ARG(ix->name));
    explain_expression_propose(
        q,
        (struct trial_member[]){
            {"IndexName", ix ? explain_trial_json_text(q, ix->name) : (struct span){"", 0}}},
        1);
}

/* The key attribute that was meant; NULL: no key attribute has nearly that name. */
static const struct key_part *meant(struct inquiry *q, const struct asked *r, struct span name)
{
    const struct key_part *part;

    for (size_t i = 0; (part = inquiry_key_part(r->keys, i)); i++)
        if (!find_clause(r, part->name) && explain_near_names(q, name, part->name))
            break;
    return part;
}

/* Without its partition key, a Scan alone can ask for it. */
static void propose_scan(struct inquiry *q, const struct asked *r)
{
    struct buf filter = buf_in(q->arena);

    add_clause(&filter, r->text);
    add_clause(&filter, wire_text(wire_get(q->call.body, "FilterExpression")));
    (void)explain_trial_propose(
        q, "Scan",
        explain_trial_with_members(
            q,
            (struct trial_member[]){
                {CONDITION, {"", 0}},
                {"ScanIndexForward", {"", 0}},
                {"FilterExpression", explain_trial_json_text(q, buf_span(&filter))},
            },
            3),
        &q->proposal);
}

/* An attribute that is no key here, nor of another index. */
static void say_stranger(struct inquiry *q, const struct asked *r, struct span name)
{
    const char *place = inquiry_place(q, r->table, r->index);
    const char *schema = inquiry_schema(q, r->keys);
    const struct key_part *key = meant(q, r, name);

    if (key) {
        inquiry_reason(q, "%.*s is no key of %s, whose key is %s: %.*s is meant", SPAN_ARG(name),
                       place, schema, SPAN_ARG(key->name));
        if (r->text.at)
            explain_rewrite_name(q, CONDITION, name, key->name);
    } else if (!find_clause(r, r->keys->hash[0].name)) {
        inquiry_reason(q,
                       "a Query of %s needs %.*s = …, and %.*s is no key of it: a Scan with that "
                       "in its filter reads all items",
                       place, SPAN_ARG(r->keys->hash[0].name), SPAN_ARG(name));
        if (r->text.at)
            propose_scan(q, r);
    } else {
        inquiry_reason(q, "%.*s is no key of %s, whose key is %s: it belongs in the filter",
                       SPAN_ARG(name), place, schema);
        if (r->text.at)
            propose_moved(q, CONDITION, "FilterExpression", name);
    }
}

void explain_condition_stranger(struct inquiry *q, const struct refusal *refusal)
{
    const struct index *ix;
    struct asked r;

    if (!read_asked(q, &r))
        return;
    if (find_fitting(&r, &ix))
        other_index(q, &r, ix, refusal->why->operand);
    else
        say_stranger(q, &r, refusal->why->operand);
}

/* --- the parts of the key --------------------------------------------------------------------- */

/* The placeholder that a value has. */
static const char *name_of_value(struct inquiry *q, const struct asked *r, const struct attr *value)
{
    const struct expr_vars *vars = &r->vars;

    for (size_t i = 0; i < vars->value_count; i++)
        if (attr_equal(&vars->values[i].value, value))
            return arena_text(q->arena, vars->values[i].key);
    return "the value";
}

/* A date where the sort key has seconds, or the other way round; *typed is what it would be there.
 */
static const char *other_moment(struct inquiry *q, const struct asked *r,
                                const struct key_part *part, const struct attr *value,
                                struct attr *typed)
{
    const struct rows rows = {r->table, r->index};
    const struct expr_key_clause *hash = find_clause(r, r->keys->hash[0].name);
    struct store_range range;
    struct attr first, last;

    if (r->keys->hash_count != 1 || part != r->keys->range || !hash ||
        hash->low.type != r->keys->hash[0].type)
        return NULL;
    range = explain_rows_partition(q, &rows, &hash->low);
    if (!explain_rows_ends(q, &rows, &range, part->name, &first, &last))
        return NULL;
    return explain_moment_mend(q, explain_moment_named(q, part->name), value, &first, typed);
}

void explain_condition_type(struct inquiry *q, const struct refusal *refusal)
{
    const struct error_why *why = refusal->why;
    struct attr typed = {.type = (enum attr_type)why->wanted};
    const struct expr_key_clause *clause;
    const struct key_part *part;
    const struct attr *value;
    const char *how;
    struct asked r;

    if (wire_get(q->entry, "Statement"))
        explain_statement_type(q, refusal);
    if (!read_asked(q, &r) || !(clause = find_clause(&r, why->operand)))
        return;
    value = (int)clause->low.type == why->found ? &clause->low : &clause->high;
    if (explain_key_is_typed_twice(value)) {
        inquiry_reason(q, "%s is a map with one member \"%.*s\": it looks typed twice",
                       name_of_value(q, &r, value), SPAN_ARG(value->map.at[0].name));
        return;
    }
    typed.bytes = value->bytes;
    part = r.keys->range_count ? &r.keys->range[0] : NULL;
    how = part && span_equal(part->name, why->operand) ? other_moment(q, &r, part, value, &typed)
                                                       : NULL;
    inquiry_reason(q, "%.*s is declared %s, %s is %s%s%s", SPAN_ARG(why->operand),
                   attr_type_code((enum attr_type)why->wanted), name_of_value(q, &r, value),
                   attr_type_code(value->type), how ? ": " : "", how ? how : "");
    if (value->type <= ATTR_B && why->wanted <= ATTR_N)
        explain_trial_propose_value(q, value, &typed);
}

void explain_condition_missing(struct inquiry *q, const struct refusal *refusal)
{
    bool is_none = refusal->why->cause == CAUSE_CONDITION_NONE;
    const char *place;
    struct asked r;

    (void)read_asked(q, &r);
    if (!r.table)
        return;
    place = inquiry_place(q, r.table, r.index);
    if (is_none)
        inquiry_reason(q,
                       "a Query of %s needs KeyConditionExpression, such as '%.*s = :v'; all of it "
                       "is read by a Scan",
                       place, SPAN_ARG(r.keys->hash[0].name));
    else
        inquiry_reason(q, "a Query of %s needs %.*s = …, and the condition does not have it", place,
                       SPAN_ARG(refusal->why->operand));
}

/* --- two conditions on one key ---------------------------------------------------------------- */

/* A comparison of a clause: sk >= :a. */
struct bound {
    struct span name, value;
    enum token_kind kind;
};

static struct bound read_bound(struct span clause)
{
    struct lexer lexer = {GRAMMAR_CONDITION, clause};
    struct token name = expr_lex(&lexer), sign = expr_lex(&lexer), value = expr_lex(&lexer);

    return (struct bound){name.text, value.text, value.kind == TOKEN_VALUE ? sign.kind : TOKEN_END};
}

/* "sk >= :a AND sk <= :b" → "sk BETWEEN :a AND :b" */
static void propose_between(struct inquiry *q, const struct span *clauses, size_t count,
                            const struct span *two)
{
    struct bound a = read_bound(two[0]), b = read_bound(two[1]);
    struct bound low = a.kind == TOKEN_GE ? a : b, high = a.kind == TOKEN_GE ? b : a;
    struct buf out = buf_in(q->arena);

    if (low.kind != TOKEN_GE || high.kind != TOKEN_LE)
        return;
    for (size_t i = 0; i < count; i++)
        if (clauses[i].at != two[0].at && clauses[i].at != two[1].at)
            add_clause(&out, clauses[i]);
    add_clause(&out,
               span_of(arena_printf(q->arena, "%.*s BETWEEN %.*s AND %.*s", SPAN_ARG(low.name),
                                    SPAN_ARG(low.value), SPAN_ARG(high.value))));
    explain_expression_propose_text(q, CONDITION, buf_span(&out));
}

void explain_condition_twice(struct inquiry *q, const struct refusal *r)
{
    struct span clauses[CLAUSES], two[2];
    size_t count = clause_texts(r->text, clauses), found = 0;

    for (size_t i = 0; r->parameter && i < count && found < 2; i++)
        if (names_attribute(q, clauses[i], r->why->operand))
            two[found++] = clauses[i];
    if (found == 2)
        propose_between(q, clauses, count, two);
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
    inquiry_reason(q,
                   "%.*s is the %s key: say it in the key condition, where it also saves the "
                   "reading",
                   SPAN_ARG(name), is_hash ? "partition" : "sort");
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
    inquiry_line(q, "it holds %s", inquiry_names(q, held.at, held.len));
}
