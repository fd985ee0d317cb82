#include "admin/world_differences.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/one_more.h"
#include "model/item_codec.h"
#include "store/cursor.h"
#include "store/same_bodies.h"

#include <stdlib.h>

#define SLICE_US       4000
#define SLICE_ROWS     32       /* between two looks at the time */
#define FETCHED        256      /* rows, by engines that fetch many */
#define MAX_ROWS       20000000 /* of both sides; then it ends */
#define CHAINS         256      /* a power of two */
#define MAX_GROUPS     200      /* collections, and attributes, that are counted by themselves */
#define LONG_NAME      255      /* bytes; attributes with longer names are counted together */
#define MAX_ATTRIBUTES 50       /* names in a difference */

enum what { ADDED, REMOVED, CHANGED, WHATS };

static const char *const words[WHATS] = {"added", "removed", "changed"};

/* Differences of the items in one collection, or in one attribute. */
struct group {
    struct group *next, *after;
    struct span text; /* a partition's key as JSON, or an attribute's name */
    uint64_t items[WHATS];
};

struct groups {
    struct group *chains[CHAINS], *first, **last;
    size_t count;
    uint64_t others;
};

struct difference {
    enum what what;
    struct span key;    /* as JSON */
    struct span *names; /* attributes that are not the same */
    size_t name_count;
};

/* What was found of a table. */
struct found {
    struct found *after;
    struct span region, table;
    bool in[2], same_keys, ended;
    int64_t entries[2];
    uint64_t items[WHATS];
    struct groups collections, attributes;
    struct difference *differences;
    size_t difference_count;
};

struct world_differences {
    struct arena *arena, *scratch;
    struct store *store[2];
    struct span only;
    size_t limit, listed;
    bool second; /* whether the tables of `from` are done: those that only `to` has follow */
    bool begun;  /* whether the table `id` is being compared */
    struct span id;
    uint32_t space[2];
    struct buf place;         /* where to continue, without the space */
    struct same_bodies *same; /* of the table; NULL: not known */
    bool same_is_known;       /* all of them were looked at */
    uint64_t read;
    bool cut;
    struct found *first, **last, *now;
};

struct world_differences *world_differences_new(const struct world_differences_options *o)
{
    struct world_differences *d = process_zeroed(sizeof *d);

    d->arena = arena_new();
    d->scratch = arena_new();
    d->store[0] = o->from;
    d->store[1] = o->to;
    d->only = arena_span(d->arena, o->only);
    d->limit = o->limit;
    d->id = (struct span){"", 0};
    d->place = buf_in(d->arena);
    d->last = &d->first;
    return d;
}

void world_differences_free(struct world_differences *d)
{
    if (!d)
        return;
    same_bodies_free(d->same);
    arena_free(d->arena);
    arena_free(d->scratch);
    free(d);
}

/* --- what was found --------------------------------------------------------------------------- */

static struct group *find_group(struct arena *a, struct groups *g, struct span text)
{
    struct group **chain = &g->chains[hash_bytes(text) & (CHAINS - 1)], *x = *chain;

    while (x && !span_equal(x->text, text))
        x = x->next;
    if (x)
        return x;
    if (g->count == MAX_GROUPS || (text.len > LONG_NAME && g->count == MAX_GROUPS / 2))
        return NULL;
    x = arena_alloc(a, sizeof *x);
    *x = (struct group){.next = *chain, .text = arena_span(a, text)};
    *chain = *g->last = x;
    g->last = &x->after;
    g->count++;
    return x;
}

static void count_in(struct arena *a, struct groups *g, struct span text, enum what what)
{
    struct group *x = find_group(a, g, text);

    if (x)
        x->items[what]++;
    else
        g->others++;
}

static struct span json_of(struct arena *a, const struct item *it)
{
    struct buf out = buf_in(a);

    item_encode(&out, it);
    return buf_span(&out);
}

static void add_name(struct world_differences *d, struct difference *one, struct span name)
{
    count_in(d->arena, &d->now->attributes, name, CHANGED);
    if (!one || one->name_count == MAX_ATTRIBUTES || name.len > LONG_NAME)
        return;
    one->names = one_more(d->arena, one->names, one->name_count, sizeof *one->names);
    one->names[one->name_count++] = arena_span(d->arena, name);
}

