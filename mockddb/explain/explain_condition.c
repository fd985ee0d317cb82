#include "explain/explain_condition.h"

#include "base/fold.h"
#include "explain/explain_expression.h"
#include "explain/explain_key.h"
#include "explain/explain_moment.h"
#include "explain/explain_near.h"
#include "explain/explain_rewrite.h"
#include "explain/explain_rows.h"
#include "explain/explain_start.h"
#include "explain/explain_trial.h"
#include "expr/expr_lex.h"
#include "ops/item/legacy.h"
#include "ops/op_target.h"
#include "ops/read/read_index.h"
#include "ops/read/read_request.h"

#define CONDITION "KeyConditionExpression"
#define CLAUSES   8 /* of a key condition */

/* What could be read of the request. */
struct asked {
    const struct table *table;
    const struct index *index; /* NULL: the table itself */
    const struct key_schema *keys;
    struct read_request request;
    struct expr_key key;
    struct span text; /* KeyConditionExpression; at NULL: none */
};

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

static bool check_strangers(struct inquiry *q, const struct asked *r)
{
    const struct index *ix = NULL;

    for (size_t i = 0; i < r->key.len; i++) {
        struct span name = r->key.at[i].attribute;

        if (schema_is_key(r->keys, name))
            continue;
        if (find_fitting(r, &ix)) {
            other_index(q, r, ix, name);
            return true;
        }
        say_stranger(q, r, name);
        return true;
    }
    return false;
}

/* --- the parts of the key --------------------------------------------------------------------- */

