/* progress.h: a progress bar in one terminal line, for work that takes longer than a second. */
#pragma once

#include <stdio.h>

#include "base/clock.h"

struct progress;

/* The work begins now. All arguments are borrowed; with `terminal` NULL nothing is ever shown. */
struct progress *progress_new(struct arena *a, struct clock *clock, FILE *terminal);

/* A part of the work begins, of `total` steps. In all of these functions p may be NULL. */
void progress_part(struct progress *p, struct span name, size_t total);

/* `done` steps of the part are done. */
void progress_at(struct progress *p, size_t done);

/* Like progress_at, for steps that are bytes. `items` is the number of items in all parts so far;
 * also shows items per second and the time left for the part. */
void progress_items(struct progress *p, size_t done, uint64_t items);

/* The work has ended: removes the bar. */
void progress_end(struct progress *p);
