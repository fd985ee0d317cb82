/* unit_lies.h: files of snapshots that lie: whole as files, and at odds with themselves. */
#pragma once

#include "base/digest.h"
#include "base/file.h"
#include "store/space_copy.h"
#include "support/offline_server.h"
#include "support/snapshot_whole.h"
#include "unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <unistd.h>

static struct offline_server server;
static char folder[UNIT_FOLDER_SIZE];

static uint32_t closed_stream; /* the space of one, whose table has no stream any more */

static inline const struct table *table(void)
{
    return store_table(server.store, SPAN_LIT("Tab"));
}

#define DAMAGED    "this snapshot is damaged: "
#define BODIES(of) "id IN (SELECT id FROM entry WHERE " of ")"
#define REPLACE_IN(of, from, to) \
    "UPDATE item SET body = CAST(replace(body, " from ", " to ") AS BLOB) WHERE " BODIES(of)
struct lie {
    const char *sql, *problem; /* NULL: the file is sound all the same */
};

static inline void execute(sqlite3 *db, const char *sql)
{
    const struct table *t = table();
    const struct {
        const char *name;
        uint32_t space;
    } names[] = {{":items", t->space},
                 {":index", t->index_count ? t->indexes[0].space : 0},
                 {":stream", t->stream_space},
                 {":ttl", t->ttl_space},
                 {":log", t->global.log_space},
                 {":latest", t->global.latest_space},
                 {":copy", space_copy_next(server.store, 0)},
                 {":closed", closed_stream}};
    sqlite3_stmt *statement;

    for (const char *rest = sql; *rest;) {
        ck_assert_int_eq(sqlite3_prepare_v2(db, rest, -1, &statement, &rest), SQLITE_OK);
        for (size_t i = 0; i < COUNT(names); i++) {
            int at = sqlite3_bind_parameter_index(statement, names[i].name);

            if (at)
                ck_assert_int_eq(sqlite3_bind_int64(statement, at, names[i].space), SQLITE_OK);
        }
        ck_assert_int_eq(sqlite3_step(statement), SQLITE_DONE);
        sqlite3_finalize(statement);
    }
}

static inline void send(const char *operation, const char *body, const char *text)
{
    struct span answer;
    int status = offline_server_send(&server, span_of(operation), span_of(body), &answer);

    ck_assert_msg(status == 200 && strstr(arena_text(arena, answer), text), "%s: %.*s", operation,
                  SPAN_ARG(answer));
}

#define STEPS_MOST 5000 /* until the work between requests is done */

static inline void settle(void)
{
    for (int i = 0; dispatch_idle(server.dispatcher); i++)
        ck_assert_int_lt(i, STEPS_MOST);
}

#define TAIL_LEN 88
#define SUM_AT   40

/* A snapshot's file of a store's bytes, whose end is right for them; the rest of the end is as in
 * `like`. */
static inline void write_sealed(const char *path, struct span store, struct span like)
{
    struct buf out = buf_in(arena);
    unsigned char sum[SHA256_LEN];
    FILE *f = fopen(path, "w");

    buf_add_span(&out, store);
    for (size_t i = 0; i < 8; i++)
        buf_add_char(&out, (char)(store.len >> (8 * i)));
    buf_add(&out, like.at + like.len - TAIL_LEN + 8, SUM_AT - 8);
    digest_sha256(buf_span(&out), sum);
    buf_add(&out, (const char *)sum, sizeof sum);
    buf_add(&out, like.at + like.len - 16, 16);
    ck_assert(f && fwrite(out.at, 1, out.len, f) == out.len && fclose(f) == 0);
}

static inline struct span read_all(const char *path)
{
    struct span bytes;

    ck_assert(file_read(arena, path, &bytes));
    return bytes;
}

/* A folder with a snapshot of the server at `path`, and its store's file at `plain`. */
static inline void write_snapshot(const char **path, const char **plain)
{
    const struct world_state state = {.store = server.store};
    struct span all;
    FILE *f;

    unit_make_folder(folder);
    *path = arena_printf(arena, "%s/snapshot", folder);
    *plain = arena_printf(arena, "%s/store", folder);
    ck_assert_ptr_null(snapshot_whole_write(arena, *path, SPAN_LIT("lie"), &state, OFFLINE_NOW_MS));
    all = read_all(*path);
    f = fopen(*plain, "w");
    ck_assert(f && fwrite(all.at, 1, all.len - TAIL_LEN, f) == all.len - TAIL_LEN);
    ck_assert_int_eq(fclose(f), 0);
}

static inline void remove_snapshot(const char *path, const char *plain)
{
    ck_assert_int_eq(unlink(path), 0);
    store_remove(arena, plain);
    ck_assert_int_eq(rmdir(folder), 0);
}

/* Writes the server's store to a file as it is with the lie, and loads that: returns the store, or
 * NULL where the file is refused, as it should be where there is a problem. */
static inline struct store *load_lie(const struct lie *lie)
{
    struct snapshot loaded = {.name = NULL};
    const char *path, *plain, *problem;
    sqlite3 *db;

    write_snapshot(&path, &plain);
    ck_assert_int_eq(sqlite3_open(plain, &db), SQLITE_OK);
    execute(db, lie->sql);
    sqlite3_close(db);
    write_sealed(path, read_all(plain), read_all(path));
    problem = snapshot_whole_load(arena, path, &loaded);
    remove_snapshot(path, plain);
    if (lie->problem)
        ck_assert_msg(problem && strstr(problem, lie->problem), "%s", problem);
    else
        ck_assert_msg(!problem, "%s", problem);
    ck_assert(!loaded.state.store == (lie->problem != NULL));
    return loaded.state.store;
}
