#include "explain/explain_syntax.h"

#include "base/ascii.h"
#include "explain/explain_near.h"
#include "expr/expr_ast.h"

/* --- signs ------------------------------------------------------------------------------------ */

static bool is_name_char(char c)
{
    return c == '_' || ascii_is_digit(c) || ascii_is_letter(c);
}

/* The word around a sign that cannot be in a name. */
static struct span word_around(struct span text, struct span place)
{
    const char *from = place.at, *to = span_end(place), *end = span_end(text);

    while (from > text.at && (is_name_char(from[-1]) || from[-1] == '-'))
        from--;
    while (to < end && (is_name_char(*to) || *to == '-'))
        to++;
    return (struct span){from, (size_t)(to - from)};
}

/* Signs of other languages. */
static const struct {
    const char *sign, *instead;
} foreign[] = {
    {"==", "== is written ="},
    {"!=", "!= is written <>"},
    {"+=", "there is no +=: SET n = n + :v, or ADD n :v"},
    {"-=", "there is no -=: SET n = n - :v"},
    {"++", "there is no ++: ADD n :one"},
    {"&&", "&& is written AND"},
    {"||", "|| is written OR"},
    {"'", "values are written in " EXPLAIN_VALUES ", under a name such as :v"},
    {"\"", "values are written in " EXPLAIN_VALUES ", under a name such as :v"},
    {"\u201c", "values are written in " EXPLAIN_VALUES ", under a name such as :v"},
    {"\u2018", "values are written in " EXPLAIN_VALUES ", under a name such as :v"},
    {";", "an expression ends without ;"},
    {"%", "there is no LIKE: begins_with and contains are functions"},
    {"[-", "elements of a list are counted from 0, not from its end"},
    {"[*", "an element of a list is named by its number, as [0]; contains(list, :v) looks at all"},
    {"*", "there is no *: leave the projection out for all attributes"},
};

static const char *foreign_sign(struct span text, struct span place)
{
    size_t at = (size_t)(place.at - text.at);

    for (size_t i = 0; i < COUNT(foreign); i++) {
        struct span sign = span_of(foreign[i].sign);

        for (size_t back = 0; back < sign.len && back <= at; back++)
            if (span_starts_with(span_from(text, at - back), sign))
                return foreign[i].instead;
    }
    return NULL;
}

/* --- words ------------------------------------------------------------------------------------ */

struct foreign_word {
    const char *word, *instead;
};

static const char *instead_of(const struct foreign_word *rows, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].word, word) == 0)
            return rows[i].instead;
    return NULL;
}

/* Operators of SQL, where an operator is expected. */
static const struct foreign_word operators[] = {
    {"like", "there is no LIKE: begins_with(name, :v) and contains(name, :v) are functions"},
    {"is", "there is no IS NULL: attribute_not_exists(name) and attribute_exists(name) are "
           "functions"},
    {"not", "write NOT before the whole condition: NOT name IN (:a)"},
    {"contains", "contains is a function: contains(name, :v)"},
    {"begins_with", "begins_with is a function: begins_with(name, :v)"},
    {"order", "there is no ORDER BY: a Query's items come in the order of the sort key"},
    {"limit", "there is no LIMIT: Limit is a member of the request, --limit"},
    {"where", "WHERE does not exist: a ConditionExpression is about the item with the Key"},
};

/* Literals, where a value is expected. */
static const struct foreign_word literals[] = {
    {"true", "write :v, and it in " EXPLAIN_VALUES ": {\":v\": {\"BOOL\": true}}"},
    {"false", "write :v, and it in " EXPLAIN_VALUES ": {\":v\": {\"BOOL\": false}}"},
    {"null", "write :v, and it in " EXPLAIN_VALUES ": {\":v\": {\"NULL\": true}}; items "
             "without it are found by attribute_not_exists(name)"},
};

static bool is_comparison(enum token_kind kind)
{
    return kind >= TOKEN_EQ && kind <= TOKEN_GE;
}

static bool ends_operand(enum token_kind kind)
{
    return kind == TOKEN_IDENTIFIER || kind == TOKEN_NAME || kind == TOKEN_VALUE ||
           kind == TOKEN_CLOSE || kind == TOKEN_BRACKET_CLOSE;
}

