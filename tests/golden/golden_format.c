#include "golden_format.h"

#include "base/attributes.h"

#include <string.h>

#define COLUMNS 120
#define INDENT  1

struct piece {
    struct span key;            /* with its quotes; .at is NULL in lists and at the top */
    struct span text;           /* of a string, number or word; .at is NULL for an object or list */
    char close;                 /* '}' or ']' */
    struct piece *first, *next; /* members or elements */
    size_t width;               /* in columns, on one line, without the key */
};

struct parser {
    struct arena *arena;
    const char *at, *end;
};

static void skip_blanks(struct parser *p)
{
    while (p->at < p->end && strchr(" \t\r\n", *p->at))
        p->at++;
}

/* A string with its quotes, or a run of other characters. */
static struct span read_token(struct parser *p)
{
    const char *begin = p->at;

    if (p->at < p->end && *p->at == '"') {
        for (p->at++; p->at < p->end && *p->at != '"'; p->at++)
            p->at += *p->at == '\\';
        p->at += p->at < p->end;
    } else {
        while (p->at < p->end && !strchr(" \t\r\n,:]}[{\"", *p->at))
            p->at++;
    }
    if (p->at > p->end)
        p->at = p->end;
    return (struct span){begin, (size_t)(p->at - begin)};
}

/* Characters, not bytes. */
static size_t width_of(struct span text)
{
    size_t width = 0;

    for (size_t i = 0; i < text.len; i++)
        width += ((unsigned char)text.at[i] & 0xC0) != 0x80;
    return width;
}

static size_t width_with_key(const struct piece *piece)
{
    return piece->width + (piece->key.at ? width_of(piece->key) + strlen(": ") : 0);
}

static struct piece *read_piece(struct parser *p);

static bool read_children(struct parser *p, struct piece *parent)
{
    struct piece **end = &parent->first;

    parent->close = *p->at++ == '{' ? '}' : ']';
    parent->width = 2;
    for (skip_blanks(p); p->at < p->end && *p->at != parent->close; skip_blanks(p)) {
        struct span key = {NULL, 0};

        if (parent->close == '}') {
            key = read_token(p);
            skip_blanks(p);
            if (p->at == p->end || *p->at++ != ':')
                return false;
        }
        if (!(*end = read_piece(p)))
            return false;
        (*end)->key = key;
        parent->width += width_with_key(*end) + (end == &parent->first ? 0 : strlen(", "));
        end = &(*end)->next;
        skip_blanks(p);
        if (p->at < p->end && *p->at == ',')
            p->at++;
    }
    return p->at < p->end && *p->at++ == parent->close;
}

static struct piece *read_piece(struct parser *p)
{
    struct piece *piece = arena_alloc(p->arena, sizeof *piece);

    *piece = (struct piece){.close = '\0'};
    skip_blanks(p);
    if (p->at < p->end && (*p->at == '{' || *p->at == '['))
        return read_children(p, piece) ? piece : NULL;
    piece->text = read_token(p);
    piece->width = width_of(piece->text);
    return piece->text.len ? piece : NULL;
}

static void begin_line(struct buf *out, size_t indent)
{
    buf_printf(out, "\n%*s", (int)indent, "");
}

static void put_key(struct buf *out, const struct piece *piece)
{
    if (piece->key.at)
        buf_printf(out, "%.*s: ", SPAN_ARG(piece->key));
}

static void put_on_one_line(struct buf *out, const struct piece *piece)
{
    put_key(out, piece);
    if (piece->text.at) {
        buf_add_span(out, piece->text);
        return;
    }
    buf_add_char(out, piece->close == '}' ? '{' : '[');
    for (const struct piece *child = piece->first; child; child = child->next) {
        put_on_one_line(out, child);
        buf_add_text(out, child->next ? ", " : "");
    }
    buf_add_char(out, piece->close);
}

static bool has_key(const struct piece *piece, const char *name)
{
    return piece->key.len == strlen(name) + 2 && memcmp(piece->key.at + 1, name, strlen(name)) == 0;
}

