/* unit_worlds.h: what the tests of worlds share: a server's worlds, a table that takes several
 * slices to copy, and the outcome of calls. */
#pragma once

#include "unit.h"

#include "support/offline_server.h"
#include "support/worlds_at_once.h"
#include "worlds/worlds_core.h"

#include <dirent.h>
#include <unistd.h>

extern struct worlds *worlds; /* of the test that runs */

static inline void is_fine(const struct problem *p)
{
    ck_assert_msg(!p, "%s", p ? p->text : "");
}

static inline void is_fault(const struct problem *p, enum problem_kind kind)
{
    ck_assert_ptr_nonnull(p);
    ck_assert_int_eq(p->kind, kind);
}

static inline void open_with(struct worlds_options options)
{
    options.first.settings.region = SPAN_LIT(WORLD_REGION);
    options.first.settings.account = SPAN_LIT(WORLD_ACCOUNT);
    is_fine(worlds_new(arena, &options, &worlds));
}

/* As open_with does, in a folder of its own. */
static inline void open_in_folder(char folder[UNIT_FOLDER_SIZE])
{
    unit_make_folder(folder);
    open_with((struct worlds_options){.folder = folder});
}

static inline void open_worlds(void)
{
    struct clock *clock;

    worlds = offline_worlds_new(arena, &(struct offline_options){.seed = 1}, &clock);
}

static inline struct world *use(const char *name)
{
    struct world *w;

    is_fine(worlds_at_once_use(arena, worlds, span_of(name), &w));
    return w;
}

static inline void settle(void)
{
    while (worlds_idle(worlds))
        continue;
    worlds_flush(worlds);
}

#define LARGE_ITEMS 60 /* of 100 KB, so that a copy takes several slices */
#define FEW_SLICES  4

static inline int send(const struct world *w, const char *operation, const char *body)
{
    struct request request = {
        .target = span_of(arena_printf(arena, "DynamoDB_20120810.%s", operation)),
        .body = span_of(body)};
    struct reply reply;

    dispatch(world_dispatcher(w), &request, &reply);
    return reply.status;
}

static inline void put_large(const struct world *w, int from, int to)
{
    for (int i = from; i < to; i++)
        ck_assert_int_eq(
            send(w, "PutItem",
                 arena_printf(arena,
                              "{\"TableName\":\"Large\",\"Item\":{\"pk\":{\"S\":\"%d\"},"
                              "\"v\":{\"S\":\"%0100000d\"}}}",
                              i, i)),
            200);
}

static char large_folder[UNIT_FOLDER_SIZE];

/* The first world has a table with large items. Worlds are in files: in memory, copies are made at
 * once. */
static inline struct world *open_large(void)
{
    struct world *first;

    unit_make_folder(large_folder);
    open_with((struct worlds_options){
        .folder = large_folder,
        .first.store.path = arena_printf(arena, "%s/first.db", large_folder)});
    first = worlds_first(worlds);
    ck_assert_int_eq(send(first, "CreateTable", offline_server_table_of(arena, "Large", "")), 200);
    put_large(first, 0, LARGE_ITEMS);
    return first;
}

/* Ends the worlds and removes their files. */
static inline void close_large(void)
{
    DIR *dir = opendir(large_folder);
    const struct dirent *entry;

    worlds_free(worlds);
    while ((entry = readdir(dir)))
        (void)unlinkat(dirfd(dir), entry->d_name, 0);
    closedir(dir);
    ck_assert_int_eq(rmdir(large_folder), 0);
}

static inline int64_t items(const struct world *w)
{
    const struct table *t = store_table(world_store(w), SPAN_LIT("Large"));

    return t ? store_stats(world_store(w), t->space).entries : -1;
}

/* To its end; other worlds are served between its slices. */
static inline void run_in_slices(struct worlds_copy *copy)
{
    struct world *other = use("other");
    int slices = 0;

    while (!worlds_copy_step(copy)) {
        slices++;
        ck_assert_int_eq(send(other, "ListTables", "{}"), 200);
        worlds_flush(worlds);
    }
    ck_assert_int_ge(slices, FEW_SLICES);
    is_fine(worlds_copy_problem(copy));
}
