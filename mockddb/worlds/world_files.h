/* world_files.h: where worlds and their snapshots are kept in files: one folder, names encoded, so
 * that no name leads out of it and none differs from another in case alone. */
#ifndef WORLDS_WORLD_FILES_H
#define WORLDS_WORLD_FILES_H

#include "base/arena.h"

const char *world_files_world(struct arena *a, const char *folder, struct span world);
const char *world_files_snapshot(struct arena *a, const char *folder, struct span world,
                                 struct span snapshot);

struct world_files_list {
    struct span *names;
    size_t count;
};

/* Names of the worlds that have a file; of the snapshots that a world has. */
void world_files_worlds(struct arena *a, const char *folder, struct world_files_list *out);
void world_files_snapshots(struct arena *a, const char *folder, struct span world,
                           struct world_files_list *out);

/* The template for mkostemps of a file of its own for one request, and the length of what follows
 * its random part. */
#define WORLD_FILES_TEMPORARY "temporary.XXXXXX.mockddb"
#define WORLD_FILES_ENDING    ".mockddb"

/* Removes what a server that was killed had begun to write: copies that did not take their names,
 * and files of single requests. No other server may work in the folder. */
void world_files_remove_unfinished(struct arena *a, const char *folder);

#endif