/* Lists of cases and steps have an element a line, however short they are. */
static bool is_list_of_steps(const struct piece *piece)
{
    return piece->close == ']' && piece->first &&
           (has_key(piece, "cases") || has_key(piece, "setup") ||
            (has_key(piece, "steps") && piece->first->next));
}

static bool has_list_of_steps(const struct piece *piece)
{
    for (const struct piece *child = piece->first; child; child = child->next)
        if (is_list_of_steps(child) || has_list_of_steps(child))
            return true;
    return false;
}

/* Whether the piece is a step, a case or a file: each of its members begins a line. */
static bool is_step(const struct piece *piece)
{
    return has_key(piece->first, "about") || has_key(piece->first, "op") ||
           has_list_of_steps(piece);
}

static bool fits(const struct piece *piece, size_t column)
{
    return column + width_with_key(piece) + strlen("]},") <= COLUMNS && !is_list_of_steps(piece) &&
           !has_list_of_steps(piece);
}

/* Writes the piece from `column` on; its further lines are indented by `indent`. */
static void put_piece(struct buf *out, const struct piece *piece, size_t column, size_t indent)
{
    bool own_lines;

    if (!piece->first || fits(piece, column)) {
        put_on_one_line(out, piece);
        return;
    }
    put_key(out, piece);
    buf_add_char(out, piece->close == '}' ? '{' : '[');
    own_lines = is_list_of_steps(piece) || is_step(piece);
    column += width_with_key(piece) - piece->width + 1;
    for (const struct piece *child = piece->first; child; child = child->next) {
        bool begins = child == piece->first && !is_list_of_steps(piece) &&
                      (fits(child, column) || !fits(child, indent));

        if (!begins && (own_lines || !fits(child, column + 1))) {
            begin_line(out, indent);
            column = indent;
        } else if (!begins) {
            buf_add_char(out, ' ');
            column++;
        }
        put_piece(out, child, column, indent + INDENT);
        column = fits(child, column) ? column + width_with_key(child) + 1 : COLUMNS;
        buf_add_text(out, child->next ? "," : "");
    }
    buf_add_char(out, piece->close);
}

static struct piece *read_whole(struct arena *a, struct span text)
{
    struct parser p = {a, text.at, text.at + text.len};
    struct piece *top = read_piece(&p);

    skip_blanks(&p);
    return p.at == p.end ? top : NULL;
}

static void put_whole(struct buf *out, const struct piece *top)
{
    put_piece(out, top, 0, 1);
    buf_add_char(out, '\n');
}

bool golden_format(struct buf *out, struct span text)
{
    const struct piece *top = read_whole(out->arena, text);

    if (top)
        put_whole(out, top);
    return top != NULL;
}

/* --- updating --------------------------------------------------------------------------------- */

static struct piece *find_member(const struct piece *piece, const char *name)
{
    struct piece *child = piece->first;

    while (child && !has_key(child, name))
        child = child->next;
    return child;
}

static struct piece *find_element(const struct piece *list, size_t n)
{
    struct piece *child = list->first;

    while (child && n--)
        child = child->next;
    return child;
}

/* A case without steps is one step itself. */
static struct piece *find_step(struct piece *top, size_t nth_case, size_t nth_step)
{
    const struct piece *cases = find_member(top, "cases"), *steps;
    struct piece *one = cases ? find_element(cases, nth_case) : top;

    steps = one ? find_member(one, "steps") : NULL;
    return steps ? find_element(steps, nth_step) : one;
}

static bool is_expectation(const struct piece *member)
{
    return has_key(member, "status") || has_key(member, "out") || has_key(member, "raw") ||
           has_key(member, "error") || has_key(member, "message");
}

bool golden_format_update(struct buf *out, struct span text, size_t nth_case, size_t nth_step,
                          struct span expected)
{
    struct piece *top = read_whole(out->arena, text), *step;
    const struct piece *new = read_whole(out->arena, expected);
    struct piece **link;

    if (!top || !new || !(step = find_step(top, nth_case, nth_step)))
        return false;
    for (link = &step->first; *link;)
        if (is_expectation(*link))
            *link = (*link)->next;
        else
            link = &(*link)->next;
    *link = new->first;
    step->width = COLUMNS; /* its members begin lines */
    put_whole(out, top);
    return true;
}
