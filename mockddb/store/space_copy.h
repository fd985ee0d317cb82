/* space_copy.h: a space as it was at one moment, copied into another while work goes on.
 *
 * What a backup, an export or a restore of a table begins with. A copy begins at once and is made
 * in slices; an entry that is about to change before its slice has come is copied first, so that in
 * the end the new space has exactly what the old one had at the beginning. Bodies are not copied:
 * both own them, until one of the two changes or deletes an entry, and either may be dropped. It is
 * for spaces whose entries own their bodies; an index is built anew. Until the copy is done nobody
 * else writes into the new space.
 *
 * A copy is known by its new space and kept with it: after a restart, and in a copy of the store,
 * it goes on where it was. Where the old space is given up meanwhile, what it holds stays until the
 * copy is done; giving up the new one ends the copy. */
#ifndef STORE_SPACE_COPY_H
#define STORE_SPACE_COPY_H

#include "store/unit.h"

/* Begins a copy of `from` as it is now into a new space, *to. The unit has to write. */
MUST_CHECK const struct error *space_copy_begin(struct unit *u, uint32_t from, uint32_t *to);

/* One slice of the copy into `to`, which is under way; *more says whether to come again. */
MUST_CHECK const struct error *space_copy_step(struct unit *u, uint32_t to, bool *more);

/* Whether `to` is being filled by a copy. */
bool space_copy_fills(const struct store *s, uint32_t to);

/* The least new space of a copy under way that is greater than `after`; 0: there is none. */
uint32_t space_copy_next(const struct store *s, uint32_t after);

/* What is known of the copy into `to`; borrowed until the next change. False: none is under way. */
struct space_copy_state {
    uint32_t from;
    int64_t end_id;       /* entries whose bodies have this id or a later one are not copied */
    struct span position; /* all keys of `from` up to it are done; len 0: none is */
};
bool space_copy_find(const struct store *s, uint32_t to, struct space_copy_state *out);

#endif
