#include "awscli/awscli_table.h"

#include <math.h>
#include <stdlib.h>

#include "awscli/awscli_scalar.h"
#include "base/one_more.h"
#include "base/utf8.h"

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
    size_t columns, *widths;
};

struct drawing {
    struct arena *arena;
    struct section *at;
    size_t len;
};

/* --- the width of texts ------------------------------------------------------------------------
 */

/* Unicode 14's East Asian Width F, W and A; ranges also cover unassigned letters. */
static const struct letters {
    uint32_t from, to;
} wide[] = {
    {0xa1, 0xa1},       {0xa4, 0xa4},       {0xa7, 0xa8},       {0xaa, 0xaa},
    {0xad, 0xae},       {0xb0, 0xb4},       {0xb6, 0xba},       {0xbc, 0xbf},
    {0xc6, 0xc6},       {0xd0, 0xd0},       {0xd7, 0xd8},       {0xde, 0xe1},
    {0xe6, 0xe6},       {0xe8, 0xea},       {0xec, 0xed},       {0xf0, 0xf0},
    {0xf2, 0xf3},       {0xf7, 0xfa},       {0xfc, 0xfc},       {0xfe, 0xfe},
    {0x101, 0x101},     {0x111, 0x111},     {0x113, 0x113},     {0x11b, 0x11b},
    {0x126, 0x127},     {0x12b, 0x12b},     {0x131, 0x133},     {0x138, 0x138},
    {0x13f, 0x142},     {0x144, 0x144},     {0x148, 0x14b},     {0x14d, 0x14d},
    {0x152, 0x153},     {0x166, 0x167},     {0x16b, 0x16b},     {0x1ce, 0x1ce},
    {0x1d0, 0x1d0},     {0x1d2, 0x1d2},     {0x1d4, 0x1d4},     {0x1d6, 0x1d6},
    {0x1d8, 0x1d8},     {0x1da, 0x1da},     {0x1dc, 0x1dc},     {0x251, 0x251},
    {0x261, 0x261},     {0x2c4, 0x2c4},     {0x2c7, 0x2c7},     {0x2c9, 0x2cb},
    {0x2cd, 0x2cd},     {0x2d0, 0x2d0},     {0x2d8, 0x2db},     {0x2dd, 0x2dd},
    {0x2df, 0x2df},     {0x300, 0x36f},     {0x391, 0x3a9},     {0x3b1, 0x3c1},
    {0x3c3, 0x3c9},     {0x401, 0x401},     {0x410, 0x44f},     {0x451, 0x451},
    {0x1100, 0x115f},   {0x2010, 0x2010},   {0x2013, 0x2016},   {0x2018, 0x2019},
    {0x201c, 0x201d},   {0x2020, 0x2022},   {0x2024, 0x2027},   {0x2030, 0x2030},
    {0x2032, 0x2033},   {0x2035, 0x2035},   {0x203b, 0x203b},   {0x203e, 0x203e},
    {0x2074, 0x2074},   {0x207f, 0x207f},   {0x2081, 0x2084},   {0x20ac, 0x20ac},
    {0x2103, 0x2103},   {0x2105, 0x2105},   {0x2109, 0x2109},   {0x2113, 0x2113},
    {0x2116, 0x2116},   {0x2121, 0x2122},   {0x2126, 0x2126},   {0x212b, 0x212b},
    {0x2153, 0x2154},   {0x215b, 0x215e},   {0x2160, 0x216b},   {0x2170, 0x2179},
    {0x2189, 0x2189},   {0x2190, 0x2199},   {0x21b8, 0x21b9},   {0x21d2, 0x21d2},
    {0x21d4, 0x21d4},   {0x21e7, 0x21e7},   {0x2200, 0x2200},   {0x2202, 0x2203},
    {0x2207, 0x2208},   {0x220b, 0x220b},   {0x220f, 0x220f},   {0x2211, 0x2211},
    {0x2215, 0x2215},   {0x221a, 0x221a},   {0x221d, 0x2220},   {0x2223, 0x2223},
    {0x2225, 0x2225},   {0x2227, 0x222c},   {0x222e, 0x222e},   {0x2234, 0x2237},
    {0x223c, 0x223d},   {0x2248, 0x2248},   {0x224c, 0x224c},   {0x2252, 0x2252},
    {0x2260, 0x2261},   {0x2264, 0x2267},   {0x226a, 0x226b},   {0x226e, 0x226f},
    {0x2282, 0x2283},   {0x2286, 0x2287},   {0x2295, 0x2295},   {0x2299, 0x2299},
    {0x22a5, 0x22a5},   {0x22bf, 0x22bf},   {0x2312, 0x2312},   {0x231a, 0x231b},
    {0x2329, 0x232a},   {0x23e9, 0x23ec},   {0x23f0, 0x23f0},   {0x23f3, 0x23f3},
    {0x2460, 0x24e9},   {0x24eb, 0x254b},   {0x2550, 0x2573},   {0x2580, 0x258f},
    {0x2592, 0x2595},   {0x25a0, 0x25a1},   {0x25a3, 0x25a9},   {0x25b2, 0x25b3},
    {0x25b6, 0x25b7},   {0x25bc, 0x25bd},   {0x25c0, 0x25c1},   {0x25c6, 0x25c8},
    {0x25cb, 0x25cb},   {0x25ce, 0x25d1},   {0x25e2, 0x25e5},   {0x25ef, 0x25ef},
    {0x25fd, 0x25fe},   {0x2605, 0x2606},   {0x2609, 0x2609},   {0x260e, 0x260f},
    {0x2614, 0x2615},   {0x261c, 0x261c},   {0x261e, 0x261e},   {0x2640, 0x2640},
    {0x2642, 0x2642},   {0x2648, 0x2653},   {0x2660, 0x2661},   {0x2663, 0x2665},
    {0x2667, 0x266a},   {0x266c, 0x266d},   {0x266f, 0x266f},   {0x267f, 0x267f},
    {0x2693, 0x2693},   {0x269e, 0x269f},   {0x26a1, 0x26a1},   {0x26aa, 0x26ab},
    {0x26bd, 0x26bf},   {0x26c4, 0x26e1},   {0x26e3, 0x26e3},   {0x26e8, 0x26ff},
    {0x2705, 0x2705},   {0x270a, 0x270b},   {0x2728, 0x2728},   {0x273d, 0x273d},
    {0x274c, 0x274c},   {0x274e, 0x274e},   {0x2753, 0x2755},   {0x2757, 0x2757},
    {0x2776, 0x277f},   {0x2795, 0x2797},   {0x27b0, 0x27b0},   {0x27bf, 0x27bf},
    {0x2b1b, 0x2b1c},   {0x2b50, 0x2b50},   {0x2b55, 0x2b59},   {0x2e80, 0x303e},
    {0x3041, 0x4dbf},   {0x4e00, 0xa4c6},   {0xa960, 0xa97c},   {0xac00, 0xd7a3},
    {0xe000, 0xfad9},   {0xfe00, 0xfe19},   {0xfe30, 0xfe6b},   {0xff01, 0xff60},
    {0xffe0, 0xffe6},   {0xfffd, 0xfffd},   {0x16fe0, 0x1b2fb}, {0x1f004, 0x1f004},
    {0x1f0cf, 0x1f0cf}, {0x1f100, 0x1f10a}, {0x1f110, 0x1f12d}, {0x1f130, 0x1f169},
    {0x1f170, 0x1f1ac}, {0x1f200, 0x1f320}, {0x1f32d, 0x1f335}, {0x1f337, 0x1f37c},
    {0x1f37e, 0x1f393}, {0x1f3a0, 0x1f3ca}, {0x1f3cf, 0x1f3d3}, {0x1f3e0, 0x1f3f0},
    {0x1f3f4, 0x1f3f4}, {0x1f3f8, 0x1f43e}, {0x1f440, 0x1f440}, {0x1f442, 0x1f4fc},
    {0x1f4ff, 0x1f53d}, {0x1f54b, 0x1f54e}, {0x1f550, 0x1f567}, {0x1f57a, 0x1f57a},
    {0x1f595, 0x1f596}, {0x1f5a4, 0x1f5a4}, {0x1f5fb, 0x1f64f}, {0x1f680, 0x1f6c5},
    {0x1f6cc, 0x1f6cc}, {0x1f6d0, 0x1f6d2}, {0x1f6d5, 0x1f6df}, {0x1f6eb, 0x1f6ec},
    {0x1f6f4, 0x1f6fc}, {0x1f7e0, 0x1f7f0}, {0x1f90c, 0x1f93a}, {0x1f93c, 0x1f945},
    {0x1f947, 0x1f9ff}, {0x1fa70, 0x1faf6}, {0x20000, 0x3134a}, {0xe0100, 0x10fffd},
};

