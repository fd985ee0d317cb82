#include "explain/explain_cause.h"

#include "base/ascii.h"
#include "base/cut.h"
#include "base/fold.h"
#include "explain/explain_entry.h"
#include "explain/explain_find.h"
#include "explain/explain_trial.h"
#include "explain/say.h"
#include "expr/expr_print.h"
#include "ops/op_target.h"
#include "ops/statement/statement.h"
#include "partiql/partiql_lex.h"

static struct span text_of(const struct inquiry *q)
{
    return wire_text(wire_get(q->entry, "Statement"));
}

/* The entry's statement in tokens; only PQ_END if it has no statement, or a character that is part
 * of no token. */
static const struct partiql_token *tokens_of(struct inquiry *q)
{
    static const struct partiql_token end = {.kind = PQ_END};
    struct span text = text_of(q);
    const struct partiql_token *t = text.at ? partiql_lex(q->arena, text) : NULL;

    return t ? t : &end;
}

void explain_statement_propose(struct inquiry *q, struct span place, const char *instead)
{
    if (place.at)
        explain_trial_propose_text(q, "Statement",
                                   explain_trial_with_part(q, text_of(q), place, span_of(instead)));
}

/* Marks the place, and proposes other words for it. */
static void mend_place(struct inquiry *q, struct span place, const char *instead)
{
    explain_expression_mark(q, "Statement", text_of(q), place);
    explain_statement_propose(q, place, instead);
}

/* --- a fault with a place --------------------------------------------------------------------- */

/* Words of SQL that statements do not have. */
static const struct foreign foreign[] = {
    {" like ",
     "there is no LIKE: begins_with(name, 'text') and contains(name, 'text') are functions"},
    {" limit ", "there is no LIMIT: Limit is a member of the request, --limit"},
    {" by ", "there is no GROUP BY: a statement gives items, adding up is the client's"},
    {" having ", "there is no HAVING: a statement gives items, adding up is the client's"},
    {" count ", "there is no COUNT: a Query or Scan with Select COUNT counts"},
    {" join ", "a statement reads one table: there is no JOIN"},
    {" offset skip ", "there is no OFFSET: continue from NextToken"},
    {" union intersect except ", "a statement reads one table: there is no UNION"},
    {" upsert replace merge ",
     "there is no UPSERT: INSERT makes an item, UPDATE changes one, PutItem does both"},
    {" create alter drop truncate show describe ",
     "statements are about items: tables have operations of their own, such as CreateTable"},
    {" distinct ", "there is no DISTINCT: a statement gives items as they are"},
    {" delete ", "write DELETE FROM before the table's name"},
    {" values ", "INSERT takes one item, VALUE {'name': …}"},
};

/* The word in front of a place. */
static struct span word_before(struct span text, const char *at)
{
    const char *to = at, *from;

    while (to > text.at && ascii_is_blank(to[-1]))
        to--;
    for (from = to; from > text.at && !ascii_is_blank(from[-1]);)
        from--;
    return (struct span){from, (size_t)(to - from)};
}

static bool is_curly(struct span text)
{
    static const char *const quotes[] = {"\u2018", "\u2019", "\u201c", "\u201d"};

    for (size_t i = 0; i < COUNT(quotes); i++)
        if (span_starts_with(text, span_of(quotes[i])))
            return true;
    return false;
}

/* Whether a text can end before the rest: it is empty, or begins with a mark or a word that may
 * follow a text. */
static bool may_follow(struct inquiry *q, struct span rest)
{
    struct span lower = inquiry_lower(q, fold_trimmed(rest));

    return !lower.len || span_has(SPAN_LIT(",)]}>"), lower.at[0]) ||
           (ascii_is_blank(rest.at[0]) && strstr(" and or order returning remove set ",
                                                 say_text(q, " % ", cut_part(&lower, ' '))));
}

/* The text in which an apostrophe was taken for its end, 'rock 'n' roll', with its quotes; at NULL:
 * no text has one. */
static struct span find_broken_text(struct inquiry *q, struct span text)
{
    const char *from = NULL, *end = span_end(text);
    bool broken = false;

