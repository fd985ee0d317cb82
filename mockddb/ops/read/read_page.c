#include "ops/read/read_page.h"

#include "model/item_codec.h"
#include "ops/disturbance.h"
#include "ops/op_stored.h"
#include "ops/pace.h"
#include "ops/past.h"
#include "ops/read/read_index.h"

/* The state of reading a page. */
struct reading {
    struct call *c;
    const struct read_page *page;
    struct pace pace;
    struct name_list filter_names; /* attributes of the filter that the index has */
    struct name_list shown_names;  /* attributes to decode for the answer; unused if verbatim */
    bool verbatim;                 /* the answer has the items in stored form */
    bool as_stored;                /* the row's body has all projected attributes */
    bool fetches;                  /* an LSI read of attributes that the index does not have */
    bool keys_only;                /* bodies are not read: the entry's key has all that is needed */
    bool more;                     /* the page ended before the range did */
    int64_t limit;                 /* items to evaluate; 0: no limit */
    const struct past *past;       /* NULL: all entries are visible */
    int64_t seen_until_ms;         /* with past, younger entries are hidden */
    int64_t count, scanned;
    size_t bytes;                /* evaluated and fetched so far */
    size_t range_bytes;          /* evaluated of the range being read */
    struct capacity_place place; /* of the range */
    double range_units;          /* read units of all ranges, as for consistent reads */
    double fetch_units;          /* read units of items fetched from the table, likewise */
    struct buf last_key;         /* of the entry that ended the page; empty: no entry did */
};

static bool holds_all(const struct read_page *page)
{
    return !page->index || page->index->projection == PROJECT_ALL;
}

/* Attributes that an LSI does not have are fetched from the table; with a GSI they are missing. */
static void choose_shown(struct reading *r)
{
    const struct read_page *page = r->page;

    r->shown_names = read_index_projected(r->c->arena, page->projection);
    if (holds_all(page))
        return;
    if (page->index->global)
        read_index_drop(page->table, page->index, &r->shown_names);
    else
        r->fetches = !read_index_holds(page->table, page->index, &r->shown_names);
}

static bool are_keys(const struct read_page *page, const struct name_list *names)
{
    for (size_t i = 0; i < names->len; i++)
        if (!schema_is_key(&page->table->keys, names->at[i]) &&
            !(page->index && schema_is_key(&page->index->keys, names->at[i])))
            return false;
    return true;
}

/* Whether entries' keys have all that is needed. An entry's body is the whole item, which can be
 * thousands of times as long as the entry's size. */
static bool is_in_keys(const struct reading *r)
{
    if (r->fetches || !are_keys(r->page, &r->filter_names))
        return false;
    return r->page->count_only || (!r->verbatim && are_keys(r->page, &r->shown_names));
}

static void prepare_reading(struct reading *r)
{
    const struct read_page *page = r->page;
    struct arena *a = r->c->arena;

    if (page->filter) {
        expr_condition_names(a, page->filter, &r->filter_names.at, &r->filter_names.len);
        if (!holds_all(page)) /* other attributes count as missing */
            read_index_drop(page->table, page->index, &r->filter_names);
    }
    if (page->projection) {
        choose_shown(r);
    } else if (holds_all(page)) {
        r->verbatim = true;
    } else if (page->whole_items) {
        r->verbatim = r->fetches = true;
    } else {
        r->shown_names = read_index_names(a, page->table, page->index);
    }
    r->keys_only = is_in_keys(r);
    r->as_stored = page->projection && !page->columns && holds_all(page) && !r->keys_only;
    r->last_key = buf_in(a);
}

/* Reads the named attributes of an item; the result may have its other key attributes as well. */
static struct item read_named(struct reading *r, const struct store_row *row,
                              const struct name_list *names)
{
    const struct read_page *page = r->page;

    if (r->keys_only)
        return key_read(r->c->arena, page->table, page->index, row->key);
    return item_decode_only(r->c->arena, row->body, names->at, names->len);
}

static void put_item(struct reading *r, const struct store_row *row)
{
    struct arena *a = r->c->arena;
    struct item it;

    if (r->page->count_only)
        return;
    if (r->verbatim) {
        wire_put_raw(&r->c->reply, row->body);
        return;
    }
    if (r->as_stored) {
        op_stored_put(r->c, row->body, r->page->projection);
        return;
    }
    it = read_named(r, row, &r->shown_names);
    if (r->page->columns)
        it = read_page_columns(a, r->page->projection, r->page->columns, &it);
    else if (r->page->projection)
        it = expr_project(a, r->page->projection, &it);
    op_stored_put_item(r->c, &it);
}