bool explain_syntax_foreign(struct inquiry *q, const struct explain_place *at)
{
    struct lexer lexer = {at->grammar, at->text};
    struct token token, before = {.kind = TOKEN_END};
    const char *word = inquiry_lower(q, at->place).at, *instead = NULL;

    while ((token = expr_lex(&lexer)).kind != TOKEN_END && token.text.at < at->place.at)
        before = token;
    if (before.kind == TOKEN_IN && at->place.len && *at->place.at != '(')
        instead = "IN takes its values in brackets, each by itself: IN (:a, :b)";
    else if (ends_operand(before.kind))
        instead = instead_of(operators, COUNT(operators), word);
    else if (is_comparison(before.kind))
        instead = instead_of(literals, COUNT(literals), word);
    if (instead)
        inquiry_reason(q, "%s", instead);
    return instead != NULL;
}

/* Functions of other languages. */
static const struct foreign_word functions[] = {
    {"exists", "attribute_exists"},
    {"not_exists", "attribute_not_exists"},
    {"isnull", "attribute_not_exists"},
    {"beginswith", "begins_with"},
    {"startswith", "begins_with"},
    {"starts_with", "begins_with"},
    {"includes", "contains"},
    {"contain", "contains"},
    {"length", "size"},
    {"len", "size"},
    {"count", "size"},
    {"type", "attribute_type"},
    {"typeof", "attribute_type"},
    {"coalesce", "if_not_exists"},
    {"ifnull", "if_not_exists"},
    {"append", "list_append"},
};

/* The function that a word was meant to be, or NULL. */
static const char *meant_function(struct inquiry *q, const char *word)
{
    const char *meant = instead_of(functions, COUNT(functions), word);

    for (unsigned kind = 0; kind < NODE_KIND_COUNT && !meant; kind++) {
        const struct operator_rule *rule = expr_rule((enum node_kind)kind);

        if (rule->form != OPERATOR &&
            explain_near_distance(q, span_of(word), span_of(rule->name), 2) <= 2)
            meant = rule->name;
    }
    return meant;
}

bool explain_syntax_function(struct inquiry *q, const struct explain_place *at)
{
    struct span word = at->place;
    struct lexer rest = {GRAMMAR_CONDITION, span_behind(at->text, word)};
    const char *lower = inquiry_lower(q, word).at, *meant;

    if (!word.len || expr_lex(&rest).kind != TOKEN_OPEN || expr_function_kind(word) != NODE_UNKNOWN)
        return false;
    meant = meant_function(q, lower);
    if (expr_function_kind(span_of(lower)) != NODE_UNKNOWN)
        inquiry_reason(q, "there is no function %.*s: names of functions are in lower case, %s",
                       SPAN_ARG(word), lower);
    else if (meant)
        inquiry_reason(q, "there is no function %.*s; there is %s", SPAN_ARG(word), meant);
    else
        inquiry_reason(q,
                       "there is no function %.*s: there are attribute_exists, "
                       "attribute_not_exists, attribute_type, begins_with, contains and size, and "
                       "if_not_exists and list_append in updates",
                       SPAN_ARG(word));
    return true;
}

/* --- all -------------------------------------------------------------------------------------- */

bool explain_syntax_is_section(enum token_kind kind)
{
    return kind == TOKEN_SET || kind == TOKEN_REMOVE || kind == TOKEN_ADD || kind == TOKEN_DELETE;
}

/* The section of an update that the place lies in, which has another form than was thought. */
static const char *about_section(const struct explain_place *at)
{
    struct lexer lexer = {GRAMMAR_UPDATE, at->text};
    enum token_kind section = TOKEN_END;
    struct token token;

    if (at->grammar != GRAMMAR_UPDATE)
        return NULL;
    while ((token = expr_lex(&lexer)).kind != TOKEN_END && token.text.at < at->place.at)
        if (explain_syntax_is_section(token.kind))
            section = token.kind;
    if (section == TOKEN_DELETE && !at->place.len)
        return "DELETE takes elements out of a set, DELETE name :v; REMOVE takes an attribute away";
    if (section == TOKEN_REMOVE && at->place.len && *at->place.at == '=')
        return "REMOVE takes names alone";
    if ((section == TOKEN_ADD || section == TOKEN_DELETE) && at->place.len && *at->place.at == '=')
        return "ADD and DELETE take no =: ADD name :v";
    return NULL;
}