static void add_attributes(struct world_differences *d, struct difference *one,
                           const struct item *from, const struct item *to)
{
    for (size_t i = 0; i < from->len; i++) {
        const struct attr *other = item_find(to, from->at[i].name);

        if (!other || !attr_equal(&from->at[i].value, other))
            add_name(d, one, from->at[i].name);
    }
    for (size_t i = 0; i < to->len; i++)
        if (!item_find(from, to->at[i].name))
            add_name(d, one, to->at[i].name);
}

/* `from` and `to` are the items if both exist. */
static void add_difference(struct world_differences *d, enum what what, struct span entry,
                           const struct item *from, const struct item *to)
{
    const struct table *t = store_table(d->store[what == ADDED], d->id);
    struct item key = key_read(d->scratch, t, NULL, entry), partition = key;
    struct found *f = d->now;
    struct difference *one = NULL;

    partition.len = t->keys.hash_count;
    f->items[what]++;
    if (t->keys.range_count)
        count_in(d->arena, &f->collections, json_of(d->scratch, &partition), what);
    if (d->listed < d->limit) {
        d->listed++;
        f->differences = one_more(d->arena, f->differences, f->difference_count,
                                  sizeof *f->differences);
        one = &f->differences[f->difference_count++];
        *one = (struct difference){.what = what,
                                   .key = arena_span(d->arena, json_of(d->scratch, &key))};
    }
    if (what == CHANGED)
        add_attributes(d, one, from, to);
}

/* --- comparing -------------------------------------------------------------------------------- */

static bool same_keys(const struct table *a, const struct table *b)
{
    const struct key_part *p, *q;

    if (a->keys.hash_count != b->keys.hash_count || a->keys.range_count != b->keys.range_count)
        return false;
    for (size_t i = 0; (p = schema_key_part(&a->keys, i)); i++) {
        q = schema_key_part(&b->keys, i);
        if (!q || !span_equal(p->name, q->name) || p->type != q->type)
            return false;
    }
    return true;
}

/* Bodies of rows that came without them. */
static const struct error *get_bodies(struct unit *const u[2], struct store_row row[2])
{
    const struct error *e = NULL;

    for (int side = 0; side < 2 && !e; side++)
        e = unit_get(u[side], row[side].key, &row[side]);
    return e;
}

static const struct error *compare_items(struct world_differences *d, struct unit *const u[2],
                                         const struct store_row row[2])
{
    struct store_row with[2] = {row[0], row[1]};
    const struct error *e;
    struct item from, to;

    if (d->same && same_bodies_know(d->same, &row[0], &row[1]))
        return NULL;
    if (d->same && (e = get_bodies(u, with)))
        return e;
    if (span_equal(with[0].body, with[1].body)) /* a fork's entry is the origin's memory */
        return NULL;
    from = item_decode(d->scratch, with[0].body);
    to = item_decode(d->scratch, with[1].body);
    if (!item_equal(&from, &to))
        add_difference(d, CHANGED, row[0].key, &from, &to);
    return NULL;
}

static struct span without_space(struct span key)
{
    return span_from(key, KEY_SPACE_LEN);
}

static struct cursor *open_side(const struct world_differences *d, struct unit *u, int side)
{
    struct buf low = buf_in(d->scratch), high = buf_in(d->scratch);

    key_of_space(&low, d->space[side]);
    buf_add_span(&low, buf_span(&d->place));
    key_of_space(&high, d->space[side] + 1);
    return cursor_open(u, (struct store_range){.low = buf_span(&low),
                                               .high = buf_span(&high),
                                               .keys_only = d->same != NULL,
                                               .expected = FETCHED});
}

/* Compares the rows that come first; sets which sides to read on. */
static const struct error *compare_rows(struct world_differences *d, struct unit *const u[2],
                                        const struct store_row row[2], bool next[2])
{
    int order = !row[0].found ? 1
                : !row[1].found
                    ? -1
                    : span_compare(without_space(row[0].key), without_space(row[1].key));

    next[0] = order <= 0;
    next[1] = order >= 0;
    d->place.len = 0;
    buf_add_span(&d->place, without_space(row[order > 0].key));
    buf_add_char(&d->place, 0); /* the first key behind it */
    if (!order)
        return compare_items(d, u, row);
    add_difference(d, order < 0 ? REMOVED : ADDED, row[order > 0].key, NULL, NULL);
    return NULL;
}

