/* world_differences.h: compares the tables and items of two stores, in slices.
 *
 * Both are read in the order of their keys. An entry that a fork shares with its origin is the same
 * memory, and not looked at. Changes that are made meanwhile may be in it or not. */
#pragma once

#include "store/store.h"
#include "wire/wire_reply.h"

struct world_differences;

struct world_differences_options {
    struct store *from, *to;
    struct span only; /* the table; empty: all tables */
    size_t limit;     /* differences that are listed; all are counted */
};

/* Borrows the stores; everything else is copied. */
struct world_differences *world_differences_new(const struct world_differences_options *options);
void world_differences_free(struct world_differences *d); /* d may be NULL */

/* Compares for some milliseconds. True at the end; it may be called no more. */
bool world_differences_step(struct world_differences *d);

/* After the last step: writes the members of what was found. */
void world_differences_show(const struct world_differences *d, struct wire_writer *w);
