#include "catalogue/catalogue_shape.h"

#include "expr/expr_parse.h"
#include "ops/op_subject.h"
#include "partiql/partiql_lex.h"
#include "wire/wire_attr.h"
#include "wire/wire_node.h"
#include "wire/wire_print.h"

#include <limits.h>
#include <stdlib.h>

#define MAX_PARTS 100  /* of a batch or transaction that are examined */
#define MAX_VALUE 1024 /* bytes of JSON */
#define MAX_RAW   8192 /* bytes of a value as it was written */
#define MAX_MARK  4096

/* A text being built, and the values of its question marks. */
struct shape_draft {
    struct buf text, values; /* values: struct catalogue_value */
};

/* The part of the request that its placeholders belong to. */
struct scope {
    struct arena *arena;
    const wire_node *names, *values;
    struct buf *clauses; /* struct catalogue_clause; NULL: not wanted */
};

static struct shape_draft draft_in(struct arena *a)
{
    return (struct shape_draft){buf_in(a), buf_in(a)};
}

static void note_value(struct shape_draft *d, struct catalogue_value value)
{
    buf_add(&d->values, &value, sizeof value);
}

static void add_value(struct shape_draft *d, struct catalogue_value value)
{
    buf_add_char(&d->text, '?');
    note_value(d, value);
}

static int by_text(const void *left, const void *right)
{
    const struct shape_draft *a = left, *b = right;

    return span_compare(buf_span(&a->text), buf_span(&b->text));
}

/* Sorts parts whose order in the request has no meaning. */
static void append_sorted(struct shape_draft *d, struct shape_draft *parts, size_t count,
                          const char *between)
{
    if (count)
        qsort(parts, count, sizeof *parts, by_text);
    for (size_t i = 0; i < count; i++) {
        buf_add_text(&d->text, i ? between : "");
        buf_add_span(&d->text, buf_span(&parts[i].text));
        buf_add_span(&d->values, buf_span(&parts[i].values));
    }
}

/* All long values are treated as equal. */
static struct span unless_long(struct span json)
{
    return json.len <= MAX_VALUE ? json : (struct span){NULL, 0};
}

static struct span json_of(struct arena *a, const wire_node *node)
{
    struct buf out = buf_in(a);

    if (node && wire_raw(node).len <= MAX_RAW)
        wire_print_canonical(&out, NULL, node);
    return unless_long(buf_span(&out));
}

/* Like json_of, for a string. */
static struct span json_of_string(struct arena *a, struct span text)
{
    struct buf out = buf_in(a);

    buf_add_text(&out, "{\"S\":");
    buf_add_json_string(&out, text);
    buf_add_char(&out, '}');
    return unless_long(buf_span(&out));
}

/* --- expressions ------------------------------------------------------------------------------ */

static struct span name_of(const struct scope *s, struct span written)
{
    struct span name = {NULL, 0};

    if (written.len && written.at[0] == '#')
        name = wire_text(wire_get_span(s->names, written));
    return name.at ? name : written;
}

static void add_path(const struct scope *s, struct shape_draft *d, const struct path *p)
{
    for (size_t i = 0; i < p->len; i++) {
        const struct path_step *step = &p->at[i];

        if (step->is_index) {
            buf_printf(&d->text, "[%.*s]", SPAN_ARG(step->name));
            continue;
        }
        buf_add_text(&d->text, i ? "." : "");
        buf_add_span(&d->text, name_of(s, step->name));
    }
}

static void add_node(const struct scope *s, struct shape_draft *d, const struct node *n,
                     bool inside);

static void add_operands(const struct scope *s, struct shape_draft *d, const struct node *n,
                         size_t first, const char *between)
{
    for (size_t i = first; i < n->operands.len; i++) {
        buf_add_text(&d->text, i > first ? between : "");
        add_node(s, d, n->operands.at[i], true);
    }
}