/* Finds out which bodies both files have, unless they are changed meanwhile. False: not all of them
 * were looked at yet. */
static bool find_same(struct world_differences *d)
{
    int64_t until_us = clock_work_us() + SLICE_US;

    while (d->same && !d->same_is_known && clock_work_us() < until_us)
        d->same_is_known = !same_bodies_step(d->same);
    if (d->same && !same_bodies_hold(d->same)) {
        same_bodies_free(d->same);
        d->same = NULL;
    }
    return !d->same || d->same_is_known;
}

/* True at the end of the table. */
static bool compare_slice(struct world_differences *d, struct unit *const u[2])
{
    int64_t until_us = clock_work_us() + SLICE_US;
    struct cursor *rows[2] = {open_side(d, u[0], 0), open_side(d, u[1], 1)};
    struct store_row row[2];
    bool next[2] = {true, true};

    for (size_t i = 1;; i++) {
        struct arena_mark mark;
        bool failed;

        for (int side = 0; side < 2; side++)
            if (next[side] && cursor_next(rows[side], &row[side])) {
                d->cut = true;
                return true;
            }
        if (!row[0].found && !row[1].found)
            return true;
        mark = arena_mark(d->scratch);
        failed = compare_rows(d, u, row, next) != NULL;
        arena_release(d->scratch, mark);
        d->read += (uint64_t)next[0] + next[1];
        if (failed || d->read > MAX_ROWS) {
            d->cut = true;
            return true;
        }
        if (i % SLICE_ROWS == 0 && clock_work_us() > until_us)
            return false;
    }
}

/* --- tables ----------------------------------------------------------------------------------- */

static const struct table *next_table(struct world_differences *d)
{
    const struct table *t;

    if (d->only.len) {
        t = store_table(d->store[0], d->only);
        return d->first ? NULL : t ? t : store_table(d->store[1], d->only);
    }
    t = store_table_after(d->store[d->second], d->id);
    if (t || d->second)
        return t;
    d->second = true;
    return store_table_after(d->store[1], (struct span){"", 0});
}

/* Begins with the next table; false: there is no other one. */
static bool begin_table(struct world_differences *d)
{
    const struct table *t[2], *any = next_table(d);
    struct found *f;

    if (!any)
        return false;
    d->id = schema_id(d->arena, arena_span(d->arena, any->region), arena_span(d->arena, any->name));
    for (int side = 0; side < 2; side++)
        t[side] = store_table(d->store[side], d->id);
    if (d->second && t[0] && t[1])
        return true; /* it was compared */
    f = arena_alloc(d->arena, sizeof *f);
    f->region = arena_span(d->arena, any->region);
    f->table = arena_span(d->arena, any->name);
    f->collections.last = &f->collections.first;
    f->attributes.last = &f->attributes.first;
    f->same_keys = !t[0] || !t[1] || same_keys(t[0], t[1]);
    for (int side = 0; side < 2; side++) {
        f->in[side] = t[side] != NULL;
        d->space[side] = t[side] ? t[side]->space : 0;
    }
    *d->last = d->now = f;
    d->last = &f->after;
    d->begun = t[0] && t[1] && f->same_keys;
    d->place.len = 0;
    same_bodies_free(d->same);
    d->same_is_known = false;
    d->same = d->begun && d->space[0] == d->space[1]
                  ? same_bodies_new(d->store[0], d->store[1], d->space[0])
                  : NULL;
    return true;
}

static void count_entries(struct world_differences *d, struct unit *u, int side)
{
    struct space_stats stats;

    if (!unit_stats(u, d->space[side], &stats))
        d->now->entries[side] = stats.entries;
}

/* Tables may have been changed or dropped since the last slice: then they are left. */
static bool is_there(const struct world_differences *d, int side)
{
    const struct table *t = store_table(d->store[side], d->id);

    return t && t->space == d->space[side];
}

