#include "explain/explain_expression.h"

#include "base/fold.h"
#include "explain/explain_entry.h"
#include "explain/explain_syntax.h"
#include "explain/explain_trial.h"
#include "expr/expr_lex.h"
#include "expr/expr_reserved.h"
#include "wire/wire_print.h"

static const struct parameter {
    const char *name;
    enum expr_grammar grammar;
} parameters[] = {
    {"KeyConditionExpression", GRAMMAR_CONDITION}, {"FilterExpression", GRAMMAR_CONDITION},
    {"ConditionExpression", GRAMMAR_CONDITION},    {"ProjectionExpression", GRAMMAR_PROJECTION},
    {"UpdateExpression", GRAMMAR_UPDATE},
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

void explain_expression_propose(struct inquiry *q, const struct trial_member *members, size_t count)
{
    struct span body;

    if (q->entry != q->call.body) /* a part of it has no command of its own */
        return;
    body = explain_trial_with_members(q, members, count);
    if (q->call.op->access == OP_READS)
        (void)explain_trial_propose(q, q->call.op->name, body, &q->proposal);
    else
        q->proposal = explain_trial_untried(q, q->call.op->name, body);
}

/* --- a fault with a place --------------------------------------------------------------------- */

/* The expression that the place lies in. */
static const struct parameter *parameter_at(const struct inquiry *q, struct span place)
{
    for (size_t i = 0; i < COUNT(parameters); i++) {
        struct span text = text_of(q, &parameters[i]);
        uintptr_t from = (uintptr_t)text.at, at = (uintptr_t)place.at;

        if (text.at && at >= from && at + place.len <= from + text.len)
            return &parameters[i];
    }
    return NULL;
}

struct span explain_expression_map_with(struct inquiry *q, const char *map, struct span more)
{
    const wire_node *node = wire_get(q->entry, map);
    struct buf out = buf_in(q->arena);

    buf_add_char(&out, '{');
    for (const wire_node *n = wire_first(node); n; n = wire_next(n)) {
        buf_add_json_string(&out, wire_name(n));
        buf_add_char(&out, ':');
        wire_print_json(&out, n);
        buf_add_char(&out, ',');
    }
    buf_add_span(&out, more);
    if (out.at[out.len - 1] == ',')
        out.len--;
    buf_add_char(&out, '}');
    return buf_span(&out);
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
        struct span key, name = {token.text.at, token.text.len};

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
        buf_add_json_string(map, key);
        buf_add_char(map, ':');
        buf_add_json_string(map, name);
        buf_add_char(map, ',');
    }
    buf_add(&out, done, (size_t)(lexer.rest.at - done));
    return buf_span(&out);
}

static void reserved_word(struct inquiry *q, struct span word)
{
    struct trial_member members[COUNT(parameters) + 1];
    struct buf map = buf_in(q->arena);
    size_t count = 0;

    inquiry_reason(
        q, "%.*s is a reserved word: write #%.*s, and {\"#%.*s\": \"%.*s\"} in " EXPLAIN_NAMES,
        SPAN_ARG(word), SPAN_ARG(word), SPAN_ARG(word), SPAN_ARG(word));
    for (size_t i = 0; i < COUNT(parameters); i++)
        if (text_of(q, &parameters[i]).at)
            members[count++] = (struct trial_member){
                parameters[i].name,
                explain_trial_json_text(q, with_placeholders(q, &parameters[i], &map))};
    members[count++] = (struct trial_member){
        EXPLAIN_NAMES, explain_expression_map_with(q, EXPLAIN_NAMES, buf_span(&map))};
    explain_expression_propose(q, members, count);
}

/* --- placeholders ----------------------------------------------------------------------------- */

static bool is_used(const struct inquiry *q, struct span key)
{
    for (size_t i = 0; i < COUNT(parameters); i++) {
        struct lexer lexer = {parameters[i].grammar, text_of(q, &parameters[i])};
        struct token token;

        if (!lexer.rest.at)
            continue;
        while ((token = expr_lex(&lexer)).kind != TOKEN_END)
            if (span_equal(token.text, key))
                return true;
    }
    return false;
}

/* The map without an entry (to at NULL), or with it under another name. */
static struct span map_renamed(struct inquiry *q, const char *map, struct span from, struct span to)
{
    struct buf out = buf_in(q->arena);

