/* coverage.h: which access patterns were used and how often, and which requests match no pattern.
 *
 * Requests without a pattern are grouped by their shape. The first hundred shapes are kept, each
 * with one request, the first successful one if there is one; further shapes are only counted. */
#pragma once

#include "journal/journal_entry.h"

#define COVERAGE_SHAPES 100
#define COVERAGE_BYTES  ((size_t)256 << 10) /* of the requests kept */

/* Requests of one shape that match no pattern. */
struct coverage_row {
    char *shape;
    uint64_t hash, requests;
    struct journal_entry *example;
};

struct coverage;

/* The catalogue must outlive it. */
struct coverage *coverage_new(const struct catalogue *c);
void coverage_free(struct coverage *v); /* v may be NULL */
void coverage_clear(struct coverage *v);

/* Logs a line for the first request of each shape that a pattern would answer. */
void coverage_tell(struct coverage *v);

/* `shape` and `hash` are the shape's text and its hash from a catalogue_match. */
void coverage_take(struct coverage *v, const struct journal_entry *e, struct span shape,
                   uint64_t hash);

/* Writes the members "requests", "matched", "patterns", "unmatched" and "more", without values of
 * attributes that the options mask. */
void coverage_show(const struct coverage *v, struct arena *a, const struct journal_options *o,
                   struct wire_writer *w);

/* Prints one line for each pattern that was used, and for each shape without a pattern. */
void coverage_print(const struct coverage *v, struct buf *out);
