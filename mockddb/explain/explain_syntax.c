#include "explain/explain_syntax.h"

#include "base/ascii.h"
#include "explain/explain_near.h"
#include "explain/explain_trial.h"
#include "expr/expr_ast.h"
#include "expr/expr_reserved.h"

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

static const char *foreign_sign(const struct refusal *r)
{
    size_t at = (size_t)(r->place.at - r->text.at);

    for (size_t i = 0; i < COUNT(foreign); i++) {
        struct span sign = span_of(foreign[i].sign);

        for (size_t back = 0; back < sign.len && back <= at; back++)
            if (span_starts_with(span_from(r->text, at - back), sign))
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

/* --- what is before the place ----------------------------------------------------------------- */

struct context {
    struct token before, two_before; /* TOKEN_END: the text begins */
    enum token_kind section;         /* of an update */
    bool between;                    /* in its bounds */
    /* A path that ends before the place, and what precedes it. */
    struct token lead, first;
};

static bool is_section(enum token_kind kind)
{
    return kind >= TOKEN_SET;
}

static struct context context_of(const struct refusal *r)
{
    struct lexer lexer = {r->grammar, r->text};
    struct token none = {.kind = TOKEN_END}, token;
    struct context c = {none, none, TOKEN_END, false, none, none};

    while ((token = expr_lex(&lexer)).kind != TOKEN_END && token.text.at < r->place.at) {
        if (is_section(token.kind))
            c.section = token.kind;
        if ((token.kind == TOKEN_IDENTIFIER || token.kind == TOKEN_NAME) &&
            c.before.kind != TOKEN_DOT) {
            c.lead = c.before;
            c.first = token;
        }
        c.between = token.kind == TOKEN_BETWEEN || (c.between && c.before.kind != TOKEN_AND);
        c.two_before = c.before;
        c.before = token;
    }
    return c;
}

/* What can precede a condition. */
static bool begins_condition(enum token_kind kind)
{
    return kind == TOKEN_END || kind == TOKEN_AND || kind == TOKEN_OR || kind == TOKEN_NOT;
}

static bool ends_operand(enum token_kind kind)
{
    return kind == TOKEN_IDENTIFIER || kind == TOKEN_NAME || kind == TOKEN_VALUE ||
           kind == TOKEN_CLOSE || kind == TOKEN_BRACKET_CLOSE;
}

/* The attribute that is alone right before the place, where a condition is needed: `active`,
 * `NOT a.active`; len 0: none does. */
static struct span lonely_path(const struct refusal *r, const struct context *c)
{
    struct lexer lexer = {r->grammar, r->place};
    enum token_kind next = expr_lex(&lexer).kind;
    bool ends = !r->place.len || next == TOKEN_AND || next == TOKEN_OR || next == TOKEN_CLOSE;

    if (!ends || r->grammar != GRAMMAR_CONDITION || c->between ||
        !(begins_condition(c->lead.kind) || c->lead.kind == TOKEN_OPEN) ||
        !ends_operand(c->before.kind) || c->before.kind == TOKEN_VALUE ||
        c->before.kind == TOKEN_CLOSE)
        return (struct span){NULL, 0};
    return (struct span){c->first.text.at, (size_t)(span_end(c->before.text) - c->first.text.at)};
}

/* Whether an attribute's name is expected at the place, not a value. */
static bool expects_name(const struct refusal *r, const struct context *c)
{
    enum token_kind kind = c->before.kind;

    if (kind == TOKEN_OPEN)
        return c->two_before.kind != TOKEN_IN;
    if (r->grammar == GRAMMAR_CONDITION)
        return !c->between && begins_condition(kind);
    return kind == TOKEN_END || kind == TOKEN_COMMA || is_section(kind);
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

void explain_syntax_function(struct inquiry *q, const struct refusal *r)
{
    struct span word = r->why->place;
    const char *lower = inquiry_lower(q, word).at, *meant = meant_function(q, lower);

    if (r->parameter)
        explain_expression_mark(q, r->parameter, r->text, word);
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
}

/* A function of updates in a condition, or the reverse, or a condition where a value belongs. */
void explain_syntax_misplaced(struct inquiry *q, const struct refusal *r)
{
    const struct operator_rule *rule = expr_rule(expr_function_kind(r->why->place));
    const char *where = "a condition of its own, not an operand";

    if (r->grammar == GRAMMAR_UPDATE)
        where = rule->form == UPDATE_FUNCTION ? "for the whole value that SET gives"
                                              : "for conditions, not for updates";
    else if (rule->form == UPDATE_FUNCTION)
        where = "for updates, not for conditions";
    else if (!rule->is_condition)
        where = "a value, not a condition: compare it, such as size(name) > :v";
    inquiry_reason(q, "%.*s is %s", SPAN_ARG(r->why->place), where);
    if (r->parameter)
        explain_expression_mark(q, r->parameter, r->text, r->place);
}

/* --- the place -------------------------------------------------------------------------------- */

/* attribute_exists("label"): the quotes are the fault. */
static bool quoted_name(struct inquiry *q, const struct refusal *r, const struct context *c)
{
    struct span place = r->place, name, quoted, map = {"", 0};
    const char *end;
    bool bare;

    if (!place.len || (*place.at != '"' && *place.at != '\'') || !expects_name(r, c))
        return false;
    name = span_from(r->text, (size_t)(place.at - r->text.at) + 1);
    if (!(end = span_find(name, *place.at)) || end == name.at)
        return false;
    name.len = (size_t)(end - name.at);
    quoted = (struct span){place.at, name.len + 2};
    bare = expr_lex(&(struct lexer){r->grammar, name}).text.len == name.len &&
           !expr_is_reserved(name);
    if (bare)
        inquiry_reason(q, "a name has no quotes: write %.*s", SPAN_ARG(name));
    else
        inquiry_reason(q, "a name has no quotes: write #n, and {\"#n\": %s} in " EXPLAIN_NAMES,
                       inquiry_text(q, name));
    if (!bare)
        map = span_of(
            arena_printf(q->arena, "\"#n\":%.*s", SPAN_ARG(explain_trial_json_text(q, name))));
    explain_expression_propose(
        q,
        (struct trial_member[]){
            {r->parameter,
             explain_trial_json_text(
                 q, explain_trial_with_part(q, r->text, quoted, bare ? name : SPAN_LIT("#n")))},
            {EXPLAIN_NAMES, explain_expression_map_with(q, EXPLAIN_NAMES, map)}},
        bare ? 1 : 2);
    return true;
}

/* A section's word behind a comma: "SET a = :a, SET b = :b". */
static bool section_behind_comma(struct inquiry *q, const struct refusal *r,
                                 const struct context *c)
{
    enum token_kind word = expr_lex(&(struct lexer){r->grammar, r->place}).kind;
    struct span comma = c->before.text, mended;
    const char *from = c->section == word ? span_end(r->place) : r->place.at;

    if (!is_section(word) || c->before.kind != TOKEN_COMMA)
        return false;
    comma.len = (size_t)(from - comma.at);
    if (c->section == word) {
        inquiry_reason(q, "%.*s is written once: separate its changes by commas",
                       SPAN_ARG(r->place));
        mended = explain_trial_with_part(q, r->text, comma, SPAN_LIT(","));
    } else {
        inquiry_reason(q, "%.*s begins a section of its own: write no comma before it",
                       SPAN_ARG(r->place));
        mended = explain_trial_with_part(q, r->text, comma, SPAN_LIT(" "));
    }
    explain_expression_propose_text(q, r->parameter, mended);
    return true;
}

/* What the section of an update takes, which has another form than was thought. */
static const char *about_section(const struct refusal *r, const struct context *c)
{
    bool equals = r->place.len && *r->place.at == '=';

    if (c->section == TOKEN_DELETE && !r->place.len)
        return "DELETE takes elements out of a set, DELETE name :v; REMOVE takes an attribute away";
    if (c->section == TOKEN_REMOVE && equals)
        return "REMOVE takes names alone";
    if ((c->section == TOKEN_ADD || c->section == TOKEN_DELETE) && equals)
        return "ADD and DELETE take no =: ADD name :v";
    return NULL;
}

/* What is written instead of a word of another language; NULL: it is not one of them. */
static const char *foreign_word(struct inquiry *q, const struct refusal *r, const struct context *c)
{
    const char *word = inquiry_lower(q, r->place).at;

    if (c->before.kind == TOKEN_IN && r->place.len && *r->place.at != '(')
        return "IN takes its values in brackets, each by itself: IN (:a, :b)";
    if (ends_operand(c->before.kind))
        return instead_of(operators, COUNT(operators), word);
    if (c->before.kind >= TOKEN_EQ && c->before.kind <= TOKEN_GE)
        return instead_of(literals, COUNT(literals), word);
    return NULL;
}

void explain_syntax(struct inquiry *q, const struct refusal *r)
{
    struct span place = r->place, lonely, word;
    const char *instead;
    struct context c;

    if (!r->parameter)
        return;
    c = context_of(r);
    lonely = lonely_path(r, &c);
    explain_expression_mark(q, r->parameter, r->text, place);
    word = word_around(r->text, place);
    if (place.len && *place.at == ':' && r->grammar == GRAMMAR_PROJECTION)
        inquiry_reason(q, "%.*s: a projection lists attributes and has no values", SPAN_ARG(place));
    else if (r->grammar == GRAMMAR_UPDATE && span_is(inquiry_lower(q, place), "and"))
        inquiry_reason(q, "assignments are separated by a comma, not by %.*s", SPAN_ARG(place));
    else if (quoted_name(q, r, &c) || section_behind_comma(q, r, &c))
        return;
    else if ((instead = foreign_word(q, r, &c)) || (instead = about_section(r, &c)))
        inquiry_reason(q, "%s", instead);
    else if (lonely.len)
        inquiry_reason(q,
                       "%.*s alone is not a condition: compare it, %.*s = :true, with "
                       "{\":true\": {\"BOOL\": true}} in " EXPLAIN_VALUES,
                       SPAN_ARG(lonely), SPAN_ARG(lonely));
    else if (!place.len)
        inquiry_reason(q, "%s is incomplete", r->parameter);
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
    else if ((instead = foreign_sign(r)))
        inquiry_reason(q, "%s", instead);
    else if (r->grammar == GRAMMAR_UPDATE && place.at == r->text.at)
        inquiry_reason(q, "an update begins with SET, REMOVE, ADD or DELETE");
    else if (ascii_is_digit(*place.at))
        inquiry_reason(q,
                       "%.*s: values are written in " EXPLAIN_VALUES
                       ", a name that begins with a digit needs a placeholder such as #n",
                       SPAN_ARG(word));
    else
        inquiry_reason(q, "%.*s cannot follow here", SPAN_ARG(place));
}
