#include "explain/explain_filter.h"

#include "explain/explain_expression.h"
#include "explain/explain_near.h"
#include "explain/explain_rows.h"
#include "explain/explain_statement.h"
#include "explain/explain_trial.h"
#include "expr/expr_lex.h"
#include "expr/expr_print.h"
#include "model/num.h"

#include <inttypes.h>

#define LOOKED_AT 300 /* items */
#define VALUES    3   /* that are shown */

/* What the items have where a part of the filter looks. */
struct survey {
    const struct read_page *page;
    struct expr_comparison asked;
    size_t items, have; /* looked at; of them, those that have the attribute */
    const struct attr *sample;
    struct attr values[VALUES]; /* different ones */
    size_t value_count;
    bool more_values;
    const struct attr *same; /* that explain_near_same the value asked for */
    struct attr element;     /* of a set or list, that is nearest to it */
    struct span name;        /* of an attribute that is called nearly the same */
    const struct attr *root; /* what the path begins with, where the rest of it is not there */
    struct span inner;       /* the path with a member that is called nearly as the missing one */
    size_t nulls;            /* of those that have it */
    bool one_name;           /* there is an attribute that is called like the whole path */
    bool is_path;            /* the name has dots, and there is something at such a path */
};

static void note_value(struct survey *s, const struct attr *value)
{
    for (size_t i = 0; i < s->value_count; i++)
        if (attr_equal(&s->values[i], value))
            return;
    if (s->value_count < VALUES)
        s->values[s->value_count++] = *value;
    else
        s->more_values = true;
}

/* The element of a set or list that is like the text that was asked for, or else any. */
static void note_element(struct inquiry *q, struct survey *s, const struct attr *value)
{
    const struct attr *asked = s->asked.value;
    size_t count = attr_is_set(value->type) || value->type == ATTR_L ? value->list.len : 0;

    for (size_t i = 0; i < count && asked && asked->type == ATTR_S; i++) {
        const struct attr *element = &value->list.at[i];
        size_t limit = explain_near_threshold(asked->bytes);

        if (element->type != ATTR_S)
            continue;
        if (!s->element.bytes.len)
            s->element = *element;
        if (explain_near_same(element->bytes, asked->bytes) ||
            explain_near_distance(q, element->bytes, asked->bytes, limit) <= limit) {
            s->element = *element;
            s->same = element;
        }
    }
}

/* "a.b" as one name, where there is a map a. */
static bool leads_somewhere(const struct item *it, struct span name)
{
    const char *dot = span_find(name, '.');
    struct path_step steps[2] = {{.is_index = false}};
    const struct path path = {steps, 2};

    if (!dot)
        return false;
    steps[0].name = (struct span){name.at, (size_t)(dot - name.at)};
    steps[1].name = span_from(name, steps[0].name.len + 1);
    return path_find(it, &path) != NULL;
}

/* items[0].name for items[0].Name: the first step that leads nowhere, in a map that has a member
 * which is called nearly so. */
static void note_inner(struct inquiry *q, struct survey *s, const struct item *it)
{
    const struct path *path = s->asked.path;
    struct path_step *steps = arena_array(q->arena, path->len, sizeof *steps);
    struct path prefix = {steps, 1};
    struct buf whole = buf_in(q->arena);
    const struct attr *parent = NULL, *there;

    memcpy(steps, path->at, path->len * sizeof *steps);
    while (prefix.len < path->len && (there = path_find(it, &prefix))) {
        parent = there;
        prefix.len++;
    }
    if (!parent || parent->type != ATTR_M || steps[prefix.len - 1].is_index)
        return;
    for (size_t i = 0; i < parent->map.len && !s->inner.at; i++) {
        if (!explain_near_names(q, steps[prefix.len - 1].name, parent->map.at[i].name))
            continue;
        steps[prefix.len - 1].name = parent->map.at[i].name;
        path_add(&whole, &(struct path){steps, path->len});
        s->inner = buf_span(&whole);
    }
}

