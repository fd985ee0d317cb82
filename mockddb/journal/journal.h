/* journal.h: what was asked of a world, and what it cost: the newest requests, one entry each.
 *
 * An observer of the world's dispatcher. An entry costs a copy of its request, and is read when
 * somebody asks (journal_show.h). What no longer fits goes, the most ancient first, and is counted.
 * What is in an entry: docs/journal.md. */
#ifndef JOURNAL_JOURNAL_H
#define JOURNAL_JOURNAL_H

#include "catalogue/catalogue.h"

#define JOURNAL_COUNT ((size_t)10000) /* entries, without another figure */
#define JOURNAL_BYTES ((size_t)4 << 20)

struct coverage;
struct journal;
struct journal_entry;

/* Is given each new entry, with the name of its world. */
struct journal_reader {
    void (*read)(struct journal_reader *self, struct span world, const struct journal_entry *entry);
};

struct journal_options {
    struct span world;        /* the name of its world, for the reader */
    size_t count;             /* entries at most; 0: none is kept */
    size_t bytes;             /* that they take at most */
    const char *const *masks; /* names of attributes whose values are never shown */
    size_t mask_count;
    struct journal_reader *reader;     /* NULL: none */
    const struct catalogue *catalogue; /* of the patterns that requests may be; NULL: none */
    struct coverage *total;            /* of all journals together; NULL: nobody wants it */
};

/* What the options point to must outlive it. */
struct journal *journal_new(const struct journal_options *options);
void journal_free(struct journal *j); /* j may be NULL */

/* For dispatch_observe; NULL where nobody wants entries. */
struct observer *journal_observer(struct journal *j);

/* All entries go; ids go on. */
void journal_clear(struct journal *j);

/* Entries that had to go since the beginning, or since it was cleared. */
uint64_t journal_dropped(const struct journal *j);

/* The ids of its entries, which have no gaps; where there are none, the last is below the first. */
uint64_t journal_first(const struct journal *j);
uint64_t journal_last(const struct journal *j);
/* The entry with that id, or NULL. It stays until the next request. */
const struct journal_entry *journal_find(const struct journal *j, uint64_t id);

const struct journal_options *journal_options_of(const struct journal *j);

/* Which patterns its requests were since it began, or since it was cleared; NULL where it has no
 * catalogue. */
const struct coverage *journal_coverage(const struct journal *j);

#endif
