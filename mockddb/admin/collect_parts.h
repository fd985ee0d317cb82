/* collect_parts.h: counts entries by one part of their keys, such as "cool" in SHOP#cool#JOB.
 *
 * Up to COLLECT_PARTS different parts have counts of their own; entries with further ones are
 * counted together. */
#pragma once

#include "wire/wire_reply.h"

#define COLLECT_PARTS 5000

struct collect_part {
    struct collect_part *next; /* of its chain */
    struct span text;
    uint64_t keys;  /* partition keys with the part, or the sort keys of one partition */
    uint64_t whole; /* keys that end with it */
    uint64_t items, bytes;
    bool cut; /* not all of its items were counted */
};

struct collect_parts;

struct collect_parts *collect_parts_new(struct arena *a);

/* The part with this text; it is added if it is new. */
struct collect_part *collect_parts_find(struct collect_parts *p, struct span text);

/* Writes the members "parts", `limit` of them at most, and "other_parts". `by_items`: those with
 * the most items are first; else they are in the order of their bytes. */
void collect_parts_show(struct collect_parts *p, bool by_items, size_t limit,
                        struct wire_writer *w);