/* Nothing is at the path: what is there instead. */
static void note_absent(struct inquiry *q, struct survey *s, const struct item *it)
{
    struct span first = s->asked.path->at[0].name;
    const struct attr *root = item_find(it, first);
    struct buf whole = buf_in(q->arena);

    if (root && !s->root) {
        struct attr *kept = arena_alloc(q->arena, sizeof *kept);

        *kept = attr_copy(q->arena, root);
        s->root = kept;
    }
    path_add(&whole, s->asked.path);
    if (s->asked.path->len > 1)
        s->one_name = s->one_name || item_find(it, buf_span(&whole));
    s->is_path = s->is_path || leads_somewhere(it, first);
    if (root && s->asked.path->len > 1 && !s->inner.at)
        note_inner(q, s, it);
    for (size_t i = 0; !root && !s->name.at && i < it->len; i++)
        if (explain_near_names(q, first, it->at[i].name))
            s->name = it->at[i].name;
}

static bool look(struct inquiry *q, const struct item *it, void *data)
{
    struct survey *s = data;
    const struct attr *value = path_find(it, s->asked.path);
    struct attr *kept;

    s->items++;
    if (!value) {
        note_absent(q, s, it);
        return false;
    }
    kept = arena_alloc(q->arena, sizeof *kept);
    *kept = attr_copy(q->arena, value);
    s->have++;
    s->nulls += kept->type == ATTR_NULL;
    s->sample = kept;
    note_value(s, kept);
    note_element(q, s, kept);
    if (s->asked.value && kept->type == ATTR_S && s->asked.value->type == ATTR_S && !s->same &&
        explain_near_same(kept->bytes, s->asked.value->bytes))
        s->same = kept;
    return false;
}

/* --- what may be wrong with a part ------------------------------------------------------------ */

static const char *what_is_it(enum attr_type type)
{
    static const char *const names[] = {
        [ATTR_SS] = "a string set", [ATTR_NS] = "a number set", [ATTR_BS] = "a binary set",
        [ATTR_L] = "a list",        [ATTR_M] = "a map",
    };

    return type < COUNT(names) ? names[type] : NULL;
}

/* The filter with other words for some; only where the request has one. */
static void propose_filter(struct inquiry *q, struct span filter)
{
    (void)explain_trial_propose(
        q, q->call.op->name,
        explain_trial_with_members(
            q, (struct trial_member[]){{"FilterExpression", explain_trial_json_text(q, filter)}},
            1),
        &q->proposal);
}

/* "a = b" → "contains(a, b)" */
static void propose_contains(struct inquiry *q)
{
    struct span text = wire_text(wire_get(q->call.body, "FilterExpression"));
    const char *mark = span_find(text, '=');

    if (mark)
        propose_filter(q,
                       span_of(arena_printf(q->arena, "contains(%.*s, %.*s)", (int)(mark - text.at),
                                            text.at, (int)(span_end(text) - mark - 1), mark + 1)));
}

/* One name for another. */
static void propose_name(struct inquiry *q, struct span from, struct span to)
{
    struct span text = wire_text(wire_get(q->call.body, "FilterExpression"));
    struct buf out = buf_in(q->arena);

    while (text.len) {
        bool is_it = span_starts_with(text, from);

        buf_add_span(&out, is_it ? to : (struct span){text.at, 1});
        text = span_from(text, is_it ? from.len : 1);
    }
    propose_filter(q, buf_span(&out));
}

static bool is_milliseconds(const struct survey *s)
{
    const struct table *t = s->page->table;

    return s->asked.value && s->asked.value->type == ATTR_N && s->asked.value->bytes.len == 13 &&
           s->sample && s->sample->type == ATTR_N && s->sample->bytes.len == 10 &&
           (span_equal(s->asked.path->at[0].name, t->ttl_attribute) || !t->ttl_attribute.len);
}

/* --- nothing is there ------------------------------------------------------------------------- */

static const char *path_words(struct inquiry *q, const struct survey *s)
{
    struct buf out = buf_in(q->arena);

    path_add(&out, s->asked.path);
    return buf_text(&out);
}

