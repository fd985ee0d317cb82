#include "explain/explain_rows.h"

#include "base/cut.h"
#include "base/search.h"
#include "explain/explain_near.h"
#include "explain/say.h"
#include "model/item_codec.h"
#include "model/key.h"

#include <stdlib.h>

#define LOOKED_BYTES ((size_t)2 << 20) /* of bodies at a time */

const struct key_schema *explain_rows_keys(const struct rows *r)
{
    return r->index ? &r->index->keys : &r->table->keys;
}

uint32_t explain_rows_space(const struct rows *r)
{
    return r->index ? r->index->space : r->table->space;
}

struct store_range explain_rows_all(struct inquiry *q, const struct rows *r)
{
    struct store_range range = cursor_range(q->arena, explain_rows_space(r));

    range.keys_only = true;
    return range;
}

struct store_range explain_rows_partition(struct inquiry *q, const struct rows *r,
                                          const struct attr *hash)
{
    struct buf low = buf_in(q->arena), high = buf_in(q->arena);

    key_of_partition(&low, explain_rows_space(r), &hash, 1);
    buf_add_span(&high, buf_span(&low));
    key_next(&high);
    return (struct store_range){.low = buf_span(&low), .high = buf_span(&high), .keys_only = true};
}

size_t explain_rows_count_range(struct inquiry *q, const struct store_range *range, size_t limit)
{
    struct cursor *cursor = cursor_open(q->call.unit, *range);
    struct store_row row;
    size_t count = 0;

    while (count < limit && inquiry_may_read(q) && !cursor_next(cursor, &row) && row.found)
        count++;
    cursor_close(cursor);
    return count;
}

/* --- lists ------------------------------------------------------------------------------------ */

#define COMPARED 64 /* values of a list that are there once */

void explain_rows_note(struct inquiry *q, struct values *list, size_t room,
                       const struct attr *value)
{
    for (size_t i = 0; i < list->len && i < COMPARED; i++)
        if (attr_equal(&list->at[i], value))
            return;
    if (!list->at)
        list->at = arena_array(q->arena, room, sizeof *list->at);
    list->all = list->len < room;
    if (list->all)
        list->at[list->len++] = attr_copy(q->arena, value);
}

/* Reads up to `limit` values of a key attribute from a range; true: there are no more. */
static bool read_values(struct inquiry *q, const struct rows *r, const struct store_range *range,
                        struct span name, size_t limit, struct values *list)
{
    struct cursor *cursor = cursor_open(q->call.unit, *range);
    struct store_row row = {.found = true};

    while (limit-- && inquiry_may_read(q) && !cursor_next(cursor, &row) && row.found) {
        struct item key = key_read(q->arena, r->table, r->index, arena_span(q->arena, row.key));
        const struct attr *value = item_find(&key, name);

        if (value)
            list->at[list->len++] = attr_copy(q->arena, value);
    }
    cursor_close(cursor);
    return !row.found;
}

struct values explain_rows_partitions(struct inquiry *q, const struct rows *r, size_t limit)
{
    struct values list = {.at = arena_array(q->arena, limit, sizeof *list.at)};
    struct store_range range = explain_rows_all(q, r);
    struct span name = explain_rows_keys(r)->hash[0].name;

    while (list.len < limit) {
        struct buf low = buf_in(q->arena);
        const struct attr *hash = &list.at[list.len];
        size_t before = list.len;

        list.all = read_values(q, r, &range, name, 1, &list);
        if (list.len == before)
            break;
        key_of_partition(&low, explain_rows_space(r), &hash, 1);
        key_next(&low);
        range.low = buf_span(&low);
    }
    return list;
}

static int by_value(const void *a, const void *b)
{
    return attr_compare_scalars(a, b);
}

struct values explain_rows_values(struct inquiry *q, const struct rows *r,
                                  const struct store_range *range, struct span name,
                                  const struct attr *near, size_t limit)
{
    struct values list = {.at = arena_array(q->arena, limit, sizeof *list.at)};
    struct store_range part = *range, back = *range;
    struct buf position = buf_in(q->arena);
    size_t len = 0;

    list.all = read_values(q, r, range, name, limit / 2, &list);
    if (list.all || list.len < limit / 2)
        return list;
    if (near->type == list.at->type) {
        buf_add_span(&position, range->low);
        if (near->type == ATTR_N)
            key_add_part(&position, near);
        else
            key_add_prefix(&position, near);
        part.low = buf_span(&position);
        (void)read_values(q, r, &part, name, limit / 4, &list);
        part.low = range->low;
        part.high = buf_span(&position);
        part.backwards = true;
        (void)read_values(q, r, &part, name, limit / 4 - 1, &list);
    }
    back.backwards = true;
    (void)read_values(q, r, &back, name, 1, &list);
    qsort(list.at, list.len, sizeof *list.at, by_value);
    for (size_t i = 0; i < list.len; i++) /* each once */
        if (!len || !attr_equal(&list.at[len - 1], &list.at[i]))
            list.at[len++] = list.at[i];
    list.len = len;
    return list;
}

