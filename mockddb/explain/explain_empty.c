#include "explain/explain_find.h"

#include "base/fold.h"
#include "explain/explain_cause.h"
#include "explain/explain_entry.h"
#include "explain/explain_survey.h"
#include "explain/explain_trial.h"
#include "explain/say.h"
#include "model/key.h"
#include "model/limits.h"
#include "model/num.h"
#include "ops/op_target.h"

#define FILTER "FilterExpression"

/* --- nothing is there ------------------------------------------------------------------------- */

/* "the items", or those of them that were looked at. */
static const char *the_items(struct inquiry *q, const struct explain_survey *s)
{
    return s->all || s->items == q->facts.read ? "the items"
                                               : say_text(q, "the first % items", s->items);
}

/* "no item read has x"; of all pages "no item has x", of some items "no item has x among the
 * first 300 read". */
static const char *none_has(struct inquiry *q, const struct explain_survey *s)
{
    const struct path *path = s->asked.path;

    if (q->facts.read == 1 && s->items == 1)
        return say_text(q, "the item read has no %", path);
    if (s->items == q->facts.read)
        return say_text(q, "no item read has %", path);
    if (s->items > q->facts.read && s->all)
        return say_text(q, "no item has %", path);
    return say_text(q, "no item has % among the first %%", path, s->items,
                    s->items < q->facts.read ? " read" : "");
}

/* The same, and what they have instead of the path or its first name. */
static const char *they_have(struct inquiry *q, struct explain_survey *s, struct span asked,
                             struct span there)
{
    s->certain = true;
    return say_text(q, "%, % %%", none_has(q, s), s->items == 1 ? "it has" : "they have", there,
                    explain_near_case(asked, there));
}

/* Nothing is within what the path begins with. */
static const char *about_root(struct inquiry *q, struct explain_survey *s)
{
    const struct path *path = s->asked.path;
    const struct path list = {path->at, s->list_len},
                      element = {path->at + s->list_len, path->len - s->list_len};

    if (s->list_len) {
        s->certain = true;
        return say_text(q, "% is a list: a path names an element by its number, %[0].%", &list,
                        &list, &element);
    }
    if (s->root->type == ATTR_L && path->at[1].is_index && path->at[1].index >= s->root->list.len)
        return say_text(q, "%; a list there has %, the first of them is [0]", none_has(q, s),
                        say_count(s->root->list.len, "element"));
    if (attr_is_set(s->root->type) && path->at[1].is_index)
        return say_text(q, "% is a set in %, whose elements have no places: ask contains(%, …)",
                        path->at[0].name, the_items(q, s), path->at[0].name);
    if (s->root->type != ATTR_M && s->root->type != ATTR_L)
        return say_text(q, "% is % in %, which has no members", path->at[0].name, s->root->type,
                        the_items(q, s));
    return s->inner.at ? they_have(q, s, say_text_span(q, "%", path), s->inner) : none_has(q, s);
}

/* None of the items has what the part looks at. */
static const char *about_absent(struct inquiry *q, struct explain_survey *s, bool alone)
{
    const struct path *path = s->asked.path;
    struct span other = s->name.at           ? s->name
                        : s->nested.at       ? s->nested
                        : s->name_count == 1 ? s->names[0]
                                             : (struct span){NULL, 0};

    if (s->asked.value && s->asked.value->type == ATTR_NULL)
        return say_text(q, "%: a missing attribute is not NULL, ask attribute_not_exists(%)",
                        none_has(q, s), path);
    s->certain = s->certain || s->one_name || s->is_path;
    if (s->one_name)
        return say_text(q,
                        "% is one name in the items, not a path: write #n, and {\"#n\": \"%\"} in "
                        "ExpressionAttributeNames",
                        path, path);
    if (s->is_path)
        return say_text(q,
                        "% is a path in the items, and a placeholder is one name: give each of its "
                        "parts a placeholder, #a.#b",
                        s->dotted);
    if (s->root)
        return about_root(q, s);
    if (alone && other.at)
        explain_draft_rename(q, FILTER, path->at[0].name, other);
    s->certain = s->certain || other.at;
    if (other.at && span_equal(other, s->nested))
        return say_text(q, "%, it is a member of a map: %", none_has(q, s), s->nested);
    if (other.at)
        return they_have(q, s, path->at[0].name, other);
    if (s->holders.count && !s->name_count) {
        if (alone)
            explain_draft_rename(q, FILTER, path->at[0].name, s->holders.name);
        return say_text(q, "%; % is % in %", none_has(q, s), s->holders.name, s->asked.value,
                        say_count(s->holders.count, "item"));
    }
    return s->name_count ? they_have(q, s, path->at[0].name,
                                     say_text_span(q, "%", say_names(s->names, s->name_count)))
                         : none_has(q, s);
}