/* None of the items has what the part looks at. */
static const char *about_absent(struct inquiry *q, const struct survey *s, bool whole)
{
    struct span name = s->asked.path->at[0].name;
    const char *path = path_words(q, s);

    if (s->asked.value && s->asked.value->type == ATTR_NULL)
        return arena_printf(q->arena,
                            "none of the %zu items read has %s: what is not there is no NULL, it "
                            "is found by attribute_not_exists",
                            s->items, path);
    if (s->one_name)
        return arena_printf(q->arena,
                            "%s is one name in the items, not a path: write #n, and {\"#n\": "
                            "\"%s\"} in ExpressionAttributeNames",
                            path, path);
    if (s->is_path)
        return arena_printf(q->arena,
                            "%.*s is a path in the items, not one name: each of its parts has a "
                            "placeholder of its own, #a.#b",
                            SPAN_ARG(name));
    if (s->root && s->root->type != ATTR_M && s->root->type != ATTR_L)
        return arena_printf(q->arena, "%.*s is %s in the items, nothing is within it",
                            SPAN_ARG(name), attr_type_code(s->root->type));
    if (s->inner.at)
        return arena_printf(q->arena, "none of the %zu items read has %s, they have %.*s", s->items,
                            path, SPAN_ARG(s->inner));
    if (s->name.at && !s->root) {
        if (whole)
            propose_name(q, name, s->name);
        return arena_printf(q->arena, "none of the %zu items read has %s, they have %.*s", s->items,
                            path, SPAN_ARG(s->name));
    }
    return arena_printf(q->arena, "none of the %zu items read has %s", s->items, path);
}

/* --- something is there ----------------------------------------------------------------------- */

/* attribute_not_exists of what is there: NULL is there. */
static const char *about_existing(struct inquiry *q, const struct survey *s)
{
    const char *path = path_words(q, s);

    if (s->have < s->items || s->asked.op != EXPR_NOT_EXISTS)
        return NULL;
    if (s->nulls)
        return arena_printf(q->arena,
                            "%s is there in all of them, in %zu as NULL, which is a value: ask "
                            "%s = :null, with {\":null\": {\"NULL\": true}}",
                            path, s->nulls, path);
    return arena_printf(q->arena, "%s is there in all of them", path);
}

static const char *about_elements(struct inquiry *q, const struct survey *s, bool whole)
{
    const char *path = path_words(q, s);

    if (s->asked.op == EXPR_CONTAINS) {
        if (s->element.bytes.len && s->same)
            (void)explain_trial_propose(q, q->call.op->name,
                                        explain_trial_with_value(q, s->asked.value, &s->element),
                                        &q->proposal);
        return arena_printf(q->arena, "contains looks for whole elements of %s, such as %s", path,
                            inquiry_value(q, &s->element));
    }
    if (whole && s->asked.op == EXPR_EQ)
        propose_contains(q);
    return arena_printf(q->arena, "%s is %s, which is asked by contains(%s, …)", path,
                        what_is_it(s->sample->type), path);
}

/* contains(items, "bowl"), where items is a list of maps. */
static const char *about_maps(struct inquiry *q, const struct survey *s)
{
    const struct attr *element = s->sample->list.len ? s->sample->list.at : NULL;
    const char *path = path_words(q, s);
    struct span names[VALUES];
    size_t count = 0;

    if (s->asked.op != EXPR_CONTAINS || s->sample->type != ATTR_L || !element ||
        element->type != ATTR_M || s->asked.value->type == ATTR_M)
        return NULL;
    while (count < element->map.len && count < VALUES) {
        names[count] = element->map.at[count].name;
        count++;
    }
    if (!count)
        return NULL;
    return arena_printf(q->arena,
                        "contains looks for whole elements of %s, which are maps with %s: a member "
                        "is asked by its element's number, %s[0].%.*s",
                        path, inquiry_names(q, names, count), path, SPAN_ARG(names[0]));
}

static bool is_order(enum expr_op op)
{
    return op == EXPR_LT || op == EXPR_LE || op == EXPR_GT || op == EXPR_GE || op == EXPR_BETWEEN;
}

/* The value asked for, as the type that the items have; false: it cannot be that. */
static bool as_type(const struct attr *asked, const struct attr *sample, struct attr *out)
{
    bool yes = asked->type == ATTR_S && span_is(asked->bytes, "true");
    bool no = asked->type == ATTR_S && span_is(asked->bytes, "false");

    if (sample->type == ATTR_BOOL && (yes || no)) {
        *out = (struct attr){.type = ATTR_BOOL, .boolean = yes};
        return true;
    }
    *out = (struct attr){.type = sample->type, .bytes = asked->bytes};
    return asked->type <= ATTR_B && sample->type <= ATTR_N;
}

