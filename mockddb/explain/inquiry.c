#include "explain/inquiry.h"

#include "base/ascii.h"
#include "expr/expr_print.h"
#include "wire/wire_attr.h"
#include "wire/wire_node.h"

#include <stdarg.h>

bool inquiry_may_read(struct inquiry *q)
{
    if (!q->rows_left)
        return false;
    q->rows_left--;
    if (q->rows_left % 16 == 0 && clock_work_us() > q->until_us)
        q->rows_left = 0;
    return q->rows_left > 0;
}

bool inquiry_has_time(struct inquiry *q)
{
    if (clock_work_us() > q->until_us)
        q->rows_left = 0;
    return q->rows_left > 0;
}

struct inquiry_share inquiry_begin_share(struct inquiry *q, unsigned percent)
{
    size_t rows = q->rows_left * percent / 100;
    int64_t now = clock_work_us(), left = q->until_us - now;
    struct inquiry_share share = {.kept_back = q->rows_left - rows, .until_us = q->until_us};

    q->rows_left = rows;
    q->until_us = now + (left > 0 ? left : 0) * percent / 100;
    return share;
}

void inquiry_end_share(struct inquiry *q, const struct inquiry_share *share)
{
    q->rows_left += share->kept_back;
    q->until_us = share->until_us;
}

bool inquiry_pause(struct inquiry *q)
{
    if (clock_work_us() > q->until_us || !q->call.unit)
        return false;
    unit_undo(q->call.unit);
    q->call.unit = NULL;
    return true;
}

void inquiry_go_on(struct inquiry *q)
{
    if (unit_begin(q->call.store, q->arena, UNIT_READS, &q->call.unit))
        q->rows_left = 0;
}

/* --- what was asked --------------------------------------------------------------------------- */

bool inquiry_read_item(struct inquiry *q, const wire_node *node, struct item *out)
{
    return node && wire_is_object(node) && !wire_read_item(q->arena, node, WIRE_LAYER_CURRENT, out);
}

bool inquiry_read_attr(struct inquiry *q, const wire_node *node, struct attr *out)
{
    return node && wire_is_object(node) && !wire_read_attr(q->arena, node, WIRE_LAYER_CURRENT, out);
}

/* --- findings --------------------------------------------------------------------------------- */

void inquiry_reason(struct inquiry *q, const char *fmt, ...)
{
    va_list args;

    if (q->reason.len)
        return;
    va_start(args, fmt);
    q->reason = span_of(
        arena_printf(q->arena, "%s%s", q->about, arena_vprintf(q->arena, fmt, args)));
    va_end(args);
}

void inquiry_line(struct inquiry *q, const char *fmt, ...)
{
    va_list args;

    if (q->line_count == INQUIRY_LINES)
        return;
    va_start(args, fmt);
    q->lines[q->line_count++] = span_of(arena_vprintf(q->arena, fmt, args));
    va_end(args);
}

struct hint *inquiry_hint(struct inquiry *q, enum advice weight, const char *name, const char *fmt,
                          ...)
{
    struct hint *hint =
        &q->hints[q->hint_count < INQUIRY_HINTS - 1 ? q->hint_count++ : INQUIRY_HINTS - 1];
    va_list args;

    va_start(args, fmt);
    *hint = (struct hint){
        .name = name, .weight = weight, .text = span_of(arena_vprintf(q->arena, fmt, args))};
    va_end(args);
    return hint;
}

/* --- words ------------------------------------------------------------------------------------ */

const char *inquiry_value(struct inquiry *q, const struct attr *value)
{
    struct buf out = buf_in(q->arena);

    expr_print_value(&out, value);
    return buf_text(&out);
}

const char *inquiry_text(struct inquiry *q, struct span text)
{
    return inquiry_value(q, &(struct attr){.type = ATTR_S, .bytes = text});
}

const char *inquiry_type(enum attr_type type)
{
    static const char *const names[ATTR_TYPE_COUNT] = {
        [ATTR_S] = "a string",      [ATTR_N] = "a number",      [ATTR_B] = "binary",
        [ATTR_SS] = "a string set", [ATTR_NS] = "a number set", [ATTR_BS] = "a binary set",
        [ATTR_BOOL] = "a boolean",  [ATTR_NULL] = "NULL",       [ATTR_L] = "a list",
        [ATTR_M] = "a map",
    };

    return names[type];
}

struct span inquiry_lower(struct inquiry *q, struct span text)
{
    char *lower = arena_text(q->arena, text);

    for (size_t i = 0; i < text.len; i++)
        lower[i] = ascii_lower(lower[i]);
    return (struct span){lower, text.len};
}

const char *inquiry_place(struct inquiry *q, const struct table *t, const struct index *ix)
{
    if (!ix)
        return arena_text(q->arena, t->name);
    return arena_printf(q->arena, "%.*s.%.*s", SPAN_ARG(t->name), SPAN_ARG(ix->name));
}

const char *inquiry_count(struct inquiry *q, size_t count, const char *word)
{
    return arena_printf(q->arena, "%zu %s%s", count, word, count == 1 ? "" : "s");
}

static void add_between(struct buf *out, size_t i, size_t count)
{
    if (i)
        buf_add_text(out, i + 1 < count ? ", " : " and ");
}

const char *inquiry_names(struct inquiry *q, const struct span *names, size_t count)
{
    struct buf out = buf_in(q->arena);

    for (size_t i = 0; i < count; i++) {
        add_between(&out, i, count);
        buf_add_span(&out, names[i]);
    }
    return buf_text(&out);
}

const char *inquiry_schema(struct inquiry *q, const struct key_schema *keys)
{
    struct buf out = buf_in(q->arena);
    size_t count = keys->hash_count + keys->range_count;
    const struct key_part *part;

    for (size_t i = 0; (part = inquiry_key_part(keys, i)); i++) {
        add_between(&out, i, count);
        buf_printf(&out, "%.*s (%s)", SPAN_ARG(part->name), attr_type_code(part->type));
    }
    return buf_text(&out);
}

const char *inquiry_values(struct inquiry *q, const struct attr *values, size_t count,
                           const char *last, bool more)
{
    struct buf out = buf_in(q->arena);

    for (size_t i = 0; i < count; i++) {
        if (i)
            buf_add_text(&out, i + 1 < count || more ? ", " : last);
        buf_add_text(&out, inquiry_value(q, &values[i]));
    }
    if (more)
        buf_add_text(&out, ", …");
    return buf_text(&out);
}

const char *inquiry_units(struct inquiry *q, double units)
{
    return arena_printf(q->arena, "%.15g", units);
}

const char *inquiry_units_words(struct inquiry *q, double units)
{
    return arena_printf(q->arena, "%s unit%s", inquiry_units(q, units), units == 1 ? "" : "s");
}