/* --- something is there ----------------------------------------------------------------------- */

/* attribute_not_exists of an attribute that all items have, maybe as NULL. */
static const char *about_existing(struct inquiry *q, struct explain_survey *s)
{
    const struct path *path = s->asked.path;

    if (s->have < s->items || s->items < q->facts.read || s->asked.op != EXPR_NOT_EXISTS)
        return NULL;
    s->whole = true;
    if (!s->nulls)
        return say_text(q, "all items read have %", path);
    return say_text(q,
                    "all items read have %, % of them as NULL, which is a value: ask % = :null, "
                    "with {\":null\": {\"NULL\": true}}",
                    path, s->nulls, path);
}

static bool is_number_text(const struct attr *value)
{
    struct num number;

    return value->type == ATTR_S && num_parse(value->bytes, false, &number) == NUM_OK;
}

/* A value that may have been meant; it becomes the proposal. */
static bool find_candidate(struct inquiry *q, struct explain_survey *s, const struct values *there,
                           struct position *p, struct candidate *c)
{
    bool found = explain_survey_find(q, s, there, p, c);

    if (found && (c->why || c->count || !explain_candidate_is_range(p->op)))
        explain_candidate_propose(p, c);
    return found;
}

/* "year is N in the items, the value asked for is S" */
static const char *about_type(struct inquiry *q, struct explain_survey *s, struct word subject,
                              const struct position *p, const struct candidate *c)
{
    const struct attr *asked = &p->asked[0], *there = p->there.at;

    s->certain = true;
    if (!c->why && explain_candidate_is_range(p->op) && asked->type == ATTR_N &&
        is_number_text(there))
        return say_text(q,
                        "% is S in the items, numbers kept as text: \"9\" follows \"10\", and no "
                        "number compares with them",
                        subject);
    return say_text(q, "% % % in %, the value asked for is %%", subject,
                    there == s->elements.at ? "are" : "is", there->type, the_items(q, s),
                    asked->type, say_behind(q, ": ", c->why));
}

#define UNDIVIDED (1u << ATTR_N | 1u << ATTR_BOOL)

/* contains of a number, which has no parts. */
static const char *about_undivided(struct inquiry *q, struct explain_survey *s, bool alone)
{
    struct span text = wire_text(wire_get(q->call.body, FILTER));
    struct token *comma, *t = explain_tokens(q, GRAMMAR_CONDITION, text);

    s->certain = true;
    for (; t->kind != TOKEN_END && alone; t++) {
        for (comma = t; comma->kind != TOKEN_END && comma->kind != TOKEN_COMMA;)
            comma++;
        if (span_is(t->text, "contains") && comma[1].kind == TOKEN_VALUE)
            explain_trial_propose_text(
                q, FILTER,
                explain_trial_with_part(q, text, explain_tokens_text(t, &comma[2]),
                                        say_text_span(q, "% = %",
                                                      explain_tokens_text(&t[2], &comma[-1]),
                                                      comma[1].text)));
    }
    return say_text(q, "% is % in %, and contains looks in texts, sets and lists: ask % = %",
                    s->asked.path, say_type(s->values.at->type), the_items(q, s), s->asked.path,
                    s->asked.value);
}

