/* partition_load.h: which partition keys take the load, counted from the requests in a journal. */
#pragma once

#include "journal/journal_entry.h"

#define PARTITION_LOAD_MOST 10000 /* partitions that are counted; the others share one count */

struct partition_load;

#define PARTITION_LOAD_SECONDS 120 /* at most, that are counted one by one */

struct partition_second {
    float read_units, write_units;
};

struct partition {
    struct partition *next;
    struct span table, index, key; /* key: as JSON; index empty: the table itself */
    uint64_t reads, writes;
    double read_units, write_units;
    struct partition_second *seconds; /* partition_load_by_second; NULL: no request in them */
};

/* Table empty: all tables; it is copied. */
struct partition_load *partition_load_new(struct span table);
/* Also counts the `count` seconds from this one (since 1970) one by one. */
void partition_load_by_second(struct partition_load *n, int64_t from_s, size_t count);
void partition_load_free(struct partition_load *n); /* n may be NULL */

/* Counts an entry, if it names partition keys. */
void partition_load_take(struct partition_load *n, const struct journal_entry *e);

/* Units read and written. */
double partition_load_units(const struct partition *p);

/* The partitions, by units, the most first; sorts them. */
struct partition *const *partition_load_sorted(struct partition_load *n, size_t *count);

/* Uses of partitions that were not counted one by one. */
uint64_t partition_load_others(const struct partition_load *n);
