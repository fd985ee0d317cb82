#include "admin/check_items.h"

#include "admin/key_walk.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/hash.h"
#include "model/item_codec.h"
#include "model/key.h"

#include <stdlib.h>

#define SLICE_US    4000
#define SLICE_ROWS  32 /* between two looks at the time */
#define MAX_ROWS    1000000
#define MANY_ROWS   1000 /* a partition of a smaller table is not too large */
#define NEAR_LIMIT  ((size_t)LIMIT_ITEM_BYTES / 10 * 9)
#define MAX_NAMES   5000 /* attributes that are counted; names may be data */
#define CHAINS      1024 /* a power of two */
#define DAY_S       86400.0
#define YEARS_5_S   (5 * 365 * DAY_S)
#define FIRST_S     1e9  /* an earlier moment (2001) is a duration */
#define MILLIS_FROM 1e11 /* a later moment in seconds (5138) is in milliseconds … */
#define MICROS_FROM 1e14 /* … or, later still, in smaller parts of a second */

/* An attribute of items of one kind: those whose keys have the same texts in front of their first
 * #. Where tables hold items of several kinds, an attribute may have a type in each. */
struct attribute {
    struct attribute *next;  /* of its chain */
    struct attribute *after; /* in the order of their first items */
    struct span kind, name;
    uint64_t items[ATTR_TYPE_COUNT];
};

struct ttl_counts {
    uint64_t other_type, millis, micros, past, over;
};

struct check_walk {
    struct arena *arena, *scratch;
    struct key_walk at;
    struct span table_name, ttl;
    uint64_t stride, limit;
    double now_s;
    bool keeps_items;
    struct check_looked looked;

    struct buf partition, largest_key; /* the current partition; a key of the largest */
    uint64_t in_partition, in_largest, partitions, large;
    size_t largest_size;
    struct buf large_key;
    struct ttl_counts ttls;
    struct attribute *chains[CHAINS], *first, **last;
    size_t names;
};

/* --- the walk --------------------------------------------------------------------------------- */

static uint64_t count_items(struct store *s, struct arena *a, uint32_t space)
{
    struct space_stats stats = {.entries = 0};
    struct unit *u;

    if (unit_begin(s, a, UNIT_READS, &u))
        return 0;
    if (unit_stats(u, space, &stats))
        stats.entries = 0;
    unit_undo(u);
    return (uint64_t)stats.entries;
}

struct check_walk *check_items_new(const struct check_items_options *o)
{
    struct check_walk *w = process_zeroed(sizeof *w);
    const struct index *ix = o->index;
    uint64_t rows;

    w->arena = arena_new();
    w->scratch = arena_new();
    key_walk_begin(&w->at, w->arena, o->store, o->table, ix);
    w->table_name = arena_span(w->arena, o->table->name);
    w->ttl = arena_span(w->arena, o->table->ttl_attribute);
    w->now_s = (double)o->now_ms / 1000;
    w->keeps_items = o->keeps_items;
    w->looked.items = count_items(o->store, w->scratch, w->at.space);
    rows = w->looked.items < MAX_ROWS ? w->looked.items : MAX_ROWS;
    w->limit = ix ? 0 : o->items;
    w->stride = w->limit && rows > w->limit ? (rows + w->limit - 1) / w->limit : 1;
    w->partition = buf_in(w->arena);
    w->largest_key = buf_in(w->arena);
    w->large_key = buf_in(w->arena);
    w->last = &w->first;
    return w;
}

void check_items_free(struct check_walk *w)
{
    if (!w)
        return;
    arena_free(w->arena);
    arena_free(w->scratch);
    free(w);
}

struct check_looked check_items_looked(const struct check_walk *w)
{
    return w->looked;
}

static void keep_key(struct buf *out, struct span key)
{
    out->len = 0;
    buf_add_span(out, key);
}