/* contains of a set or list, or = with one; NULL: the value is not one that it could have. */
static const char *about_elements(struct inquiry *q, struct explain_survey *s, bool alone)
{
    const struct attr *asked = s->asked.value, *first = s->elements.at;
    struct span text = wire_text(wire_get(q->call.body, FILTER));
    const char *mark = span_find(text, '=');
    const struct path *path = s->asked.path;
    struct position p;
    struct candidate c;

    if (s->asked.op != EXPR_CONTAINS) {
        if (first->type != asked->type)
            return NULL;
        s->certain = !(s->types & 1u << asked->type);
        if (alone && s->asked.op == EXPR_EQ && mark)
            explain_trial_propose_text(
                q, FILTER,
                say_text_span(q, "contains(%, %)",
                              fold_trimmed((struct span){text.at, (size_t)(mark - text.at)}),
                              fold_trimmed(span_behind(text, (struct span){mark, 1}))));
        return say_text(q, "% is %, which is asked by contains(%, …)", path,
                        say_type(s->values.at->type), path);
    }
    if (first->type == ATTR_M && (asked->type == ATTR_M || !first->map.len))
        return NULL;
    if (first->type == ATTR_M) { /* contains(items, "bowl"), where items is a list of maps */
        struct span names[EXPLAIN_SURVEY_VALUES];
        size_t count = 0;

        for (; count < first->map.len && count < COUNT(names); count++)
            names[count] = first->map.at[count].name;
        return say_text(q,
                        "contains looks for whole elements of %, which are maps with %: a member "
                        "is asked by its element's number, %[0].%",
                        path, say_names(names, count), path, names[0]);
    }
    (void)find_candidate(q, s, &s->elements, &p, &c);
    if (first->type != asked->type)
        return about_type(q, s, say_words(say_text(q, "the elements of %", path)), &p, &c);
    for (size_t i = 0; i < s->elements.len && asked->type == ATTR_S; i++)
        if (s->elements.at[i].type == ATTR_S &&
            span_starts_with(s->elements.at[i].bytes, asked->bytes))
            first = &s->elements.at[i];
    return c.count ? explain_candidate_words(&p, &c)
                   : say_text(q, "contains looks for whole elements of %, such as %", path, first);
}

static const char *about_value(struct inquiry *q, struct explain_survey *s, bool alone)
{
    const struct attr *asked = s->asked.value;
    const struct path *path = s->asked.path;
    char last = asked->type <= ATTR_B && asked->bytes.len > 1 ? span_end(asked->bytes)[-1] : 'a';
    const char *there;
    struct position p;
    struct candidate c;
    bool found = find_candidate(q, s, &s->values, &p, &c);

    if (!(s->types & 1u << p.asked[0].type))
        return about_type(q, s, say_path(path), &p, &c);
    if (found)
        return explain_candidate_words(&p, &c);
    if (asked->type > ATTR_B && s->asked.op != EXPR_NE)
        return NULL;
    if (s->holders.count) {
        if (alone)
            explain_draft_rename(q, FILTER, path->at[0].name, s->holders.name);
        return say_text(q, "% is % in %", s->holders.name, asked,
                        say_count(s->holders.count, "item"));
    }
    if (!(there = explain_candidate_stored(&p, say_text(q, "%", path))))
        return NULL;
    if (s->items < q->facts.read)
        there = say_text(q, "among them %", there);
    if (asked->type == ATTR_S && (last == '*' || last == '%'))
        return say_text(q,
                        "% is an ordinary sign, wildcards do not exist: begins_with(%, …) takes a "
                        "beginning; %",
                        last, path, there);
    return there;
}