static const char *about_type(struct inquiry *q, const struct survey *s)
{
    const struct attr *asked = s->asked.value;
    const char *path = path_words(q, s);
    struct attr typed;
    struct num number;

    if (is_order(s->asked.op) && asked->type == ATTR_N && s->sample->type == ATTR_S &&
        num_parse(s->sample->bytes, false, &number) == NUM_OK)
        return arena_printf(q->arena,
                            "%s is S in the items, numbers kept as text: \"9\" comes after "
                            "\"10\" there, and no number compares with them",
                            path);
    if (as_type(asked, s->sample, &typed) && !(is_order(s->asked.op) && typed.type == ATTR_S))
        (void)explain_trial_propose(q, q->call.op->name, explain_trial_with_value(q, asked, &typed),
                                    &q->proposal);
    return arena_printf(q->arena, "%s is %s in the items, the value asked for is %s", path,
                        attr_type_code(s->sample->type), attr_type_code(asked->type));
}

static const char *about_value(struct inquiry *q, const struct survey *s)
{
    const struct attr *asked = s->asked.value;
    const char *path = path_words(q, s);

    for (size_t i = 0; i < s->value_count; i++)
        if (attr_equal(&s->values[i], asked))
            return NULL; /* it is there, but not where this page looked */
    if (is_milliseconds(s))
        return arena_printf(q->arena,
                            "%s has 13 digits, which is milliseconds; %s has seconds, 10 digits",
                            inquiry_value(q, asked), path);
    if (s->same && s->asked.op == EXPR_EQ) {
        (void)explain_trial_propose(q, q->call.op->name,
                                    explain_trial_with_value(q, asked, s->same), &q->proposal);
        return arena_printf(q->arena, "there is %s: %s", inquiry_value(q, s->same),
                            explain_near_words(asked->bytes, s->same->bytes));
    }
    if (asked->type <= ATTR_B)
        return arena_printf(q->arena, "%s there is %s", path,
                            inquiry_values(q, s->values, s->value_count, " and ", s->more_values));
    return NULL;
}

/* More about the part, found in the items; NULL where nothing is known. */
static const char *about(struct inquiry *q, const struct survey *s, bool whole)
{
    const struct attr *asked = s->asked.value;
    const char *maps;

    if (!s->have)
        return about_absent(q, s, whole);
    if (!asked)
        return about_existing(q, s);
    if (attr_is_set(s->sample->type) && asked->type == attr_element_type(s->sample->type))
        return about_elements(q, s, whole);
    if (s->sample->type == ATTR_L && asked->type == ATTR_S && s->element.bytes.len)
        return about_elements(q, s, whole);
    if ((maps = about_maps(q, s)))
        return maps;
    if (asked->type == ATTR_L)
        return "the value asked for is a list: contains takes one value and IN takes each as a "
               "value of its own, IN (:a, :b)";
    if (asked->type != s->sample->type)
        return about_type(q, s);
    return about_value(q, s);
}

/* --- a word where a value belongs ------------------------------------------------------------- */

static bool has_name(struct inquiry *q, const struct item *it, void *name)
{
    (void)q;
    return item_find(it, *(struct span *)name) != NULL;
}

/* `word` in the filter as a value, under a placeholder that is called like it. */
static void propose_value(struct inquiry *q, struct span text, struct span word)
{
    const char *key = arena_printf(q->arena, ":%.*s", SPAN_ARG(word));
    struct attr value = {.type = ATTR_S, .bytes = word};
    struct field field = {span_of(key), value};
    struct span more = explain_trial_json_item(q, &(struct item){.at = &field, .len = 1});
    struct buf out = buf_in(q->arena);

    more = (struct span){more.at + 1, more.len - 2}; /* without its braces */
    buf_add(&out, text.at, (size_t)(word.at - text.at));
    buf_add_text(&out, key);
    buf_add_span(&out, span_behind(text, word));
    explain_expression_propose(
        q,
        (struct trial_member[]){
            {"FilterExpression", explain_trial_json_text(q, buf_span(&out))},
            {"ExpressionAttributeValues",
             explain_expression_map_with(q, "ExpressionAttributeValues", more)},
        },
        2);
}

