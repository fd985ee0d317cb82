/* coverage.h: which access patterns were used and how often, and which requests are none of them.
 *
 * Requests that are none are grouped by their shape. The first hundred shapes are kept, each
 * with one request of it, the first that succeeded if there is one; the rest is counted. */
#ifndef JOURNAL_COVERAGE_H
#define JOURNAL_COVERAGE_H

#include "journal/journal_entry.h"

#define COVERAGE_SHAPES 100
#define COVERAGE_BYTES  ((size_t)256 << 10) /* of the requests that are kept */

/* Requests of one shape that are no pattern. */
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

/* From here on the log has a line for the first request of each shape that a pattern answers. */
void coverage_tell(struct coverage *v);

/* The shape's text and the hash of it as a catalogue_match has them. */
void coverage_take(struct coverage *v, const struct journal_entry *e, struct span shape,
                   uint64_t hash);

/* Writes the members "requests", "matched", "patterns", "unmatched" and "more". Of attributes that
 * the options mask no value is shown. */
void coverage_show(const struct coverage *v, struct arena *a, const struct journal_options *o,
                   struct wire_writer *w);

/* A line for each pattern that was used, and for each shape that is none. */
void coverage_print(const struct coverage *v, struct buf *out);

#endif
