#include "worlds/snapshots_open.h"

#include <stdlib.h>

#include "base/log.h"
#include "worlds/snapshot_load.h"
#include "worlds/world_files.h"

struct snapshots_open {
    struct arena *arena;
    const char *folder;
    struct span world;
    struct world_files_list list;
    size_t next; /* in the list; the one before it is being loaded */
    struct snapshot_load *load;
    struct snapshots *all;
};

struct snapshots_open *snapshots_open_begin(const char *folder, struct span world)
{
    struct snapshots_open *o = calloc(1, sizeof *o);

    if (!o)
        process_out_of_memory();
    o->arena = arena_new();
    o->folder = folder;
    o->world = arena_span(o->arena, world);
    o->all = snapshots_new();
    if (folder)
        world_files_snapshots(o->arena, folder, world, &o->list);
    return o;
}

static const char *path_of(const struct snapshots_open *o, struct span name)
{
    return world_files_snapshot(o->arena, o->folder, o->world, name);
}

static void keep_loaded(struct snapshots_open *o)
{
    struct span name = o->list.names[o->next - 1];
    struct snapshot loaded;
    const char *problem = snapshot_load_take(o->load, o->arena, &loaded);

    if (problem)
        log_error("%s: %s", path_of(o, name), problem);
    else
        snapshots_adopt(o->all, name, &loaded);
    snapshot_load_free(o->load);
    o->load = NULL;
}

bool snapshots_open_step(struct snapshots_open *o)
{
    if (!o->load && (o->next == o->list.count ||
                     snapshots_check_room(o->arena, o->all, o->list.names[o->next])))
        return true;
    if (!o->load)
        o->load = snapshot_load_begin(path_of(o, o->list.names[o->next++]));
    if (snapshot_load_step(o->load))
        keep_loaded(o);
    return false;
}

struct snapshots *snapshots_open_take(struct snapshots_open *o)
{
    struct snapshots *all = o->all;

    o->all = NULL;
    return all;
}

void snapshots_open_free(struct snapshots_open *o)
{
    if (!o)
        return;
    snapshot_load_free(o->load);
    snapshots_free(o->all);
    arena_free(o->arena);
    free(o);
}