    for (const wire_node *n = wire_first(wire_get(q->entry, map)); n; n = wire_next(n)) {
        bool is_it = span_equal(wire_name(n), from);

        if (is_it && !to.at)
            continue;
        buf_add_char(&out, out.len ? ',' : '{');
        buf_add_json_string(&out, is_it ? to : wire_name(n));
        buf_add_char(&out, ':');
        wire_print_json(&out, n);
    }
    if (out.len)
        buf_add_char(&out, '}');
    return buf_span(&out);
}

static struct span first_unused(const struct inquiry *q, const char *map)
{
    for (const wire_node *n = wire_first(wire_get(q->entry, map)); n; n = wire_next(n))
        if (!is_used(q, wire_name(n)))
            return wire_name(n);
    return (struct span){NULL, 0};
}

static void undefined(struct inquiry *q, const struct parameter *p, struct span key)
{
    const char *map = *key.at == '#' ? EXPLAIN_NAMES : EXPLAIN_VALUES;
    struct span left = first_unused(q, map);

    if (!left.at) {
        inquiry_reason(q, "%.*s is in %s and not in %s", SPAN_ARG(key), p->name, map);
        return;
    }
    inquiry_reason(q, "%.*s is in %s and not in %s, which has %.*s for nothing", SPAN_ARG(key),
                   p->name, map, SPAN_ARG(left));
    explain_expression_propose(q, (struct trial_member[]){{map, map_renamed(q, map, left, key)}},
                               1);
}

static bool is_placeholder(struct span key)
{
    struct lexer lexer = {GRAMMAR_CONDITION, key};
    struct token token = expr_lex(&lexer);

    return (token.kind == TOKEN_NAME || token.kind == TOKEN_VALUE) && token.text.len == key.len;
}

/* A key of a map of placeholders that cannot be one: without its mark, or with other signs. */
static void no_placeholder(struct inquiry *q, const char *map, struct span key)
{
    bool is_names = strcmp(map, EXPLAIN_NAMES) == 0;
    char mark = is_names ? '#' : ':', other = is_names ? ':' : '#';
    const char *what = is_names ? "names" : "values", *others = is_names ? "values" : "names";
    struct span marked;

    if (key.len && (*key.at == mark || *key.at == other)) {
        inquiry_reason(q, "%s is not a placeholder: %c is followed by letters, digits and _",
                       inquiry_text(q, key), mark);
        return;
    }
    marked = span_of(arena_printf(q->arena, "%c%.*s", mark, SPAN_ARG(key)));
    inquiry_reason(q, "%s begin with %s: write \"%.*s\" (%s with \"%c\")", what,
                   is_names ? "#" : "\":\"", SPAN_ARG(marked), others, other);
    explain_expression_propose(q, (struct trial_member[]){{map, map_renamed(q, map, key, marked)}},
                               1);
}

/* "label = l", where :l is the one that is left over. */
static bool without_mark(struct inquiry *q, const char *map, struct span key)
{
    for (size_t i = 0; i < COUNT(parameters); i++) {
        struct lexer lexer = {parameters[i].grammar, text_of(q, &parameters[i])};
        struct span text = lexer.rest;
        struct token token;

        while (text.at && (token = expr_lex(&lexer)).kind != TOKEN_END) {
            struct buf out = buf_in(q->arena);

            if (token.kind != TOKEN_IDENTIFIER || !span_equal(token.text, span_from(key, 1)))
                continue;
            inquiry_reason(q, "%.*s has no %c in %s: write %.*s, which is in %s",
                           SPAN_ARG(token.text), *key.at, parameters[i].name, SPAN_ARG(key), map);
            explain_expression_mark(q, parameters[i].name, text, token.text);
            buf_add(&out, text.at, (size_t)(token.text.at - text.at));
            buf_add_span(&out, key);
            buf_add_span(&out, span_behind(text, token.text));
            explain_expression_propose(
                q,
                (struct trial_member[]){
                    {parameters[i].name, explain_trial_json_text(q, buf_span(&out))}},
                1);
            return true;
        }
    }
    return false;
}

