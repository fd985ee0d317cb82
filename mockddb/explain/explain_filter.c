#include "explain/explain_filter.h"

#include "base/fold.h"
#include "explain/explain_candidate.h"
#include "explain/explain_expression.h"
#include "explain/explain_rewrite.h"
#include "explain/explain_statement.h"
#include "explain/explain_survey.h"
#include "explain/explain_syntax.h"
#include "explain/explain_trial.h"
#include "expr/expr_lex.h"
#include "expr/expr_print.h"
#include "model/limits.h"
#include "model/num.h"

#include <inttypes.h>

#define FILTER "FilterExpression"

/* --- what may be wrong with a part ------------------------------------------------------------ */

static const char *what_is_it(enum attr_type type)
{
    static const char *const names[] = {
        [ATTR_SS] = "a string set", [ATTR_NS] = "a number set", [ATTR_BS] = "a binary set",
        [ATTR_L] = "a list",        [ATTR_M] = "a map",
    };

    return type < COUNT(names) ? names[type] : NULL;
}

/* "a = b" → "contains(a, b)" */
static void propose_contains(struct inquiry *q)
{
    struct span text = wire_text(wire_get(q->call.body, FILTER));
    const char *mark = span_find(text, '=');
    struct span before = {text.at, mark ? (size_t)(mark - text.at) : 0};

    if (mark)
        explain_expression_propose_text(
            q, FILTER,
            span_of(arena_printf(q->arena, "contains(%.*s, %.*s)", SPAN_ARG(fold_trimmed(before)),
                                 SPAN_ARG(fold_trimmed(span_from(text, before.len + 1))))));
}

/* --- nothing is there ------------------------------------------------------------------------- */

static const char *path_words(struct inquiry *q, const struct explain_survey *s)
{
    struct buf out = buf_in(q->arena);

    path_add(&out, s->asked.path);
    return buf_text(&out);
}

/* The items that were looked at, as the subject of "has": "no item read", or, where they are not
 * those that were read, "none of the first 300 items read", "no item" of all pages. */
static const char *no_item(struct inquiry *q, const struct explain_survey *s)
{
    if (s->items == q->facts.read)
        return "no item read";
    if (s->items > q->facts.read && s->all)
        return "no item";
    return arena_printf(q->arena, "none of the first %zu items%s", s->items,
                        s->items < q->facts.read ? " read" : "");
}

/* "the items", or those of them that were looked at. */
static const char *the_items(struct inquiry *q, const struct explain_survey *s)
{
    return s->all || s->items == q->facts.read
               ? "the items"
               : arena_printf(q->arena, "the first %zu items", s->items);
}

/* "no item read has x" */
static const char *none_has(struct inquiry *q, const struct explain_survey *s)
{
    const char *path = path_words(q, s);

    return q->facts.read == 1 && s->items == 1
               ? arena_printf(q->arena, "the item read has no %s", path)
               : arena_printf(q->arena, "%s has %s", no_item(q, s), path);
}

/* The same, and what they have instead. */
static const char *they_have(struct inquiry *q, struct explain_survey *s, const char *what)
{
    s->certain = true;
    return arena_printf(q->arena, "%s, %s %s", none_has(q, s),
                        s->items == 1 ? "it has" : "they have", what);
}

/* Nothing is within what the path begins with. */
static const char *about_root(struct inquiry *q, struct explain_survey *s)
{
    const struct path *path = s->asked.path;
    struct buf list = buf_in(q->arena), element = buf_in(q->arena);

    if (s->list_len) {
        s->certain = true;
        path_add(&list, &(struct path){path->at, s->list_len});
        path_add(&element, &(struct path){path->at + s->list_len, path->len - s->list_len});
        return arena_printf(q->arena,
                            "%s is a list: a path names an element by its number, %s[0].%s",
                            buf_text(&list), buf_text(&list), buf_text(&element));
    }
    if (s->root->type != ATTR_M && s->root->type != ATTR_L)
        return arena_printf(q->arena, "%.*s is %s in %s, which has no members",
                            SPAN_ARG(path->at[0].name), attr_type_code(s->root->type),
                            the_items(q, s));
    if (s->inner.at)
        return they_have(q, s, arena_text(q->arena, s->inner));
    return none_has(q, s);
}

