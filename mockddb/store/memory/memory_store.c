#include "store/memory/memory_store.h"

#include <assert.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/process.h"
#include "store/memory/tree.h"
#include "store/store_core.h"
#include "store/store_memory.h"

/* What SQLite's statements are charged, so that a request's budget is the same in both engines. */
#define STEPS_OF_CALL  100
#define STEPS_OF_ROW   30
#define BYTES_AT_STEP  32
#define BYTES_BESIDE   32 /* of an entry, in nodes */
#define BYTES_OF_TABLE 2048
#define FREED_AT_ONCE  2  /* nodes, beside each unit that is kept … */
#define FREED_AT_STEP  25 /* … and in a step, which takes less than a millisecond */

struct memory_space {
    uint32_t number;
    struct tree entries;
};

/* How to undo a change: an entry at a key, or a space that was made or given up. */
struct memory_change {
    uint32_t space;
    bool made, dropped;
    struct tree_entry *before, *after; /* NULL: the key had none, has none */
    struct tree entries;               /* of a space that was given up */
};

struct memory_cursor {
    struct cursor cursor;
    struct store_range range;
    uint32_t space;
    struct tree_place place;
    uint64_t seen; /* the store's changes; with others the place is outdated */
    bool begun, ended;
    char *key; /* of the last row, with its space */
    size_t key_len, key_room;
    struct memory_cursor *idle; /* the next one in the list of idle ones */
};

struct memory_store {
    struct store store;
    struct memory_space *spaces; /* by number */
    size_t count, room;
    size_t last;                   /* the space that was found last */
    struct memory_change *changes; /* of the writing unit */
    size_t change_count, change_room;
    uint64_t changed; /* how many changes there were */
    size_t bytes;
    struct memory_cursor *idle;
};

static struct memory_store *memory_of(const struct store *s)
{
    return (struct memory_store *)(uintptr_t)s;
}

static struct span behind_space(struct span key)
{
    return (struct span){key.at + KEY_SPACE_LEN, key.len - KEY_SPACE_LEN};
}

static size_t bytes_of(const struct tree_entry *e)
{
    return sizeof *e + e->key_len + e->body_len + BYTES_BESIDE;
}

/* --- spaces ----------------------------------------------------------------------------------- */