static void left_over(struct inquiry *q, const char *map)
{
    const wire_node *node = wire_get(q->entry, map);
    struct span key;

    if (!node)
        return;
    if (!wire_count(node)) {
        inquiry_reason(q, "%s is empty: leave it out", map);
        explain_expression_propose(q, (struct trial_member[]){{map, {"", 0}}}, 1);
        return;
    }
    for (const wire_node *n = wire_first(node); n; n = wire_next(n))
        if (!is_placeholder(wire_name(n))) {
            no_placeholder(q, map, wire_name(n));
            return;
        }
    key = first_unused(q, map);
    if (!key.at || without_mark(q, map, key))
        return;
    inquiry_reason(q, "%.*s of %s is in no expression: take it out", SPAN_ARG(key), map);
    explain_expression_propose(
        q, (struct trial_member[]){{map, map_renamed(q, map, key, (struct span){NULL, 0})}}, 1);
}

/* --- BETWEEN ---------------------------------------------------------------------------------- */

static bool value_of(struct inquiry *q, struct token token, struct attr *out)
{
    return token.kind == TOKEN_VALUE && explain_entry_value(q, token.text, out);
}

/* BETWEEN :later AND :earlier */
static void ends_swapped(struct inquiry *q, const struct parameter *p)
{
    struct lexer lexer = {p->grammar, text_of(q, p)};
    struct token token, low, high;
    struct attr from, to;

    if (!lexer.rest.at)
        return;
    while ((token = expr_lex(&lexer)).kind != TOKEN_END) {
        struct buf out = buf_in(q->arena);
        struct span text = text_of(q, p);

        if (token.kind != TOKEN_BETWEEN)
            continue;
        low = expr_lex(&lexer);
        (void)expr_lex(&lexer); /* AND */
        high = expr_lex(&lexer);
        if (!value_of(q, low, &from) || !value_of(q, high, &to) || from.type != to.type ||
            from.type > ATTR_B || attr_compare(&from, &to) <= 0)
            continue;
        inquiry_reason(q, "BETWEEN has its upper end first: %.*s is %s, %.*s is %s; swap them",
                       SPAN_ARG(low.text), inquiry_value(q, &from), SPAN_ARG(high.text),
                       inquiry_value(q, &to));
        explain_expression_mark(q, p->name, text, low.text);
        buf_add(&out, text.at, (size_t)(low.text.at - text.at));
        buf_printf(&out, "%.*s AND %.*s", SPAN_ARG(high.text), SPAN_ARG(low.text));
        buf_add_span(&out, span_behind(text, high.text));
        explain_expression_propose(
            q, (struct trial_member[]){{p->name, explain_trial_json_text(q, buf_span(&out))}}, 1);
        return;
    }
}

/* --- key conditions --------------------------------------------------------------------------- */

/* Why the token cannot be in a key condition; NULL: it can. */
static const char *no_key_operator(struct token token, struct token after)
{
    if (token.kind == TOKEN_OR)
        return "a key condition has no OR: a Query asks for one partition, ask once for each";
    if (token.kind == TOKEN_IN)
        return "a key condition has no IN: ask once for each value, or BatchGetItem for whole keys";
    if (token.kind == TOKEN_NE || token.kind == TOKEN_NOT ||
        (token.kind == TOKEN_IDENTIFIER && after.kind == TOKEN_OPEN &&
         !span_is(token.text, "begins_with")))
        return "a sort key is compared by =, <, <=, >, >=, BETWEEN and begins_with only";
    return NULL;
}

static void key_operators(struct inquiry *q)
{
    const struct parameter *p = &parameters[0];
    struct lexer lexer = {p->grammar, text_of(q, p)}, ahead;
    struct token token;

    if (!lexer.rest.at)
        return;
    while ((token = expr_lex(&lexer)).kind != TOKEN_END && !q->reason.len) {
        const char *why;

        ahead = lexer;
        if (!(why = no_key_operator(token, expr_lex(&ahead))))
            continue;
        inquiry_reason(q, "%.*s: %s", SPAN_ARG(token.text), why);
        explain_expression_mark(q, p->name, text_of(q, p), token.text);
    }
}

/* --- updates ---------------------------------------------------------------------------------- */

/* "SET … SET …" → "SET …, …" */
static void propose_one_section(struct inquiry *q, struct span text, struct span second)
{
    struct span before = {text.at, (size_t)(second.at - text.at)};
    struct buf mended = buf_in(q->arena);

    buf_add_span(&mended, fold_trimmed(before));
    buf_add_char(&mended, ',');
    buf_add_span(&mended, span_behind(text, second));
    explain_expression_propose(
        q,
        (struct trial_member[]){
            {"UpdateExpression", explain_trial_json_text(q, buf_span(&mended))}},
        1);
}

