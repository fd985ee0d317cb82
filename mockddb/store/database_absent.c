/* In place of store/pg/ in programs that are built without it. */
#include "store/store_database.h"

static const char absent[] = "this mockddb was built without PostgreSQL: use one that "
                             "scripts/build makes, which loads libpq";

struct store *store_database_open(struct arena *a, const struct store_options *options,
                                  const char **problem)
{
    (void)a, (void)options;
    *problem = absent;
    return NULL;
}

const char *store_database_init(struct arena *a, const char *url, struct buf *said)
{
    (void)a, (void)url, (void)said;
    return absent;
}

const char *store_database_status(struct arena *a, const char *url, struct buf *said)
{
    return store_database_init(a, url, said);
}

const char *store_database_views(struct arena *a, const char *url, struct buf *said)
{
    return store_database_init(a, url, said);
}
