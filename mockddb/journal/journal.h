/* journal.h: the newest requests to a world and their costs, one entry each.
 *
 * An observer of the world's dispatcher. An entry costs one copy of its request, and is decoded
 * only when it is shown (journal_show.h). Entries that no longer fit are dropped, the oldest first,
 * and counted. For the contents of an entry see docs/journal.md. */
#pragma once

#include "catalogue/catalogue.h"

#define JOURNAL_COUNT ((size_t)10000) /* entries, by default */
#define JOURNAL_BYTES ((size_t)4 << 20)

struct coverage;
struct journal;
struct journal_entry;

/* Gets each new entry, with the name of its world. */
struct journal_reader {
    void (*read)(struct journal_reader *self, struct span world, const struct journal_entry *entry);
};

struct journal_options {
    struct span world;        /* the name of its world, for the reader */
    size_t count;             /* the most entries kept; 0: none */
    size_t bytes;             /* the most bytes that they take */
    const char *const *masks; /* names of attributes whose values are never shown */
    size_t mask_count;
    struct journal_reader *reader;     /* NULL: none */
    const struct catalogue *catalogue; /* patterns to match requests against; NULL: none */
    struct coverage *total;            /* for all journals together; NULL: not wanted */
};

/* The data that the options point to must outlive it. */
struct journal *journal_new(const struct journal_options *options);
void journal_free(struct journal *j); /* j may be NULL */

/* For dispatch_observe; NULL if there is no use for entries. */
struct observer *journal_observer(struct journal *j);

/* Removes all entries; ids continue. */
void journal_clear(struct journal *j);

/* Entries dropped since the beginning, or since the last clear. */
uint64_t journal_dropped(const struct journal *j);

/* The ids of its entries are contiguous; without entries, the last is less than the first. */
uint64_t journal_first(const struct journal *j);
uint64_t journal_last(const struct journal *j);
/* The entry with that id, or NULL. It is valid until the next request. */
const struct journal_entry *journal_find(const struct journal *j, uint64_t id);

const struct journal_options *journal_options_of(const struct journal *j);

/* The patterns of its requests since the beginning, or since the last clear; NULL without a
 * catalogue. */
const struct coverage *journal_coverage(const struct journal *j);