/* A value before a name is swapped with it: ? < a becomes a > ?. */
static const enum node_kind turned[NODE_KIND_COUNT] = {
    [NODE_EQ] = NODE_EQ, [NODE_NE] = NODE_NE, [NODE_LT] = NODE_GT,
    [NODE_LE] = NODE_GE, [NODE_GT] = NODE_LT, [NODE_GE] = NODE_LE,
};

static bool is_turned(const struct node *n)
{
    return turned[n->kind] && n->operands.at[0]->kind == NODE_VALUE &&
           n->operands.at[1]->kind == NODE_PATH;
}

static void add_comparison(const struct scope *s, struct shape_draft *d, const struct node *n)
{
    bool turn = is_turned(n);

    add_node(s, d, n->operands.at[turn], true);
    buf_printf(&d->text, " %s ", expr_rule(turn ? turned[n->kind] : n->kind)->name);
    add_node(s, d, n->operands.at[!turn], true);
}

static size_t count_of(const struct node *n, enum node_kind kind)
{
    size_t count = 0;

    if (n->kind != kind)
        return 1;
    for (size_t i = 0; i < n->operands.len; i++)
        count += count_of(n->operands.at[i], kind);
    return count;
}

static void collect_nodes(const struct scope *s, const struct node *n, enum node_kind kind,
                          struct shape_draft *parts, size_t *count)
{
    if (n->kind != kind) {
        parts[*count] = draft_in(s->arena);
        add_node(s, &parts[(*count)++], n, true);
        return;
    }
    for (size_t i = 0; i < n->operands.len; i++)
        collect_nodes(s, n->operands.at[i], kind, parts, count);
}

/* Adds AND or OR. */
static void add_joined(const struct scope *s, struct shape_draft *d, const struct node *n,
                       bool inside)
{
    struct shape_draft *parts = arena_array(s->arena, count_of(n, n->kind), sizeof *parts);
    size_t count = 0;

    collect_nodes(s, n, n->kind, parts, &count);
    buf_add_text(&d->text, inside ? "(" : "");
    append_sorted(d, parts, count, n->kind == NODE_AND ? " AND " : " OR ");
    buf_add_text(&d->text, inside ? ")" : "");
}

static void add_operator(const struct scope *s, struct shape_draft *d, const struct node *n,
                         bool inside)
{
    switch (n->kind) {
    case NODE_AND:
    case NODE_OR:
        add_joined(s, d, n, inside);
        return;
    case NODE_NOT:
        buf_add_text(&d->text, "NOT ");
        add_node(s, d, n->operands.at[0], true);
        return;
    case NODE_BETWEEN:
        add_node(s, d, n->operands.at[0], true);
        buf_add_text(&d->text, " BETWEEN ");
        add_operands(s, d, n, 1, " AND ");
        return;
    case NODE_IN: /* their number is part of the values */
        add_node(s, d, n->operands.at[0], true);
        buf_add_text(&d->text, " IN (?)");
        return;
    default:
        add_comparison(s, d, n);
    }
}

static void add_node(const struct scope *s, struct shape_draft *d, const struct node *n,
                     bool inside)
{
    if (n->kind == NODE_PATH) {
        add_path(s, d, &n->path);
    } else if (n->kind == NODE_VALUE) {
        add_value(
            d, (struct catalogue_value){
                   .json = json_of(s->arena, wire_get_span(s->values, n->text)), .name = n->text});
    } else if (n->kind == NODE_UNKNOWN || expr_rule(n->kind)->form != OPERATOR) {
        struct span name = n->kind == NODE_UNKNOWN ? n->text : span_of(expr_rule(n->kind)->name);

        buf_printf(&d->text, "%.*s(", SPAN_ARG(name));
        add_operands(s, d, n, 0, ", ");
        buf_add_char(&d->text, ')');
    } else {
        add_operator(s, d, n, inside);
    }
}

/* --- clauses ---------------------------------------------------------------------------------- */

static void note_clause(const struct scope *s, struct span name, bool equals)
{
    const struct catalogue_clause clause = {name, equals};

    if (s->clauses)
        buf_add(s->clauses, &clause, sizeof clause);
}