/* What can precede a condition. */
static bool begins_condition(enum token_kind kind)
{
    return kind == TOKEN_END || kind == TOKEN_AND || kind == TOKEN_OR || kind == TOKEN_NOT ||
           kind == TOKEN_OPEN;
}

/* The attribute that is alone right before the place, where a condition is needed: `active`,
 * `NOT a.active`; len 0: none does. */
static struct span alone(const struct explain_place *at)
{
    struct lexer lexer = {at->grammar, at->text};
    struct token token, before = {.kind = TOKEN_END}, lead = before, first = before, last = before;
    bool between = false;

    while ((token = expr_lex(&lexer)).kind != TOKEN_END && token.text.at < at->place.at) {
        bool is_name = token.kind == TOKEN_IDENTIFIER || token.kind == TOKEN_NAME;

        if (is_name && before.kind != TOKEN_DOT) {
            lead = before;
            first = token;
        }
        last = token;
        between = token.kind == TOKEN_BETWEEN || (between && token.kind != TOKEN_AND);
        before = token;
    }
    if (at->grammar != GRAMMAR_CONDITION || between || !begins_condition(lead.kind) ||
        (last.kind != TOKEN_IDENTIFIER && last.kind != TOKEN_NAME &&
         last.kind != TOKEN_BRACKET_CLOSE))
        return (struct span){NULL, 0};
    return (struct span){first.text.at, (size_t)(span_end(last.text) - first.text.at)};
}

/* Whether a condition ends at the place. */
static bool ends_condition(const struct explain_place *at)
{
    struct lexer lexer = {at->grammar, at->place};
    enum token_kind kind = expr_lex(&lexer).kind;

    return !at->place.len || kind == TOKEN_AND || kind == TOKEN_OR || kind == TOKEN_CLOSE;
}

void explain_syntax(struct inquiry *q, const struct explain_place *at)
{
    const char *section = about_section(at);
    struct span text = at->text, place = at->place, word = word_around(text, place);
    const char *instead = foreign_sign(text, place);
    struct span lonely = ends_condition(at) ? alone(at) : (struct span){NULL, 0};

    if (section)
        inquiry_reason(q, "%s", section);
    else if (lonely.len)
        inquiry_reason(q,
                       "%.*s alone is not a condition: compare it, %.*s = :true, with "
                       "{\":true\": {\"BOOL\": true}} in " EXPLAIN_VALUES,
                       SPAN_ARG(lonely), SPAN_ARG(lonely));
    else if (!place.len)
        inquiry_reason(q, "%s is incomplete", at->parameter);
    else if (*place.at == '_')
        inquiry_reason(q,
                       "a name that begins with '_' needs a placeholder: write #n for %.*s, and "
                       "{\"#n\": \"%.*s\"} in " EXPLAIN_NAMES,
                       SPAN_ARG(word), SPAN_ARG(word));
    else if (*place.at == '-' && word.len > 2)
        inquiry_reason(q,
                       "'-' cannot be in a name: write a placeholder such as #n for %.*s, and "
                       "{\"#n\": \"%.*s\"} in " EXPLAIN_NAMES,
                       SPAN_ARG(word), SPAN_ARG(word));
    else if (instead)
        inquiry_reason(q, "%s", instead);
    else if (at->grammar == GRAMMAR_UPDATE && place.at == text.at)
        inquiry_reason(q, "an update begins with SET, REMOVE, ADD or DELETE");
    else if (*place.at >= '0' && *place.at <= '9')
        inquiry_reason(q,
                       "%.*s: values are written in " EXPLAIN_VALUES
                       ", a name that begins with a digit needs "
                       "a placeholder such as #n",
                       SPAN_ARG(word));
    else
        inquiry_reason(q, "%.*s cannot follow here", SPAN_ARG(place));
}
