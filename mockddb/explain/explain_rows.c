#include "explain/explain_rows.h"

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

struct store_range explain_rows_partition(struct inquiry *q, const struct rows *r,
                                          const struct attr *hash)
{
    struct buf low = buf_in(q->arena), high = buf_in(q->arena);

    key_of_partition(&low, explain_rows_space(r), &hash, 1);
    buf_add_span(&high, buf_span(&low));
    key_next(&high);
    return (struct store_range){.low = buf_span(&low), .high = buf_span(&high), .keys_only = true};
}

struct store_range explain_rows_sorted(struct inquiry *q, const struct rows *r,
                                       const struct attr *hash, const struct attr *sort,
                                       bool begins)
{
    struct buf low = buf_in(q->arena), high = buf_in(q->arena);

    key_of_partition(&low, explain_rows_space(r), &hash, 1);
    if (begins)
        key_add_prefix(&low, sort);
    else
        key_add_part(&low, sort);
    buf_add_span(&high, buf_span(&low));
    key_next(&high);
    return (struct store_range){.low = buf_span(&low), .high = buf_span(&high), .keys_only = true};
}

size_t explain_rows_count(struct inquiry *q, const struct rows *r, const struct attr *hash,
                          size_t limit)
{
    struct store_range range = explain_rows_partition(q, r, hash);

    return explain_rows_count_range(q, &range, limit);
}

size_t explain_rows_count_range(struct inquiry *q, const struct store_range *range, size_t limit)
{
    struct cursor *cursor;
    struct store_row row;
    size_t count = 0;

    if (cursor_open(q->call.unit, range, &cursor))
        return 0;
    while (count < limit && inquiry_may_read(q) && !cursor_next(cursor, &row) && row.found)
        count++;
    cursor_close(cursor);
    return count;
}

/* --- lists ------------------------------------------------------------------------------------ */

static void keep(struct inquiry *q, struct span_list *list, const struct item *key,
                 struct span name)
{
    const struct attr *value = item_find(key, name);

    if (value && value->type == ATTR_S)
        list->at[list->len++] = arena_span(q->arena, value->bytes);
}

struct span_list explain_rows_partitions(struct inquiry *q, const struct rows *r, size_t limit)
{
    struct span_list list = {.at = arena_array(q->arena, limit, sizeof *list.at)};
    const struct key_part *part = &explain_rows_keys(r)->hash[0];
    struct buf low = buf_in(q->arena), high = buf_in(q->arena);

    key_of_space(&low, explain_rows_space(r));
    key_of_space(&high, explain_rows_space(r) + 1);
    for (size_t i = 0; i < limit && inquiry_may_read(q); i++) {
        struct store_range range = {
            .low = buf_span(&low), .high = buf_span(&high), .keys_only = true};
        const struct attr *hash;
        struct cursor *cursor;
        struct store_row row;
        struct item key;
        bool found;

        if (cursor_open(q->call.unit, &range, &cursor))
            break;
        found = !cursor_next(cursor, &row) && row.found;
        if (found)
            key = key_read(q->arena, r->table, r->index, arena_span(q->arena, row.key));
        cursor_close(cursor);
        list.all = !found;
        if (!found || !(hash = item_find(&key, part->name)))
            break;
        keep(q, &list, &key, part->name);
        low.len = 0;
        key_of_partition(&low, explain_rows_space(r), &hash, 1);
        key_next(&low);
    }
    return list;
}

/* Reads up to `limit` sort keys of a range; true: there are no more. Those that the list has
 * already are passed over. */
static bool read_sorts(struct inquiry *q, const struct rows *r, const struct store_range *range,
                       size_t limit, struct span_list *list)
{
    struct span name = explain_rows_keys(r)->range[0].name;
    struct store_row row = {.found = true};
    struct cursor *cursor;

    if (cursor_open(q->call.unit, range, &cursor))
        return false;
    while (limit && inquiry_may_read(q) && !cursor_next(cursor, &row) && row.found) {
        struct item key = key_read(q->arena, r->table, r->index, row.key);

        keep(q, list, &key, name);
        limit--;
    }
    cursor_close(cursor);
    return !row.found;
}

static int compare_spans(const void *a, const void *b)
{
    return span_compare(*(const struct span *)a, *(const struct span *)b);
}

/* In order, each once. */
static void sort_list(struct span_list *list)
{
    size_t len = 0;

    qsort(list->at, list->len, sizeof *list->at, compare_spans);
    for (size_t i = 0; i < list->len; i++)
        if (!len || !span_equal(list->at[len - 1], list->at[i]))
            list->at[len++] = list->at[i];
    list->len = len;
}