    for (const char *at = text.at; at < end; at++) {
        struct span rest = span_from(text, (size_t)(at - text.at) + 1);

        if (*at != '\'')
            continue;
        if (!from) {
            from = at;
        } else if (rest.len && *rest.at == '\'') {
            at++; /* a doubled quote */
        } else if (!broken) {
            broken = rest.len && (ascii_is_letter(*rest.at) || ascii_is_digit(*rest.at));
            from = broken ? from : NULL;
        } else if (may_follow(q, rest)) {
            return (struct span){from, (size_t)(at - from) + 1};
        }
    }
    return (struct span){NULL, 0};
}

static bool at_apostrophe(struct inquiry *q, struct span text)
{
    struct span broken = find_broken_text(q, text);
    struct buf mended = buf_in(q->arena);

    if (!broken.at)
        return false;
    buf_add_char(&mended, '\'');
    for (size_t i = 1; i + 1 < broken.len; i++) {
        buf_add_char(&mended, broken.at[i]);
        if (broken.at[i] == '\'')
            buf_add_char(&mended, '\'');
    }
    buf_add_char(&mended, '\'');
    say_why(q, "the apostrophe ended the text: write %, or ? and Parameters", buf_text(&mended));
    mend_place(q, broken, buf_text(&mended));
    return true;
}

/* A quote at which the statement cannot continue: it is not closed, or something else was meant. */
static bool at_quote(struct inquiry *q, struct span text, struct span place)
{
    struct span rest = span_from(text, (size_t)(place.at - text.at) + 1);
    struct span before = word_before(text, place.at);
    const char *end;

    if (*place.at != '\'' && *place.at != '"')
        return false;
    end = span_find(rest, *place.at);
    rest.len = end ? (size_t)(end - rest.at) : rest.len;
    place.len = 1;
    if (!end)
        say_why(q, "this quote has no closing quote");
    else if (span_is(before, "==")) {
        say_why(q, "== is written =");
        explain_statement_propose(q, before, "=");
        place = before;
    } else if (*place.at == '\'')
        say_why(q, "a name is written in double quotes: \"%\"", rest);
    else
        say_why(q, "\"%\" cannot follow here", rest);
    explain_expression_mark(q, "Statement", text, place);
    return true;
}

/* USER#1 without quotes, where a value belongs. */
static bool at_text(struct inquiry *q, struct span text, struct span place)
{
    struct span word = {place.at, 0};

    while (word.at > text.at && !ascii_is_blank(word.at[-1]))
        word.at--;
    while (word.at + word.len < span_end(text) && !ascii_is_blank(word.at[word.len]))
        word.len++;
    if (word.at == place.at && !span_is(word_before(text, word.at), "=")) {
        struct span before = word_before(text, word.at);

        word = (struct span){before.at, (size_t)(span_end(word) - before.at)};
    }
    if (!word.len || !span_is(word_before(text, word.at), "="))
        return false;
    if (*word.at == ':')
        say_why(q, "a value is written ? and given in Parameters: no statement has names as %",
                word);
    else
        say_why(q, "a text is written in single quotes: '%'", word);
    explain_expression_mark(q, "Statement", text, word);
    return true;
}

/* A name with signs, which needs quotes: Orders.by-status is a table and an index, each with quotes
 * of its own; or it is one name. A number begins only a name of a table. */
static bool at_name(struct inquiry *q, struct span text, struct span place)
{
    struct span around = explain_tokens_around(text, (struct span){place.at, 0}, "-_.");
    bool is_behind = around.len && *around.at == '.'; /* a table in quotes */
    struct span name = span_from(around, is_behind);
    const char *quoted = say_text(q, "\"%\"", name);
    struct span source = inquiry_lower(q, word_before(text, name.at));
    bool is_source = span_is(source, "from") || span_is(source, "into") ||
                     span_is(source, "update");
    const struct table *t;

    if (name.len <= place.len || !(ascii_is_letter(*name.at) || is_source))
        return false;
    for (size_t i = 1; i < name.len && !is_behind; i++)
        if (name.at[i] == '.' && !op_target_find_named(&q->call, (struct span){name.at, i}, &t))
            quoted = say_text(q, "\"%\".\"%\"", t->name, span_from(name, i + 1));
    if (span_find(name, '-') || span_find(name, '.'))
        say_why(q, "a name with '%' is written in double quotes: %",
                span_find(name, '-') ? '-' : '.', quoted);
    else if (ascii_is_digit(*name.at))
        say_why(q, "a name that begins with a digit is written in double quotes: %", quoted);
    else
        return false;
    mend_place(q, name, quoted);
    return true;
}

