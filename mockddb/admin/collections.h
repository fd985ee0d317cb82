/* collections.h: looks through the keys of a table, an index or one partition, in slices, for the
 * parts that its keys have between separators, and the kinds of its items.
 *
 * Partitions are read in the order of their hashes, so those that were read when the most keys are
 * reached are a sample of all. Of a table with more entries than that, only the first entries of
 * each partition are read, so that no partition hides the others. Counts are of what was read. */
#pragma once

#include "store/store.h"
#include "wire/wire_reply.h"

struct collections;

struct collections_options {
    struct store *store;
    const struct table *table;
    const struct index *index;    /* NULL: the table itself */
    const struct attr *partition; /* its only attribute; NULL: all partitions */
    struct span prefix;           /* of keys to look at */
    char separator;               /* 0: the one that most keys have */
    uint64_t keys;                /* the most that are read */
};

/* Borrows the store; everything else is copied. */
struct collections *collections_new(const struct collections_options *options);
void collections_free(struct collections *c); /* c may be NULL */

/* Reads keys for some milliseconds. True at the end; it may be called no more. */
bool collections_step(struct collections *c);

/* After the last step: writes the members of what was found, `limit` parts at most. */
void collections_show(struct collections *c, size_t limit, struct wire_writer *w);