static void count_partition(struct check_walk *w, struct span key)
{
    struct span partition = key_partition(key_walk_keys(&w->at), key);

    if (!span_equal(partition, buf_span(&w->partition))) {
        keep_key(&w->partition, partition);
        w->partitions++;
        w->in_partition = 0;
    }
    if (++w->in_partition <= w->in_largest)
        return;
    if (!span_starts_with(buf_span(&w->largest_key), partition))
        keep_key(&w->largest_key, key);
    w->in_largest = w->in_partition;
}

/* --- items ------------------------------------------------------------------------------------ */

static void add_kind(struct buf *out, const struct item *it, const struct key_part *part)
{
    const struct attr *value = item_find(it, part->name);
    const char *mark = value && value->type == ATTR_S ? span_find(value->bytes, '#') : NULL;

    if (mark)
        buf_add(out, value->bytes.at, (size_t)(mark - value->bytes.at) + 1);
    buf_add_char(out, ' ');
}

static struct span kind_of(const struct check_walk *w, const struct item *it)
{
    const struct key_schema *keys = &w->at.table->keys;
    struct buf out = buf_in(w->scratch);

    add_kind(&out, it, &keys->hash[0]);
    if (keys->range_count)
        add_kind(&out, it, &keys->range[0]);
    return buf_span(&out);
}

static void count_attribute(struct check_walk *w, struct span kind, const struct field *f)
{
    struct attribute **chain = &w->chains[(hash_bytes(kind) ^ hash_bytes(f->name)) & (CHAINS - 1)];
    struct attribute *x = *chain;

    while (x && !(span_equal(x->name, f->name) && span_equal(x->kind, kind)))
        x = x->next;
    if (!x && w->names == MAX_NAMES)
        return;
    if (!x) {
        x = arena_alloc(w->arena, sizeof *x);
        *x = (struct attribute){.next = *chain,
                                .kind = arena_span(w->arena, kind),
                                .name = arena_span(w->arena, f->name)};
        *chain = *w->last = x;
        w->last = &x->after;
        w->names++;
    }
    x->items[f->value.type]++;
}

static void count_ttl(struct check_walk *w, const struct attr *value)
{
    double seconds;

    if (!value || value->type == ATTR_NULL)
        return;
    if (value->type != ATTR_N) {
        w->ttls.other_type++;
        return;
    }
    seconds = strtod(arena_text(w->scratch, value->bytes), NULL);
    if (seconds == 0) /* for an item that stays */
        return;
    if (seconds >= MICROS_FROM)
        w->ttls.micros++;
    else if (seconds >= MILLIS_FROM)
        w->ttls.millis++;
    else if (seconds < FIRST_S || (!w->keeps_items && seconds < w->now_s - YEARS_5_S))
        w->ttls.past++;
    else if (!w->keeps_items && seconds < w->now_s - 7 * DAY_S)
        w->ttls.over++;
}

static bool count_row(struct check_walk *w, struct unit *u, const struct store_row *row)
{
    struct store_row whole;

    key_walk_pass(&w->at, row->key);
    count_partition(w, row->key);
    if (row->size >= NEAR_LIMIT && !w->at.index_name.len) {
        w->large++;
        if (row->size > w->largest_size)
            keep_key(&w->large_key, row->key);
        w->largest_size = row->size > w->largest_size ? row->size : w->largest_size;
    }
    if (w->looked.rows++ % w->stride || !w->limit)
        return true;
    if (unit_get(u, row->key, &whole))
        return false;
    if (whole.found) {
        struct item it = item_decode(w->scratch, whole.body);
        struct span kind = kind_of(w, &it);

        w->looked.whole++;
        for (size_t i = 0; i < it.len; i++)
            count_attribute(w, kind, &it.at[i]);
        if (w->ttl.len)
            count_ttl(w, item_find(&it, w->ttl));
    }
    return true;
}