static void note_clauses(const struct scope *s, const struct node *n)
{
    static const bool ranges[NODE_KIND_COUNT] = {
        [NODE_LT] = true, [NODE_LE] = true,      [NODE_GT] = true,
        [NODE_GE] = true, [NODE_BETWEEN] = true, [NODE_BEGINS_WITH] = true,
    };
    const struct node *path;

    for (size_t i = 0; n->kind == NODE_AND && i < n->operands.len; i++)
        note_clauses(s, n->operands.at[i]);
    if (n->kind != NODE_EQ && !ranges[n->kind])
        return;
    if (n->operands.len < 2)
        return;
    path = n->operands.at[is_turned(n)];
    if (path->kind == NODE_PATH && path->path.len == 1 &&
        n->operands.at[!is_turned(n)]->kind == NODE_VALUE)
        note_clause(s, name_of(s, path->path.at[0].name), n->kind == NODE_EQ);
}

/* --- the members of a request ----------------------------------------------------------------- */

static void add_condition(const struct scope *s, struct shape_draft *d, const char *word,
                          const wire_node *entry, const char *member)
{
    struct span text = wire_text(wire_get(entry, member));
    struct node *root;

    if (!text.len || expr_parse_condition(s->arena, member, text, &root))
        return;
    buf_printf(&d->text, " %s ", word);
    add_node(s, d, root, false);
    note_clauses(s, root);
}

static void add_projection(const struct scope *s, struct shape_draft *d, const wire_node *entry)
{
    struct span text = wire_text(wire_get(entry, "ProjectionExpression"));
    struct shape_draft *parts;
    struct path *paths;
    size_t count;

    if (!text.len || expr_parse_projection(s->arena, "ProjectionExpression", text, &paths, &count))
        return;
    parts = arena_array(s->arena, count, sizeof *parts);
    for (size_t i = 0; i < count; i++) {
        parts[i] = draft_in(s->arena);
        add_path(s, &parts[i], &paths[i]);
    }
    buf_add_text(&d->text, " show ");
    append_sorted(d, parts, count, ", ");
}

static void add_update(const struct scope *s, struct shape_draft *d, const wire_node *entry)
{
    static const char *const words[] = {[EXPR_SET] = "SET ",
                                        [EXPR_REMOVE] = "REMOVE ",
                                        [EXPR_ADD] = "ADD ",
                                        [EXPR_DELETE] = "DELETE "};
    struct span text = wire_text(wire_get(entry, "UpdateExpression"));
    struct expr_update update = {.at = NULL};
    struct shape_draft *parts;

    if (!text.len || expr_parse_update(s->arena, "UpdateExpression", text, &update))
        return;
    parts = arena_array(s->arena, update.len, sizeof *parts);
    for (size_t i = 0; i < update.len; i++) {
        const struct clause *clause = &update.at[i];

        parts[i] = draft_in(s->arena);
        buf_add_text(&parts[i].text, words[clause->action]);
        add_path(s, &parts[i], &clause->target);
        if (clause->operand) {
            buf_add_text(&parts[i].text, clause->action == EXPR_SET ? " = " : " ");
            add_node(s, &parts[i], clause->operand, false);
        }
    }
    buf_add_text(&d->text, " do ");
    append_sorted(d, parts, update.len, ", ");
}

/* --- the older parameters --------------------------------------------------------------------- */

static const struct legacy_form {
    const char *begin, *end;
    bool equals, ranges;
} legacy_forms[] = {
    [COMPARISON_EQ] = {"", " = ?", true, false},
    [COMPARISON_NE] = {"", " <> ?", false, false},
    [COMPARISON_LT] = {"", " < ?", false, true},
    [COMPARISON_LE] = {"", " <= ?", false, true},
    [COMPARISON_GT] = {"", " > ?", false, true},
    [COMPARISON_GE] = {"", " >= ?", false, true},
    [COMPARISON_IN] = {"", " IN (?)", false, false},
    [COMPARISON_BETWEEN] = {"", " BETWEEN ? AND ?", false, true},
    [COMPARISON_CONTAINS] = {"contains(", ", ?)", false, false},
    [COMPARISON_BEGINS_WITH] = {"begins_with(", ", ?)", false, true},
    [COMPARISON_NULL] = {"attribute_not_exists(", ")", false, false},
    [COMPARISON_NOT_NULL] = {"attribute_exists(", ")", false, false},
    [COMPARISON_NOT_CONTAINS] = {"NOT contains(", ", ?)", false, false},
};

