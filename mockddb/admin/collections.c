#include "admin/collections.h"

#include "admin/collect_kinds.h"
#include "admin/collect_parts.h"
#include "admin/key_walk.h"
#include "base/ascii.h"
#include "base/base64.h"
#include "base/clock.h"
#include "model/item_codec.h"
#include "store/cursor.h"

#include <stdlib.h>

#define SLICE_US      4000
#define SLICE_KEYS    32  /* between two looks at the time */
#define FETCHED       256 /* rows, by engines that fetch many */
#define PROBES        256 /* keys that are looked at for their separator, … */
#define LEAST_SHARE   4   /* … of which one in four must have it */
#define OTHER_ENTRIES 16  /* of a partition that is not looked at, before it is left */
#define KEYS_TO_ENTRIES                                                                          \
    200                  /* of the most keys, what is read of one partition of a large table … \
                          */
#define KEYS_TO_RUN   10 /* … and of the items with one part in a partition */
#define KEYS_TO_SEEKS 50

/* Before other separators than # there must be a word: a moment has colons, too. */
static const char separators[] = "#|:/~";

/* Keys, and those that have each separator. */
struct probe {
    uint64_t keys, having[sizeof separators];
};

struct collections {
    struct arena *arena, *scratch;
    struct key_walk at;
    struct span hash_name, sort_name; /* the first attribute of each; sort_name may be empty */
    bool in_partition;                /* parts are those of sort keys */
    enum attr_type type;              /* of the attribute that has the parts */
    struct span prefix;
    size_t base; /* length of the prefix up to its last separator */
    char separator;
    bool probing;
    struct probe hash_probe, sort_probe;

    uint64_t most_keys, most_in_group, entries;
    struct buf begin, end; /* the range of keys */
    size_t run_at;         /* in keys of one partition: where the part behind base begins */
    struct buf group;      /* the beginning that the keys of the current group share */
    uint64_t in_group;
    struct collect_part *part; /* of the group, or NULL: it is not looked at */
    uint64_t read, seeks, partitions, bytes;
    uint32_t last_hash;
    bool ended, cut;
    struct collect_parts *parts;
    struct collect_kinds *kinds;
};

/* --- the range -------------------------------------------------------------------------------- */

static void set_separator(struct collections *c, char separator)
{
    c->separator = c->type == ATTR_S ? separator : 0;
    for (size_t i = 0; c->separator && i < c->prefix.len; i++)
        if (c->prefix.at[i] == c->separator)
            c->base = i + 1;
    for (size_t i = 0; i < c->base; i++)
        c->run_at += c->prefix.at[i] ? 1 : 2; /* an escaped NUL */
}

static void set_range(struct collections *c, const struct attr *partition)
{
    struct attr prefix = {.type = c->type, .bytes = c->prefix};

    if (!partition) {
        key_of_space(&c->begin, c->at.space);
        key_of_space(&c->end, c->at.space + 1);
        return;
    }
    key_of_partition(&c->begin, c->at.space, &partition, 1);
    c->run_at = c->begin.len;
    if (c->prefix.len)
        key_add_prefix(&c->begin, &prefix);
    buf_add_span(&c->end, buf_span(&c->begin));
    if (!key_next(&c->end)) /* a space with only FF is not given out */
        c->end.len = 0;
}

struct collections *collections_new(const struct collections_options *o)
{
    struct collections *c = process_zeroed(sizeof *c);
    const struct key_schema *keys = o->index ? &o->index->keys : &o->table->keys;

    c->arena = arena_new();
    c->scratch = arena_new();
    key_walk_begin(&c->at, c->arena, o->store, o->table, o->index);
    c->hash_name = arena_span(c->arena, keys->hash[0].name);
    if (keys->range_count)
        c->sort_name = arena_span(c->arena, keys->range[0].name);
    c->in_partition = o->partition != NULL;
    c->type = c->in_partition ? keys->range[0].type : keys->hash[0].type;
    c->prefix = arena_span(c->arena, o->prefix);
    c->most_keys = o->keys;
    c->begin = c->end = c->group = buf_in(c->arena);
    set_range(c, o->partition);
    key_walk_go_to(&c->at, buf_span(&c->begin));
    c->parts = collect_parts_new(c->arena);
    c->probing = true;
    if (o->separator && c->type == ATTR_S)
        set_separator(c, o->separator);
    return c;
}

void collections_free(struct collections *c)
{
    if (!c)
        return;
    arena_free(c->arena);
    arena_free(c->scratch);
    free(c);
}

/* --- groups: a partition, or the sort keys with one part -------------------------------------- */

/* The beginning of a key in one partition, up to the separator behind the base. */
static struct span run_of(const struct collections *c, struct span key)
{
    size_t at = c->run_at;