static bool read_rows(struct check_walk *w, struct unit *u)
{
    int64_t until_us = clock_work_us() + SLICE_US;
    struct buf end = buf_in(w->scratch);
    struct store_range range = {.low = buf_span(&w->at.place), .keys_only = true};
    struct cursor *rows;
    struct store_row row;

    key_of_space(&end, w->at.space + 1);
    range.high = buf_span(&end);
    rows = cursor_open(u, range);
    for (size_t i = 1; w->looked.rows < MAX_ROWS; i++) {
        struct arena_mark mark = arena_mark(w->scratch);
        bool read = !cursor_next(rows, &row) && row.found && count_row(w, u, &row);

        arena_release(w->scratch, mark);
        if (!read)
            return true;
        if (i % SLICE_ROWS == 0 && clock_work_us() > until_us)
            return false;
    }
    return true;
}

bool check_items_step(struct check_walk *w)
{
    struct unit *u;
    bool done;

    arena_reset(w->scratch);
    if (!key_walk_resume(&w->at) || unit_begin(w->at.store, w->scratch, UNIT_READS, &u))
        return true;
    done = read_rows(w, u);
    unit_undo(u);
    return done;
}

/* --- what was found --------------------------------------------------------------------------- */

static const char *items_words(const struct check_walk *w, uint64_t count)
{
    return arena_printf(w->scratch, "%llu item%s", (unsigned long long)count,
                        count == 1 ? "" : "s");
}

static struct check_finding *add_finding(const struct check_walk *w, struct check_findings *out,
                                         const char *kind, struct span attribute, uint64_t items,
                                         const char *text)
{
    struct check_finding *one = check_findings_add(out, kind, w->table_name, w->at.index_name,
                                                   attribute, "%s", text);

    if (one)
        one->items = items;
    return one;
}

static void add_ttl(const struct check_walk *w, struct check_findings *out, const char *kind,
                    uint64_t items, const char *before, const char *after)
{
    if (items)
        (void)add_finding(w, out, kind, w->ttl, items,
                          arena_printf(w->scratch, "%.*s %s in %s%s", SPAN_ARG(w->ttl), before,
                                       items_words(w, items), after));
}

static void add_ttls(const struct check_walk *w, struct check_findings *out)
{
    add_ttl(w, out, "ttl-type", w->ttls.other_type, "is not a number",
            ": they never expire; a time to live is a number of seconds since 1970");
    add_ttl(w, out, "ttl-milliseconds", w->ttls.millis, "looks like milliseconds",
            ": a time to live is in seconds since 1970, so they expire in thousands of years");
    add_ttl(w, out, "ttl-milliseconds", w->ttls.micros, "looks like microseconds or less",
            ": a time to live is in seconds since 1970, so they do not expire");
    add_ttl(w, out, "ttl-past", w->ttls.past, "is more than five years in the past",
            ": the service does not delete those; a time to live is a moment, not a duration");
    add_ttl(w, out, "ttl-past", w->ttls.over, "has been over for more than a week", "");
}

/* "year is N in 990 items and S in 10 items"; NULL goes with every type. */
static void add_mixed(const struct check_walk *w, struct check_findings *out,
                      const struct attribute *x)
{
    struct buf text = buf_in(w->scratch);
    uint64_t items = 0;
    size_t types = 0;

    for (int type = 0; type < ATTR_TYPE_COUNT; type++) {
        if (!x->items[type] || type == ATTR_NULL)
            continue;
        buf_printf(&text, "%s%s in %s", types ? ", " : "", attr_type_code((enum attr_type)type),
                   items_words(w, x->items[type]));
        items += x->items[type];
        types++;
    }
    if (types > 1)
        (void)add_finding(w, out, "mixed-types", x->name, items,
                          arena_printf(w->scratch, "%.*s is %s%s%.*s", SPAN_ARG(x->name),
                                       buf_text(&text),
                                       span_has(x->kind, '#') ? ", whose keys begin with " : "",
                                       span_has(x->kind, '#') ? (int)x->kind.len - 1 : 0,
                                       span_printable(x->kind)));
}

struct named {
    struct span lower, name;
    uint64_t items;
};