/* NULL if there is no such operator. */
static const struct legacy_form *legacy_form_of(struct span name)
{
    int found = names_find(names_comparisons, name, -1);

    return found < 0 ? NULL : &legacy_forms[found];
}

/* {"ComparisonOperator": "EQ", "AttributeValueList": […]} */
static struct shape_draft legacy_part(const struct scope *s, const struct legacy_form *form,
                                      const wire_node *condition)
{
    const wire_node *values = wire_get(condition, "AttributeValueList");
    struct shape_draft part = draft_in(s->arena);

    buf_printf(&part.text, "%s%.*s%s", form->begin, SPAN_ARG(wire_name(condition)), form->end);
    if (form == &legacy_forms[COMPARISON_IN]) /* their number is part of the values */
        return part;
    for (const wire_node *n = wire_first(values); n; n = wire_next(n))
        note_value(&part, (struct catalogue_value){.json = json_of(s->arena, n)});
    return part;
}

/* Conditions by attribute name, as written before there were expressions. */
static void add_legacy(const struct scope *s, struct shape_draft *d, const char *word,
                       const wire_node *conditions, bool any)
{
    struct shape_draft *parts = arena_array(s->arena, wire_count(conditions), sizeof *parts);
    size_t count = 0;

    for (const wire_node *n = wire_first(conditions); n; n = wire_next(n)) {
        const struct legacy_form *form = legacy_form_of(
            wire_text(wire_get(n, "ComparisonOperator")));

        if (!form)
            continue;
        parts[count++] = legacy_part(s, form, n);
        if (!any && (form->equals || form->ranges))
            note_clause(s, wire_name(n), form->equals);
    }
    if (count)
        buf_printf(&d->text, " %s ", word);
    append_sorted(d, parts, count, any ? " OR " : " AND ");
}

/* --- keys ------------------------------------------------------------------------------------- */

/* The values of a key count as values; its names come from the table. */
static void add_key(const struct scope *s, struct shape_draft *d, const wire_node *key)
{
    struct shape_draft *parts = arena_array(s->arena, wire_count(key), sizeof *parts), all;
    size_t count = 0;

    for (const wire_node *n = wire_first(key); n; n = wire_next(n)) {
        parts[count] = draft_in(s->arena);
        buf_add_span(&parts[count].text, wire_name(n));
        buf_add_text(&parts[count].text, " = ");
        add_value(&parts[count++], (struct catalogue_value){.json = json_of(s->arena, n),
                                                            .name = wire_name(n),
                                                            .in_key = true});
        note_clause(s, wire_name(n), true);
    }
    all = draft_in(s->arena);
    append_sorted(&all, parts, count, "");
    buf_add_span(&d->values, buf_span(&all.values));
}

/* --- statements ------------------------------------------------------------------------------- */

static void add_statement(const struct scope *s, struct shape_draft *d, const wire_node *entry)
{
    const wire_node *parameter = wire_first(wire_get(entry, "Parameters"));
    const struct partiql_token *t = partiql_lex(s->arena, wire_text(wire_get(entry, "Statement")));

    for (; t && t->kind != PQ_END; t++) {
        buf_add_char(&d->text, ' ');
        if (t->kind == PQ_PARAMETER) {
            add_value(d, (struct catalogue_value){.json = json_of(s->arena, parameter)});
            parameter = parameter ? wire_next(parameter) : NULL;
        } else if (t->kind == PQ_STRING || t->kind == PQ_NUMBER) {
            add_value(d, (struct catalogue_value){.json = t->text});
        } else {
            buf_add_span(&d->text, t->kind == PQ_NAME ? t->text : t->word);
        }
    }
}

