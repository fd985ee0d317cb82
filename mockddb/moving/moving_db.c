#include "moving/moving_db.h"

#include "dispatch/dispatch_client.h"
#include "worlds/world.h"

#include <unistd.h>

struct moving_db {
    struct world *world;
    struct dispatch_memory *memory;
};

static void close_db(void *context)
{
    struct moving_db *db = context;

    if (db->world)
        world_free(db->world);
    dispatch_memory_free(db->memory);
}

const char *moving_db_open(struct arena *a, const char *path, bool must_exist, struct client **out)
{
    const struct world_options options = {
        .name = SPAN_LIT(WORLD_FIRST),
        .store = {.path = path, .sync = STORE_SYNC_NORMAL},
        .settings = {.region = SPAN_LIT(WORLD_REGION), .account = SPAN_LIT(WORLD_ACCOUNT)},
    };
    const struct world_state from = {.store = NULL};
    struct moving_db *db;
    const struct problem *p;

    if (must_exist && access(path, F_OK))
        return arena_printf(a, "%s: there is no such file", path);
    db = arena_alloc(a, sizeof *db);
    db->memory = dispatch_memory_new();
    if ((p = world_new(a, &options, &from, db->memory, &db->world))) {
        close_db(db);
        return p->text;
    }
    *out = dispatch_client_new(
        a, world_dispatcher(db->world),
        &(struct dispatch_client_options){.name = path,
                                          .settings = world_settings(db->world),
                                          .aside = true,
                                          .close = close_db,
                                          .context = db});
    return NULL;
}
