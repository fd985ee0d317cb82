/* fixtures.h: loads tables and items from a folder, through dispatch. Format: docs/fixtures.md. */
#ifndef FIXTURES_H
#define FIXTURES_H

#include "dispatch/dispatch.h"

/* Loads fixtures, each in the folder of that path, or of that name in one of the usual places.
 * Tables that exist are left alone, with their items; two fixtures that have one table are an
 * error. NULL, or what is wrong in one line in the arena. */
const char *fixtures_load(struct arena *a, struct dispatcher *dispatcher, const char *const *names,
                          size_t count, const char *table_prefix);

#endif
