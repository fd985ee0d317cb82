/* moving_fixtures.h: loads fixtures (docs/fixtures.md): an import of their folders. */
#ifndef MOVING_MOVING_FIXTURES_H
#define MOVING_MOVING_FIXTURES_H

#include "base/progress.h"
#include "dispatch/dispatch.h"

/* Loads fixtures, each from the folder of that path, or of that name in one of the usual places, by
 * requests with the dispatcher's `settings`, except that tables are active at once and that writes
 * are never denied. Existing tables are left alone, with their items; two fixtures with the same
 * table are an error. `progress` may be NULL. Returns NULL, or one line in the arena that says what
 * is wrong. */
const char *moving_fixtures_load(struct arena *a, struct dispatcher *dispatcher,
                                 const struct settings *settings, const char *const *names,
                                 size_t count, const char *table_prefix, struct progress *progress);

#endif
