/* capture_table.h: a captured table: its description, and its schema file. */
#ifndef CAPTURE_CAPTURE_TABLE_H
#define CAPTURE_CAPTURE_TABLE_H

#include "moving/moving_scan.h"

struct capture_table {
    struct span name; /* without the prefix */
    struct moving_scan scan;
    struct span schema; /* contents of tables/NAME.json */
    struct span lacks;  /* settings that the schema lacks */
};

/* Describes the table. Everything lives in the arena. Returns NULL, or what is wrong. */
MUST_CHECK const char *capture_table_read(struct client *client, struct arena *a,
                                          const char *prefix, struct span name,
                                          struct capture_table *out);

/* Whether the index has all attributes of its items; true for the table itself, without an
 * index. */
bool capture_table_holds_all(const struct capture_table *t, struct span index);

/* Read units for reading the whole table. */
double capture_table_units(const struct capture_table *t);

#endif