/* More about the part, found in the items; NULL where nothing is known. */
static const char *about(struct inquiry *q, struct explain_survey *s, bool alone)
{
    const struct attr *asked = s->asked.value;
    const char *elements;

    if (!s->have)
        return about_absent(q, s, alone);
    if (!asked)
        return about_existing(q, s);
    if (s->asked.op == EXPR_CONTAINS && attr_is_set(asked->type)) {
        s->certain = true;
        return say_text(q, "contains takes one element: ask contains(%, :a) for each of the set",
                        s->asked.path);
    }
    if (s->asked.op == EXPR_CONTAINS && !(s->types & ~UNDIVIDED))
        return about_undivided(q, s, alone);
    if (s->elements.len && (asked->type <= ATTR_B || asked->type == ATTR_M) &&
        (elements = about_elements(q, s, alone)))
        return elements;
    if (asked->type == ATTR_L && s->asked.op == EXPR_IN)
        return "the value asked for is a list: IN takes each value by itself, IN (:a, :b)";
    if (asked->type == ATTR_L && s->asked.op == EXPR_CONTAINS)
        return "the value asked for is a list: contains takes one value";
    return about_value(q, s, alone);
}

/* size(tags) > 5, or attribute_type(tags, "L"): "tags is SS of size 2 or L of size 7", each form
 * once. */
static const char *about_measured(struct inquiry *q, struct explain_survey *s, bool is_size)
{
    struct span words[ATTR_TYPE_COUNT];
    size_t count = 0, size;

    explain_survey_look(q, s);
    if (!s->have)
        return about_absent(q, s, false);
    for (unsigned type = 0; type < ATTR_TYPE_COUNT && !is_size; type++)
        if (s->types & 1u << type)
            words[count++] = span_of(attr_type_code((enum attr_type)type));
    for (size_t i = 0; i < s->values.len && i < EXPLAIN_SURVEY_VALUES && is_size; i++) {
        const struct attr *value = &s->values.at[i];
        struct span form = expr_measure(value, &size)
                               ? say_text_span(q, "% of size %", value->type, size)
                               : say_text_span(q, "%, which has no size", value->type);

        if (!span_is_among(form, words, count))
            words[count++] = form;
    }
    return say_text(q, "% is %%", s->asked.path, say_names(words, count),
                    is_size && s->values.len > EXPLAIN_SURVEY_VALUES && count > 1 ? ", …" : "");
}

/* --- a word where a value belongs ------------------------------------------------------------- */

static bool has_attribute(struct inquiry *q, const struct read_page *page, struct span name)
{
    struct walk w = explain_rows_walk(q, &page->range, EXPLAIN_SURVEY_ITEMS);

    while (explain_rows_next(&w))
        if (item_find(&w.it, name))
            return true;
    return false;
}

/* city = Cork: a word that is read as a name, and that no item has as an attribute. */
static const char *about_word(struct inquiry *q, const struct read_page *page)
{
    struct span text = wire_text(wire_get(q->call.body, FILTER)), word = explain_statement_word(q);
    struct token *t = explain_tokens(q, GRAMMAR_CONDITION, text);
    struct field value;
    struct span map;

    for (; t->kind != TOKEN_END && !word.at; t++)
        if (t->kind >= TOKEN_EQ && t->kind <= TOKEN_GE && t[1].kind == TOKEN_IDENTIFIER &&
            t[2].kind != TOKEN_OPEN && t[2].kind != TOKEN_DOT && t[2].kind != TOKEN_BRACKET &&
            !has_attribute(q, page, t[1].text))
            word = t[1].text;
    if (!word.at || (!text.at && has_attribute(q, page, word)))
        return NULL;
    value = (struct field){say_text_span(q, text.at ? ":%" : "'%'", word),
                           {.type = ATTR_S, .bytes = word}};
    map = explain_trial_json_item(q, &(struct item){.at = &value, .len = 1});
    map = (struct span){map.at + 1, map.len - 2};
    if (!text.at)
        explain_statement_propose(q, word, arena_text(q->arena, value.name));
    else
        explain_trial_propose_with(
            q, TRIAL_TEXT(FILTER, explain_trial_with_part(q, text, word, value.name)),
            TRIAL_JSON(EXPLAIN_VALUES, explain_expression_map_with(q, EXPLAIN_VALUES, map)));
    return say_text(q, "% is read as an attribute's name, and no item looked at has it: write %%",
                    word, value.name, text.at ? ", and the value in " EXPLAIN_VALUES : "");
}