/* --- a request -------------------------------------------------------------------------------- */

/* The table, the index and the key of the request. */
static void add_place(const struct scope *s, struct shape_draft *d, const struct op_subject *one)
{
    const wire_node *entry = one->entry;

    buf_printf(&d->text, " %.*s%s%.*s", SPAN_ARG(one->table), one->index.len ? "." : "",
               SPAN_ARG(one->index));
    if (one->key && !one->is_item)
        add_key(s, d, one->key);
    add_condition(s, d, "where", entry, "KeyConditionExpression");
    add_legacy(s, d, "where", wire_get(entry, "KeyConditions"), false);
}

static void add_rest(const struct scope *s, struct shape_draft *d, const struct op_subject *one)
{
    const wire_node *entry = one->entry;
    bool any = span_is(wire_text(wire_get(entry, "ConditionalOperator")), "OR");
    const wire_node *list;
    struct shape_draft *parts;
    size_t count = 0;

    if (one->statement && one->statement->where)
        note_clauses(s, one->statement->where->root);
    add_condition(s, d, "filter", entry, "FilterExpression");
    add_legacy(s, d, "filter", wire_get(entry, "QueryFilter"), any);
    add_legacy(s, d, "filter", wire_get(entry, "ScanFilter"), any);
    add_update(s, d, entry);
    add_condition(s, d, "if", entry, "ConditionExpression");
    add_projection(s, d, entry);
    list = wire_get(entry, "AttributesToGet");
    parts = arena_array(s->arena, wire_count(list), sizeof *parts);
    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        parts[count] = draft_in(s->arena);
        buf_add_span(&parts[count++].text, wire_text(n));
    }
    if (count)
        buf_add_text(&d->text, " show ");
    append_sorted(d, parts, count, ", ");
}

static struct scope scope_of(struct arena *a, const wire_node *entry)
{
    return (struct scope){.arena = a,
                          .names = wire_get(entry, "ExpressionAttributeNames"),
                          .values = wire_get(entry, "ExpressionAttributeValues")};
}

static void take_one(struct arena *a, const struct op *op, const struct op_subject *one,
                     struct shape_draft *d, struct catalogue_shape *out)
{
    struct scope s = scope_of(a, one->entry);
    struct buf clauses = buf_in(a);

    if (one->statement ? one->statement->kind == PARTIQL_SELECT
                       : (op->form & (OP_GET | OP_QUERY | OP_SCAN)) != 0) {
        s.clauses = &clauses;
        out->table = one->table;
        out->index = one->index;
    }
    if (wire_get(one->entry, "Statement"))
        add_statement(&s, d, one->entry);
    else
        add_place(&s, d, one);
    out->key_count = clauses.len / sizeof *out->clauses;
    add_rest(&s, d, one);
    out->clauses = (void *)clauses.at;
    out->clause_count = clauses.len / sizeof *out->clauses;
    if (one->statement) /* the service looks for the key in the statement */
        out->key_count = out->clause_count;
}

/* Equal parts count once: a batch of ten has the same shape as a batch of two. */
static void take_parts(struct arena *a, const struct op_subjects *subjects, bool actions,
                       struct shape_draft *d)
{
    size_t len = subjects->len < MAX_PARTS ? subjects->len : MAX_PARTS, count = 0;
    struct shape_draft *parts = arena_array(a, len, sizeof *parts);

    for (size_t i = 0; i < len; i++) {
        const struct op_subject *one = &subjects->at[i];
        struct scope s = scope_of(a, one->entry);
        struct shape_draft *part = &parts[count];
        size_t k = 0;

        *part = draft_in(a);
        if (wire_get(one->entry, "Statement")) {
            add_statement(&s, part, one->entry);
        } else {
            buf_printf(&part->text, " %.*s",
                       SPAN_ARG(actions ? wire_name(one->entry)
                                        : span_of(one->is_item ? "item of" : "key of")));
            add_place(&s, part, one);
            add_rest(&s, part, one);
        }
        while (k < count && by_text(&parts[k], part) != 0)
            k++;
        count += k == count;
    }
    append_sorted(d, parts, count, ";");
}

