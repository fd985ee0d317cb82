/* pg_url.h: the URL that names a database and, as ?schema=NAME, the schema in it. */
#pragma once

#include "base/arena.h"

struct pg_url {
    const char *database; /* the URL without what is ours; for libpq */
    const char *schema;
};

/* Reads a URL. Returns NULL, or what is wrong with it, which shows nothing of the URL: a password
 * may be in it, and is refused, because each user of the machine can see it in a list of processes.
 */
const char *pg_url_read(struct arena *a, const char *text, struct pg_url *out);
