/* space_copy.h: a space as it was at one moment, copied into another while work goes on.
 *
 * What a backup, an export or a restore of a table begins with. A copy begins at once and is made
 * in slices; an entry that is about to change before its slice has come is copied first, so that in
 * the end the new space has exactly what the old one had at the beginning. Bodies are copied, too:
 * the two have nothing in common, and either may be dropped. It is for spaces whose entries own
 * their bodies; an index is built anew.
 *
 * A copy lives in memory: after a restart whoever began it drops what there is of it. It fails
 * where its space is dropped or trimmed, and where a slice of it was undone. */
#ifndef STORE_SPACE_COPY_H
#define STORE_SPACE_COPY_H

#include "store/unit.h"

struct space_copy;

/* Begins a copy of `from` as it is now into a new space, *to. The unit has to write. */
MUST_CHECK const struct error *space_copy_begin(struct unit *u, uint32_t from, uint32_t *to,
                                                struct space_copy **out);

/* One slice; *more says whether to come again. */
MUST_CHECK const struct error *space_copy_step(struct space_copy *c, struct unit *u, bool *more);

/* Frees a copy that is done or given up, before the store goes; the new space stays. c may be
 * NULL. */
void space_copy_end(struct space_copy *c);

#endif
