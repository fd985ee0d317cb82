/* fixtures.h: loads tables and items from a folder, through dispatch. Format: docs/fixtures.md. */
#ifndef FIXTURES_H
#define FIXTURES_H

#include "dispatch/dispatch.h"

/* Loads the fixture in the folder `name`, or of that name in one of the usual places. Tables that
 * exist are left alone, with their items. NULL, or what is wrong in one line in the arena. */
const char *fixtures_load(struct arena *a, struct dispatcher *dispatcher, const char *name,
                          const char *table_prefix);

#endif