static void repeated_section(struct inquiry *q)
{
    struct span text = wire_text(wire_get(q->entry, "UpdateExpression"));
    struct lexer lexer = {GRAMMAR_UPDATE, text};
    enum token_kind seen[4];
    struct token token;
    size_t len = 0;

    while (text.len && (token = expr_lex(&lexer)).kind != TOKEN_END) {
        if (!explain_syntax_is_section(token.kind))
            continue;
        for (size_t i = 0; i < len; i++) {
            if (seen[i] != token.kind)
                continue;
            inquiry_reason(q, "%.*s is written once: separate its changes by commas",
                           SPAN_ARG(token.text));
            explain_expression_mark(q, "UpdateExpression", text, token.text);
            if (i + 1 == len) /* no other section is between them */
                propose_one_section(q, text, token.text);
            return;
        }
        seen[len++] = token.kind;
    }
}

/* A section's word behind a comma: "SET a = :a, SET b = :b". The mark is shown already. */
static bool section_behind_comma(struct inquiry *q, const struct explain_place *at)
{
    struct lexer lexer = {GRAMMAR_UPDATE, at->place}, all = {GRAMMAR_UPDATE, at->text};
    enum token_kind word = expr_lex(&lexer).kind, section = TOKEN_END;
    struct token token, before = {.kind = TOKEN_END};
    struct buf mended = buf_in(q->arena);
    const char *end;

    if (at->grammar != GRAMMAR_UPDATE || !explain_syntax_is_section(word))
        return false;
    while ((token = expr_lex(&all)).kind != TOKEN_END && token.text.at < at->place.at) {
        if (explain_syntax_is_section(token.kind))
            section = token.kind;
        before = token;
    }
    if (before.kind != TOKEN_COMMA)
        return false;
    if (section == word)
        inquiry_reason(q, "%.*s is written once: separate its changes by commas",
                       SPAN_ARG(at->place));
    else
        inquiry_reason(q, "%.*s begins a section of its own: write no comma before it",
                       SPAN_ARG(at->place));
    end = section == word ? span_end(before.text) : before.text.at;
    buf_printf(&mended, "%.*s%s%.*s", (int)(end - at->text.at), at->text.at,
               section == word ? "" : " ", (int)(section == word ? 0 : at->place.len),
               at->place.at);
    buf_add_span(&mended, span_behind(at->text, at->place));
    explain_expression_propose(
        q,
        (struct trial_member[]){
            {"UpdateExpression", explain_trial_json_text(q, buf_span(&mended))}},
        1);
    return true;
}

/* --- two styles ------------------------------------------------------------------------------- */

/* An older parameter beside an expression. */
static bool two_styles(struct inquiry *q)
{
    static const char *const older[] = {"AttributesToGet", "QueryFilter",         "ScanFilter",
                                        "KeyConditions",   "ConditionalOperator", "Expected",
                                        "AttributeUpdates"};

    for (size_t i = 0; i < COUNT(older); i++)
        for (size_t k = 0; wire_get(q->entry, older[i]) && k < COUNT(parameters); k++) {
            if (!text_of(q, &parameters[k]).at)
                continue;
            inquiry_reason(q,
                           "%s is an older parameter and cannot be used with %s: write both as "
                           "expressions",
                           older[i], parameters[k].name);
            return true;
        }
    return false;
}

static bool is_and(struct span word)
{
    return word.len == 3 && (word.at[0] | 0x20) == 'a' && (word.at[1] | 0x20) == 'n' &&
           (word.at[2] | 0x20) == 'd';
}

/* --- all -------------------------------------------------------------------------------------- */

static bool is_undefined(struct inquiry *q, struct span place)
{
    return place.len && (*place.at == '#' || *place.at == ':') &&
           !wire_get_span(wire_get(q->entry, *place.at == '#' ? EXPLAIN_NAMES : EXPLAIN_VALUES),
                          place);
}

/* A word that names an attribute: not AND and the like, where they have a meaning. */
static bool is_name(const struct explain_place *at)
{
    struct lexer lexer = {at->grammar, at->place};

    return expr_lex(&lexer).kind == TOKEN_IDENTIFIER;
}

