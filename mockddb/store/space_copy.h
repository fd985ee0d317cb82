/* space_copy.h: copies a space as of one moment into another, while requests are served.
 *
 * Backups, exports and restores of a table begin with such a copy. It begins at once and is made in
 * slices; an entry that is about to change before its slice is copied first, so that in the end the
 * new space has exactly the entries of the old one at the beginning. Bodies are not copied: both
 * spaces own them until one of the two changes or deletes the entry, and either space may be
 * dropped. It is for spaces whose entries own their bodies; an index is built again instead. Only
 * the copy may write into the new space until it is done.
 *
 * A copy is identified by its new space and stored with it: after a restart, and in a copy of the
 * store, it continues. If the old space is given up meanwhile, its entries stay until the copy is
 * done; giving up the new space ends the copy. */
#pragma once

#include "store/unit.h"

/* Begins a copy of `from` as it is now into a new space, *to. The unit must write. */
MUST_CHECK const struct error *space_copy_begin(struct unit *u, uint32_t from, uint32_t *to);

/* Does a slice of the copy into `to`, which must be in progress; *more says whether to call
 * again. */
MUST_CHECK const struct error *space_copy_step(struct unit *u, uint32_t to, bool *more);

/* Whether `to` is being filled by a copy. */
bool space_copy_fills(const struct store *s, uint32_t to);

/* The smallest new space of a copy in progress that is greater than `after`; 0: none. */
uint32_t space_copy_next(const struct store *s, uint32_t after);

/* The state of the copy into `to`; borrowed until the next change. Returns false without one. */
struct space_copy_state {
    uint32_t from;
    int64_t end_id;       /* entries whose bodies have this id or a later one are not copied */
    struct span position; /* all keys of `from` up to here are copied; len 0: none */
};
bool space_copy_find(const struct store *s, uint32_t to, struct space_copy_state *out);