/* Reads both stores in units, which nest if it is one. */
static bool with_units(struct world_differences *d)
{
    struct unit *u[2] = {NULL, NULL};
    bool ended = true;

    if (unit_begin(d->store[0], d->scratch, UNIT_READS, &u[0]))
        return true;
    if (unit_begin(d->store[1], d->scratch, UNIT_READS, &u[1])) {
        d->cut = true;
    } else {
        if (!d->place.len)
            for (int side = 0; side < 2; side++)
                if (d->now->in[side])
                    count_entries(d, u[side], side);
        if (d->begun && is_there(d, 0) && is_there(d, 1))
            ended = find_same(d) && compare_slice(d, u);
        else
            d->cut |= d->begun;
        unit_undo(u[1]);
    }
    unit_undo(u[0]);
    return ended;
}

bool world_differences_step(struct world_differences *d)
{
    arena_reset(d->scratch);
    if (!d->now)
        return !begin_table(d);
    if (with_units(d)) {
        d->now->ended = true;
        d->now = NULL;
    }
    return d->read > MAX_ROWS;
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void put_counts(struct wire_writer *w, const uint64_t items[WHATS])
{
    for (int what = 0; what < WHATS; what++)
        wire_put_member_integer(w, words[what], (int64_t)items[what]);
}

static void put_differences(struct wire_writer *w, const struct found *f)
{
    wire_open_member(w, "differences", '[');
    for (size_t i = 0; i < f->difference_count; i++) {
        const struct difference *one = &f->differences[i];

        wire_open(w, '{');
        wire_put_member_word(w, "what", words[one->what]);
        wire_put_member_raw(w, "key", one->key);
        wire_open_member(w, "attributes", '[');
        for (size_t k = 0; k < one->name_count; k++)
            wire_put_text(w, one->names[k]);
        wire_close(w, ']');
        wire_close(w, '}');
    }
    wire_close(w, ']');
}

static void put_collections(struct wire_writer *w, const struct groups *g)
{
    wire_open_member(w, "collections", '[');
    for (const struct group *x = g->first; x; x = x->after) {
        wire_open(w, '{');
        wire_put_member_raw(w, "key", x->text);
        put_counts(w, x->items);
        wire_close(w, '}');
    }
    wire_close(w, ']');
    wire_put_member_integer(w, "in_other_collections", (int64_t)g->others);
}

static void put_attributes(struct wire_writer *w, const struct groups *g)
{
    wire_open_member(w, "attributes", '[');
    for (const struct group *x = g->first; x; x = x->after) {
        wire_open(w, '{');
        wire_put_member_text(w, "name", x->text);
        wire_put_member_integer(w, "items", (int64_t)x->items[CHANGED]);
        wire_close(w, '}');
    }
    wire_close(w, ']');
    wire_put_member_integer(w, "in_other_attributes", (int64_t)g->others);
}

static void put_table(struct wire_writer *w, const struct found *f)
{
    wire_open(w, '{');
    wire_put_member_text(w, "table", f->table);
    wire_put_set_text(w, "region", f->region);
    wire_put_member_word(w, "in", f->in[0] && f->in[1] ? "both" : f->in[0] ? "from" : "to");
    wire_put_member_bool(w, "same_keys", f->same_keys);
    wire_put_member_integer(w, "items_from", f->entries[0]);
    wire_put_member_integer(w, "items_to", f->entries[1]);
    put_counts(w, f->items);
    put_collections(w, &f->collections);
    put_attributes(w, &f->attributes);
    put_differences(w, f);
    wire_close(w, '}');
}

void world_differences_show(const struct world_differences *d, struct wire_writer *w)
{
    uint64_t items[WHATS] = {0};
    bool complete = !d->cut;

    wire_open_member(w, "tables", '[');
    for (const struct found *f = d->first; f; f = f->after) {
        put_table(w, f);
        complete &= f->ended;
        for (int what = 0; what < WHATS; what++)
            items[what] += f->items[what];
    }
    wire_close(w, ']');
    put_counts(w, items);
    wire_put_member_integer(w, "read", (int64_t)d->read);
    wire_put_member_bool(w, "complete", complete);
}
