#include "explain/explain_cause.h"

#include "base/ascii.h"
#include "explain/explain_entry.h"
#include "explain/explain_near.h"
#include "explain/explain_trial.h"
#include "explain/say.h"
#include "expr/expr_ast.h"
#include "expr/expr_reserved.h"

/* --- signs ------------------------------------------------------------------------------------ */

/* Signs of other languages. */
static const struct {
    const char *sign, *instead;
} signs[] = {
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

/* The first sign of the table that has the place within it. */
static const char *foreign_sign(const struct refusal *r)
{
    size_t at = (size_t)(r->place.at - r->text.at);

    for (size_t i = 0; i < COUNT(signs); i++)
        for (size_t back = 0; back < strlen(signs[i].sign) && back <= at; back++)
            if (span_starts_with(span_from(r->text, at - back), span_of(signs[i].sign)))
                return signs[i].instead;
    return NULL;
}

/* --- words ------------------------------------------------------------------------------------ */

/* Operators of SQL, where an operator is expected. */
static const struct foreign operators[] = {
    {" like ", "there is no LIKE: begins_with(name, :v) and contains(name, :v) are functions"},
    {" is ", "there is no IS NULL: attribute_not_exists(name) and attribute_exists(name) are "
             "functions"},
    {" not ", "write NOT before the whole condition: NOT name IN (:a)"},
    {" contains ", "contains is a function: contains(name, :v)"},
    {" begins_with ", "begins_with is a function: begins_with(name, :v)"},
    {" order ", "there is no ORDER BY: a Query's items come in the order of the sort key"},
    {" limit ", "there is no LIMIT: Limit is a member of the request, --limit"},
    {" where ", "WHERE does not exist: a ConditionExpression is about the item with the Key"},
    {" exists ", "attribute_exists is a function: attribute_exists(name)"},
};

/* Literals, where a value is expected. */
static const struct foreign literals[] = {
    {" true ", "write :v, and it in " EXPLAIN_VALUES ": {\":v\": {\"BOOL\": true}}"},
    {" false ", "write :v, and it in " EXPLAIN_VALUES ": {\":v\": {\"BOOL\": false}}"},
    {" null ", "write :v, and it in " EXPLAIN_VALUES ": {\":v\": {\"NULL\": true}}; items "
               "without it are found by attribute_not_exists(name)"},
};

/* --- what is before the place ----------------------------------------------------------------- */

struct context {
    struct token before, two_before; /* TOKEN_END: the text begins */
    enum token_kind section;         /* of an update */
    bool between;                    /* in its bounds */
    size_t open;                     /* brackets around the place */
    /* A path that ends before the place, and what precedes it. */
    struct token lead, first;
};

static bool is_section(enum token_kind kind)
{
    return kind >= TOKEN_SET;
}

static struct context context_of(struct inquiry *q, const struct refusal *r)
{
    struct token *t = explain_tokens(q, r->grammar, r->text);
    struct context c = {.section = TOKEN_END};

    for (; t->kind != TOKEN_END && t->text.at < r->place.at;
         c.two_before = c.before, c.before = *t++) {
        if (is_section(t->kind))
            c.section = t->kind;
        if ((t->kind == TOKEN_IDENTIFIER || t->kind == TOKEN_NAME) && c.before.kind != TOKEN_DOT) {
            c.lead = c.before;
            c.first = *t;
        }
        c.open += t->kind == TOKEN_OPEN;
        c.open -= c.open && t->kind == TOKEN_CLOSE;
        c.between = t->kind == TOKEN_BETWEEN || (c.between && c.before.kind != TOKEN_AND);
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
static const struct foreign functions[] = {
    {" exists ", "attribute_exists"},
    {" not_exists isnull ", "attribute_not_exists"},
    {" beginswith startswith starts_with ", "begins_with"},
    {" includes contain endswith ends_with ", "contains"},
    {" length len count ", "size"},
    {" type typeof ", "attribute_type"},
    {" coalesce ifnull ", "if_not_exists"},
    {" append ", "list_append"},
};

/* What is written instead of others, which no function does. */
static const struct foreign without[] = {
    {" not_contains not_contain notcontains doesnotcontain ", "write NOT contains(name, :v)"},
    {" not_begins_with not_begin_with ", "write NOT begins_with(name, :v)"},
    {" lower upper lcase ucase tolower toupper ", "case counts, so store a copy in lower case"},
    {" now date time today current_timestamp getdate ", "give the time as a value, such as :now"},
};

/* The function that a word was meant to be, or NULL. */
static const char *meant_function(struct inquiry *q, struct span word)
{
    const char *meant = explain_tokens_instead(q, functions, COUNT(functions), word);

    for (unsigned kind = 0; kind < NODE_KIND_COUNT && !meant; kind++) {
        const struct operator_rule *rule = expr_rule((enum node_kind)kind);

        if (rule->form != OPERATOR && explain_near_distance(q, word, span_of(rule->name), 2) <= 2)
            meant = rule->name;
    }
    return meant;
}

static void say_function(struct inquiry *q, struct span word)
{
    const char *lower = inquiry_lower(q, word).at, *meant = meant_function(q, span_of(lower));
    const char *instead = explain_tokens_instead(q, without, COUNT(without), word);

    if (instead)
        say_why(q, "there is no function %: %", word, instead);
    else if (expr_function_kind(span_of(lower)) != NODE_UNKNOWN)
        say_why(q, "there is no function %: names of functions are in lower case, %", word, lower);
    else if (meant)
        say_why(q, "there is no function %; there is %", word, meant);
    else
        say_why(q,
                "there is no function %: there are attribute_exists, attribute_not_exists, "
                "attribute_type, begins_with, contains and size, and if_not_exists and list_append "
                "in updates",
                word);
}

void explain_syntax_function(struct inquiry *q, const struct refusal *r)
{
    say_function(q, r->why->place);
}

/* A function of updates in a condition, or the reverse, or a condition where a value belongs. */
void explain_syntax_misplaced(struct inquiry *q, const struct refusal *r)
{
    const struct operator_rule *rule = expr_rule(expr_function_kind(r->why->place));
    bool of_update = rule->form == UPDATE_FUNCTION, in_update = r->grammar == GRAMMAR_UPDATE;

    say_why(q, "% is %", r->why->place,
            in_update && of_update ? "for the whole value that SET gives"
            : in_update            ? "for conditions, not for updates"
            : of_update            ? "for updates, not for conditions"
            : !rule->is_condition  ? "a value, not a condition: compare it, such as size(name) > :v"
                                   : "a condition of its own, not an operand");
}

/* --- the place -------------------------------------------------------------------------------- */

/* attribute_exists("label"): the quotes are the fault. */
static bool say_quoted_name(struct inquiry *q, const struct refusal *r, const struct context *c)
{
    struct span place = r->place, name, quoted, map;
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
    if (bare) {
        say_why(q, "a name has no quotes: write %", name);
        explain_expression_mend(q, r, quoted, name);
        return true;
    }
    say_why(q, "a name has no quotes: write #n, and {\"#n\": %} in " EXPLAIN_NAMES,
            say_quoted(name));
    map = say_text_span(q, "\"#n\":%", explain_trial_json_text(q, name));
    explain_trial_propose_with(
        q, TRIAL_TEXT(r->parameter, explain_trial_with_part(q, r->text, quoted, SPAN_LIT("#n"))),
        TRIAL_JSON(EXPLAIN_NAMES, explain_expression_map_with(q, EXPLAIN_NAMES, map)));
    return true;
}

/* A section's word behind a comma: "SET a = :a, SET b = :b". */
static bool say_section_behind_comma(struct inquiry *q, const struct refusal *r,
                                     const struct context *c)
{
    enum token_kind word = expr_lex(&(struct lexer){r->grammar, r->place}).kind;
    struct span comma = c->before.text;
    const char *from = c->section == word ? span_end(r->place) : r->place.at;

    if (!is_section(word) || c->before.kind != TOKEN_COMMA)
        return false;
    comma.len = (size_t)(from - comma.at);
    if (c->section == word)
        say_why(q, "% is written once: separate its changes by commas", r->place);
    else
        say_why(q, "% begins a section of its own: write no comma before it", r->place);
    explain_expression_mend(q, r, comma, c->section == word ? SPAN_LIT(",") : SPAN_LIT(" "));
    return true;
}

/* Whether a change of an update, or a condition, ends before the place. */
static bool is_whole(const struct refusal *r, const struct context *c)
{
    enum token_kind kind = c->before.kind, lead = c->lead.kind;

    if (r->grammar == GRAMMAR_CONDITION)
        return kind == TOKEN_VALUE || kind == TOKEN_CLOSE;
    return c->section == TOKEN_SET && (kind == TOKEN_IDENTIFIER || kind == TOKEN_NAME)
               ? lead != TOKEN_SET && lead != TOKEN_COMMA
               : ends_operand(kind) && c->section != TOKEN_END && lead != TOKEN_END;
}

#define BLANK_NAME "a name with a blank in it needs a placeholder, such as #n"

/* What is missing or too much between two parts: a word or comma that nothing follows, a comma, a
 * blank in a placeholder. */
static bool say_gap(struct inquiry *q, const struct refusal *r, const struct context *c)
{
    struct lexer lexer = {r->grammar, span_from(r->text, (size_t)(r->place.at - r->text.at))};
    struct token here = expr_lex(&lexer), next = expr_lex(&lexer);
    struct span part = c->before.text, to = SPAN_LIT("");
    bool is_name = here.kind == TOKEN_IDENTIFIER || here.kind == TOKEN_NAME;
    bool update = r->grammar == GRAMMAR_UPDATE, remove = update && c->section == TOKEN_REMOVE;

    if (is_section(c->before.kind) && (is_section(here.kind) || !r->place.len)) {
        say_why(q, "% has no change behind it: leave it out", part);
        part.len = (size_t)(r->place.at - part.at);
    } else if (!r->place.len && c->before.kind == TOKEN_COMMA && !c->open) {
        say_why(q, "a comma is at the end: leave it out");
    } else if (r->place.len && *r->place.at == ':' && c->section == TOKEN_SET &&
               (c->lead.kind == TOKEN_SET || c->lead.kind == TOKEN_COMMA)) {
        say_why(q, "SET gives values by =, not by :");
        part = r->place;
        to = SPAN_LIT("=");
    } else if (r->place.len && strchr(":#", *r->place.at) && next.kind == TOKEN_IDENTIFIER) {
        to = say_text_span(q, "%%", (char)*r->place.at, next.text);
        say_why(q, "a blank is in a placeholder: write %", to);
        part = (struct span){r->place.at, (size_t)(span_end(next.text) - r->place.at)};
    } else if (is_name && (remove || r->grammar == GRAMMAR_PROJECTION) &&
               ends_operand(c->before.kind)) {
        say_why(q, "a comma is missing before %, or " BLANK_NAME, r->place);
        return true;
    } else if (is_name && c->section == TOKEN_SET && next.kind == TOKEN_EQ && !is_whole(r, c)) {
        say_why(q, BLANK_NAME);
        return true;
    } else if (is_name && update && is_whole(r, c) &&
               (next.kind == TOKEN_EQ || next.kind == TOKEN_VALUE || next.kind == TOKEN_DOT)) {
        say_why(q, "a comma is missing before %", r->place);
        part = (struct span){span_end(part), (size_t)(r->place.at - span_end(part))};
        to = SPAN_LIT(", ");
    } else if (is_name && r->grammar == GRAMMAR_CONDITION && is_whole(r, c) &&
               next.kind >= TOKEN_EQ && next.kind <= TOKEN_GE) {
        say_why(q, "AND or OR is missing before %", r->place);
        return true;
    } else if (is_name && r->grammar == GRAMMAR_CONDITION &&
               span_is(inquiry_lower(q, part), "exists")) {
        say_why(q, "attribute_exists is a function: attribute_exists(%)", r->place);
        part = (struct span){part.at, (size_t)(span_end(r->place) - part.at)};
        to = say_text_span(q, "attribute_exists(%)", r->place);
    } else {
        return false;
    }
    explain_expression_mend(q, r, part, to);
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
    if (c->before.kind == TOKEN_OPEN && c->two_before.kind == TOKEN_IN && r->place.len &&
        *r->place.at == ')')
        return "IN () has no values: it takes one or more";
    if (c->before.kind == TOKEN_IN && r->place.len && *r->place.at != '(')
        return "IN takes its values in brackets, each by itself: IN (:a, :b)";
    if (ends_operand(c->before.kind))
        return explain_tokens_instead(q, operators, COUNT(operators), r->place);
    if (c->before.kind >= TOKEN_EQ && c->before.kind <= TOKEN_GE)
        return explain_tokens_instead(q, literals, COUNT(literals), r->place);
    return NULL;
}

void explain_syntax(struct inquiry *q, const struct refusal *r)
{
    struct span place = r->place, lonely, word;
    const char *instead;
    struct context c;

    if (!r->parameter)
        return;
    c = context_of(q, r);
    lonely = lonely_path(r, &c);
    word = explain_tokens_around(r->text, place, "_-");
    if (place.len && *place.at == ':' && r->grammar == GRAMMAR_PROJECTION)
        say_why(q, "%: a projection lists attributes and has no values", place);
    else if (r->grammar == GRAMMAR_UPDATE && span_is(inquiry_lower(q, place), "and"))
        say_why(q, "assignments are separated by a comma, not by %", place);
    else if (place.len && *place.at == ')' && c.before.kind == TOKEN_OPEN &&
             c.two_before.kind == TOKEN_IDENTIFIER &&
             expr_function_kind(c.two_before.text) == NODE_UNKNOWN)
        say_function(q, c.two_before.text);
    else if (say_quoted_name(q, r, &c) || say_section_behind_comma(q, r, &c))
        return;
    else if ((instead = foreign_word(q, r, &c)) || (instead = about_section(r, &c)))
        say_why(q, "%", instead);
    else if (lonely.len)
        say_why(q,
                "% alone is not a condition: compare it, % = :true, with {\":true\": {\"BOOL\": "
                "true}} in " EXPLAIN_VALUES,
                lonely, lonely);
    else if (say_gap(q, r, &c))
        return;
    else if (!place.len)
        say_why(q, "% is incomplete", r->parameter);
    else if (*place.at == '_')
        say_why(q,
                "a name that begins with '_' needs a placeholder: write #n for %, and {\"#n\": "
                "\"%\"} in " EXPLAIN_NAMES,
                word, word);
    else if (*place.at == '-' && word.len > 2)
        say_why(q,
                "'-' cannot be in a name: write a placeholder such as #n for %, and {\"#n\": "
                "\"%\"} in " EXPLAIN_NAMES,
                word, word);
    else if (r->grammar == GRAMMAR_UPDATE && place.at > r->text.at && strchr("*/%|", *place.at) &&
             place.at[-1] != '[')
        say_why(q,
                "there is no %: SET takes + and - of two values, compute the rest before the "
                "request",
                *place.at == '|' ? SPAN_LIT("||") : place);
    else if ((instead = foreign_sign(r)))
        say_why(q, "%", instead);
    else if (r->grammar == GRAMMAR_UPDATE && place.at == r->text.at)
        say_why(q, "an update begins with SET, REMOVE, ADD or DELETE");
    else if (c.before.kind == TOKEN_DOT && explain_near_is_of_digits(word) &&
             !span_find(word, '-')) { /* items.0.name */
        say_why(q,
                "an element of a list is written [%]; of a map, % needs a placeholder such as #n",
                word, word);
        explain_expression_mend(
            q, r, (struct span){c.before.text.at, (size_t)(span_end(word) - c.before.text.at)},
            say_text_span(q, "[%]", word));
    } else if (ascii_is_digit(*place.at) &&
               (c.before.kind == TOKEN_DOT || r->grammar == GRAMMAR_PROJECTION ||
                expects_name(r, &c)))
        say_why(q,
                "a name that begins with a digit needs a placeholder: write #n for %, and {\"#n\": "
                "\"%\"} in " EXPLAIN_NAMES,
                word, word);
    else if (ascii_is_digit(*place.at))
        say_why(q, "% is a value: write :v, and it in " EXPLAIN_VALUES ", {\":v\": {\"N\": \"%\"}}",
                place, place);
    else
        say_why(q, "% cannot follow here", place);
}
