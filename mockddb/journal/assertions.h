/* assertions.h: what a program may have asked for, and what it did ask for: docs/journal.md,
 * "Assertions".
 *
 * Entries are taken one by one, so nothing of them need be kept. */
#ifndef JOURNAL_ASSERTIONS_H
#define JOURNAL_ASSERTIONS_H

#include "journal/journal_entry.h"

struct assertions;

/* Reads {"assert": [{"no": "Scan"}, …]}; all of it is in the arena, and borrows from the body.
 * Returns NULL, or one clear sentence that names the member. */
const char *assertions_read(struct arena *a, const wire_node *body, struct assertions **out);

/* Reads "no=Scan,max_read_units=20"; words of a list are separated by |. Likewise. */
const char *assertions_read_words(struct arena *a, const char *words, struct assertions **out);

/* Before any are taken: which patterns there are, NULL for none. Returns NULL, or one clear
 * sentence where an assertion needs others. */
const char *assertions_know(struct arena *a, struct assertions *all, const struct catalogue *c);

/* Takes a request to the world of that name. Returns about how many things were compared for it. */
size_t assertions_take(struct assertions *all, struct span world, const struct journal_entry *e);

/* How many were taken. */
uint64_t assertions_requests(const struct assertions *all);

/* Whether all of them hold of what was taken. */
bool assertions_hold(const struct assertions *all);

/* Writes the members "holds", "requests", "dropped" and "report"; entries that were dropped before
 * they could be taken leave nothing to hold. */
void assertions_show(const struct assertions *all, uint64_t dropped, struct wire_writer *w);

/* A line for each. */
void assertions_print(const struct assertions *all, struct buf *out);

#endif