/* begins_with(:v, name), where the reverse gives something. */
static const char *about_swapped(struct inquiry *q)
{
    struct span text = wire_text(wire_get(q->call.body, FILTER));

    for (struct token *t = explain_tokens(q, GRAMMAR_CONDITION, text); t->kind != TOKEN_END; t++) {
        struct span first = t[2].text, second = t[4].text;

        if (!span_is(t->text, "begins_with") || t[1].kind != TOKEN_OPEN ||
            t[2].kind != TOKEN_VALUE || t[3].kind != TOKEN_COMMA ||
            (t[4].kind != TOKEN_NAME && t[4].kind != TOKEN_IDENTIFIER))
            continue;
        explain_trial_propose_text(
            q, FILTER,
            explain_trial_with_part(q, text, explain_tokens_text(&t[2], &t[4]),
                                    say_text_span(q, "%, %", second, first)));
        if (q->proposal.count)
            return say_text(q, "the operands of begins_with are swapped: begins_with(%, %)", second,
                            first);
    }
    return NULL;
}

/* --- parts that cannot both hold -------------------------------------------------------------- */

/* Whether no value fits both. */
static bool exclude_each_other(const struct expr_comparison *a, const struct expr_comparison *b)
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
    struct expr_comparison a, b;

    for (size_t i = 0; i < parts.len; i++)
        for (size_t k = 0; k < parts.len; k++) {
            if (!expr_as_comparison(parts.at[i], &a) || !expr_as_comparison(parts.at[k], &b) ||
                !a.value || !b.value || !path_equal(a.path, b.path) || !exclude_each_other(&a, &b))
                continue;
            if (a.op == EXPR_EQ && b.op == EXPR_EQ)
                return say_text(q, "% cannot be % and % at once: OR or IN accepts one of several",
                                a.path, a.value, b.value);
            return say_text(q, "no value fits both % and %: they are % and %", parts.at[i],
                            parts.at[k], a.value, b.value);
        }
    return NULL;
}

/* --- saying it -------------------------------------------------------------------------------- */

/* What the items have that only the last part keeps out. */
static const char *about_last(struct inquiry *q, const struct read_page *page)
{
    size_t last = q->facts.removed_count - 1;
    const struct removed *removed = &q->facts.removed[last];
    struct explain_survey s = {.page = page, .part = removed->part, .passed = last};
    const char *there, *those = "one";
    struct position p;

    if (!last || q->facts.more || q->facts.counted < q->facts.read ||
        q->facts.read > EXPLAIN_SURVEY_ITEMS || !expr_as_comparison(s.part, &s.asked) ||
        !s.asked.value)
        return NULL;
    explain_survey_look(q, &s);
    p = explain_survey_position(q, &s, &s.values);
    if (removed->items > 1)
        those = say_text(q, "%", removed->items);
    if (!s.have)
        return say_text(q, "the last % % no %", those, removed->items > 1 ? "have" : "has",
                        s.asked.path);
    there = explain_candidate_stored(&p, say_text(q, "%", s.asked.path));
    return there ? say_text(q, "in the last %, %", those, there) : NULL;
}