/* None of the items has what the part looks at. */
static const char *about_absent(struct inquiry *q, struct explain_survey *s, bool whole)
{
    struct span name = s->asked.path->at[0].name;
    const char *path = path_words(q, s);

    if (s->asked.value && s->asked.value->type == ATTR_NULL)
        return arena_printf(q->arena,
                            "%s: a missing attribute is not NULL, ask attribute_not_exists(%s)",
                            none_has(q, s), path);
    if (s->one_name) {
        s->certain = true;
        return arena_printf(q->arena,
                            "%s is one name in the items, not a path: write #n, and {\"#n\": "
                            "\"%s\"} in ExpressionAttributeNames",
                            path, path);
    }
    if (s->is_path) {
        s->certain = true;
        return arena_printf(q->arena,
                            "%.*s is a path in the items, and a placeholder is one name: give each "
                            "of its parts a placeholder, #a.#b",
                            SPAN_ARG(s->dotted));
    }
    if (s->root)
        return about_root(q, s);
    if (s->name.at) {
        if (whole)
            explain_rewrite_name(q, FILTER, name, s->name);
        return they_have(q, s, arena_text(q->arena, s->name));
    }
    if (s->nested.at) {
        if (whole)
            explain_rewrite_name(q, FILTER, name, s->nested);
        s->certain = true;
        return arena_printf(q->arena, "%s, it is a member of a map: %.*s", none_has(q, s),
                            SPAN_ARG(s->nested));
    }
    if (!s->name_count)
        return none_has(q, s);
    if (whole && s->name_count == 1)
        explain_rewrite_name(q, FILTER, name, s->names[0]);
    return they_have(q, s, inquiry_names(q, s->names, s->name_count));
}

/* --- something is there ----------------------------------------------------------------------- */

/* attribute_not_exists of an attribute that all items have, maybe as NULL. */
static const char *about_existing(struct inquiry *q, struct explain_survey *s)
{
    const char *path = path_words(q, s);

    if (s->have < s->items || s->items < q->facts.read || s->asked.op != EXPR_NOT_EXISTS)
        return NULL;
    s->whole = true;
    if (s->nulls)
        return arena_printf(q->arena,
                            "all items read have %s, %zu of them as NULL, which is a value: ask "
                            "%s = :null, with {\":null\": {\"NULL\": true}}",
                            path, s->nulls, path);
    return arena_printf(q->arena, "all items read have %s", path);
}

static bool is_number_text(const struct attr *value)
{
    struct num number;

    return value->type == ATTR_S && num_parse(value->bytes, false, &number) == NUM_OK;
}

