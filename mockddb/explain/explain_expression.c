#include "explain/explain_expression.h"

#include "base/fold.h"
#include "explain/explain_entry.h"
#include "explain/explain_trial.h"
#include "expr/expr_ast.h"
#include "expr/expr_reserved.h"
#include "wire/wire_print.h"

static const struct parameter {
    const char *name;
    enum expr_grammar grammar;
} parameters[] = {
    {"KeyConditionExpression", GRAMMAR_CONDITION}, {"FilterExpression", GRAMMAR_CONDITION},
    {"ConditionExpression", GRAMMAR_CONDITION},    {"ProjectionExpression", GRAMMAR_PROJECTION},
    {"UpdateExpression", GRAMMAR_UPDATE},          {"SearchConditionExpression", GRAMMAR_CONDITION},
};

static struct span text_of(const struct inquiry *q, const struct parameter *p)
{
    return wire_text(wire_get(q->entry, p->name));
}

/* --- showing and proposing -------------------------------------------------------------------- */

void explain_expression_mark(struct inquiry *q, const char *parameter, struct span text,
                             struct span place)
{
    struct buf marks = buf_in(q->arena);
    size_t from = strlen(parameter) + 2 + (size_t)(place.at - text.at);

    for (size_t i = 0; i < from; i++)
        buf_add_char(&marks, ' ');
    for (size_t i = 0; i < place.len || !i; i++)
        buf_add_char(&marks, '^');
    inquiry_line(q, "%s: %.*s", parameter, SPAN_ARG(text));
    inquiry_line(q, "%s", buf_text(&marks));
}

void explain_expression_mark_name(struct inquiry *q, const char *parameter, struct span name)
{
    const wire_node *names = wire_get(q->entry, EXPLAIN_NAMES);
    struct span text = wire_text(wire_get(q->entry, parameter));
    struct lexer lexer = {GRAMMAR_UPDATE, text};
    struct token token;

    while (text.at && (token = expr_lex(&lexer)).kind != TOKEN_END)
        if (span_equal(token.text, name) ||
            (token.kind == TOKEN_NAME &&
             span_equal(wire_text(wire_get_span(names, token.text)), name))) {
            explain_expression_mark(q, parameter, text, token.text);
            return;
        }
}

void explain_expression_propose(struct inquiry *q, const struct trial_member *members, size_t count)
{
    explain_trial_propose_members(q, members, count);
}

void explain_expression_propose_text(struct inquiry *q, const char *parameter, struct span text)
{
    explain_expression_propose(
        q, (struct trial_member[]){{parameter, explain_trial_json_text(q, text)}}, 1);
}

struct refusal explain_expression_refusal(struct inquiry *q, const struct error_why *why)
{
    uintptr_t at = (uintptr_t)why->place.at;

    for (size_t i = 0; at && i < COUNT(parameters); i++) {
        struct span text = text_of(q, &parameters[i]);
        uintptr_t from = (uintptr_t)text.at;

        if (text.at && at >= from && at + why->place.len <= from + text.len)
            return (struct refusal){why, why->place, parameters[i].name, parameters[i].grammar,
                                    text};
    }
    return (struct refusal){.why = why};
}

/* Other words at the refusal's place. */
static void propose_instead(struct inquiry *q, const struct refusal *r, const char *instead)
{
    if (r->parameter)
        explain_expression_propose_text(
            q, r->parameter, explain_trial_with_part(q, r->text, r->place, span_of(instead)));
}

/* --- maps of placeholders --------------------------------------------------------------------- */

/* A map without the entry `from` (to at NULL), or with it under another name, and with more
 * members. */
static struct span changed_map(struct inquiry *q, const char *map, struct span from, struct span to,
                               struct span more)
{
    struct buf out = buf_in(q->arena);

    for (const wire_node *n = wire_first(wire_get(q->entry, map)); n; n = wire_next(n)) {
        bool is_it = from.at && span_equal(wire_name(n), from);

        if (is_it && !to.at)
            continue;
        buf_add_char(&out, out.len ? ',' : '{');
        buf_add_json_string(&out, is_it ? to : wire_name(n));
        buf_add_char(&out, ':');
        wire_print_json(&out, n);
    }
    if (more.len) {
        buf_add_char(&out, out.len ? ',' : '{');
        buf_add_span(&out, more);
    }
    if (out.len)
        buf_add_char(&out, '}');
    return buf_span(&out);
}

