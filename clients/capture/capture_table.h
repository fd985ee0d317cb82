/* capture_table.h: a table that is captured: what is known of it, and its file. */
#ifndef CAPTURE_CAPTURE_TABLE_H
#define CAPTURE_CAPTURE_TABLE_H

#include "capture/capture_call.h"

struct capture_table {
    struct span name;    /* without prefix */
    struct span keys[2]; /* the attributes of its key */
    size_t key_count;
    double bytes, items;         /* as the service counted last */
    const wire_node *indexes[2]; /* lists of local and global ones; NULL: none */
    struct span schema;          /* tables/NAME.json */
    struct span lacks;           /* what a table that is made of it has not */
};

/* Asks for the table. Everything is the arena's. Returns NULL, or what is wrong. */
MUST_CHECK const char *capture_table_read(struct capture_caller *c, struct arena *a,
                                          const char *prefix, struct span name,
                                          struct capture_table *out);

/* Whether entries of the index have all attributes of their items; so has a table without index. */
bool capture_table_holds_all(const struct capture_table *t, struct span index);

/* Read units that all of it takes. */
double capture_table_units(const struct capture_table *t);

#endif