static bool is_comparison(enum partiql_token_kind kind)
{
    return kind >= PQ_EQ && kind <= PQ_GE;
}

/* WHERE date = …, SELECT date FROM …: a reserved word as a name. */
static bool at_keyword(struct inquiry *q, struct span place)
{
    for (const struct partiql_token *t = tokens_of(q); t->kind != PQ_END; t++) {
        bool is_name = is_comparison(t[1].kind) || t[1].kind == PQ_COMMA || t[1].kind == PQ_FROM;
        const char *quoted = say_text(q, "\"%\"", t->text);

        if (t->kind < PQ_KEYWORD || !is_name ||
            (t->text.at != place.at && t[1].text.at != place.at))
            continue;
        say_why(q, "% is a reserved word: as a name it is written in double quotes, %", t->text,
                quoted);
        mend_place(q, t->text, quoted);
        return true;
    }
    return false;
}

void explain_statement_form(struct inquiry *q)
{
    for (const struct partiql_token *t = tokens_of(q); t->kind != PQ_END; t++) {
        if (t->kind == PQ_AS && (t[1].kind == PQ_NAME || t[1].kind == PQ_QUOTED))
            say_why(q, "nothing has another name in a statement: leave out AS %", t[1].text);
        if (t->kind == PQ_FROM && (t[1].kind == PQ_NAME || t[1].kind == PQ_QUOTED) &&
            t[2].kind == PQ_NAME)
            say_why(q,
                    "a table has no other name in a statement: leave it out between % and WHERE, "
                    "and in front of attributes",
                    t[1].text);
    }
}

static bool is_in_statement(struct inquiry *q, struct span place)
{
    struct span text = text_of(q);

    return place.at && (uintptr_t)place.at >= (uintptr_t)text.at &&
           (uintptr_t)span_end(place) <= (uintptr_t)span_end(text);
}

void explain_statement_mark(struct inquiry *q, const struct refusal *r)
{
    if (is_in_statement(q, r->why->place))
        explain_expression_mark(q, "Statement", text_of(q), r->why->place);
}

/* place.* */
void explain_statement_all(struct inquiry *q, const struct refusal *r)
{
    explain_statement_mark(q, r);
    explain_statement_propose(q, r->why->place, arena_text(q->arena, r->why->operand));
}

void explain_statement_place(struct inquiry *q, const struct refusal *r)
{
    struct span text = text_of(q), place = r->why->place;
    struct span lower = inquiry_lower(q, place);
    struct span before = word_before(text, place.at);
    const char *instead = explain_tokens_instead(q, foreign, COUNT(foreign), place);

    if (!is_in_statement(q, place))
        return;
    if (!instead)
        instead = explain_tokens_instead(q, foreign, COUNT(foreign), before);
    if ((!is_curly(place) && at_name(q, text, place)) || at_apostrophe(q, text))
        return;
    else if (instead)
        say_why(q, "%", instead);
    else if (place.len && span_is(inquiry_lower(q, before), "from") &&
             span_find(word_before(text, before.at), ','))
        say_why(q, "a comma is before FROM: leave it out");
    else if (!place.len)
        say_why(q, "the statement is incomplete");
    else if (is_curly(span_from(text, (size_t)(place.at - text.at))))
        say_why(q, "that is a curly quote: write texts in ', names in \"");
    else if (at_keyword(q, place) || at_quote(q, text, place) || at_text(q, text, place))
        return;
    else if (*place.at == ',' || (span_is(lower, "inner") || span_is(lower, "left")))
        say_why(q, "a statement reads one table, and has one list of what it shows");
    else if (*place.at == '`')
        say_why(q, "a name is written in double quotes, not in `");
    else if (r->why->cause == CAUSE_STATEMENT_COLUMN)
        say_why(q, "% is no attribute: columns and ORDER BY take names and paths", place);
    else
        say_why(q, "% cannot follow here", place);
    explain_expression_mark(q, "Statement", text, place);
}