struct span explain_expression_map_with(struct inquiry *q, const char *map, struct span more)
{
    return changed_map(q, map, (struct span){NULL, 0}, (struct span){NULL, 0}, more);
}

static void propose_map(struct inquiry *q, const char *map, struct span from, struct span to)
{
    struct span json = changed_map(q, map, from, to, (struct span){"", 0});

    explain_expression_propose(q, (struct trial_member[]){{map, json}}, 1);
}

/* Proposes the request without the member that is beside. */
void explain_expression_left_out(struct inquiry *q, const struct refusal *r)
{
    const char *map = arena_text(q->arena, r->why->beside);

    q->next_is_sure = true;
    explain_expression_propose(q, (struct trial_member[]){{map, {"", 0}}}, 1);
}

/* The first token of all expressions that is this text. */
static bool find_token(struct inquiry *q, struct span word, struct refusal *at)
{
    for (size_t i = 0; i < COUNT(parameters); i++) {
        struct lexer lexer = {parameters[i].grammar, text_of(q, &parameters[i])};
        struct token token;

        at->text = lexer.rest;
        at->parameter = parameters[i].name;
        while (at->text.at && (token = expr_lex(&lexer)).kind != TOKEN_END) {
            at->place = token.text;
            if (span_equal(token.text, word))
                return true;
        }
    }
    return false;
}

void explain_expression_undefined(struct inquiry *q, const struct refusal *r)
{
    struct span key = r->place;
    struct refusal ignored;
    const char *map;

    if (!r->parameter)
        return;
    map = *key.at == '#' ? EXPLAIN_NAMES : EXPLAIN_VALUES;
    explain_expression_mark(q, r->parameter, r->text, key);
    for (const wire_node *n = wire_first(wire_get(q->entry, map)); n; n = wire_next(n)) {
        if (find_token(q, wire_name(n), &ignored))
            continue;
        inquiry_reason(q, "%.*s is in %s and not in %s, which has %.*s for nothing", SPAN_ARG(key),
                       r->parameter, map, SPAN_ARG(wire_name(n)));
        propose_map(q, map, wire_name(n), key);
        return;
    }
    inquiry_reason(q, "%.*s is in %s and not in %s", SPAN_ARG(key), r->parameter, map);
}

/* A key that no expression uses: taken out, or written without its sign, label = l. */
void explain_expression_unused(struct inquiry *q, const struct refusal *r)
{
    const char *map = arena_text(q->arena, r->why->beside);
    struct span key = r->why->operand;
    struct refusal at = {.why = r->why};

    if (find_token(q, span_from(key, 1), &at)) {
        inquiry_reason(q, "%.*s has no %c in %s: write %.*s, which is in %s", SPAN_ARG(at.place),
                       *key.at, at.parameter, SPAN_ARG(key), map);
        explain_expression_mark(q, at.parameter, at.text, at.place);
        propose_instead(q, &at, arena_text(q->arena, key));
        return;
    }
    inquiry_reason(q, "%.*s of %s is in no expression: take it out", SPAN_ARG(key), map);
    q->next_is_sure = true;
    propose_map(q, map, key, (struct span){NULL, 0});
}

/* A key of a map that is no placeholder: without its sign, or with other characters. */
void explain_expression_placeholder(struct inquiry *q, const struct refusal *r)
{
    const char *map = arena_text(q->arena, r->why->beside);
    bool is_names = strcmp(map, EXPLAIN_NAMES) == 0;
    struct span key = r->why->operand, marked;
    char mark = is_names ? '#' : ':';

    if (key.len && (*key.at == '#' || *key.at == ':')) {
        inquiry_reason(q, "%s is not a placeholder: %c is followed by letters, digits and _",
                       inquiry_text(q, key), mark);
        return;
    }
    marked = span_of(arena_printf(q->arena, "%c%.*s", mark, SPAN_ARG(key)));
    inquiry_reason(q, "%s begin with %s: write \"%.*s\" (%s with \"%c\")",
                   is_names ? "names" : "values", is_names ? "#" : "\":\"", SPAN_ARG(marked),
                   is_names ? "values" : "names", is_names ? ':' : '#');
    propose_map(q, map, key, marked);
}

/* The expression with '#' before each reserved word that names an attribute; adds to the map
 * what that needs. */