/* The placeholder that a value has. */
static const char *name_of_value(struct inquiry *q, const struct asked *r, const struct attr *value)
{
    const struct expr_vars *vars = &r->request.vars;

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

static void check_type(struct inquiry *q, const struct asked *r, const struct key_part *part,
                       const struct attr *value)
{
    struct attr typed = {.type = part->type, .bytes = value->bytes};
    const char *how;

    if (value->type == part->type)
        return;
    if (explain_key_is_typed_twice(value)) {
        inquiry_reason(q, "%s is a map with one member \"%.*s\": it looks typed twice",
                       name_of_value(q, r, value), SPAN_ARG(value->map.at[0].name));
        return;
    }
    how = other_moment(q, r, part, value, &typed);
    inquiry_reason(q, "%.*s is declared %s, %s is %s%s%s", SPAN_ARG(part->name),
                   attr_type_code(part->type), name_of_value(q, r, value),
                   attr_type_code(value->type), how ? ": " : "", how ? how : "");
    if (value->type <= ATTR_B && part->type <= ATTR_N)
        explain_trial_propose_value(q, value, &typed);
}

static void check_part(struct inquiry *q, const struct asked *r, const struct key_part *part,
                       bool is_hash)
{
    const struct expr_key_clause *clause = find_clause(r, part->name);

    if (!clause && is_hash)
        inquiry_reason(q, "a Query of %s needs %.*s = …, and the condition does not have it",
                       inquiry_place(q, r->table, r->index), SPAN_ARG(part->name));
    if (!clause ||
        clause->op > EXPR_BEGINS_WITH) /* an older operator without a value of the kind */
        return;
    check_type(q, r, part, &clause->low);
    if (clause->op == EXPR_BETWEEN)
        check_type(q, r, part, &clause->high);
    if (is_hash && clause->op != EXPR_EQ)
        inquiry_reason(q,
                       "%.*s is the partition key, which can only be compared by =; prefixes and "
                       "ranges work on the sort key",
                       SPAN_ARG(part->name));
    if (!clause->low.bytes.len && clause->low.type == part->type)
        inquiry_reason(q, "%s is empty, which a key cannot be", name_of_value(q, r, &clause->low));
}

/* An attribute of the order, where one before it is not asked for by =. */
static void check_order(struct inquiry *q, const struct asked *r)
{
    const struct expr_key_clause *before = NULL;
    struct span names[LIMIT_KEY_PARTS];

    for (size_t i = 0; i < r->keys->range_count; i++)
        names[i] = r->keys->range[i].name;
    for (size_t i = 0; i < r->keys->range_count; i++) {
        const struct expr_key_clause *clause = find_clause(r, names[i]);

        if (i && clause && (!before || before->op != EXPR_EQ))
            inquiry_reason(q, "the order of %s is %s: a condition on %.*s needs %.*s = … before it",
                           inquiry_place(q, r->table, r->index),
                           inquiry_names(q, names, r->keys->range_count), SPAN_ARG(names[i]),
                           SPAN_ARG(names[i - 1]));
        before = clause;
    }
}

static void check_key(struct inquiry *q, const struct asked *r)
{
    if (check_strangers(q, r))
        return;
    check_order(q, r);
    for (size_t i = 0; i < r->keys->hash_count; i++)
        check_part(q, r, &r->keys->hash[i], true);
    for (size_t i = 0; i < r->keys->range_count; i++)
        check_part(q, r, &r->keys->range[i], false);
}

/* A start key of another partition than the condition asks for. */
static void check_start(struct inquiry *q, const struct asked *r)
{
    const wire_node *node = wire_get(q->call.body, "ExclusiveStartKey");
    struct item start;

    if (!node || !inquiry_read_item(q, node, &start))
        return;
    for (size_t i = 0; i < r->key.len; i++) {
        const struct expr_key_clause *clause = &r->key.at[i];
        const struct attr *value = item_find(&start, clause->attribute);

        if (clause->op == EXPR_EQ && value && !attr_equal(value, &clause->low))
            inquiry_reason(q,
                           "ExclusiveStartKey has %.*s %s, the condition asks for %s: a Query "
                           "continues from its own LastEvaluatedKey",
                           SPAN_ARG(clause->attribute), inquiry_value(q, value),
                           inquiry_value(q, &clause->low));
        else if (clause->op <= EXPR_BEGINS_WITH && value && value->type == clause->low.type &&
                 !explain_rows_fits_clause(clause, value))
            inquiry_reason(q,
                           "ExclusiveStartKey has %.*s %s, which does not fit the condition on it: "
                           "continue with the same condition",
                           SPAN_ARG(clause->attribute), inquiry_value(q, value));
    }
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

static void check_repeated(struct inquiry *q, const struct asked *r)
{
    struct span clauses[CLAUSES], two[2];
    size_t count = r->text.at ? clause_texts(r->text, clauses) : 0;
    const struct key_part *part;

    for (size_t k = 0; (part = inquiry_key_part(r->keys, k)) && !q->reason.len; k++) {
        size_t found = 0;

        for (size_t i = 0; i < count && found < 2; i++)
            if (names_attribute(q, clauses[i], part->name))
                two[found++] = clauses[i];
        if (found < 2)
            continue;
        inquiry_reason(q, "%.*s has two conditions, a Query takes one: BETWEEN has two ends",
                       SPAN_ARG(part->name));
        explain_expression_mark(q, CONDITION, r->text, two[1]);
        propose_between(q, clauses, count, two);
    }
}

/* --- the rest --------------------------------------------------------------------------------- */

static void check_consistent(struct inquiry *q, const struct asked *r)
{
    if (!r->index || !r->index->global ||
        !wire_bool(wire_get(q->call.body, "ConsistentRead"), false))
        return;
    inquiry_reason(q,
                   "%.*s is a global index, which has no consistent reads: leave ConsistentRead "
                   "out, or read the items from the table by their keys",
                   SPAN_ARG(r->index->name));
    explain_expression_propose(q, (struct trial_member[]){{"ConsistentRead", {"", 0}}}, 1);
}

/* A Query's filter that names a key attribute. */
static void check_filter(struct inquiry *q, const struct asked *r)
{
    struct span *names;
    size_t count;

    if (!r->request.is_query || !r->request.filter)
        return;
    expr_condition_names(q->arena, r->request.filter, &names, &count);
    for (size_t i = 0; i < count; i++) {
        bool is_hash = false;

        if (!schema_is_key(r->keys, names[i]))
            continue;
        for (size_t k = 0; k < r->keys->hash_count; k++)
            is_hash = is_hash || span_equal(r->keys->hash[k].name, names[i]);
        inquiry_reason(q,
                       "%.*s is the %s key: say it in the key condition, where it also saves the "
                       "reading",
                       SPAN_ARG(names[i]), is_hash ? "partition" : "sort");
        if (r->text.at)
            propose_moved(q, "FilterExpression", CONDITION, names[i]);
        return;
    }
}

static void say_held(struct inquiry *q, const struct asked *r, struct span missing)
{
    struct name_list held = read_index_names(q->arena, r->table, r->index);

    if (q->reason.len)
        return;
    inquiry_reason(q, "%.*s does not hold %.*s: read the items from the table by their keys",
                   SPAN_ARG(r->index->name), SPAN_ARG(missing));
    inquiry_line(q, "it holds %s", inquiry_names(q, held.at, held.len));
}

/* Select beside a list of attributes. */
static void check_select(struct inquiry *q)
{
    struct span select = wire_text(wire_get(q->call.body, "Select"));
    bool lists = wire_get(q->call.body, "ProjectionExpression") ||
                 wire_get(q->call.body, "AttributesToGet");
    const char *without = "Select";

    if (span_is(select, "SPECIFIC_ATTRIBUTES") && !lists)
        inquiry_reason(q,
                       "Select SPECIFIC_ATTRIBUTES needs a ProjectionExpression that names them");
    else if (span_is(select, "ALL_PROJECTED_ATTRIBUTES") && !wire_get(q->call.body, "IndexName"))
        inquiry_reason(q, "Select ALL_PROJECTED_ATTRIBUTES is for an index: leave it out");
    else if (span_is(select, "COUNT") && lists) {
        inquiry_reason(q,
                       "Select COUNT gives a number and no attributes: leave the projection out");
        without = "ProjectionExpression";
    } else if (select.len && !span_is(select, "SPECIFIC_ATTRIBUTES") && lists)
        inquiry_reason(q, "Select %.*s and a ProjectionExpression say two things: leave Select out",
                       SPAN_ARG(select));
    if (q->reason.len)
        explain_expression_propose(q, (struct trial_member[]){{without, {"", 0}}}, 1);
}

static void check_projected(struct inquiry *q, const struct asked *r)
{
    struct name_list names = {NULL, 0};
    struct span *filter;
    size_t count;

    if (!r->index || r->index->projection == PROJECT_ALL)
        return;
    if (r->index->global && r->request.select == SELECT_ALL_ATTRIBUTES)
        say_held(q, r, SPAN_LIT("all attributes"));
    if (r->request.projection && r->index->global)
        names = read_index_projected(q->arena, r->request.projection);
    for (size_t i = 0; i < names.len; i++)
        if (!schema_projects(r->table, r->index, names.at[i]))
            say_held(q, r, names.at[i]);
    if (!r->request.filter)
        return;
    expr_condition_names(q->arena, r->request.filter, &filter, &count);
    for (size_t i = 0; i < count; i++)
        if (!schema_projects(r->table, r->index, filter[i]))
            say_held(q, r, filter[i]);
}

/* --- all -------------------------------------------------------------------------------------- */

static bool read_asked(struct inquiry *q, struct asked *r)
{
    const wire_node *index = wire_get(q->call.body, "IndexName");
    struct expr_key_tree *tree;

    r->text = wire_text(wire_get(q->call.body, CONDITION));
    if (op_target_find(&q->call, &r->table) || read_request_options(&q->call, &r->request) ||
        read_request_select(&q->call, &r->request) ||
        read_request_expressions(&q->call, &r->request))
        return false;
    r->index = index ? schema_find_index(r->table, wire_text(index)) : NULL;
    r->keys = r->index ? &r->index->keys : &r->table->keys;
    if (!r->text.at)
        return !wire_get(q->call.body, "KeyConditions") ||
               !legacy_filter_read_keys(&q->call, read_request_layer(&r->request), &r->key);
    return !expr_read_key_condition(q->arena, r->text, &r->request.vars, &tree) &&
           !expr_reduce_key_condition(q->arena, tree, &r->key);
}

void explain_condition(struct inquiry *q)
{
    struct asked r = {.request = {.filter_name = "ScanFilter"}};
    bool is_query = q->call.op->form == OP_QUERY;

    if (!is_query && q->call.op->form != OP_SCAN)
        return;
    if (explain_start(q))
        return;
    check_select(q);
    if (q->reason.len)
        return;
    if (is_query)
        r.request = (struct read_request){.filter_name = "QueryFilter", .is_query = true};
    if (!read_asked(q, &r)) {
        if (r.keys)
            check_repeated(q, &r);
        return;
    }
    if (is_query && !r.text.at && !wire_get(q->call.body, "KeyConditions"))
        inquiry_reason(q,
                       "a Query of %s needs KeyConditionExpression, such as '%.*s = :v'; all of it "
                       "is read by a Scan",
                       inquiry_place(q, r.table, r.index), SPAN_ARG(r.keys->hash[0].name));
    check_consistent(q, &r);
    if (!q->reason.len && r.key.len)
        check_key(q, &r);
    if (!q->reason.len)
        check_filter(q, &r);
    if (!q->reason.len)
        check_projected(q, &r);
    if (!q->reason.len)
        check_start(q, &r);
}
