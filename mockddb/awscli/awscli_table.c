#include "awscli/awscli_table.h"

#include <math.h>

#include "awscli/awscli_scalar.h"
#include "awscli/awscli_width.h"
#include "base/one_more.h"

#define TERMINAL_WIDTH 80 /* the CLI's width without a terminal */
#define PADDING        4

/* A list of strings: columns of a row, or rows. */
struct texts {
    struct span *at;
    size_t len;
};

struct section {
    struct span title;
    int indent;
    struct texts headers; /* may be empty */
    struct texts cells;   /* row by row */
    bool has_rows;        /* even if they have no cells */
    size_t columns;
    size_t *widths;
};

struct drawing {
    struct arena *arena;
    struct section *at;
    size_t len;
};

/* --- contents --------------------------------------------------------------------------------- */

static void add_string(struct arena *a, struct texts *t, struct span text)
{
    t->at = one_more(a, t->at, t->len, sizeof text);
    t->at[t->len++] = text;
}

static void add_cell(struct drawing *t, struct texts *to, size_t column, struct span text)
{
    struct section *s = &t->at[t->len - 1];

    if (column >= s->columns) {
        s->widths = arena_grow(t->arena, s->widths, s->columns * sizeof *s->widths,
                               (column + 1) * sizeof *s->widths);
        s->widths[column] = 0;
        s->columns = column + 1;
    }
    if (awscli_width(text) > s->widths[column])
        s->widths[column] = awscli_width(text);
    add_string(t->arena, to, text);
}

static void new_section(struct drawing *t, struct span title, int indent)
{
    t->at = one_more(t->arena, t->at, t->len, sizeof *t->at);
    t->at[t->len++] = (struct section){.title = title, .indent = indent};
}

static struct span text_of(struct arena *a, const wire_node *node)
{
    struct buf out = buf_in(a);

    if (node)
        awscli_scalar_add(&out, node);
    return buf_span(&out);
}

static void add_names(struct arena *a, const wire_node *object, struct awscli_names *headers,
                      struct awscli_names *more)
{
    for (const wire_node *n = wire_first(object); n; n = wire_next(n))
        awscli_scalar_add_name(a, awscli_scalar_is(n) ? headers : more, wire_name(n));
}

/* --- from an answer --------------------------------------------------------------------------- */

static bool is_empty(const wire_node *node)
{
    switch (json_kind(node)) {
    case JSON_ARRAY:
    case JSON_OBJECT:
        return !wire_count(node);
    case JSON_STRING:
        return !wire_text(node).len;
    case JSON_BOOL:
        return !wire_bool(node, false);
    case JSON_NUMBER:
        return wire_double(node, 0) == 0;
    default:
        return true;
    }
}

static void build_sections(struct drawing *t, struct span title, const wire_node *node, int indent);

static void build_object(struct drawing *t, const wire_node *object, int indent)
{
    struct awscli_names headers = {NULL, 0}, more = {NULL, 0};
    struct section *s = &t->at[t->len - 1];

    add_names(t->arena, object, &headers, &more);
    if (headers.len == 1)
        add_cell(t, &s->cells, 0, headers.at[0]);
    for (size_t i = 0; headers.len > 1 && i < headers.len; i++)
        add_cell(t, &s->headers, i, headers.at[i]);
    for (size_t i = 0; i < headers.len; i++)
        add_cell(t, &s->cells, headers.len == 1 ? 1 : i,
                 text_of(t->arena, json_member(object, headers.at[i])));
    for (size_t i = 0; i < more.len; i++)
        build_sections(t, more.at[i], json_member(object, more.at[i]), indent + 1);
}

static void add_headers(struct drawing *t, const struct awscli_names *headers)
{
    struct section *s = &t->at[t->len - 1];

    for (size_t i = 0; i < headers->len; i++)
        add_cell(t, &s->headers, i, headers->at[i]);
}