static struct span with_placeholders(struct inquiry *q, const struct parameter *p, struct buf *map)
{
    struct lexer lexer = {p->grammar, text_of(q, p)}, ahead;
    struct buf out = buf_in(q->arena);
    const char *done = lexer.rest.at;
    struct token token;

    while ((token = expr_lex(&lexer)).kind != TOKEN_END) {
        struct span key, name = token.text;

        ahead = lexer;
        if (token.kind != TOKEN_IDENTIFIER || !expr_is_reserved(name) ||
            expr_lex(&ahead).kind == TOKEN_OPEN)
            continue;
        buf_add(&out, done, (size_t)(name.at - done));
        done = span_end(name);
        key = span_of(arena_printf(q->arena, "#%.*s", SPAN_ARG(name)));
        buf_add_span(&out, key);
        if (wire_get_span(wire_get(q->entry, EXPLAIN_NAMES), key) ||
            strstr(buf_text(map), arena_printf(q->arena, "\"%s\"", key.at)))
            continue;
        buf_add_text(map, map->len ? "," : "");
        buf_add_json_string(map, key);
        buf_add_char(map, ':');
        buf_add_json_string(map, name);
    }
    buf_add(&out, done, (size_t)(lexer.rest.at - done));
    return buf_span(&out);
}

void explain_expression_reserved_word(struct inquiry *q, const struct refusal *r)
{
    struct trial_member members[COUNT(parameters) + 1];
    struct buf map = buf_in(q->arena);
    size_t count = 0;

    if (!r->parameter)
        return;
    for (size_t i = 0; i < COUNT(parameters); i++)
        if (text_of(q, &parameters[i]).at)
            members[count++] = (struct trial_member){
                parameters[i].name,
                explain_trial_json_text(q, with_placeholders(q, &parameters[i], &map))};
    members[count++] = (struct trial_member){
        EXPLAIN_NAMES, explain_expression_map_with(q, EXPLAIN_NAMES, buf_span(&map))};
    q->next_is_sure = true;
    explain_expression_propose(q, members, count);
}

/* --- operands --------------------------------------------------------------------------------- */

/* Says the place as it is typed; of a text without expressions, `otherwise`. */
static const char *place_or(struct inquiry *q, const struct refusal *r, const char *otherwise)
{
    return r->parameter ? arena_text(q->arena, r->place) : otherwise;
}

static void mark(struct inquiry *q, const struct refusal *r)
{
    if (r->parameter)
        explain_expression_mark(q, r->parameter, r->text, r->place);
}

static const struct operator_rule *rule_of(struct span name)
{
    for (unsigned kind = 0; kind < NODE_KIND_COUNT; kind++)
        if (expr_rule((enum node_kind)kind)->name &&
            span_is(name, expr_rule((enum node_kind)kind)->name))
            return expr_rule((enum node_kind)kind);
    return expr_rule(NODE_UNKNOWN); /* ADD and DELETE of an update, which have no rule */
}

void explain_expression_operand_count(struct inquiry *q, const struct refusal *r)
{
    inquiry_reason(q, "%.*s takes %s, here it has %zu", SPAN_ARG(r->why->operand),
                   inquiry_count(q, rule_of(r->why->operand)->operand_count, "operand"),
                   r->why->count);
    mark(q, r);
}

/* "S, N or B" */
static const char *types_words(struct inquiry *q, unsigned types)
{
    struct buf out = buf_in(q->arena);

    for (unsigned type = 0; type <= ATTR_M; type++) {
        unsigned rest = types >> type;

        if (!(rest & 1U))
            continue;
        buf_printf(&out, "%s%s", !out.len ? "" : rest == 1 ? " or " : ", ", attr_type_code(type));
    }
    return buf_text(&out);
}

void explain_expression_operand_type(struct inquiry *q, const struct refusal *r)
{
    const struct operator_rule *rule = rule_of(r->why->operand);
    enum attr_type given = (enum attr_type)r->why->found;
    const char *taken = rule->name ? types_words(q, rule->types) : "a number or a set";
    struct attr value;

    if (rule->types == 1U << ATTR_L)
        taken = "two lists, such as {\"L\": [{\"S\": …}]}";
    else if (span_is(r->why->operand, "begins_with") && given == ATTR_N)
        taken = "S or B, a range of numbers is asked by BETWEEN";
    else if (span_is(r->why->operand, "DELETE"))
        taken = "a set";
    inquiry_reason(q, "%s is %s: %.*s takes %s", place_or(q, r, "the value"), attr_type_code(given),
                   SPAN_ARG(r->why->operand), taken);
    mark(q, r);
    if (rule->types & 1U << ATTR_N && explain_entry_value(q, r->place, &value) &&
        value.type == ATTR_S) /* the number that a text was meant to be */
        explain_trial_propose_value(q, &value,
                                    &(struct attr){.type = ATTR_N, .bytes = value.bytes});
}