/* --- without a place -------------------------------------------------------------------------- */

bool explain_statement_read(struct inquiry *q, struct statement *s)
{
    return text_of(q).at && !statement_read_entry(&q->call, q->entry, s) &&
           !partiql_read(q->arena, s->text, s->parameters, s->parameter_count, &s->parsed) &&
           !statement_find_table(&q->call, s);
}

void explain_statement_parameters(struct inquiry *q, const struct refusal *r)
{
    size_t given = wire_count(wire_get(q->entry, "Parameters")), wanted = r->why->count;
    struct word values = say_count(given, "value");

    for (const struct partiql_token *t = tokens_of(q); t->kind != PQ_END && wanted < given; t++)
        if ((t->kind == PQ_STRING || t->kind == PQ_QUOTED) && span_is(t->word, "?")) {
            say_why(q, "% in quotes is text: write ? without quotes", t->text);
            mend_place(q, t->text, "?");
            return;
        }
    if (!wanted)
        say_why(q, "Parameters has %, the statement has no ?", values);
    else
        say_why(q, "the statement has % ?, Parameters has %", wanted, values);
}

/* The operator behind this name; NULL: it is not compared by one. */
static const struct partiql_token *operator_of(struct inquiry *q, struct span name)
{
    const struct partiql_token *t = tokens_of(q);

    while (t->kind != PQ_END && !((t->kind == PQ_NAME || t->kind == PQ_QUOTED) &&
                                  span_equal(t->word, name) && is_comparison(t[1].kind)))
        t++;
    return t->kind == PQ_END ? NULL : t + 1;
}

/* WHERE id = "a": a key attribute that is compared with a name, which was meant to be a text. */
static bool say_key_is_name(struct inquiry *q, const struct key_schema *keys)
{
    const struct key_part *part;

    for (size_t i = 0; (part = schema_key_part(keys, i)); i++) {
        const struct partiql_token *t = operator_of(q, part->name);

        if (!t++ || (t->kind != PQ_QUOTED && (t->kind != PQ_NAME || t[1].kind == PQ_OPEN)))
            continue;
        say_why(q, "% is an attribute's name: a text is written in single quotes, '%'", t->text,
                t->word);
        mend_place(q, t->text, say_text(q, "'%'", t->word));
        return true;
    }
    return false;
}

void explain_statement_order(struct inquiry *q, const struct refusal *r)
{
    const struct key_schema *keys;
    struct statement s;
    struct span hash;

    if (!explain_statement_read(q, &s)) {
        say_why(q, "ORDER BY is for the items of one partition: write WHERE with the partition key "
                   "before it");
        return;
    }
    keys = statement_keys(&s);
    hash = keys->hash[0].name;
    if (r->why->cause == CAUSE_ORDER_SCAN && say_key_is_name(q, keys))
        return;
    if (r->why->cause == CAUSE_ORDER_STRANGER)
        say_why(q, "items come in the order of %: ORDER BY takes attributes of the key only",
                keys->range_count ? keys->range[0].name : SPAN_LIT("their keys' hashes"));
    else if (r->why->cause == CAUSE_ORDER_PARTITIONS)
        say_why(q, "% IN (…) asks for several partitions: ORDER BY begins with % then", hash, hash);
    else
        say_why(q, "ORDER BY is for the items of one partition: write WHERE % = … before it", hash);
}