/* Whether an attribute's name is expected at the place, not a value. */
static bool expects_name(const struct parameter *p, struct span text, const char *place)
{
    struct lexer lexer = {p->grammar, text};
    struct token token, before = {.kind = TOKEN_END}, two_before = before;
    bool between = false;

    while ((token = expr_lex(&lexer)).kind != TOKEN_END && token.text.at < place) {
        between = token.kind == TOKEN_BETWEEN || (between && before.kind != TOKEN_AND);
        two_before = before;
        before = token;
    }
    if (before.kind == TOKEN_OPEN)
        return two_before.kind != TOKEN_IN;
    if (p->grammar == GRAMMAR_CONDITION)
        return !between && (before.kind == TOKEN_END || before.kind == TOKEN_AND ||
                            before.kind == TOKEN_OR || before.kind == TOKEN_NOT);
    return before.kind == TOKEN_END || before.kind == TOKEN_COMMA ||
           explain_syntax_is_section(before.kind);
}

/* attribute_exists("label"): the quotes are the fault. */
static bool quoted_name(struct inquiry *q, const struct parameter *p, struct span place)
{
    struct span text = text_of(q, p), rest, name;
    const char *end;
    struct buf mended = buf_in(q->arena), map = buf_in(q->arena);
    struct lexer lexer;
    bool bare;

    if (!place.len || (*place.at != '"' && *place.at != '\'') || !expects_name(p, text, place.at))
        return false;
    rest = span_from(text, (size_t)(place.at - text.at) + 1);
    if (!(end = span_find(rest, *place.at)) || end == rest.at)
        return false;
    name = (struct span){rest.at, (size_t)(end - rest.at)};
    lexer = (struct lexer){p->grammar, name};
    bare = expr_lex(&lexer).text.len == name.len && !expr_is_reserved(name);
    buf_add(&mended, text.at, (size_t)(place.at - text.at));
    buf_add_text(&mended, bare ? "" : "#n");
    if (bare)
        buf_add_span(&mended, name);
    else
        buf_printf(&map, "\"#n\":%s", arena_text(q->arena, explain_trial_json_text(q, name)));
    buf_add(&mended, end + 1, (size_t)(span_end(text) - end - 1));
    if (bare)
        inquiry_reason(q, "a name has no quotes: write %.*s", SPAN_ARG(name));
    else
        inquiry_reason(q, "a name has no quotes: write #n, and {\"#n\": %s} in " EXPLAIN_NAMES,
                       inquiry_text(q, name));
    explain_expression_propose(
        q,
        (struct trial_member[]){
            {p->name, explain_trial_json_text(q, buf_span(&mended))},
            {EXPLAIN_NAMES, explain_expression_map_with(q, EXPLAIN_NAMES, buf_span(&map))}},
        bare ? 1 : 2);
    return true;
}

/* The fault has a place in this expression. */
static void at_place(struct inquiry *q, const struct parameter *p, struct span place)
{
    const struct explain_place at = {p->name, p->grammar, text_of(q, p), place};

    explain_expression_mark(q, p->name, at.text, place);
    if (place.len && *place.at == ':' && p->grammar == GRAMMAR_PROJECTION)
        inquiry_reason(q, "%.*s: a projection lists attributes and has no values", SPAN_ARG(place));
    else if (is_undefined(q, place))
        undefined(q, p, place);
    else if (p->grammar == GRAMMAR_UPDATE && is_and(place))
        inquiry_reason(q, "assignments are separated by a comma, not by %.*s", SPAN_ARG(place));
    if (q->reason.len || quoted_name(q, p, place) || explain_syntax_function(q, &at) ||
        explain_syntax_foreign(q, &at) || section_behind_comma(q, &at))
        return;
    if (expr_is_reserved(place) && is_name(&at))
        reserved_word(q, place);
    else
        explain_syntax(q, &at);
}

void explain_expression(struct inquiry *q)
{
    struct span place = q->record->error->place;
    const struct parameter *p = place.at ? parameter_at(q, place) : NULL;

    if (p) {
        at_place(q, p, place);
        return;
    }
    if (place.at && q->entry != q->call.body) /* it is another entry's */
        return;
    if (!two_styles(q))
        left_over(q, EXPLAIN_NAMES);
    if (!q->reason.len)
        left_over(q, EXPLAIN_VALUES);
    if (!q->reason.len)
        key_operators(q);
    if (!q->reason.len)
        repeated_section(q);
    for (size_t i = 0; i < COUNT(parameters) && !q->reason.len; i++)
        ends_swapped(q, &parameters[i]);
}