/* Evaluates a row and releases the memory that it took. */
static void evaluate_row(struct reading *r, const struct store_row *row)
{
    struct arena_mark before = arena_mark(r->c->arena);
    struct item seen;

    r->scanned++;
    r->bytes += row->size;
    r->range_bytes += row->size;
    if (r->fetches) { /* before the filter, like the service */
        struct item it = item_decode(r->c->arena, row->body);
        size_t size = item_size(&it);

        r->bytes += size;
        r->fetch_units += capacity_read_units(size);
    }
    if (r->page->filter)
        seen = read_named(r, row, &r->filter_names);
    if (!r->page->filter || expr_matches(r->page->filter, &seen)) {
        r->count++;
        put_item(r, row);
    }
    arena_release(r->c->arena, before);
}

/* Reads until the range or the page ends, or the request is out of work. */
static const struct error *read_rows(struct reading *r, struct cursor *cursor)
{
    const struct error *e;
    struct store_row row;

    while (!(e = cursor_next(cursor, &row)) && row.found) {
        bool hidden = r->past && past_is_younger(r->past, row.key, r->seen_until_ms);

        if (!hidden)
            evaluate_row(r, &row);
        if ((hidden || (r->bytes < LIMIT_PAGE_BYTES && r->scanned != r->limit)) &&
            pace_begins(&r->pace))
            continue;
        r->more = true;
        buf_add_span(&r->last_key, row.key);
        break;
    }
    return e;
}

struct reading *read_page_begin(struct call *c, const struct read_page *page)
{
    struct reading *r = arena_alloc(c->arena, sizeof *r);
    const struct disturbance *d = c->disturbance;
    int64_t most = d ? d->page_limit : 0; /* a fault limits the items of a page */

    r->c = c;
    r->page = page;
    r->pace = pace_of(c->arena);
    (void)pace_begins(&r->pace); /* the first item is always read */
    r->limit = most && (!page->limit || most < page->limit) ? most : page->limit;
    if (d && d->index_lag_ms && page->index &&
        page->index->global) { /* a fault hides new entries */
        r->past = c->past;
        r->seen_until_ms = clock_now_ms(c->clock) - d->index_lag_ms;
    }
    prepare_reading(r);
    if (!page->count_only)
        wire_open_member(&c->reply, "Items", '[');
    return r;
}

const struct error *read_page_range(struct reading *r, const struct store_range *range, bool *ended)
{
    struct store_range read = *range;
    struct cursor *cursor;
    const struct error *e;

    r->range_bytes = 0;
    r->place = capacity_over(range->low, range->high);
    read.keys_only = r->keys_only;
    read.expected = r->limit ? r->limit + 1 : INT64_MAX;
    cursor = cursor_open(r->c->unit, read);
    e = read_rows(r, cursor);
    cursor_close(cursor);
    r->range_units += capacity_read_units(r->range_bytes);
    *ended = r->more;
    return e;
}

void read_page_finish(struct reading *r, struct read_end *out)
{
    const struct read_page *page = r->page;
    struct capacity *used = capacity_of(r->c, page->table);
    double factor = page->consistent ? 1 : 0.5;

    if (!page->count_only)
        wire_close(&r->c->reply, ']');
    out->more = r->more;
    out->key = buf_span(&r->last_key);
    out->count = r->count;
    out->scanned = r->scanned;
    if (page->index) {
        capacity_add_index(used, page->index, r->place, r->range_units * factor);
        capacity_add_table(used, r->place, r->fetch_units * factor);
    } else {
        capacity_add_table(used, r->place, r->range_units * factor);
    }
    used->items_read += (size_t)r->scanned;
    used->items_returned += (size_t)r->count;
    used->bytes_read += r->bytes;
    used->pages++;
}

/* --- Query and Scan -------------------------------------------------------------------------- */

const struct error *read_page(struct call *c, const struct read_page *page)
{
    struct reading *r = read_page_begin(c, page);
    struct read_end end;
    const struct error *e;
    bool ended;

    if ((e = read_page_range(r, &page->range, &ended)))
        return e;
    read_page_finish(r, &end);
    wire_put_member_integer(&c->reply, "Count", end.count);
    wire_put_member_integer(&c->reply, "ScannedCount", end.scanned);
    if (end.more) {
        struct item position = key_read(c->arena, page->table, page->index, end.key);

        wire_key(&c->reply, "LastEvaluatedKey");
        wire_put_item(&c->reply, &position);
    }
    capacity_reply(c);
    return NULL;
}

/* --- SELECT ---------------------------------------------------------------------------------- */

#define NAMES_PER_STEP 8 /* comparisons of a column's name with earlier ones */

struct item read_page_columns(struct arena *a, const struct expr_projection *p,
                              const struct span *columns, const struct item *it)
{
    struct item out = {.at = arena_alloc_raw(a, p->len * sizeof *out.at)};

    for (size_t i = 0; i < p->len; i++) {
        const struct attr *value = path_find(it, &p->paths[i]);
        struct attr *earlier;

        arena_charge(a, 1 + out.len / NAMES_PER_STEP);
        if (!value)
            continue;
        if ((earlier = item_slot(&out, columns[i])))
            *earlier = *value;
        else
            out.at[out.len++] = (struct field){columns[i], *value};
    }
    return out;
}