static int compare_letter(const void *letter, const void *range)
{
    const struct letters *r = range;
    uint32_t c = *(const uint32_t *)letter;

    return (c > r->to) - (c < r->from);
}

/* The columns that the CLI counts for valid UTF-8. They differ from a terminal's (base/utf8.h):
 * letters of ambiguous width in Unicode, such as é, count as two, and so do combining marks. */
static size_t width_of(struct span text)
{
    size_t width = 0, len;

    for (; text.len; text = span_from(text, len)) {
        uint32_t letter = utf8_letter(text, &len);

        width += bsearch(&letter, wide, COUNT(wide), sizeof *wide, compare_letter) ? 2 : 1;
    }
    return width;
}

/* --- contents --------------------------------------------------------------------------------- */

static void add_cell(struct drawing *t, struct texts *to, size_t column, struct span text)
{
    struct section *s = &t->at[t->len - 1];

    if (column >= s->columns) {
        s->widths = arena_grow(t->arena, s->widths, s->columns * sizeof *s->widths,
                               (column + 1) * sizeof *s->widths);
        s->widths[column] = 0;
        s->columns = column + 1;
    }
    if (width_of(text) > s->widths[column])
        s->widths[column] = width_of(text);
    to->at = one_more(t->arena, to->at, to->len, sizeof text);
    to->at[to->len++] = text;
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
    if (json_kind(node) == JSON_OBJECT) {
        struct awscli_names headers = {NULL, 0}, more = {NULL, 0};
        struct section *s = &t->at[t->len - 1];

        add_names(t->arena, node, &headers, &more);
        if (headers.len == 1)
            add_cell(t, &s->cells, 0, headers.at[0]);
        for (size_t i = 0; headers.len > 1 && i < headers.len; i++)
            add_cell(t, &s->headers, i, headers.at[i]);
        for (size_t i = 0; i < headers.len; i++)
            add_cell(t, &s->cells, headers.len == 1 ? 1 : i,
                     text_of(t->arena, json_member(node, headers.at[i])));
        for (size_t i = 0; i < more.len; i++)
            build_sections(t, more.at[i], json_member(node, more.at[i]), indent + 1);
    } else if (json_kind(node) == JSON_ARRAY && json_kind(wire_first(node)) == JSON_OBJECT)
        build_objects(t, title, node, indent);
    else if (json_kind(node) == JSON_ARRAY)
        build_rows(t, node, count_columns(node));
}

/* --- widths ----------------------------------------------------------------------------------- */

static size_t total_width(const struct section *s)
{
    size_t sum = 2, title = width_of(s->title) + 2, outer = 2 * (size_t)s->indent;

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

/* Spreads the columns over the width of the whole table. */
static size_t *column_widths(struct arena *a, const struct section *s, size_t width)
{
    size_t *out = arena_array(a, s->columns, sizeof *out), sum = 0, total = 0;

    for (size_t i = 0; i < s->columns; i++)
        sum += s->widths[i] + PADDING;
    for (size_t i = 0; i < s->columns; i++) {
        out[i] = (size_t)nearbyint(((double)width / (double)sum) *
                                   (double)(s->widths[i] + PADDING));
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
    size_t len = width_of(text), before = less_or_zero(width / 2, len / 2 + 1);

    buf_add_text(out, left_edge ? "|" : "");
    add_times(out, ' ', before);
    buf_add_span(out, text);
    add_times(out, ' ', less_or_zero(width - 1, left_edge + before + len));
    buf_add_char(out, '|');
}

static void add_left(struct buf *out, struct span text, size_t width, bool left_edge)
{
    size_t len = width_of(text), edge = left_edge;
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