/* contains(items, "bowl"), where items is a list of maps. */
static const char *about_maps(struct inquiry *q, const struct explain_survey *s)
{
    const struct attr *element = s->elements.at;
    const char *path = path_words(q, s);
    struct span names[EXPLAIN_SURVEY_VALUES];
    size_t count = 0;

    while (count < element->map.len && count < EXPLAIN_SURVEY_VALUES) {
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

/* A value that may have been meant among these, for what the part asks or for one of IN; *p is its
 * position, or the first value's where none is found. It becomes the proposal. */
static bool find_candidate(struct inquiry *q, struct explain_survey *s, const struct values *there,
                           struct position *p, struct candidate *c)
{
    const struct path_step *steps = s->asked.path->at, *last = &steps[s->asked.path->len - 1];
    bool expires = span_equal(steps->name, s->page->table->ttl_attribute);
    size_t count;
    const struct attr **choices = expr_choices(q->arena, s->part, &count);

    *p = (struct position){
        .q = q,
        .op = count || there == &s->elements ? EXPR_EQ : s->asked.op,
        .asked = {*s->asked.value, s->asked.second ? *s->asked.second : *s->asked.value},
        .name = expires          ? SPAN_LIT("ttl")
                : last->is_index ? steps->name
                                 : last->name,
        .there = *there,
        .find = explain_candidate_among,
    };
    for (size_t i = 0; i < 2 * count || !i; i++) { /* first one that finds something */
        p->asked[0] = count ? *choices[i % count] : *s->asked.value;
        if (!explain_candidate_any(p, c) || (i < count && !c->count))
            continue;
        s->certain = s->certain || c->tier == FORM_SPELLING;
        if (c->why || c->count || !explain_candidate_is_range(p->op))
            explain_candidate_propose(p, c);
        return true;
    }
    p->asked[0] = *s->asked.value;
    return false;
}

/* "year is N in the items, the value asked for is S" */
static const char *about_type(struct inquiry *q, struct explain_survey *s, const char *subject,
                              const struct position *p, const struct candidate *c)
{
    const struct attr *asked = &p->asked[0], *there = p->there.at;

    s->certain = true;
    if (!c->why && explain_candidate_is_range(p->op) && asked->type == ATTR_N &&
        is_number_text(there))
        return arena_printf(q->arena,
                            "%s is S in the items, numbers kept as text: \"9\" follows \"10\", and "
                            "no number compares with them",
                            subject);
    return arena_printf(q->arena, "%s %s %s in %s, the value asked for is %s%s%s", subject,
                        there == s->elements.at ? "are" : "is", attr_type_code(there->type),
                        the_items(q, s), attr_type_code(asked->type), c->why ? ": " : "",
                        c->why ? c->why : "");
}

/* contains of a set or list, or = with one; NULL: the value is not one that it could have. */
static const char *about_elements(struct inquiry *q, struct explain_survey *s, bool whole)
{
    const struct attr *asked = s->asked.value, *first = s->elements.at;
    const char *path = path_words(q, s);
    struct position p;
    struct candidate c;

    if (s->asked.op != EXPR_CONTAINS) {
        if (first->type != asked->type)
            return NULL;
        if (whole && s->asked.op == EXPR_EQ)
            propose_contains(q);
        return arena_printf(q->arena, "%s is %s, which is asked by contains(%s, …)", path,
                            what_is_it(s->values.at->type), path);
    }
    if (first->type == ATTR_M)
        return asked->type == ATTR_M ? NULL : about_maps(q, s);
    (void)find_candidate(q, s, &s->elements, &p, &c);
    if (first->type != asked->type)
        return about_type(q, s, arena_printf(q->arena, "the elements of %s", path), &p, &c);
    for (size_t i = 0; i < s->elements.len && asked->type == ATTR_S; i++)
        if (s->elements.at[i].type == ATTR_S &&
            span_starts_with(s->elements.at[i].bytes, asked->bytes))
            first = &s->elements.at[i];
    return c.count ? explain_candidate_words(&p, &c)
                   : arena_printf(q->arena, "contains looks for whole elements of %s, such as %s",
                                  path, inquiry_value(q, first));
}

static const char *about_value(struct inquiry *q, struct explain_survey *s, bool whole)
{
    const struct attr *asked = s->asked.value;
    const char *path = path_words(q, s), *there;
    struct position p;
    struct candidate c;
    bool found = find_candidate(q, s, &s->values, &p, &c);

    if (!(s->types & 1u << p.asked[0].type))
        return about_type(q, s, path, &p, &c);
    if (found)
        return explain_candidate_words(&p, &c);
    if (asked->type > ATTR_B)
        return NULL;
    if (s->holders) {
        if (whole)
            explain_rewrite_name(q, FILTER, s->asked.path->at[0].name, s->holder);
        return arena_printf(q->arena, "%.*s is %s in %s", SPAN_ARG(s->holder),
                            inquiry_value(q, asked), inquiry_count(q, s->holders, "item"));
    }
    if (!(there = explain_candidate_stored(&p, path)))
        return NULL;
    if (s->items < q->facts.read)
        there = arena_printf(q->arena, "among them %s", there);
    if (asked->type == ATTR_S && asked->bytes.len > 1 &&
        strchr("*%", asked->bytes.at[asked->bytes.len - 1]))
        return arena_printf(
            q->arena,
            "%c is an ordinary sign, wildcards do not exist: begins_with(%s, …) takes a beginning; "
            "%s",
            asked->bytes.at[asked->bytes.len - 1], path, there);
    if (explain_candidate_is_range(s->asked.op) && is_number_text(asked) &&
        is_number_text(s->values.at))
        return arena_printf(q->arena,
                            "%s, numbers kept as text, which compare sign by sign: \"9\" follows "
                            "\"10\"",
                            there);
    return there;
}

/* More about the part, found in the items; NULL where nothing is known. */
static const char *about(struct inquiry *q, struct explain_survey *s, bool whole)
{
    const struct attr *asked = s->asked.value;
    const char *elements;

    if (!s->have)
        return about_absent(q, s, whole);
    if (!asked)
        return about_existing(q, s);
    if (s->asked.op == EXPR_CONTAINS && attr_is_set(asked->type)) {
        s->certain = true;
        return arena_printf(q->arena,
                            "contains takes one element: ask contains(%s, :a) for each of "
                            "the set",
                            path_words(q, s));
    }
    if (s->elements.len && (asked->type <= ATTR_B || asked->type == ATTR_M) &&
        (elements = about_elements(q, s, whole)))
        return elements;
    if (asked->type == ATTR_L)
        return "the value asked for is a list: contains takes one value and IN takes each as a "
               "value of its own, IN (:a, :b)";
    return about_value(q, s, whole);
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

    more = (struct span){more.at + 1, more.len - 2}; /* without its braces */
    text = explain_trial_with_part(q, text, word, span_of(key));
    explain_expression_propose(
        q,
        (struct trial_member[]){
            {FILTER, explain_trial_json_text(q, text)},
            {"ExpressionAttributeValues",
             explain_expression_map_with(q, "ExpressionAttributeValues", more)},
        },
        2);
}

/* city = Cork: a word that no item has as an attribute. */
static const char *about_word(struct inquiry *q, const struct read_page *page)
{
    struct span text = wire_text(wire_get(q->call.body, FILTER));
    struct lexer lexer = {GRAMMAR_CONDITION, text}, ahead;
    struct token token, before = {.kind = TOKEN_END};

    for (; text.len && (token = expr_lex(&lexer)).kind != TOKEN_END; before = token) {
        enum token_kind after;

        ahead = lexer;
        after = expr_lex(&ahead).kind;
        if (token.kind != TOKEN_IDENTIFIER || before.kind < TOKEN_EQ || before.kind > TOKEN_GE ||
            after == TOKEN_OPEN || after == TOKEN_DOT || after == TOKEN_BRACKET ||
            explain_rows_find(q, &page->range, EXPLAIN_SURVEY_ITEMS, has_name, &token.text))
            continue;
        propose_value(q, text, token.text);
        return arena_printf(q->arena,
                            "%.*s is read as an attribute's name, and no item looked at has it: "
                            "write :%.*s, and the "
                            "value in ExpressionAttributeValues",
                            SPAN_ARG(token.text), SPAN_ARG(token.text));
    }
    return NULL;
}

/* WHERE city = Cork. */
static const char *about_statement_word(struct inquiry *q, const struct read_page *page)
{
    struct span word = explain_statement_word(q);

    if (!word.len || explain_rows_find(q, &page->range, EXPLAIN_SURVEY_ITEMS, has_name, &word))
        return NULL;
    explain_statement_propose(q, word, arena_printf(q->arena, "'%.*s'", SPAN_ARG(word)));
    return arena_printf(q->arena,
                        "%.*s is read as an attribute's name, and no item looked at has it: write "
                        "'%.*s'",
                        SPAN_ARG(word), SPAN_ARG(word));
}

/* --- sizes and types -------------------------------------------------------------------------- */

/* "SS of size 2 or L of size 7", "N, which has no size": each form once */
static const char *sizes(struct inquiry *q, const struct explain_survey *s)
{
    struct span words[EXPLAIN_SURVEY_VALUES];
    size_t count = 0;

    for (size_t i = 0; i < s->values.len && i < COUNT(words); i++) {
        const struct attr *value = &s->values.at[i];
        const char *type = attr_type_code(value->type);
        bool known = false;
        size_t size;

        words[count] = span_of(expr_measure(value, &size)
                                   ? arena_printf(q->arena, "%s of size %zu", type, size)
                                   : arena_printf(q->arena, "%s, which has no size", type));
        for (size_t k = 0; k < count; k++)
            known = known || span_equal(words[k], words[count]);
        count += !known;
    }
    return arena_printf(q->arena, "%s%s", inquiry_names(q, words, count),
                        s->values.len > COUNT(words) && count > 1 ? ", …" : "");
}

static const char *types(struct inquiry *q, const struct explain_survey *s)
{
    struct span words[ATTR_TYPE_COUNT];
    size_t count = 0;

    for (unsigned type = 0; type < ATTR_TYPE_COUNT; type++)
        if (s->types & 1u << type)
            words[count++] = span_of(attr_type_code((enum attr_type)type));
    return inquiry_names(q, words, count);
}

/* size(tags) > 5, or attribute_type(tags, "L"). */
static const char *about_measured(struct inquiry *q, struct explain_survey *s,
                                  const struct path *path, bool is_size)
{
    s->asked = (struct expr_comparison){.path = path, .op = EXPR_EXISTS};
    explain_survey_look(q, s);
    if (!s->have)
        return about_absent(q, s, false);
    return arena_printf(q->arena, "%s is %s", path_words(q, s),
                        is_size ? sizes(q, s) : types(q, s));
}

/* --- parts that cannot both hold -------------------------------------------------------------- */

/* Whether no value fits both. */
static bool exclude(const struct expr_comparison *a, const struct expr_comparison *b)
{
    bool above = a->op == EXPR_GT || a->op == EXPR_GE, below = b->op == EXPR_LT || b->op == EXPR_LE;
    const struct attr ends[] = {*b->value, b->second ? *b->second : *b->value};
    int order;

    if (a->value->type != b->value->type || a->value->type > ATTR_B)
        return false;
    if (a->op == EXPR_EQ && (explain_candidate_is_range(b->op) || b->op == EXPR_EQ))
        return !explain_rows_fits(b->op, ends, a->value);
    order = attr_compare(a->value, b->value);
    return above && below && (order > 0 || (!order && (a->op == EXPR_GT || b->op == EXPR_LT)));
}

/* x = "a" AND x = "b"; x > 5 AND x < 3 */
static const char *about_both(struct inquiry *q, const struct read_page *page)
{
    struct expr_parts parts = expr_condition_parts(q->arena, page->filter);

    for (size_t i = 0; i < parts.len; i++)
        for (size_t k = 0; k < parts.len; k++) {
            struct expr_comparison a, b;
            struct buf one = buf_in(q->arena), other = buf_in(q->arena);

            if (!expr_as_comparison(parts.at[i], &a) || !expr_as_comparison(parts.at[k], &b) ||
                !a.value || !b.value || !path_equal(a.path, b.path) || !exclude(&a, &b))
                continue;
            if (a.op == EXPR_EQ && b.op == EXPR_EQ) {
                path_add(&one, a.path);
                return arena_printf(
                    q->arena, "%s cannot be %s and %s at once: OR or IN accepts one of several",
                    buf_text(&one), inquiry_value(q, a.value), inquiry_value(q, b.value));
            }
            expr_print_condition(&one, parts.at[i]);
            expr_print_condition(&other, parts.at[k]);
            return arena_printf(q->arena, "no value fits both %s and %s: they are %s and %s",
                                buf_text(&one), buf_text(&other), inquiry_value(q, a.value),
                                inquiry_value(q, b.value));
        }
    return NULL;
}

/* --- saying it -------------------------------------------------------------------------------- */

/* A part with its values: level = "warn". */
static const char *part_words(struct inquiry *q, const struct explain_survey *s,
                              const struct removed *of)
{
    static const char *const forms[] = {
        [EXPR_EQ] = " = ",  [EXPR_NE] = " <> ", [EXPR_LT] = " < ",
        [EXPR_LE] = " <= ", [EXPR_GT] = " > ",  [EXPR_GE] = " >= ",
    };
    const struct expr_comparison *c = &s->asked;
    const char *path;

    if (!c->path || !c->value || c->second || c->value->type > ATTR_N)
        return arena_text(q->arena, of->clause);
    path = path_words(q, s);
    if (c->op < COUNT(forms) && forms[c->op])
        return arena_printf(q->arena, "%s%s%s", path, forms[c->op], inquiry_value(q, c->value));
    if (c->op == EXPR_CONTAINS || c->op == EXPR_BEGINS_WITH)
        return arena_printf(q->arena, "%s(%s, %s)",
                            c->op == EXPR_CONTAINS ? "contains" : "begins_with", path,
                            inquiry_value(q, c->value));
    return arena_text(q->arena, of->clause);
}

/* Each part fits some items, all of them together none. */
static const char *parts_together(struct inquiry *q)
{
    struct buf out = buf_in(q->arena);

    buf_add_text(&out, "no item read fits all conditions");
    for (size_t i = 0; i < q->facts.removed_count; i++)
        buf_printf(&out, "%s%.*s removed %zu", i ? ", " : ": ",
                   SPAN_ARG(q->facts.removed[i].clause), q->facts.removed[i].items);
    if (q->facts.counted < q->facts.read)
        buf_printf(&out, " of the first %zu", q->facts.counted);
    return buf_text(&out);
}

/* No item passed so far, and there is more. */
static void page_ended(struct inquiry *q, const struct read_page *page)
{
    q->page_ended = true;
    if (page->limit && (size_t)page->limit == q->facts.read)
        inquiry_reason(q,
                       "Limit %" PRId64 " counts items read, and no item read fits the filter: "
                       "continue from LastEvaluatedKey",
                       page->limit);
    else
        inquiry_reason(q,
                       "this page ended %s, and no item of it fits the filter: continue from "
                       "LastEvaluatedKey, an empty page is not the end",
                       q->facts.bytes >= LIMIT_PAGE_BYTES ? "at 1 MB" : "early");
    explain_trial_propose_members(q, (struct trial_member[]){{"Limit", {"", 0}}}, 1);
}

/* begins_with(:v, name), where the reverse gives something. */
static const char *about_swapped(struct inquiry *q)
{
    struct span text = wire_text(wire_get(q->call.body, FILTER));
    struct lexer lexer = {GRAMMAR_CONDITION, text};
    struct token token;

    while (text.len && (token = expr_lex(&lexer)).kind != TOKEN_END) {
        struct lexer rest = lexer;
        struct token open = expr_lex(&rest), first = expr_lex(&rest), comma = expr_lex(&rest);
        struct token second = expr_lex(&rest);
        struct span place = {first.text.at, (size_t)(span_end(second.text) - first.text.at)};

        if (!span_is(token.text, "begins_with") || open.kind != TOKEN_OPEN ||
            first.kind != TOKEN_VALUE || comma.kind != TOKEN_COMMA ||
            (second.kind != TOKEN_NAME && second.kind != TOKEN_IDENTIFIER))
            continue;
        explain_expression_propose_text(
            q, FILTER,
            explain_trial_with_part(
                q, text, place,
                span_of(arena_printf(q->arena, "%.*s, %.*s", SPAN_ARG(second.text),
                                     SPAN_ARG(first.text)))));
        return q->proposal.count ? arena_printf(q->arena,
                                                "the operands of begins_with are swapped: "
                                                "begins_with(%.*s, %.*s)",
                                                SPAN_ARG(second.text), SPAN_ARG(first.text))
                                 : NULL;
    }
    return NULL;
}

/* More about the part that took most away; NULL: nothing is known. */
static const char *about_part(struct inquiry *q, struct explain_survey *s)
{
    const struct path *path;
    const char *more;
    bool is_size;

    if (!expr_as_comparison(s->part, &s->asked) &&
        ((more = explain_statement_quotes(q)) || (more = explain_statement_null(q)))) {
        s->whole = s->certain = true;
        return more;
    }
    if ((path = expr_measured_path(s->part, &is_size)))
        return about_measured(q, s, path, is_size);
    if (!s->asked.path) {
        s->whole = true;
        if ((more = about_swapped(q)))
            return more;
        return wire_get(q->call.body, "Statement") ? about_statement_word(q, s->page)
                                                   : about_word(q, s->page);
    }
    explain_survey_look(q, s);
    return s->fit ? NULL : about(q, s, q->facts.removed_count == 1);
}

/* No item passes. Only where nothing else is known, and items of other pages may pass, the page is
 * the cause. */
static void say_filter(struct inquiry *q, const struct read_page *page, const struct removed *most,
                       bool is_only)
{
    struct explain_survey s = {.page = page, .part = most->part};
    const char *both = about_both(q, page), *more = both ? both : about_part(q, &s);
    bool alone = q->facts.removed_count == 1 && q->facts.returned == 0;
    bool never = is_only && s.all && !s.pass;

    if (q->facts.more && !s.certain && !both && !never) {
        q->proposal = (struct proposal){.count = 0};
        page_ended(q, page);
        return;
    }
    if (more && (both || s.whole || (s.items && !s.have)))
        inquiry_reason(q, "%s", more);
    else if (s.fit || (!alone && s.items < q->facts.read))
        inquiry_reason(q, "%s", parts_together(q));
    else
        inquiry_reason(q, "no item read fits %s%s%s", part_words(q, &s, most), more ? "; " : "",
                       more ? more : "");
    if (q->facts.more)
        inquiry_line(q, "%s",
                     never ? "no item of the other pages fits the filter either"
                           : "other pages follow: continue from LastEvaluatedKey");
}

void explain_filter(struct inquiry *q, const struct targets *targets)
{
    const struct removed *most = q->facts.removed;

    if (!q->facts.removed_count)
        return;
    for (size_t i = 1; i < q->facts.removed_count; i++)
        if (q->facts.removed[i].items > most->items)
            most = &q->facts.removed[i];
    say_filter(q, &targets->at[0].plan.page, most, targets->count == 1);
}
