/* background.h: the work that goes on between requests: transitions that are due, backfills, old
 * stream records and tokens, what deleted tables held, and the sweep that deletes expired items.
 *
 * Its state belongs to one dispatcher. Nothing here has to survive: after a restart transitions
 * and backfills go on from the catalog, deletions from the store, and the sweep starts anew. */
#ifndef OPS_BACKGROUND_H
#define OPS_BACKGROUND_H

#include "ops/op.h"

struct background *background_new(const struct clock *clock, const struct settings *settings);
void background_free(struct background *b); /* b may be NULL */

/* Says that a table has something to wait for. */
void background_wake(struct background *b);

/* One slice of the work; true when there is more to do at once. Opens and ends units of its own;
 * the call has no operation. */
bool background_step(struct call *c);

#endif
