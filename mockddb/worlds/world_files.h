/* world_files.h: names of the files of worlds and snapshots: in one folder, encoded so that no name
 * leads out of it and no two names differ only in case. */
#pragma once

#include "base/arena.h"

const char *world_files_world(struct arena *a, const char *folder, struct span world);
const char *world_files_snapshot(struct arena *a, const char *folder, struct span world,
                                 struct span snapshot);

struct world_files_list {
    struct span *names;
    size_t count;
};

/* Names of the worlds that have a file, and of a world's snapshots. */
void world_files_worlds(struct arena *a, const char *folder, struct world_files_list *out);
void world_files_snapshots(struct arena *a, const char *folder, struct span world,
                           struct world_files_list *out);

/* The template of mkostemps for the file of one request, and the length after its random part. */
#define WORLD_FILES_TEMPORARY "temporary.XXXXXX.mockddb"
#define WORLD_FILES_ENDING    ".mockddb"

/* Removes the unfinished files of a killed server: copies that were not renamed, and files of
 * requests. No other server may use the folder. */
void world_files_remove_unfinished(struct arena *a, const char *folder);
