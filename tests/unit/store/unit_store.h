/* unit_store.h: what tests of the store share: a store in memory or in a file, and short forms of
 * its calls that have to succeed. */
#pragma once

#include "unit.h"

#include "model/key.h"
#include "store/cursor.h"
#include "support/database.h"
#include "support/memory_in_use.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Every test that says `modes` runs in memory and on a file. */
enum { MEMORY, IN_FILE, MODES };

static struct store *store;
static struct unit *unit; /* that writes, between begin and end */
static char *folder;
static const char *path;

static inline struct store *open_store(const char *file)
{
    struct store_options options = {.path = file, .sync = STORE_SYNC_NORMAL};
    const char *problem = NULL;
    struct store *s;

    database_watch();
    s = store_open(arena, &options, &problem);
    ck_assert_msg(s != NULL, "%s", problem);
    return s;
}

static inline const char *why_not_opened(const char *file)
{
    struct store_options options = {.path = file};
    const char *problem = NULL;

    ck_assert_ptr_null(store_open(arena, &options, &problem));
    ck_assert_ptr_nonnull(problem);
    return problem;
}

static inline void make_folder(void)
{
    static char name[UNIT_FOLDER_SIZE];

    unit_make_folder(name);
    folder = name;
    path = arena_printf(arena, "%s/data.db", folder);
}

static inline void remove_folder(void)
{
    static const char *const endings[] = {"", "-wal", "-journal", "-shm"};

    for (size_t i = 0; i < COUNT(endings); i++)
        unlink(arena_printf(arena, "%s%s", path, endings[i]));
    rmdir(folder);
}

static inline void start(int mode)
{
    make_folder();
    store = open_store(mode == IN_FILE ? path : NULL);
}

static inline void stop(void)
{
    store_free(store);
    remove_folder();
}

static inline void reopen(void)
{
    store_free(store);
    store = open_store(path);
}

#define FIRST KEY_FIRST_SPACE

/* --- short forms: a key is the space and a text ----------------------------------------------- */

static inline struct span key_at(uint32_t space, const char *text)
{
    struct buf key = buf_in(arena);

    buf_add_char(&key, (char)(space >> 24));
    buf_add_char(&key, (char)(space >> 16));
    buf_add_char(&key, (char)(space >> 8));
    buf_add_char(&key, (char)space);
    buf_add_text(&key, text);
    return buf_span(&key);
}

static inline void ok(const struct error *e)
{
    if (e)
        ck_abort_msg("%.*s", SPAN_ARG(e->message));
}

static inline void begin(void)
{
    ok(unit_begin(store, arena, UNIT_WRITES, &unit));
}

static inline void end(bool keep)
{
    if (keep)
        ok(unit_keep(unit));
    else
        unit_undo(unit);
}

static inline struct unit *begin_reading(void)
{
    struct unit *u;

    ok(unit_begin(store, arena, UNIT_READS, &u));
    return u;
}

static inline struct store_row put(uint32_t space, const char *key, const char *body)
{
    struct store_row row = {.key = key_at(space, key)};

    ok(unit_put(unit, &row, strlen(body), span_of(body)));
    return row;
}

/* An index entry. */
static inline struct store_row link_to(const struct store_row *owner, uint32_t space,
                                       const char *key, size_t size)
{
    struct store_row row = {.key = key_at(space, key)};

    ok(unit_link(unit, &row, owner, size));
    return row;
}

static inline struct store_row get(uint32_t space, const char *key)
{
    struct unit *u = begin_reading();
    struct store_row row;

    ok(unit_get(u, key_at(space, key), &row));
    ok(unit_keep(u));
    return row;
}

static inline void has(uint32_t space, const char *key, const char *body)
{
    struct store_row row = get(space, key);

    ck_assert_msg(row.found, "%s is missing", key);
    ck_assert_span_eq(row.body, body);
    ck_assert_uint_eq(row.size, strlen(body));
}

static inline void has_not(uint32_t space, const char *key)
{
    ck_assert_msg(!get(space, key).found, "%s is there", key);
}

static inline void has_stats(uint32_t space, int64_t entries, int64_t bytes)
{
    struct space_stats stats = store_stats(store, space);

    ck_assert_int_eq(stats.entries, entries);
    ck_assert_int_eq(stats.bytes, bytes);
}

static inline uint32_t new_space(void)
{
    uint32_t space = 0;

    ok(unit_new_space(unit, 0, &space));
    return space;
}

static inline struct table *new_table(const char *name, const char *uuid)
{
    struct table *t = schema_new(NULL);

    t->name = arena_span(t->arena, span_of(name));
    t->uuid = arena_span(t->arena, span_of(uuid));
    t->keys.hash_count = 1;
    t->keys.hash[0] = (struct key_part){SPAN_LIT("pk"), ATTR_S};
    return t;
}

static inline void put_table(const char *name, const char *uuid)
{
    const struct table *before = store_table(store, span_of(name));
    struct table *t = new_table(name, uuid);

    t->version = before ? before->version : 0;
    ok(unit_put_table(unit, t));
}

/* The keys of a range with their bodies, "a=1 b=2", as the cursor gives them. */
static inline const char *range_text(uint32_t space, const char *low, const char *high,
                                     bool backwards, bool keys_only)
{
    struct store_range range = {.low = key_at(space, low),
                                .high = key_at(space, high),
                                .backwards = backwards,
                                .keys_only = keys_only};
    struct buf text = buf_in(arena);
    struct unit *u = begin_reading();
    struct store_row row;
    struct cursor *c;

    c = cursor_open(u, range);
    for (;;) {
        ok(cursor_next(c, &row));
        if (!row.found)
            break;
        if (text.len)
            buf_add_char(&text, ' ');
        buf_add_span(&text, span_from(row.key, KEY_SPACE_LEN));
        buf_add_char(&text, '=');
        buf_add_span(&text, row.body);
    }
    ok(unit_keep(u));
    return buf_text(&text);
}

static inline void reap(void)
{
    bool more = store_has_doomed(store);

    while (more) {
        begin();
        ok(unit_reap(unit, &more));
        end(true);
    }
}

#define KEPT_BY_MALLOC 60000 /* blocks of each size that are free, and count as used */

/* Calls a function `times` times, each time with an empty arena: the process must not need more and
 * more memory. */
static inline void takes_no_memory(void (*once)(int i), int times)
{
    struct arena *outer = arena;
    size_t before = 0;

    arena = arena_new();
    for (int i = 0; i < times; i++) {
        if (i == 10)
            before = memory_in_use();
        once(i);
        arena_reset(arena);
    }
    ck_assert_uint_lt(memory_in_use(), before + KEPT_BY_MALLOC);
    arena_free(arena);
    arena = outer;
}
