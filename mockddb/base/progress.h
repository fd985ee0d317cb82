/* progress.h: a bar on a terminal for work that takes longer than a second, in one line of its
 * width. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdio.h>

#include "base/clock.h"

struct progress;

/* The work begins now. Everything is borrowed; `terminal` NULL: nothing is ever shown. */
struct progress *progress_new(struct arena *a, struct clock *clock, FILE *terminal);

/* A part of the work begins, of `total` steps. In all of these p may be NULL. */
void progress_part(struct progress *p, struct span name, size_t total);

/* So many steps of the part are done. */
void progress_at(struct progress *p, size_t done);

/* The same, where steps are bytes, with how many items came of them in all parts so far: shows also
 * items a second, and how long the rest of the part will take. */
void progress_items(struct progress *p, size_t done, uint64_t items);

/* The work has ended: takes the bar away. */
void progress_end(struct progress *p);

#endif
