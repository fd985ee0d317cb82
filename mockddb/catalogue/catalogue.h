/* catalogue.h: the access patterns that a server was given, and the matching of requests to them.
 *
 * A request matches a step of a pattern if both have the same shape (catalogue_shape.h). If several
 * steps have that shape, the ones with the most similar values are chosen: "PENDING#" tells
 * jobs-pending from jobs-in-progress. docs/patterns.md, "Patterns and traffic". */
#pragma once

#include "catalogue/catalogue_shape.h"
#include "dispatch/observer.h"
#include "patterns/pattern_file.h"

struct catalogue;

#define CATALOGUE_TIES  4     /* the most steps that a request matches */
#define CATALOGUE_STEPS 65535 /* the most steps of a catalogue */

struct catalogue_step {
    const struct pattern *pattern;
    const struct pattern_step *step;
    const char *hint; /* "pattern 'job-by-id' answers this: Query GSI_JobLookup_v2 by job_id" */
    struct catalogue_shape shape;
};

/* The result of matching a request. */
struct catalogue_match {
    const struct catalogue_step *steps[CATALOGUE_TIES]; /* the matching steps, best first */
    size_t count;
    const struct catalogue_step *answer; /* the step that would have answered it; NULL: unknown */
    bool strange_index;                  /* it read an index that no pattern uses */
    struct span shape;                   /* its text; NULL: the request is not about items */
    uint64_t hash;                       /* of the text */
};

/* Makes a catalogue in the arena from files that outlive it. Returns NULL, or what is wrong. */
const char *catalogue_new(struct arena *a, const struct pattern_file *files, size_t count,
                          const char *prefix, struct catalogue **out);

size_t catalogue_count(const struct catalogue *c);
const struct catalogue_step *catalogue_at(const struct catalogue *c, size_t i);
size_t catalogue_index_of(const struct catalogue *c, const struct catalogue_step *step);
const char *catalogue_prefix(const struct catalogue *c);

/* Whether there is a pattern of that name. */
bool catalogue_has(const struct catalogue *c, struct span name);

/* The result belongs to the catalogue; its shape is valid until the next match. */
void catalogue_match(const struct catalogue *c, struct arena *a, const struct call_record *record,
                     struct catalogue_match *out);