static int by_name(const void *one, const void *two)
{
    const struct named *a = one, *b = two;
    int order = span_compare(a->lower, b->lower);

    return order ? order : span_compare(a->name, b->name);
}

/* Names of attributes that differ only by case, such as userId and userid. */
static void add_names(const struct check_walk *w, struct check_findings *out)
{
    struct named *all = arena_array(w->scratch, w->names + 1, sizeof *all);
    size_t count = 0, kept = 0;

    for (const struct attribute *x = w->first; x; x = x->after) {
        char *lower = arena_text(w->scratch, x->name);

        all[count].lower = (struct span){lower, x->name.len};
        all[count].name = x->name;
        for (size_t i = 0; i < x->name.len; i++)
            lower[i] = ascii_lower(lower[i]);
        for (int type = 0; type < ATTR_TYPE_COUNT; type++)
            all[count].items += x->items[type];
        count++;
    }
    qsort(all, count, sizeof *all, by_name);
    for (size_t i = 1; i < count; i++) /* an attribute may be in items of several kinds */
        if (span_equal(all[kept].name, all[i].name))
            all[kept].items += all[i].items;
        else
            all[++kept] = all[i];
    for (size_t i = 0; count && i < kept; i++)
        if (span_equal(all[i].lower, all[i + 1].lower))
            (void)add_finding(
                w, out, "names-by-case", all[i].name, all[i].items + all[i + 1].items,
                arena_printf(w->scratch, "%.*s (%s) and %.*s (%s) differ only by case",
                             SPAN_ARG(all[i].name), items_words(w, all[i].items),
                             SPAN_ARG(all[i + 1].name), items_words(w, all[i + 1].items)));
}

/* The attributes of an entry's key; of an index those of its partition. */
static struct item key_of(const struct check_walk *w, struct arena *a, const struct buf *key,
                          bool partition)
{
    const struct key_schema *keys = key_walk_keys(&w->at);
    struct item all = key_read(a, w->at.table, w->at.index, arena_span(a, buf_span(key))),
                out = {0};
    const struct key_part *part;

    for (size_t i = 0; i < all.len; i++)
        for (size_t k = 0; (part = schema_key_part(keys, k)); k++)
            if (span_equal(all.at[i].name, part->name) && (k < keys->hash_count || !partition))
                item_set(a, &out, arena_span(a, all.at[i].name), all.at[i].value);
    return out;
}

static void add_large(const struct check_walk *w, struct check_findings *out)
{
    struct check_finding *one;

    if (!w->large)
        return;
    one = add_finding(w, out, "large-items", (struct span){"", 0}, w->large,
                      arena_printf(w->scratch,
                                   "%s of %zu KB or more, the largest has %zu KB; 400 "
                                   "KB are allowed",
                                   items_words(w, w->large), NEAR_LIMIT / 1024,
                                   w->largest_size / 1024));
    if (one)
        one->key = key_of(w, out->arena, &w->large_key, false);
}

void check_items_end(struct check_walk *w, struct check_findings *out)
{
    bool all;
    struct check_finding *one;

    arena_reset(w->scratch);
    if (!key_walk_resume(&w->at))
        return;
    add_ttls(w, out);
    for (const struct attribute *x = w->first; x; x = x->after)
        if (!span_equal(x->name, w->ttl)) /* it has findings of its own */
            add_mixed(w, out, x);
    add_names(w, out);
    add_large(w, out);
    all = w->looked.rows >= w->looked.items;
    if (w->looked.rows < MANY_ROWS || 2 * w->in_largest <= w->looked.rows)
        return;
    one = add_finding(w, out, "large-partition", (struct span){"", 0}, w->in_largest,
                      arena_printf(w->scratch, "%llu of %s%llu %s are in one of %llu partitions",
                                   (unsigned long long)w->in_largest, all ? "" : "the first ",
                                   (unsigned long long)w->looked.rows,
                                   w->at.index ? "entries" : "items",
                                   (unsigned long long)w->partitions));
    if (one)
        one->key = key_of(w, out->arena, &w->largest_key, true);
}
