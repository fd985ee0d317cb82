/* assertions.h: compares the requests that a program sent with the ones that it may send:
 * docs/journal.md, "Assertions".
 *
 * Entries are taken one by one and need not be kept. */
#pragma once

#include "journal/journal_entry.h"

struct assertions;

/* Reads {"assert": [{"no": "Scan"}, …]}; the result is in the arena and borrows from the body. */
MUST_CHECK const struct problem *assertions_read(struct arena *a, const wire_node *body,
                                                 struct assertions **out);

/* Like assertions_read, from "no=Scan,max_read_units=20"; words of a list are separated by |. */
MUST_CHECK const struct problem *assertions_read_words(struct arena *a, const char *words,
                                                       struct assertions **out);

/* Sets the patterns, NULL for none; call it before entries are taken. Fails if an assertion names
 * an unknown pattern. */
MUST_CHECK const struct problem *assertions_know(struct arena *a, struct assertions *all,
                                                 const struct catalogue *c);

/* Takes a request to the world of that name. Returns the approximate number of comparisons. */
size_t assertions_take(struct assertions *all, struct span world, const struct journal_entry *e);

/* The number of requests taken. */
uint64_t assertions_requests(const struct assertions *all);

/* Whether all assertions hold for the requests taken. */
bool assertions_hold(const struct assertions *all);

/* Writes the members "holds", "requests", "dropped" and "report"; if entries were dropped before
 * they could be taken, "holds" is false. */
void assertions_show(const struct assertions *all, uint64_t dropped, struct wire_writer *w);

/* Prints one line per assertion. */
void assertions_print(const struct assertions *all, struct buf *out);
