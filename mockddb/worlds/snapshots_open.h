/* snapshots_open.h: loads the snapshots that a world has in files, in slices. */
#ifndef WORLDS_SNAPSHOTS_OPEN_H
#define WORLDS_SNAPSHOTS_OPEN_H

#include "worlds/snapshots.h"

struct snapshots_open;

/* `folder` must live until the end; NULL: no snapshot is in a file. */
struct snapshots_open *snapshots_open_begin(const char *folder, struct span world);
/* Does a step of snapshot_load; returns true at the end. A file that cannot be loaded is logged and
 * stays where it is. */
bool snapshots_open_step(struct snapshots_open *o);
/* After the end: the snapshots, which the caller frees. */
struct snapshots *snapshots_open_take(struct snapshots_open *o);
void snapshots_open_free(struct snapshots_open *o); /* o may be NULL */

#endif