static size_t position_of(const struct memory_store *m, uint32_t number)
{
    size_t low = 0, high = m->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (m->spaces[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the space, or NULL if it has no entries. */
static struct memory_space *find_space(struct memory_store *m, uint32_t number)
{
    if (m->last >= m->count || m->spaces[m->last].number != number)
        m->last = position_of(m, number);
    return m->last < m->count && m->spaces[m->last].number == number ? &m->spaces[m->last] : NULL;
}

static struct memory_space *make_space(struct memory_store *m, uint32_t number)
{
    struct memory_space *space = find_space(m, number);

    if (space)
        return space;
    space = &m->spaces[m->last];
    memmove(space + 1, space, (m->count - m->last) * sizeof *space);
    m->count++;
    *space = (struct memory_space){.number = number};
    return space;
}

static void remove_space(struct memory_store *m, struct memory_space *space)
{
    m->count--;
    memmove(space, space + 1, (size_t)(m->spaces + m->count - space) * sizeof *space);
}

/* --- changes ---------------------------------------------------------------------------------- */

/* Makes sure that a change, and undoing it, finds the memory that it needs. */
static void prepare_change(struct memory_store *m, struct arena *a)
{
    m->spaces = arena_kept_room(a, m->spaces, m->count + 1, &m->room, sizeof *m->spaces);
    m->changes = arena_kept_room(a, m->changes, m->change_count + 1, &m->change_room,
                                 sizeof *m->changes);
    if (!tree_prepare())
        arena_out_of_memory(a);
}

static struct tree_entry *have_entry(struct arena *a, struct tree_entry *e)
{
    if (!e)
        arena_out_of_memory(a);
    return e;
}

static struct memory_change *note_change(struct memory_store *m, uint32_t space)
{
    struct memory_change *change;

    m->changes = process_one_more(m->changes, m->change_count, &m->change_room, sizeof *m->changes);
    change = &m->changes[m->change_count++];
    *change = (struct memory_change){.space = space};
    m->changed++;
    return change;
}

/* Puts an entry at its key, or with `e` NULL takes out the one there. Returns the one before. */
static struct tree_entry *set_entry(struct memory_store *m, uint32_t number, struct span key,
                                    struct tree_entry *e)
{
    struct memory_space *space = e ? make_space(m, number) : find_space(m, number);
    struct tree_entry *before = NULL;

    if (e)
        before = tree_put(&space->entries, e);
    else if (space)
        before = tree_remove(&space->entries, key);
    m->bytes += (e ? bytes_of(e) : 0) - (before ? bytes_of(before) : 0);
    return before;
}

/* Returns whether there was one. */
static bool change_entry(struct unit *u, struct span key, struct tree_entry *e, size_t size)
{
    struct memory_store *m = memory_of(u->store);
    uint32_t number = store_space_of(key);
    struct tree_entry *before = set_entry(m, number, behind_space(key), e);
    struct memory_change *change = note_change(m, number);

    change->before = before;
    change->after = e;
    store_count_entry(u, key, (e != NULL) - (before != NULL),
                      (int64_t)size - (before ? (int64_t)before->size : 0));
    return before != NULL;
}

static void undo_change(struct memory_store *m, struct memory_change *change)
{
    struct memory_space *space;

    if (change->dropped) {
        make_space(m, change->space)->entries = change->entries;
    } else if (change->made) {
        if ((space = find_space(m, change->space))) {
            tree_release(&space->entries);
            remove_space(m, space);
        }
    } else if (change->before) {
        tree_entry_release(set_entry(m, change->space, (struct span){NULL, 0}, change->before));
    } else if (change->after) {
        tree_entry_release(set_entry(m, change->space, tree_entry_key(change->after), NULL));
    }
}

/* --- units ------------------------------------------------------------------------------------ */

static const struct error *begin_unit(struct store *s, struct arena *a)
{
    (void)s, (void)a;
    return NULL;
}

static void undo_unit(struct store *s)
{
    struct memory_store *m = memory_of(s);

    while (m->change_count)
        undo_change(m, &m->changes[--m->change_count]);
    m->changed++;
    spaces_undo_unit(&s->spaces);
    catalog_undo(&s->catalog, s->unit_changes);
}

#define CHANGES_KEPT 4096 /* room for changes that stays after a unit with more */

static const struct error *keep_unit(struct store *s, struct arena *a)
{
    struct memory_store *m = memory_of(s);

    (void)a;
    for (size_t i = 0; i < m->change_count; i++) {
        struct memory_change *change = &m->changes[i];

        tree_entry_release(change->before);
        tree_release(&change->entries);
    }
    m->change_count = 0;
    (void)tree_free(FREED_AT_ONCE);
    if (m->change_room > CHANGES_KEPT) {
        free(m->changes);
        m->changes = NULL;
        m->change_room = 0;
    }
    spaces_keep_unit(&s->spaces);
    spaces_flushed(&s->spaces);
    catalog_keep(&s->catalog);
    return NULL;
}

static void leave_unit(struct store *s)
{
    (void)s;
}

/* --- entries ---------------------------------------------------------------------------------- */

static int64_t handle_of(const struct tree_entry *e)
{
    return (int64_t)(intptr_t)e;
}

static struct tree_entry *entry_of(const struct store_row *row)
{
    return (struct tree_entry *)(intptr_t)row->handle;
}

static const struct error *get_entry(struct unit *u, struct span key, struct store_row *row)
{
    struct memory_space *space = find_space(memory_of(u->store), store_space_of(key));
    struct tree_entry *e = space ? tree_find(&space->entries, behind_space(key)) : NULL;

    arena_charge(u->arena, STEPS_OF_CALL);
    *row = (struct store_row){.key = key, .found = e != NULL};
    if (e) {
        row->handle = handle_of(e);
        row->size = e->size;
        row->body = arena_span(u->arena, tree_entry_body(e));
    }
    return NULL;
}

/* Changes the entry at the row's place, which must be as the row says. */
static const struct error *set_row(struct unit *u, struct store_row *row, struct tree_entry *e)
{
    bool had = change_entry(u, row->key, e, e ? e->size : 0);

    if (had != row->found) {
        log_error("cannot change an entry: it is %s", had ? "there already" : "not there");
        return error_internal(u->arena);
    }
    row->found = e != NULL;
    row->handle = handle_of(e);
    row->size = e ? e->size : 0;
    return NULL;
}

static const struct error *put_entry(struct unit *u, struct store_row *row, size_t size,
                                     struct span body)
{
    arena_charge(u->arena, (size_t)2 * STEPS_OF_CALL + body.len / BYTES_AT_STEP);
    prepare_change(memory_of(u->store), u->arena);
    row->body = body;
    return set_row(u, row,
                   have_entry(u->arena, tree_entry_new(behind_space(row->key), size, body)));
}

static const struct error *link_entry(struct unit *u, struct store_row *entry,
                                      const struct store_row *owner, size_t size)
{
    struct tree_entry *of = entry_of(owner);
    struct span key = behind_space(entry->key);

    arena_charge(u->arena, STEPS_OF_CALL);
    prepare_change(memory_of(u->store), u->arena);
    of = of->owner ? of->owner : of;
    return set_row(u, entry, have_entry(u->arena, tree_entry_link(key, size, of)));
}

static const struct error *remove_entry(struct unit *u, struct store_row *row)
{
    arena_charge(u->arena, STEPS_OF_CALL);
    prepare_change(memory_of(u->store), u->arena);
    return set_row(u, row, NULL);
}

static const struct error *share_entry(struct unit *u, struct span key, const struct store_row *row)
{
    struct tree_entry *e = entry_of(row);

    prepare_change(memory_of(u->store), u->arena);
    (void)change_entry(u, key, tree_entry_share(e), e->size);
    return NULL;
}

static int64_t owner_of(const struct store_row *row)
{
    return handle_of(entry_of(row)->owner);
}

static const struct error *delete_range(struct unit *u, struct span low, struct span high)
{
    struct store_range range = {.low = low, .high = high, .keys_only = true};
    struct cursor *c = cursor_open(u, range);
    const struct error *e;
    struct store_row row;

    while (!(e = cursor_next(c, &row)) && row.found) {
        prepare_change(memory_of(u->store), u->arena);
        (void)change_entry(u, row.key, NULL, 0);
    }
    cursor_close(c);
    return e;
}

/* --- cursors ---------------------------------------------------------------------------------- */

static struct cursor *open_cursor(struct unit *u, struct store_range range)
{
    struct memory_store *m = memory_of(u->store);
    struct memory_cursor *c;

    range.low = arena_span(u->arena, range.low);
    range.high = arena_span(u->arena, range.high);
    if ((c = m->idle))
        m->idle = c->idle;
    else if (!(c = calloc(1, sizeof *c)))
        arena_out_of_memory(u->arena);
    c->range = range;
    c->space = store_space_of(range.backwards ? range.high : range.low);
    c->begun = c->ended = false;
    return &c->cursor;
}

/* Where the range begins and ends in the current space; no bytes: not in it. */
static struct span bound_in(const struct memory_cursor *c, struct span key)
{
    return store_space_of(key) == c->space ? behind_space(key) : (struct span){NULL, 0};
}

/* The first entry of the current space, from its high end if the range is read backwards. */
static struct tree_entry *first_entry(struct memory_cursor *c, const struct tree *entries)
{
    struct span low = bound_in(c, c->range.low), high = bound_in(c, c->range.high);

    if (!c->range.backwards)
        return tree_seek(entries, low.at ? low : SPAN_LIT(""), false, &c->place);
    return high.at ? tree_seek(entries, high, true, &c->place) : tree_last(entries, &c->place);
}

static struct tree_entry *next_in_space(struct memory_cursor *c, struct memory_store *m)
{
    const struct memory_space *space = find_space(m, c->space);
    struct tree_entry *e = NULL;
    struct span last, bound;
    bool back = c->range.backwards;

    if (!space)
        return NULL;
    if (!c->begun)
        e = first_entry(c, &space->entries);
    else if (c->seen == m->changed)
        e = tree_step(&c->place, back);
    else {
        last = (struct span){c->key + KEY_SPACE_LEN, c->key_len - KEY_SPACE_LEN};
        e = tree_seek(&space->entries, last, back, &c->place);
        if (e && !back && span_equal(tree_entry_key(e), last))
            e = tree_step(&c->place, false);
    }
    c->seen = m->changed;
    c->begun = true;
    bound = bound_in(c, back ? c->range.low : c->range.high);
    if (!e || !bound.at)
        return e;
    if (back ? span_compare(tree_entry_key(e), bound) < 0
             : span_compare(tree_entry_key(e), bound) >= 0)
        return NULL;
    return e;
}

/* Most ranges are in one space. */
static struct tree_entry *next_entry(struct memory_cursor *c, struct memory_store *m)
{
    uint32_t end = store_space_of(c->range.backwards ? c->range.low : c->range.high);
    struct tree_entry *e;

    while (!(e = next_in_space(c, m)) && c->space != end) {
        c->space = c->range.backwards ? c->space - 1 : c->space + 1;
        c->begun = false;
    }
    return e;
}

static void keep_key(struct memory_cursor *c, struct span key)
{
    c->key_len = KEY_SPACE_LEN + key.len;
    if (c->key_room < c->key_len)
        c->key = arena_kept_room(c->cursor.unit->arena, c->key, c->key_len, &c->key_room, 1);
    for (size_t i = 0; i < KEY_SPACE_LEN; i++)
        c->key[i] = (char)(c->space >> 8 * (KEY_SPACE_LEN - 1 - i));
    if (key.len)
        memcpy(c->key + KEY_SPACE_LEN, key.at, key.len);
}

static const struct error *read_next(struct cursor *cursor, struct store_row *row)
{
    struct memory_cursor *c = (struct memory_cursor *)cursor;
    struct tree_entry *e;

    arena_charge(cursor->unit->arena, STEPS_OF_ROW);
    e = c->ended ? NULL : next_entry(c, memory_of(cursor->unit->store));
    row->found = e != NULL;
    c->ended = !e;
    if (!e)
        return NULL;
    keep_key(c, tree_entry_key(e));
    row->key = (struct span){c->key, c->key_len};
    row->handle = handle_of(e);
    row->size = e->size;
    row->body = c->range.keys_only ? (struct span){"", 0} : tree_entry_body(e);
    return NULL;
}

static void close_cursor(struct cursor *cursor)
{
    struct memory_cursor *c = (struct memory_cursor *)cursor;
    struct memory_store *m = memory_of(cursor->unit->store);

    cursor->unit = NULL;
    c->idle = m->idle;
    m->idle = c;
}

/* --- spaces and tables ------------------------------------------------------------------------ */

static const struct error *number_space(struct unit *u, unsigned parts)
{
    (void)u, (void)parts;
    return NULL;
}

static const struct error *drop_space(struct unit *u, uint32_t number)
{
    struct store *s = u->store;
    struct memory_store *m = memory_of(s);
    struct memory_change *change;
    struct memory_space *space;

    prepare_change(m, u->arena);
    spaces_drop(&s->spaces, spaces_get(u->arena, &s->spaces, number));
    if (!(space = find_space(m, number)))
        return NULL;
    change = note_change(m, number);
    change->dropped = true;
    change->entries = space->entries;
    remove_space(m, space);
    return NULL;
}

static const struct error *reap(struct unit *u, bool *more)
{
    (void)u;
    *more = false;
    return NULL;
}

static bool is_doomed(struct store *s, uint32_t space)
{
    (void)s, (void)space;
    return false;
}

static const struct error *put_table(struct unit *u, const struct table *t, uint64_t *version)
{
    (void)u, (void)t, (void)version;
    return NULL;
}

static const struct error *remove_table(struct unit *u, struct span id)
{
    (void)u, (void)id;
    return NULL;
}

static const struct error *begin_copy(struct unit *u, uint32_t from, uint32_t *to)
{
    struct store *s = u->store;
    struct memory_store *m = memory_of(s);
    struct tree shared;
    struct space_stats counts = store_stats(s, from);
    const struct error *e = unit_new_space(u, 0, to);

    if (e || !find_space(m, from))
        return e;
    prepare_change(m, u->arena);
    shared = tree_share(&find_space(m, from)->entries);
    make_space(m, *to)->entries = shared;
    note_change(m, *to)->made = true;
    counts.spared = 0;
    spaces_change(&s->spaces, spaces_get(u->arena, &s->spaces, *to), counts);
    return NULL;
}

struct tree_pool *store_memory_new(void)
{
    return tree_pool_new();
}

void store_memory_free(struct tree_pool *pool)
{
    tree_pool_free(pool);
}

struct tree_pool *store_memory_use(struct tree_pool *pool)
{
    return tree_pool_use(pool);
}

bool store_memory_free_step(void)
{
    return tree_free(FREED_AT_STEP);
}

bool store_memory_waits(void)
{
    return tree_free(0);
}

/* --- stores ----------------------------------------------------------------------------------- */

static size_t memory_in_use(const struct store *s)
{
    const struct memory_store *m = memory_of(s);

    return sizeof *m + m->room * sizeof *m->spaces + s->catalog.count * BYTES_OF_TABLE + m->bytes;
}

static void free_store(struct store *s)
{
    struct memory_store *m = memory_of(s);

    for (size_t i = 0; i < m->count; i++)
        tree_release(&m->spaces[i].entries);
    while (m->idle) {
        struct memory_cursor *c = m->idle;

        m->idle = c->idle;
        free(c->key);
        free(c);
    }
    free(m->spaces);
    free(m->changes);
    free(m);
}

const struct store_engine store_in_memory = {
    .free = free_store,
    .memory = memory_in_use,
    .begin = begin_unit,
    .keep = keep_unit,
    .undo = undo_unit,
    .leave = leave_unit,
    .get = get_entry,
    .put = put_entry,
    .delete = remove_entry,
    .link = link_entry,
    .unlink = remove_entry,
    .share = share_entry,
    .owner = owner_of,
    .delete_range = delete_range,
    .number_space = number_space,
    .drop_space = drop_space,
    .reap = reap,
    .is_doomed = is_doomed,
    .put_table = put_table,
    .remove_table = remove_table,
    .open_cursor = open_cursor,
    .next = read_next,
    .close_cursor = close_cursor,
    .begin_copy = begin_copy,
};

struct store *memory_store_open(void)
{
    struct memory_store *m = process_zeroed(sizeof *m);

    m->store.engine = &store_in_memory;
    m->store.next_space = KEY_FIRST_SPACE;
    return &m->store;
}

struct store *memory_store_copy(const struct store *from)
{
    const struct memory_store *source = memory_of(from);
    struct store *s = memory_store_open();
    struct memory_store *m = memory_of(s);

    assert(!from->unit_count);
    m->count = m->room = source->count;
    m->spaces = process_malloc((m->count + 1) * sizeof *m->spaces);
    for (size_t i = 0; i < m->count; i++)
        m->spaces[i] = (struct memory_space){source->spaces[i].number,
                                             tree_share(&source->spaces[i].entries)};
    m->bytes = source->bytes;
    for (size_t i = 0; i < from->catalog.count; i++)
        catalog_put(NULL, &s->catalog, schema_copy(NULL, from->catalog.tables[i]),
                    s->catalog.version + 1);
    catalog_keep(&s->catalog);
    for (size_t i = 0; i < from->spaces.count; i++) {
        struct space *space = spaces_get(NULL, &s->spaces, from->spaces.at[i]->number);

        space->now = space->kept = space->flushed = from->spaces.at[i]->now;
    }
    s->next_space = from->next_space;
    s->number = from->number;
    return s;
}
