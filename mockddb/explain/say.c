#include "explain/say.h"

#include "expr/expr_print.h"

static const char *const types[ATTR_TYPE_COUNT] = {
    [ATTR_S] = "a string",      [ATTR_N] = "a number",      [ATTR_B] = "binary",
    [ATTR_SS] = "a string set", [ATTR_NS] = "a number set", [ATTR_BS] = "a binary set",
    [ATTR_BOOL] = "a boolean",  [ATTR_NULL] = "NULL",       [ATTR_L] = "a list",
    [ATTR_M] = "a map",
};

/* How the clause of a key compares. */
static const char *const comparisons[] = {
    [EXPR_EQ] = "",           [EXPR_NE] = "<> ",    [EXPR_LT] = "before ",
    [EXPR_LE] = "up to ",     [EXPR_GT] = "after ", [EXPR_GE] = "from ",
    [EXPR_BETWEEN] = "from ", [EXPR_IN] = "in ",    [EXPR_BEGINS_WITH] = "beginning with ",
};

static const char *between(size_t i, size_t count)
{
    return !i ? "" : i + 1 < count ? ", " : " and ";
}

static void add_keys(struct buf *out, const struct key_schema *keys)
{
    const struct key_part *part;

    for (size_t i = 0; (part = schema_key_part(keys, i)); i++)
        say_add(out, "%% (%)", between(i, schema_key_count(keys)), part->name, part->type);
}

static void add_values(struct buf *out, const struct word *w)
{
    const struct attr *values = w->at;
    const char *last = w->beside;

    for (size_t i = 0; i < w->count; i++)
        say_add(out, "%%", !i ? "" : i + 1 < w->count || w->more ? ", " : last, &values[i]);
    buf_add_text(out, w->more ? ", …" : "");
}

static void add_clause(struct buf *out, const struct expr_key_clause *c)
{
    say_add(out, "% %%", c->attribute, comparisons[c->op], &c->low);
    if (c->op == EXPR_BETWEEN)
        say_add(out, " to %", &c->high);
}

static void add_word(struct buf *out, const struct word *w)
{
    const struct index *ix = w->beside;
    const struct span *names = w->at;
    const struct item *it = w->at;

    switch (w->kind) {
    case WORD_END: /* a % without an operand is text */
        buf_add_char(out, '%');
        break;
    case WORD_SPAN:
        buf_add_span(out, w->text);
        break;
    case WORD_QUOTED:
        expr_print_value(out, &(struct attr){.type = ATTR_S, .bytes = w->text});
        break;
    case WORD_NUMBER:
        buf_add_integer(out, (int64_t)w->count);
        break;
    case WORD_UNITS:
        buf_printf(out, "%.15g", w->units);
        break;
    case WORD_CHAR:
        buf_add_char(out, (char)w->count);
        break;
    case WORD_TYPE:
        buf_add_text(out, attr_type_code((enum attr_type)w->count));
        break;
    case WORD_TYPE_NAME:
        buf_add_text(out, types[w->count]);
        break;
    case WORD_VALUE:
        expr_print_value(out, w->at);
        break;
    case WORD_PATH:
        path_add(out, w->at);
        break;
    case WORD_CONDITION:
        expr_print_condition(out, w->at);
        break;
    case WORD_CLAUSE:
        add_clause(out, w->at);
        break;
    case WORD_KEYS:
        add_keys(out, w->at);
        break;
    case WORD_ITEM:
        for (size_t i = 0; i < it->len; i++)
            say_add(out, "%% %", i ? " and " : "", it->at[i].name, &it->at[i].value);
        break;
    case WORD_PLACE:
        say_add(out, "%%%", (const struct table *)w->at, ix ? "." : "", ix ? ix->name : w->text);
        break;
    case WORD_COUNT:
        say_add(out, "% %%", w->count, (const char *)w->at, w->count == 1 ? "" : "s");
        break;
    case WORD_NAMES:
        for (size_t i = 0; i < w->count; i++)
            say_add(out, "%%", between(i, w->count), names[i]);
        break;
    case WORD_VALUES:
        add_values(out, w);
        break;
    }
}

void say_add_of(struct buf *out, const struct word *words)
{
    struct span text = words->text;
    const char *mark;

    for (words++; (mark = span_find(text, '%')); words += words->kind != WORD_END) {
        buf_add(out, text.at, (size_t)(mark - text.at));
        add_word(out, words);
        text = span_from(text, (size_t)(mark - text.at) + 1);
    }
    buf_add_span(out, text);
}

const char *say_text_of(struct arena *a, const struct word *words)
{
    struct buf out = buf_in(a);

    say_add_of(&out, words);
    return buf_text(&out);
}

void say_why_of(struct inquiry *q, const struct word *words)
{
    if (!q->reason.len)
        q->reason = say_text_span(q, "%%", q->about, say_text_of(q->arena, words));
}

void say_line_of(struct inquiry *q, const struct word *words)
{
    if (q->line_count < INQUIRY_LINES)
        q->lines[q->line_count++] = span_of(say_text_of(q->arena, words));
}

void say_marks(struct inquiry *q, size_t from, size_t count)
{
    struct buf marks = buf_in(q->arena);

    for (size_t i = 0; i < from + count; i++)
        buf_add_char(&marks, i < from ? ' ' : '^');
    say_line(q, "%", buf_text(&marks));
}

struct hint *say_hint_of(struct inquiry *q, enum advice weight, const char *name,
                         const struct word *words)
{
    struct hint *hint =
        &q->hints[q->hint_count < INQUIRY_HINTS - 1 ? q->hint_count++ : INQUIRY_HINTS - 1];

    *hint = (struct hint){
        .name = name, .weight = weight, .text = span_of(say_text_of(q->arena, words))};
    return hint;
}

const char *say_behind(struct inquiry *q, const char *before, const char *text)
{
    return text && *text ? say_text(q, "%%", before, text) : "";
}