    while (at + 1 < key.len && (key.at[at] || key.at[at + 1])) {
        if (c->separator && key.at[at] == c->separator)
            return (struct span){key.at, at + 1};
        at += key.at[at] ? 1 : 2;
    }
    return (struct span){key.at, at + 2 < key.len ? at + 2 : key.len};
}

static struct span group_of(const struct collections *c, struct span key)
{
    return c->in_partition ? run_of(c, key) : key_partition(key_walk_keys(&c->at), key);
}

static struct span text_of(const struct collections *c, const struct item *key, struct span name)
{
    const struct attr *value = name.len ? item_find(key, name) : NULL;
    struct buf text = buf_in(c->scratch);

    if (!value || value->type != ATTR_B)
        return value ? value->bytes : (struct span){"", 0};
    base64_encode(&text, value->bytes);
    return buf_span(&text);
}

static void begin_group(struct collections *c, struct span key, struct span group)
{
    struct item all = key_read(c->scratch, c->at.table, c->at.index, key);
    struct span text = text_of(c, &all, c->in_partition ? c->sort_name : c->hash_name), part;
    const char *end;

    c->group.len = 0;
    buf_add_span(&c->group, group);
    c->in_group = 0;
    c->part = NULL;
    c->partitions += !c->in_partition;
    if (!span_starts_with(text, c->prefix))
        return;
    part = span_from(text, c->base);
    end = c->separator ? span_find(part, c->separator) : NULL;
    if (end)
        part.len = (size_t)(end - part.at);
    c->part = collect_parts_find(c->parts, part);
    if (!c->in_partition) {
        c->part->keys++;
        c->part->whole += !end;
    }
}

/* --- rows ------------------------------------------------------------------------------------- */

enum then { THEN_NEXT, THEN_SKIP /* the rest of the group */, THEN_END };

static bool is_of_word(char c)
{
    return ascii_is_letter(c) || c == '_' || c == '-';
}

/* Counts the separators that a key has. */
static void probe_key(struct probe *p, struct span text)
{
    p->keys++;
    for (size_t i = 0; separators[i]; i++) {
        const char *at = span_find(text, separators[i]);
        struct span before = {text.at, at ? (size_t)(at - text.at) : 0};

        p->having[i] += at && (i == 0 || (before.len && span_is_all(before, is_of_word)));
    }
}

static enum then probe_row(struct collections *c, const struct store_row *row)
{
    struct item key = key_read(c->scratch, c->at.table, c->at.index, row->key);

    probe_key(&c->hash_probe, text_of(c, &key, c->hash_name));
    probe_key(&c->sort_probe, text_of(c, &key, c->sort_name));
    if (c->hash_probe.keys == PROBES)
        return THEN_END;
    if (c->in_partition)
        return THEN_NEXT;
    c->group.len = 0;
    buf_add_span(&c->group, group_of(c, row->key));
    return THEN_SKIP;
}

static bool read_whole(struct collections *c, struct unit *u, struct collect_kind *kind,
                       struct span key, const struct item *parts)
{
    struct store_row whole;
    struct item it;

    if (unit_get(u, key, &whole))
        return false;
    if (!whole.found)
        return true;
    it = item_decode(c->scratch, whole.body);
    if (c->at.index)
        it = schema_project(c->scratch, c->at.table, c->at.index, &it);
    collect_kinds_read(c->kinds, kind, &it, parts);
    return true;
}

static bool count_row(struct collections *c, struct unit *u, const struct store_row *row)
{
    struct item key = key_read(c->scratch, c->at.table, c->at.index, row->key);
    struct span sort = text_of(c, &key, c->sort_name);
    struct collect_kind *kind = collect_kinds_take(c->kinds, text_of(c, &key, c->hash_name), sort,
                                                   row->size);

    c->bytes += row->size;
    c->part->items++;
    c->part->bytes += row->size;
    if (c->in_partition) {
        c->part->keys++;
        c->part->whole += !c->separator ||
                          !memchr(span_from(sort, c->base).at, c->separator, sort.len - c->base);
    }
    return !kind || read_whole(c, u, kind, row->key, &key);
}

static enum then take_row(struct collections *c, struct unit *u, const struct store_row *row)
{
    struct span group = group_of(c, row->key);

    if (c->read == c->most_keys)
        return THEN_END;
    if (!span_equal(group, buf_span(&c->group)))
        begin_group(c, row->key, group);
    if (c->in_group == (c->part ? c->most_in_group : OTHER_ENTRIES)) {
        if (c->part)
            c->cut = c->part->cut = true;
        return THEN_SKIP;
    }
    c->in_group++;
    c->read++;
    c->last_hash = key_hash(row->key);
    if (c->part && !count_row(c, u, row))
        return THEN_END;
    key_walk_pass(&c->at, row->key);
    return THEN_NEXT;
}