/* Whether stored values of the key say what a value of another type was meant to be. */
static bool propose_typed(struct inquiry *q, struct span name, const char **how)
{
    struct expr_key key = {NULL, 0};
    struct expr_comparison one;
    struct expr_parts parts;
    struct statement s;
    struct rows rows;
    size_t count;

    *how = NULL;
    if (!explain_statement_read(q, &s))
        return false;
    rows = (struct rows){s.table, s.index};
    parts = expr_condition_parts(q->arena, s.parsed.where);
    if (s.parsed.item.len)
        key = explain_read_key(q, explain_rows_keys(&rows), &s.parsed.item);
    else
        key.at = arena_array(q->arena, parts.len + 1, sizeof *key.at);
    for (size_t i = 0; i < parts.len; i++) {
        struct expr_key_clause *clause = &key.at[key.len];
        const struct attr **choices = expr_choices(q->arena, parts.at[i], &count);

        key.len += explain_read_clause(parts.at[i], clause);
        if (clause == &key.at[key.len] && count && expr_as_comparison(parts.at[i], &one)) /* IN */
            key.at[key.len++] = (struct expr_key_clause){one.path->at[0].name, EXPR_EQ, **choices,
                                                         **choices};
    }
    return explain_missing_typed(q, &rows, &key, name, how);
}

/* id = 7, where id is a text, or {'id': 7} in an INSERT. Of a literal it is said how it is written.
 */
void explain_statement_type(struct inquiry *q, const struct refusal *r)
{
    enum attr_type wanted = (enum attr_type)r->why->wanted, found = (enum attr_type)r->why->found;
    const struct partiql_token *t = tokens_of(q);
    struct span name = r->why->operand;
    const char *how;
    bool is_known = propose_typed(q, name, &how);

    while (t->kind != PQ_END &&
           !(span_equal(t->word, name) &&
             (((t->kind == PQ_NAME || t->kind == PQ_QUOTED) && is_comparison(t[1].kind)) ||
              (t->kind == PQ_STRING && t[1].kind == PQ_COLON))))
        t++;
    t += t->kind != PQ_END ? 2 : 0;
    if (t->kind != PQ_NUMBER && t->kind != PQ_STRING) {
        say_why(q, "% is declared %, and the value is %%", name, wanted, found,
                say_behind(q, ": ", how));
        return;
    }
    say_why(q, "% is declared %, and % is %: %", name, wanted, t->text, found,
            how ? how : "write a text in single quotes, a number without");
    if (t->kind == PQ_NUMBER && q->call.op->access != OP_WRITES && wanted == ATTR_S && !is_known)
        explain_statement_propose(q, t->text, say_text(q, "'%'", t->text));
    if (t->kind == PQ_STRING && wanted == ATTR_N && !is_known)
        explain_statement_propose(q, t->text, arena_text(q->arena, t->word));
}

/* A part of the key that the statement does not say. */
void explain_statement_key(struct inquiry *q, const struct refusal *r)
{
    bool is_read = r->why->cause == CAUSE_STATEMENT_READ;
    const struct partiql_token *op;
    const struct key_schema *keys;
    const struct key_part *part;
    struct span *names = NULL;
    struct statement s;
    size_t count = 0;

    if (!explain_statement_read(q, &s))
        return;
    keys = &s.table->keys;
    if (is_read && !statement_find_key(&q->call, &s) && s.has_key) {
        say_why(q, "a SELECT of a batch or transaction reads one item by its key, and takes no "
                   "other condition");
        return;
    }
    if (s.parsed.where)
        expr_condition_names(q->arena, s.parsed.where, &names, &count);
    if (!s.parsed.where && !s.parsed.item.len)
        say_why(q, "a statement that writes changes one item: write WHERE with its key, %", keys);
    for (size_t i = 0; (part = schema_key_part(keys, i)); i++)
        if (!item_find(&s.parsed.item, part->name) && !span_is_among(part->name, names, count))
            say_why(q, "the key of % is %: the statement does not say %", s.table, keys,
                    part->name);
    if (say_key_is_name(q, keys))
        return;
    for (size_t i = 0; (part = schema_key_part(keys, i)); i++)
        if (!(op = operator_of(q, part->name)) || op->kind != PQ_EQ)
            say_why(q, "a statement that % needs the whole key of %: write % = …",
                    is_read ? "is one of several" : "writes", s.table, part->name);
    say_why(q, "the key of % is %: a statement that % says = for each part", s.table, keys,
            is_read ? "is one of several" : "writes");
}

