/* store_database.h: stores in a database that speaks PostgreSQL's protocol (store/pg/). */
#pragma once

#include "base/buf.h"
#include "store/store.h"

/* store_open for a database. */
struct store *store_database_open(struct arena *a, const struct store_options *options,
                                  const char **problem);

/* The commands of `mockddb store`: make the schema, change one of an older format, say what is in
 * it, make a view for each table.
 * Return NULL, with what they say appended, or what is wrong. */
const char *store_database_init(struct arena *a, const char *url, struct buf *said);
const char *store_database_upgrade(struct arena *a, const char *url, struct buf *said);
const char *store_database_status(struct arena *a, const char *url, struct buf *said);
const char *store_database_views(struct arena *a, const char *url, struct buf *said);