/* --- the walk --------------------------------------------------------------------------------- */

/* Reads up to the next seek. */
static enum then read_rows(struct collections *c, struct unit *u, int64_t until_us)
{
    struct cursor *rows = cursor_open(u, (struct store_range){.low = buf_span(&c->at.place),
                                                              .high = buf_span(&c->end),
                                                              .keys_only = true,
                                                              .expected = FETCHED});
    enum then then = THEN_NEXT;
    struct store_row row;

    for (size_t i = 1; then == THEN_NEXT; i++) {
        struct arena_mark mark = arena_mark(c->scratch);

        if (cursor_next(rows, &row)) {
            then = THEN_END;
        } else if (!row.found) {
            c->ended = true;
            then = THEN_END;
        } else {
            then = c->probing ? probe_row(c, &row) : take_row(c, u, &row);
        }
        arena_release(c->scratch, mark);
        if (i % SLICE_KEYS == 0 && clock_work_us() > until_us)
            break;
    }
    cursor_close(rows);
    return then;
}

static char likely_separator(const struct probe *p)
{
    size_t most = 0;

    for (size_t i = 1; separators[i]; i++)
        if (p->having[i] > p->having[most])
            most = i;
    return p->having[most] && p->having[most] * LEAST_SHARE >= p->keys ? separators[most] : 0;
}

static void end_probing(struct collections *c)
{
    char hash = likely_separator(&c->hash_probe), sort = likely_separator(&c->sort_probe);

    if (!c->separator)
        set_separator(c, c->in_partition ? sort : hash);
    c->kinds = collect_kinds_new(c->arena, hash, sort ? sort : hash);
    c->probing = c->ended = false;
    c->group.len = 0;
    key_walk_go_to(&c->at, buf_span(&c->begin));
}

static void begin_walk(struct collections *c, struct unit *u)
{
    struct space_stats stats = {.entries = 0};

    if (!unit_stats(u, c->at.space, &stats))
        c->entries = (uint64_t)stats.entries;
    if (c->in_partition)
        c->most_in_group = c->most_keys / KEYS_TO_RUN;
    else
        c->most_in_group = c->entries > c->most_keys ? c->most_keys / KEYS_TO_ENTRIES
                                                     : c->most_keys;
    c->most_in_group += !c->most_in_group;
}

bool collections_step(struct collections *c)
{
    int64_t until_us = clock_work_us() + SLICE_US;
    enum then then = THEN_END;
    struct unit *u;

    arena_reset(c->scratch);
    if (!key_walk_resume(&c->at) || unit_begin(c->at.store, c->scratch, UNIT_READS, &u))
        return true;
    if (!c->most_in_group)
        begin_walk(c, u);
    do {
        then = read_rows(c, u, until_us);
        if (then == THEN_SKIP) {
            key_walk_go_to(&c->at, buf_span(&c->group));
            if (!key_next(&c->at.place) || ++c->seeks > c->most_keys / KEYS_TO_SEEKS + PROBES)
                then = THEN_END;
        }
    } while (then == THEN_SKIP && clock_work_us() <= until_us);
    if (then == THEN_END && c->probing) {
        end_probing(c);
        then = THEN_NEXT;
    }
    unit_undo(u);
    return then == THEN_END;
}

/* --- what was found --------------------------------------------------------------------------- */

void collections_show(struct collections *c, size_t limit, struct wire_writer *w)
{
    double share = c->ended ? 1 : ((double)c->last_hash + 1) / 4294967296.0;

    if (!c->kinds)
        end_probing(c); /* the table is gone */
    wire_put_member_text(w, "attribute", c->in_partition ? c->sort_name : c->hash_name);
    wire_put_member_word(w, "type", attr_type_code(c->type));
    wire_put_member_text(w, "separator", (struct span){&c->separator, c->separator ? 1 : 0});
    wire_put_member_text(w, "prefix", c->prefix);
    wire_put_member_text(w, "base", (struct span){c->prefix.at, c->base});
    wire_put_member_integer(w, "entries", (int64_t)c->entries);
    wire_put_member_integer(w, "read", (int64_t)c->read);
    wire_put_member_integer(w, "bytes", (int64_t)c->bytes);
    if (!c->in_partition) {
        wire_put_member_integer(w, "partitions", (int64_t)c->partitions);
        wire_key(w, "share");
        wire_put_double(w, share);
    }
    wire_put_member_bool(w, "complete", c->ended && !c->cut);
    collect_parts_show(c->parts, !c->in_partition, limit, w);
    collect_kinds_show(c->kinds, w);
}