static void build_objects(struct drawing *t, struct span title, const wire_node *list, int indent)
{
    struct awscli_names headers = {NULL, 0}, more = {NULL, 0};

    for (const wire_node *n = wire_first(list); n; n = wire_next(n))
        add_names(t->arena, n, &headers, &more);
    add_headers(t, &headers);
    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        struct section *s;

        if (n != wire_first(list) && more.len) {
            new_section(t, title, indent);
            add_headers(t, &headers);
        }
        s = &t->at[t->len - 1];
        s->has_rows = true;
        for (size_t i = 0; i < headers.len; i++)
            add_cell(t, &s->cells, i, text_of(t->arena, json_member(n, headers.at[i])));
        for (size_t i = 0; i < more.len; i++)
            if (json_member(n, more.at[i]))
                build_sections(t, more.at[i], json_member(n, more.at[i]), indent + 1);
    }
}

/* A list of scalars is a row of them; a list with other lists in it is rows for itself. */
static bool is_row(const wire_node *list)
{
    for (const wire_node *n = wire_first(list); n; n = wire_next(n))
        if (!awscli_scalar_is(n))
            return false;
    return true;
}

/* The number of columns of a list's rows. */
static size_t count_columns(const wire_node *list)
{
    size_t most = 1;

    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        size_t columns = awscli_scalar_is(n) ? 1 : is_row(n) ? wire_count(n) : count_columns(n);

        most = columns > most ? columns : most;
    }
    return most;
}

/* A row for each element; shorter rows are filled up. */
static void build_rows(struct drawing *t, const wire_node *list, size_t columns)
{
    struct section *s = &t->at[t->len - 1];

    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        const wire_node *cell = awscli_scalar_is(n) ? n : wire_first(n);

        if (!awscli_scalar_is(n) && !is_row(n)) {
            build_rows(t, n, columns);
            continue;
        }
        for (size_t i = 0; i < columns; i++) {
            add_cell(t, &s->cells, i, text_of(t->arena, cell));
            cell = cell && !awscli_scalar_is(n) ? wire_next(cell) : NULL;
        }
    }
}

static void build_sections(struct drawing *t, struct span title, const wire_node *node, int indent)
{
    if (is_empty(node))
        return;
    new_section(t, title, indent);
    if (json_kind(node) == JSON_OBJECT)
        build_object(t, node, indent);
    else if (json_kind(node) == JSON_ARRAY && json_kind(wire_first(node)) == JSON_OBJECT)
        build_objects(t, title, node, indent);
    else if (json_kind(node) == JSON_ARRAY)
        build_rows(t, node, count_columns(node));
}

/* --- widths ----------------------------------------------------------------------------------- */

static size_t total_width(const struct section *s)
{
    size_t sum = 2, title = awscli_width(s->title) + 2, outer = 2 * (size_t)s->indent;

    for (size_t i = 0; i < s->columns; i++)
        sum += s->widths[i] + PADDING;
    return (sum > title ? sum : title) + outer;
}

static size_t max_width(const struct drawing *t)
{
    size_t max = 0;

    for (size_t i = 0; i < t->len; i++)
        if (total_width(&t->at[i]) > max)
            max = total_width(&t->at[i]);
    return max;
}

/* Rounds like Python: halves to the even number. */
static size_t scaled_width(double factor, size_t width)
{
    return (size_t)nearbyint(factor * (double)width);
}

/* Spreads the columns over the width of the whole table. */
static size_t *column_widths(struct arena *a, const struct section *s, size_t width)
{
    size_t *out = arena_array(a, s->columns, sizeof *out), sum = 0, total = 0;

    for (size_t i = 0; i < s->columns; i++)
        sum += s->widths[i] + PADDING;
    for (size_t i = 0; i < s->columns; i++) {
        out[i] = scaled_width((double)width / (double)sum, s->widths[i] + PADDING);
        total += out[i];
    }
    for (size_t i = 0; total > width; i = (i + 1) % s->columns, total--)
        out[i]--;
    for (size_t i = s->columns; total < width; total++) {
        i = i ? i : s->columns;
        out[--i]++;
    }
    return out;
}