/* city = Cork: a word that no item has as an attribute. */
static const char *about_word(struct inquiry *q, const struct read_page *page)
{
    struct span text = wire_text(wire_get(q->call.body, "FilterExpression"));
    struct lexer lexer = {GRAMMAR_CONDITION, text}, ahead;
    struct token token, before = {.kind = TOKEN_END};

    for (; text.len && (token = expr_lex(&lexer)).kind != TOKEN_END; before = token) {
        enum token_kind after;

        ahead = lexer;
        after = expr_lex(&ahead).kind;
        if (token.kind != TOKEN_IDENTIFIER || before.kind < TOKEN_EQ || before.kind > TOKEN_GE ||
            after == TOKEN_OPEN || after == TOKEN_DOT || after == TOKEN_BRACKET ||
            explain_rows_find(q, &page->range, LOOKED_AT, has_name, &token.text))
            continue;
        propose_value(q, text, token.text);
        return arena_printf(
            q->arena,
            "%.*s is the name of an attribute, which none of the items has: a value "
            "stands in ExpressionAttributeValues, under a name such as :v",
            SPAN_ARG(token.text));
    }
    return NULL;
}

/* WHERE city = Cork. */
static const char *about_statement_word(struct inquiry *q, const struct read_page *page)
{
    struct span word = explain_statement_word(q);

    if (!word.len || explain_rows_find(q, &page->range, LOOKED_AT, has_name, &word))
        return NULL;
    explain_statement_propose(q, word, arena_printf(q->arena, "'%.*s'", SPAN_ARG(word)));
    return arena_printf(q->arena,
                        "%.*s is the name of an attribute, which none of the items has: texts "
                        "stand in single quotes",
                        SPAN_ARG(word));
}

/* --- saying it -------------------------------------------------------------------------------- */

static const char *counts(struct inquiry *q)
{
    struct buf out = buf_in(q->arena);

    buf_printf(&out, "%zu read", q->facts.read);
    if (q->facts.counted < q->facts.read)
        buf_printf(&out, ", of the first %zu", q->facts.counted);
    for (size_t i = 0; i < q->facts.removed_count; i++)
        buf_printf(&out, ", %zu removed by %.*s", q->facts.removed[i].items,
                   SPAN_ARG(q->facts.removed[i].clause));
    return buf_text(&out);
}

/* Nothing passed so far, and there is more. */
static bool page_ended(struct inquiry *q, const struct read_page *page)
{
    if (!q->facts.more)
        return false;
    if (page->limit && (size_t)page->limit == q->facts.read)
        inquiry_reason(q,
                       "Limit %" PRId64 " counts items read: %s, none passed, the rest was not "
                       "looked at; go on from LastEvaluatedKey",
                       page->limit, counts(q));
    else
        inquiry_reason(q,
                       "this page ended at 1 MB: %s, none passed; an empty page is not the end, go "
                       "on from LastEvaluatedKey",
                       counts(q));
    (void)explain_trial_propose(
        q, q->call.op->name,
        explain_trial_with_members(q, (struct trial_member[]){{"Limit", {"", 0}}}, 1),
        &q->proposal);
    return true;
}

void explain_filter(struct inquiry *q, const struct target *target)
{
    const struct read_page *page = &target->plan.page;
    const struct removed *most = q->facts.removed;
    struct survey s = {.page = page};
    const char *more = NULL;

    if (!q->facts.removed_count || page_ended(q, page))
        return;
    for (size_t i = 1; i < q->facts.removed_count; i++)
        if (q->facts.removed[i].items > most->items)
            most = &q->facts.removed[i];
    if (expr_as_comparison(most->part, &s.asked)) {
        (void)explain_rows_find(q, &page->range, LOOKED_AT, look, &s);
        more = about(q, &s, q->facts.removed_count == 1);
    } else {
        more = explain_statement_quotes(q);
        if (!more)
            more = explain_statement_null(q);
        if (!more)
            more = wire_get(q->call.body, "Statement") ? about_statement_word(q, page)
                                                       : about_word(q, page);
    }
    inquiry_reason(q, "%s%s%s", counts(q), more ? "; " : "", more ? more : "");
}