/* A name or something else where a value belongs. */
void explain_statement_value(struct inquiry *q, const struct refusal *r)
{
    struct span place = r->why->place;
    bool quoted = place.len > 2 && *place.at == '"';

    if (quoted)
        place = (struct span){place.at + 1, place.len - 2};
    if (tokens_of(q)->kind == PQ_UPDATE && place.len == 1 && strchr("*/%", *place.at)) {
        say_why(q,
                "there is no %: SET takes + and - of two values, compute the rest before the "
                "request",
                place);
    } else if (quoted || r->why->cause == CAUSE_STATEMENT_NAME) {
        say_why(q, "% is an attribute's name: a text is written in single quotes, '%'",
                r->why->place, place);
        explain_statement_propose(q, r->why->place, say_text(q, "'%'", place));
    } else {
        say_why(q,
                "% is no value: write a text as 'text', a number, true, false, null, [list], "
                "{map}, <<set>> or ?",
                place);
    }
    explain_statement_mark(q, r);
}

/* SET of an attribute that the item lacks; no statement has if_not_exists. */
void explain_statement_lacks(struct inquiry *q, const struct refusal *r)
{
    const char *more = explain_statement_where(q);

    if (more)
        say_why(q, "%", more);
    else if (text_of(q).at && r->why->wanted >= 0)
        say_why(q, "% is not in the item yet: SET it to a % first", r->why->operand,
                r->why->wanted == ATTR_L ? "list" : "number");
    else
        explain_expression_lacks(q, r);
}

/* --- for other explanations ------------------------------------------------------------------- */

const char *explain_statement_where(struct inquiry *q)
{
    for (const struct partiql_token *t = tokens_of(q); t->kind != PQ_END; t++) {
        bool is_operand = is_comparison(t->kind) ||
                          (t->kind == PQ_COMMA && t[1].kind == PQ_QUOTED && t[2].kind == PQ_CLOSE);

        if (is_operand && t[1].kind == PQ_QUOTED) {
            explain_statement_propose(q, t[1].text, say_text(q, "'%'", t[1].word));
            return say_text(
                q, "% in double quotes is an attribute's name: write texts in single quotes",
                t[1].text);
        }
        if (t->kind == PQ_STRING && is_comparison(t[1].kind) && t[2].kind != PQ_NAME &&
            t[2].kind != PQ_QUOTED) {
            explain_statement_propose(q, t->text, say_text(q, "\"%\"", t->word));
            return say_text(q,
                            "% in single quotes is a text: write names without quotes, or in "
                            "double quotes",
                            t->text);
        }
        if (t->kind == PQ_IS && t[1].kind == PQ_NULL) {
            explain_statement_propose(q, t[1].text, "MISSING");
            return "IS NULL finds a stored NULL, IS MISSING finds items without the attribute";
        }
    }
    return NULL;
}

void explain_statement_begins(struct inquiry *q, struct span name)
{
    const struct partiql_token *op = operator_of(q, name);

    if (op && op->kind == PQ_EQ)
        explain_statement_propose(
            q, (struct span){op[-1].text.at, (size_t)(span_end(op[1].text) - op[-1].text.at)},
            say_text(q, "begins_with(%, %)", op[-1].text, op[1].text));
}

struct span explain_statement_word(struct inquiry *q)
{
    for (const struct partiql_token *t = tokens_of(q); t->kind != PQ_END; t++)
        if (is_comparison(t->kind) && t[1].kind == PQ_NAME && t[2].kind != PQ_DOT &&
            t[2].kind != PQ_BRACKET && t[2].kind != PQ_OPEN)
            return t[1].text;
    return (struct span){NULL, 0};
}

struct span explain_statement_table(struct inquiry *q, struct span name)
{
    enum partiql_token_kind before = PQ_END;

    for (const struct partiql_token *t = tokens_of(q); t->kind != PQ_END; before = t->kind, t++)
        if ((t->kind == PQ_QUOTED ||
             (t->kind == PQ_NAME &&
              (before == PQ_FROM || before == PQ_INTO || before == PQ_UPDATE))) &&
            span_equal(t->word, name))
            return t->text;
    return (struct span){NULL, 0};
}