/* Each part fits some items, all of them together none. */
static void say_parts(struct inquiry *q, const struct read_page *page)
{
    struct buf out = buf_in(q->arena);
    const char *last = about_last(q, page);

    for (size_t i = 0; i < q->facts.removed_count; i++)
        say_add(&out, "%% removed %", i ? ", " : ": ", q->facts.removed[i].clause,
                q->facts.removed[i].items);
    if (q->facts.counted < q->facts.read)
        say_add(&out, " of the first %", q->facts.counted);
    say_why(q, "no item read fits all conditions%%", buf_text(&out), say_behind(q, "; ", last));
}

/* No item passed so far, and there is more. */
static void say_page_end(struct inquiry *q, const struct read_page *page)
{
    q->page_ended = true;
    if (page->limit && (size_t)page->limit == q->facts.read)
        say_why(q,
                "Limit % counts items read, and no item read fits the filter: continue from "
                "LastEvaluatedKey",
                page->limit);
    else
        say_why(q,
                "this page ended %, and no item of it fits the filter: continue from "
                "LastEvaluatedKey, an empty page is not the end",
                q->facts.bytes >= LIMIT_PAGE_BYTES ? "at 1 MB" : "early");
    explain_trial_propose_with(q, TRIAL_WITHOUT("Limit"));
}

/* a = :a OR b = :b: the first choice of which another value was meant; or of which something is
 * known, best one that items have. The other ones may fit items of other pages. */
static const char *about_choices(struct inquiry *q, struct explain_survey *s)
{
    struct expr_parts choices = expr_condition_choices(q->arena, s->part);
    const char *more = NULL, *known;
    bool is_meant = false;

    for (size_t i = 0; i < choices.len && choices.len > 1 && !is_meant; i++) {
        struct explain_survey one = {.page = s->page, .part = choices.at[i]};

        if (!expr_as_comparison(one.part, &one.asked) || !one.asked.value)
            continue;
        explain_survey_look(q, &one);
        if (one.fit || !(known = about(q, &one, false)))
            continue;
        is_meant = one.have && q->proposal.command.len;
        if (more && !is_meant && (s->have || !one.have))
            continue;
        more = known;
        *s = one;
        s->certain = false;
    }
    return more;
}

/* More about the part that took most away; NULL: nothing is known. */
static const char *about_part(struct inquiry *q, struct explain_survey *s)
{
    const struct path *path;
    const struct attr *wrong;
    const char *more;
    bool is_size;

    if (!expr_as_comparison(s->part, &s->asked) && (more = explain_statement_where(q))) {
        s->whole = s->certain = true;
        return more;
    }
    if ((path = expr_measured_path(s->part, &is_size, &wrong))) {
        if (wrong) { /* size(tags) > "5" */
            s->certain = true;
            if (is_number_text(wrong))
                explain_trial_propose_value(q, wrong,
                                            &(struct attr){.type = ATTR_N, .bytes = wrong->bytes});
            return say_text(q, "a size is a number, the value it is compared with is %",
                            say_type(wrong->type));
        }
        s->asked = (struct expr_comparison){.path = path, .op = EXPR_EXISTS};
        return about_measured(q, s, is_size);
    }
    if (!s->asked.path) {
        s->whole = true;
        return (more = about_swapped(q)) || (more = about_word(q, s->page)) ? more
                                                                            : about_choices(q, s);
    }
    explain_survey_look(q, s);
    return s->fit ? NULL : about(q, s, q->facts.removed_count == 1);
}

/* No item passes: the part that took most away is the cause. Only where nothing else is known, and
 * items of other pages may pass, the page is it. */
