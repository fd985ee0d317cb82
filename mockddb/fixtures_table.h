/* fixtures_table.h: a fixture's table file as requests. */
#ifndef FIXTURES_TABLE_H
#define FIXTURES_TABLE_H

#include "base/buf.h"

struct fixture_table {
    struct span full_name;    /* with the prefix */
    struct span partition;    /* the partition key's attribute */
    struct span create_table; /* the body of CreateTable */
    struct span time_to_live; /* the body of UpdateTimeToLive, or empty */
};

/* Reads a CreateTable input or a DescribeTable answer. `name` is the file's name without its
 * ending, which the table has to have. NULL, or what is wrong with the text. */
const char *fixture_table_read(struct arena *a, struct span text, const char *name,
                               const char *prefix, struct fixture_table *out);

#endif