bool explain_rows_ends(struct inquiry *q, const struct rows *r, const struct store_range *range,
                       struct span name, struct attr *first, struct attr *last)
{
    struct store_range backwards = *range;
    struct attr at[2] = {{.type = ATTR_NULL}};
    struct values ends = {.at = at};

    backwards.backwards = true;
    (void)read_values(q, r, range, name, 1, &ends);
    if (ends.len)
        (void)read_values(q, r, &backwards, name, 1, &ends);
    *first = at[0];
    *last = at[1];
    return ends.len == 2;
}

const char *explain_rows_count_words(struct inquiry *q, size_t count)
{
    return say_text(q, "%%", say_count(count, "item"),
                    count < EXPLAIN_ROWS_COUNTED ? "" : " or more");
}

bool explain_rows_fits(enum expr_op op, const struct attr *asked, const struct attr *value)
{
    size_t looked = 0;
    int low;

    if (value->type != asked->type || value->type > ATTR_B)
        return op == EXPR_EQ && attr_equal(value, asked);
    low = attr_compare(value, asked);
    switch (op) {
    case EXPR_LT:
        return low < 0;
    case EXPR_LE:
        return low <= 0;
    case EXPR_GT:
        return low > 0;
    case EXPR_GE:
        return low >= 0;
    case EXPR_BETWEEN:
        return low >= 0 && asked[1].type == value->type && attr_compare(value, &asked[1]) <= 0;
    case EXPR_BEGINS_WITH:
        return span_starts_with(value->bytes, asked->bytes);
    case EXPR_CONTAINS:
        return search_contains(value->bytes, asked->bytes, &looked);
    default:
        return low == 0;
    }
}

/* --- items ------------------------------------------------------------------------------------ */

struct walk explain_rows_walk(struct inquiry *q, const struct store_range *range, size_t limit)
{
    struct walk w = {.q = q, .range = *range, .left = limit};

    w.range.keys_only = false;
    return w;
}

struct walk explain_rows_walk_all(struct inquiry *q, const struct table *t, size_t limit)
{
    struct store_range all = explain_rows_all(q, &(struct rows){t, NULL});

    return explain_rows_walk(q, &all, limit);
}

bool explain_rows_next(struct walk *w)
{
    struct store_row row;

    if (!w->left || w->bytes >= LOOKED_BYTES || !inquiry_may_read(w->q))
        return false;
    if (!w->cursor)
        w->cursor = cursor_open(w->q->call.unit, w->range);
    if (cursor_next(w->cursor, &row))
        return false;
    w->all = !row.found;
    if (w->all)
        return false;
    w->left--;
    w->bytes += row.body.len;
    w->it = item_decode(w->q->arena, arena_span(w->q->arena, row.body));
    return true;
}

#define SHORT ((size_t)3) /* texts that another attribute has by chance */

void explain_rows_hold(struct holders *h, const struct item *it)
{
    bool says_much = h->asked && h->asked->type <= ATTR_N && h->asked->bytes.len >= SHORT &&
                     !explain_near_is_of_digits(h->asked->bytes);

    for (size_t i = 0; i < it->len && says_much; i++) {
        const struct field *f = &it->at[i];

        if (!attr_equal(&f->value, h->asked) || span_equal(f->name, h->except) ||
            (h->count && !span_equal(f->name, h->name)))
            continue;
        h->it = h->count++ ? h->it : *it;
        h->name = f->name;
        return;
    }
}

/* --- segments --------------------------------------------------------------------------------- */

struct span explain_rows_segment(struct span text, size_t n)
{
    struct span part;

    do {
        part = cut_part(&text, '#');
    } while (n--);
    return part;
}

struct span explain_rows_start(struct span text)
{
    const char *mark = span_find(text, '#');

    return (struct span){text.at, mark ? (size_t)(mark - text.at) + 1 : 0};
}

size_t explain_rows_segments(struct span text)
{
    size_t count = 1;

    for (size_t i = 0; i < text.len; i++)
        count += text.at[i] == '#';
    return count;
}
