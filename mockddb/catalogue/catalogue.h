/* catalogue.h: the access patterns that a server was given, and which of them a request is.
 *
 * A request is a step of a pattern where both have one shape (catalogue_shape.h). Where several
 * steps have it, those count whose values the request's are most like: "PENDING#" tells
 * jobs-pending from jobs-in-progress. docs/patterns.md, "Patterns and traffic". */
#ifndef CATALOGUE_CATALOGUE_H
#define CATALOGUE_CATALOGUE_H

#include "catalogue/catalogue_shape.h"
#include "dispatch/observer.h"
#include "patterns/pattern_file.h"

struct catalogue;

#define CATALOGUE_TIES  4     /* steps that a request can be at once */
#define CATALOGUE_STEPS 65535 /* that it can have */

struct catalogue_step {
    const struct pattern *pattern;
    const struct pattern_step *step;
    const char *hint; /* "pattern 'job-by-id' answers this: Query GSI_JobLookup_v2 by job_id" */
    struct catalogue_shape shape;
};

/* What a request is. */
struct catalogue_match {
    const struct catalogue_step *steps[CATALOGUE_TIES]; /* those that it is, best first */
    size_t count;
    const struct catalogue_step *answer; /* which would have answered it; NULL: none is known */
    bool strange_index;                  /* it read an index that no pattern uses */
    struct span shape;                   /* its text; NULL: it is about no items */
    uint64_t hash;                       /* of the text */
};

/* Of files that outlive it, in the arena. NULL, or what is wrong. */
const char *catalogue_new(struct arena *a, const struct pattern_file *files, size_t count,
                          const char *prefix, struct catalogue **out);

size_t catalogue_count(const struct catalogue *c);
const struct catalogue_step *catalogue_at(const struct catalogue *c, size_t i);
size_t catalogue_index_of(const struct catalogue *c, const struct catalogue_step *step);
const char *catalogue_prefix(const struct catalogue *c);

/* Whether there is a pattern of that name. */
bool catalogue_has(const struct catalogue *c, struct span name);

/* What is in it is the catalogue's; the shape is there until the next match. */
void catalogue_match(const struct catalogue *c, struct arena *a, const struct call_record *record,
                     struct catalogue_match *out);

#endif