/* Proposes BETWEEN with its ends swapped. */
void explain_expression_bound_order(struct inquiry *q, const struct refusal *r)
{
    propose_instead(q, r,
                    arena_printf(q->arena, "%.*s AND %.*s", SPAN_ARG(r->why->beside),
                                 SPAN_ARG(r->why->operand)));
}

/* begins_with(:v, name), where the place is the value. */
void explain_expression_swapped(struct inquiry *q, const struct refusal *r)
{
    const char *call = arena_printf(q->arena, "%.*s, %.*s", SPAN_ARG(r->why->operand),
                                    SPAN_ARG(r->place));
    struct refusal both = *r;

    if (!r->parameter)
        return;
    both.place.len = (size_t)(span_end(r->why->operand) - r->place.at);
    propose_instead(q, &both, call);
}

/* Other words for types. */
static const char *code_for(struct inquiry *q, struct span word)
{
    static const struct {
        const char *words, *code;
    } rows[] = {
        {" string str text s ", "S"},
        {" number int integer numeric n ", "N"},
        {" binary b ", "B"},
        {" boolean bool ", "BOOL"},
        {" null ", "NULL"},
        {" list array l ", "L"},
        {" map object m ", "M"},
        {" stringset string_set ss ", "SS"},
        {" numberset number_set ns ", "NS"},
        {" binaryset binary_set bs ", "BS"},
    };
    char *lower = arena_printf(q->arena, " %s ", inquiry_lower(q, word).at);

    for (char *at = lower + 1; at[1]; at++)
        if (*at == ' ')
            *at = '_';
    for (size_t i = 0; i < COUNT(rows); i++)
        if (strstr(rows[i].words, lower))
            return rows[i].code;
    return NULL;
}

void explain_expression_type_name(struct inquiry *q, const struct refusal *r)
{
    struct attr value, mended = {.type = ATTR_S};
    const char *code;

    if (r->parameter && *r->place.at != ':') {
        inquiry_reason(q,
                       "attribute_type takes the type as a value: write :t, and {\":t\": {\"S\": "
                       "\"%.*s\"}} in " EXPLAIN_VALUES,
                       SPAN_ARG(r->place));
        mark(q, r);
        return;
    }
    if (!explain_entry_value(q, r->place, &value))
        return;
    code = value.type == ATTR_S ? code_for(q, value.bytes) : NULL;
    if (code) {
        inquiry_reason(q, "attribute_type takes the short name of a type: \"%s\", not %s", code,
                       inquiry_value(q, &value));
        mended.bytes = span_of(code);
        explain_trial_propose_value(q, &value, &mended);
    } else {
        inquiry_reason(q,
                       "%.*s is %s: attribute_type takes one of \"S\", \"N\", \"B\", \"SS\", "
                       "\"NS\", \"BS\", \"L\", \"M\", \"BOOL\" and \"NULL\"",
                       SPAN_ARG(r->place), inquiry_value(q, &value));
    }
    mark(q, r);
}

/* --- updates ---------------------------------------------------------------------------------- */

/* "SET … SET …" → "SET …, …" */
void explain_expression_section_twice(struct inquiry *q, const struct refusal *r)
{
    struct span before = fold_trimmed(
        (struct span){r->text.at, (size_t)(r->place.at - r->text.at)});
    struct lexer lexer = {GRAMMAR_UPDATE, r->place}, all = {GRAMMAR_UPDATE, before};
    enum token_kind word = expr_lex(&lexer).kind, last = TOKEN_END;
    struct token token;

    while ((token = expr_lex(&all)).kind != TOKEN_END)
        if (token.kind >= TOKEN_SET)
            last = token.kind;
    if (last == word && r->parameter) /* no other section is between them */
        explain_expression_propose_text(
            q, "UpdateExpression",
            span_of(arena_printf(q->arena, "%.*s,%.*s", SPAN_ARG(before),
                                 SPAN_ARG(span_behind(r->text, r->place)))));
}
