/* check_items.h: looks through the items of one table or the entries of one index, in slices, for
 * what is probably wrong: docs/commands.md, "check".
 *
 * The keys of up to a million rows are read, and of a table up to `items` whole items, evenly
 * spread over those rows. */
#pragma once

#include "admin/check_findings.h"
#include "ops/op.h"
#include "store/cursor.h"

struct check_walk;

struct check_items_options {
    struct store *store;
    const struct table *table;
    const struct index *index; /* NULL: the table itself */
    size_t items;              /* the most whole items that are read */
    int64_t now_ms;
    bool keeps_items; /* items of the table do not expire */
};

/* Borrows the store; everything else is copied. */
struct check_walk *check_items_new(const struct check_items_options *options);
void check_items_free(struct check_walk *w); /* w may be NULL */

/* Reads rows for some milliseconds. True at the end; it may be called no more. */
bool check_items_step(struct check_walk *w);

/* After the last step: adds what was found. */
void check_items_end(struct check_walk *w, struct check_findings *out);

struct check_looked {
    uint64_t items; /* of the table or entries of the index */
    uint64_t rows;  /* whose keys were read */
    uint64_t whole; /* items that were read whole */
};
struct check_looked check_items_looked(const struct check_walk *w);