struct span_list explain_rows_sort_values(struct inquiry *q, const struct rows *r,
                                          const struct attr *hash, const struct attr *near,
                                          size_t limit)
{
    struct span_list list = {.at = arena_array(q->arena, limit, sizeof *list.at)};
    const struct key_schema *keys = explain_rows_keys(r);
    struct store_range range = explain_rows_partition(q, r, hash), part = range;
    struct buf position = buf_in(q->arena);
    size_t first = near ? limit / 2 : limit - 1;

    if (keys->range_count != 1 || keys->range[0].type != ATTR_S)
        return list;
    list.all = read_sorts(q, r, &range, first, &list);
    if (list.all || list.len < first)
        return list;
    if (near && near->type == ATTR_S) {
        buf_add_span(&position, range.low);
        key_add_prefix(&position, near);
        part.low = buf_span(&position);
        (void)read_sorts(q, r, &part, limit / 4, &list);
        part = range;
        part.high = buf_span(&position);
        part.backwards = true;
        (void)read_sorts(q, r, &part, limit / 4 - 1, &list);
    }
    range.backwards = true;
    (void)read_sorts(q, r, &range, 1, &list);
    sort_list(&list);
    return list;
}

static bool read_end(struct inquiry *q, const struct rows *r, const struct store_range *range,
                     struct attr *out)
{
    const struct key_schema *keys = explain_rows_keys(r);
    const struct attr *value = NULL;
    struct cursor *cursor;
    struct store_row row;

    if (keys->range_count != 1 || !inquiry_may_read(q) || cursor_open(q->call.unit, range, &cursor))
        return false;
    if (!cursor_next(cursor, &row) && row.found) {
        struct item key = key_read(q->arena, r->table, r->index, arena_span(q->arena, row.key));

        value = item_find(&key, keys->range[0].name);
    }
    if (value)
        *out = attr_copy(q->arena, value);
    cursor_close(cursor);
    return value != NULL;
}

bool explain_rows_ends(struct inquiry *q, const struct rows *r, const struct store_range *range,
                       struct attr *first, struct attr *last)
{
    struct store_range backwards = *range;

    if (!read_end(q, r, range, first))
        return false;
    backwards.backwards = true;
    return read_end(q, r, &backwards, last);
}

bool explain_rows_fits(const struct expr_key_clause *clause, const struct attr *value)
{
    int low = attr_compare(value, &clause->low);

    switch (clause->op) {
    case EXPR_EQ:
        return attr_equal(value, &clause->low);
    case EXPR_LT:
        return low < 0;
    case EXPR_LE:
        return low <= 0;
    case EXPR_GT:
        return low > 0;
    case EXPR_GE:
        return low >= 0;
    case EXPR_BETWEEN:
        return low >= 0 && attr_compare(value, &clause->high) <= 0;
    default:
        return span_starts_with(value->bytes, clause->low.bytes);
    }
}

/* --- items ------------------------------------------------------------------------------------ */

bool explain_rows_find(struct inquiry *q, const struct store_range *range, size_t limit,
                       rows_look *look, void *data)
{
    struct store_range whole = *range;
    struct cursor *cursor;
    struct store_row row;
    size_t bytes = 0;
    bool found = false;

    whole.keys_only = false;
    if (cursor_open(q->call.unit, &whole, &cursor))
        return false;
    while (!found && limit-- && bytes < LOOKED_BYTES && inquiry_may_read(q) &&
           !cursor_next(cursor, &row) && row.found) {
        struct item it = item_decode(q->arena, arena_span(q->arena, row.body));

        bytes += row.body.len;
        found = look(q, &it, data);
    }
    cursor_close(cursor);
    return found;
}

static bool take(struct inquiry *q, const struct item *it, void *data)
{
    (void)q;
    *(struct item *)data = *it;
    return true;
}

bool explain_rows_first(struct inquiry *q, const struct store_range *range, struct item *out)
{
    return explain_rows_find(q, range, 1, take, out);
}

/* --- segments --------------------------------------------------------------------------------- */

struct span explain_rows_segment(struct span text, size_t n)
{
    for (;;) {
        const char *mark = span_find(text, '#');
        size_t len = mark ? (size_t)(mark - text.at) : text.len;

        if (!n)
            return (struct span){text.at, len};
        if (!mark)
            return (struct span){NULL, 0};
        n--;
        text = span_from(text, len + 1);
    }
}

size_t explain_rows_segments(struct span text)
{
    size_t count = 1;

    for (size_t i = 0; i < text.len; i++)
        count += text.at[i] == '#';
    return count;
}