static void explain_filter(struct inquiry *q, const struct targets *targets)
{
    const struct removed *most = q->facts.removed;
    const struct read_page *page = &targets->at[0].plan.page;
    struct explain_survey s = {.page = page};
    const char *both, *more;
    bool never;

    if (!q->facts.removed_count)
        return;
    for (size_t i = 1; i < q->facts.removed_count; i++)
        if (q->facts.removed[i].items > most->items)
            most = &q->facts.removed[i];
    s.part = most->part;
    both = about_both(q, page);
    more = both ? both : about_part(q, &s);
    never = targets->count == 1 && s.all && !s.pass;
    if (q->facts.more && !s.certain && !both && !never) {
        q->proposal = (struct proposal){.count = 0};
        say_page_end(q, page);
        return;
    }
    if (more && (both || s.whole || (s.items && !s.have)))
        say_why(q, "%", more);
    else if (s.fit || (q->facts.removed_count > 1 && s.items < q->facts.read))
        say_parts(q, page);
    else
        say_why(q, "no item read fits %%", explain_survey_part(q, s.part),
                say_behind(q, "; ", more));
    if (q->facts.more)
        say_line(q, never ? "no item of the other pages fits the filter either"
                          : "other pages follow: continue from LastEvaluatedKey");
}

/* --- keys, and all -----------------------------------------------------------------------------
 */

/* Whether an entry is there, or it is not known. */
static bool is_there(struct inquiry *q, const struct target *target)
{
    struct store_range range = target->plan.page.range;

    range.keys_only = true;
    return explain_rows_count_range(q, &range, 1) || !q->rows_left;
}

static int64_t count_entries(const struct inquiry *q, uint32_t space)
{
    struct space_stats stats;

    return unit_stats(q->call.unit, space, &stats) ? 0 : stats.entries;
}

/* A read of which not even the key was found, taken by itself. */
static void explain_target_key(struct inquiry *q, const struct target *target)
{
    struct rows r = {target->plan.page.table, target->plan.page.index};

    if (count_entries(q, explain_rows_space(&r)))
        explain_missing(q, &r, &target->plan.key);
    else if (r.index && count_entries(q, r.table->space))
        explain_missing_no_entries(q, &r);
    else
        say_why(q, "% has no items", r.table);
}

bool explain_empty_item(struct inquiry *q, const struct target *target)
{
    if (is_there(q, target))
        return true;
    explain_target_key(q, target);
    return false;
}

/* Some keys of a batch are not there. */
static void explain_batch(struct inquiry *q, const struct targets *targets)
{
    size_t missing = 0;

    for (size_t i = 0; i < targets->count; i++) {
        if (is_there(q, &targets->at[i]))
            continue;
        if (!missing++)
            explain_target_key(q, &targets->at[i]);
    }
    if (!missing || !q->reason.len)
        return;
    q->reason = say_text_span(q, "% (% of % keys % not there)", q->reason, missing, targets->count,
                              missing == 1 ? "is" : "are");
}

/* A read that continues from a start key, or takes one segment of several: nothing is left there.
 */
static bool say_part_of_read(struct inquiry *q, const struct target *target)
{
    const struct read_page *page = &target->plan.page;
    const struct rows r = {page->table, page->index};
    int64_t entries = count_entries(q, explain_rows_space(&r));
    int64_t segments = wire_integer(wire_get(q->call.body, "TotalSegments"), 1);

    if (inquiry_continues(q->call.body)) {
        say_why(q, "nothing follows the start key: all pages were read");
        return true;
    }
    if (segments <= 1 || !entries)
        return false;
    say_why(q,
            "segment % of % has no item of %, which has %: segments count from 0, and all of them "
            "together are the whole",
            wire_integer(wire_get(q->call.body, "Segment"), 0), segments,
            say_place(r.table, r.index), say_count((size_t)entries, "item"));
    return true;
}

void explain_empty(struct inquiry *q)
{
    struct targets targets = explain_read_targets(q);

    if (!targets.count)
        return;
    if (targets.count > 1 && targets.at[0].one_item)
        explain_batch(q, &targets);
    else if (q->facts.returned)
        return;
    else if (q->facts.read)
        explain_filter(q, &targets);
    else if (!q->facts.more && !say_part_of_read(q, &targets.at[0]))
        explain_target_key(q, &targets.at[0]);
}