struct catalogue_shape catalogue_shape_of(struct arena *a, const struct op *op,
                                          const wire_node *body)
{
    struct op_subjects subjects = op_subject_all(a, body);
    struct catalogue_shape shape = {.table = {"", 0}, .index = {"", 0}};
    struct shape_draft d = draft_in(a);

    buf_add_text(&d.text, op->name);
    if (subjects.len == 1 && subjects.at[0].entry == body)
        take_one(a, op, &subjects.at[0], &d, &shape);
    else if (subjects.len)
        take_parts(a, &subjects, wire_get(body, "TransactItems") != NULL, &d);
    else if (wire_get(body, "Statement")) /* a statement that does not parse */
        add_statement(&(struct scope){.arena = a}, &d, body);
    shape.text = buf_span(&d.text);
    shape.values = (void *)d.values.at;
    shape.value_count = d.values.len / sizeof *shape.values;
    return shape;
}

/* --- requests that are written alike ---------------------------------------------------------- */

/* Whether the member contains values. */
static bool holds_values(const wire_node *member)
{
    static const struct span names[] = {
        SPAN_LIT_INIT("Key"),
        SPAN_LIT_INIT("Item"),
        SPAN_LIT_INIT("ExpressionAttributeValues"),
        SPAN_LIT_INIT("ExclusiveStartKey"),
    };

    for (size_t i = 0; i < COUNT(names); i++)
        if (span_equal(wire_name(member), names[i]))
            return true;
    return false;
}

static bool mark_member(struct buf *out, const wire_node *member)
{
    struct span name = wire_name(member), json = wire_raw(member);

    if (name.len > UCHAR_MAX || out->len + json.len > MAX_MARK)
        return false;
    buf_add_char(out, (char)name.len);
    buf_add_span(out, name);
    buf_add_span(out, json);
    return true;
}

/* Numbers and booleans are not in the text, and a statement's text contains values. */
bool catalogue_shape_mark(struct buf *out, const struct op *op, const wire_node *body)
{
    bool placed = false;

    buf_add_text(out, op->name);
    for (const wire_node *m = wire_first(body); m; m = wire_next(m)) {
        struct span name = wire_name(m);

        if (wire_is_string(m) || span_equal(name, SPAN_LIT("ExpressionAttributeNames"))) {
            placed = placed || span_equal(name, SPAN_LIT("TableName"));
            if (span_equal(name, SPAN_LIT("Statement")) || !mark_member(out, m))
                return false;
        } else if ((wire_is_object(m) || wire_is_list(m)) && !holds_values(m)) {
            return false;
        }
    }
    return placed;
}

/* Keys are usually strings, which are read without nodes. */
static bool reread_key(struct arena *a, const wire_node *key, struct catalogue_value *values,
                       size_t count)
{
    size_t found = 0;
    struct item it;

    if (!wire_is_object(key) || wire_read_item(a, key, WIRE_LAYER_CURRENT, &it))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct attr *value;

        if (!values[i].in_key)
            continue;
        if (!(value = item_find(&it, values[i].name)))
            return false;
        found++;
        if (values[i].needed)
            values[i].json = value->type == ATTR_S ? json_of_string(a, value->bytes)
                                                   : json_of(a, wire_get_span(key, values[i].name));
    }
    return found == it.len;
}

/* A long body could contain a string that json_of treats as long. */
bool catalogue_shape_reread(struct arena *a, const wire_node *body, struct catalogue_value *values,
                            size_t count)
{
    const wire_node *named = wire_get(body, "ExpressionAttributeValues");
    const wire_node *key = wire_get(body, "Key");

    if (body->source->text.len > MAX_RAW)
        return false;
    for (size_t i = 0; i < count; i++)
        if (values[i].needed && !values[i].in_key)
            values[i].json = json_of(a, wire_get_span(named, values[i].name));
    return !key || reread_key(a, key, values, count);
}