/* If the table is too wide for a terminal, a section with one row is drawn vertically. */
static void turn_upright(struct drawing *t)
{
    for (size_t i = 0; i < t->len; i++) {
        struct section old = t->at[i], *s = &t->at[i];
        size_t len = t->len;

        if (!old.headers.len || old.cells.len != old.columns)
            continue;
        *s = (struct section){.title = old.title, .indent = old.indent};
        t->len = i + 1; /* add_cell works on the last one */
        for (size_t k = 0; k < old.headers.len; k++) {
            add_cell(t, &s->cells, 0, old.headers.at[k]);
            add_cell(t, &s->cells, 1, old.cells.at[k]);
        }
        t->len = len;
    }
}

/* --- lines ------------------------------------------------------------------------------------ */

static void add_times(struct buf *out, char c, size_t count)
{
    while (count--)
        buf_add_char(out, c);
}

static size_t less_or_zero(size_t a, size_t b)
{
    return a > b ? a - b : 0;
}

static void add_centred(struct buf *out, struct span text, size_t width, bool left_edge)
{
    size_t len = awscli_width(text), before = less_or_zero(width / 2, len / 2 + 1);

    buf_add_text(out, left_edge ? "|" : "");
    add_times(out, ' ', before);
    buf_add_span(out, text);
    add_times(out, ' ', less_or_zero(width - 1, left_edge + before + len));
    buf_add_char(out, '|');
}

static void add_left(struct buf *out, struct span text, size_t width, bool left_edge)
{
    size_t len = awscli_width(text), edge = left_edge;
    size_t padding = width >= len + 2 + edge + 1 ? 2 : 0;

    buf_add_text(out, left_edge ? "|" : "");
    add_times(out, ' ', padding);
    buf_add_span(out, text);
    add_times(out, ' ', less_or_zero(width - 1, edge + padding + len));
    buf_add_char(out, '|');
}

static void begin_line(struct buf *out, const struct section *s)
{
    add_times(out, '|', (size_t)s->indent);
}

static void end_line(struct buf *out, const struct section *s)
{
    add_times(out, '|', (size_t)s->indent);
    buf_add_char(out, '\n');
}

static void add_break(struct buf *out, const struct section *s, const size_t *widths)
{
    begin_line(out, s);
    for (size_t i = 0; i < s->columns; i++) {
        buf_add_text(out, i ? "" : "+");
        add_times(out, '-', less_or_zero(widths[i], i ? 1 : 2));
        buf_add_char(out, '+');
    }
    end_line(out, s);
}

static void add_title(struct buf *out, const struct section *s, size_t width)
{
    if (!s->title.len)
        return;
    begin_line(out, s);
    add_centred(out, s->title, width, true);
    end_line(out, s);
    if (s->headers.len || s->cells.len || s->has_rows)
        return;
    begin_line(out, s);
    buf_add_char(out, '+');
    add_times(out, '-', less_or_zero(width, 2));
    buf_add_char(out, '+');
    end_line(out, s);
}

static void add_section(struct buf *out, const struct section *s, size_t width)
{
    size_t *widths;

    width -= 2 * (size_t)s->indent;
    add_title(out, s, width);
    if (!s->columns)
        return;
    widths = column_widths(out->arena, s, width);
    if (s->headers.len) {
        add_break(out, s, widths);
        begin_line(out, s);
        for (size_t i = 0; i < s->columns; i++)
            add_centred(out, s->headers.at[i], widths[i], !i);
        end_line(out, s);
    }
    if (!s->cells.len)
        return;
    add_break(out, s, widths);
    for (size_t i = 0; i < s->cells.len; i++) {
        size_t column = i % s->columns;

        if (!column)
            begin_line(out, s);
        add_left(out, s->cells.at[i], widths[column], !column);
        if (column == s->columns - 1)
            end_line(out, s);
    }
    add_break(out, s, widths);
}

void awscli_table_add(struct buf *out, const char *title, const wire_node *node)
{
    struct drawing t = {.arena = out->arena};
    size_t width;

    build_sections(&t, span_of(title), node, 0);
    if (!t.len)
        return;
    if (max_width(&t) > TERMINAL_WIDTH)
        turn_upright(&t);
    width = max_width(&t);
    add_times(out, '-', width);
    buf_add_char(out, '\n');
    for (size_t i = 0; i < t.len; i++)
        add_section(out, &t.at[i], width);
}