/* --- a search of vectors -----------------------------------------------------------------------
 */

#define LOOKED_AT 1500 /* items */

/* The items of the index, read by the search's condition. */
struct searched {
    const struct index *index;
    struct read_page page;
    size_t held, fit;
    bool all; /* no items were left out */
};

static bool read_search(struct inquiry *q, struct searched *s)
{
    struct span text = wire_text(wire_get(q->call.body, "SearchConditionExpression"));
    struct span name = wire_text(wire_get(q->call.body, "IndexName"));
    struct expr_vars vars = explain_entry_vars(q);
    struct expr_cond *condition = NULL;
    struct walk w;

    if (op_target_find(&q->call, &s->page.table) ||
        !(s->index = schema_find_index(s->page.table, name)) ||
        (text.len &&
         expr_read_condition(q->arena, "SearchConditionExpression", text, &vars, &condition)))
        return false;
    s->page.filter = condition;
    w = explain_rows_walk_all(q, s->page.table, LOOKED_AT);
    s->page.range = w.range;
    while (explain_rows_next(&w))
        if (explain_survey_holds(s->index, &w.it)) {
            s->held++;
            s->fit += expr_matches(s->page.filter, &w.it);
        }
    s->all = w.all;
    return true;
}

/* The last part that an item fails which fits those before it. */
static void say_unmatched(struct inquiry *q, struct searched *s)
{
    struct expr_parts parts = expr_condition_parts(q->arena, s->page.filter);
    struct explain_survey survey = {.have = 0};
    const struct values *there = &survey.values;
    const char *words = "";
    struct position p;
    struct candidate c;
    size_t i;

    q->facts.removed = arena_array(q->arena, parts.len, sizeof *q->facts.removed);
    q->facts.more = true;
    for (i = 0; i < parts.len; i++)
        q->facts.removed[i].part = parts.at[i];
    while (i-- && !survey.have) {
        survey = (struct explain_survey){
            .page = &s->page, .vectors = s->index, .part = parts.at[i], .passed = i};
        if (expr_as_comparison(survey.part, &survey.asked) && survey.asked.value)
            explain_survey_look(q, &survey);
    }
    if (there->len && explain_survey_find(q, &survey, there, &p, &c)) {
        words = say_text(q, "; %", explain_candidate_words(&p, &c));
        explain_candidate_propose(&p, &c);
    } else if (there->len) {
        bool more = there->len > EXPLAIN_SURVEY_VALUES;

        words = say_text(
            q, "; it is % there",
            say_values(there->at, more ? EXPLAIN_SURVEY_VALUES : there->len, " or ", more));
    }
    say_why(q, "no item of % fits %%%", s->index, survey.part,
            s->all ? "" : say_text(q, " among the first %", s->held), words);
}

void explain_empty_search(struct inquiry *q)
{
    struct searched s = {.held = 0};
    const struct search_part *hash;
    const wire_node *reply;
    size_t count;
    int64_t most;

    if (q->call.op->form != OP_SEARCH || wire_parse(q->arena, q->record->reply, &reply) ||
        !read_search(q, &s))
        return;
    count = wire_count(wire_get(reply, "SearchResults"));
    most = wire_integer(wire_get(q->call.body, "TopK"), 0);
    hash = schema_search_hash(s.index);
    if (!s.held)
        say_why(q, "% is empty: no item of % has % as a list of % numbers%%", s.index, s.page.table,
                s.index->vector.attribute, s.index->vector.dimensions, hash ? " and " : "",
                hash ? hash->name : SPAN_LIT(""));
    else if (!count && !s.fit && s.page.filter)
        say_unmatched(q, &s);
    else if (count && count == (size_t)most && s.fit > count)
        say_hint(q, ADVICE_NOTE, "top-k",
                 "TopK % is how many are given: % items% fit, of which these are the nearest", most,
                 s.fit, s.all ? "" : " or more");
}
