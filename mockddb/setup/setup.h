/* setup.h: worlds as the options say, with their files, fixtures, access patterns, fault rules and
 * buckets: a server without its sockets. */
#pragma once

#include <stdio.h>

#include "admin/admin.h"
#include "setup/setup_options.h"

struct setup;

/* What the program adds; all are borrowed. */
struct setup_parts {
    bool no_jobs;                  /* another process does the jobs, and loads the fixtures */
    struct journal_reader *reader; /* of the entries of all worlds; NULL: none */
    struct kinesis_sink *kinesis;  /* takes the records of all worlds; NULL: the options decide */
    FILE *terminal;                /* shows the progress of loading; NULL: it is not shown */
};

/* Opens the first world, without its fixtures. Borrows the options. On a problem *out has what was
 * set up so far, for setup_free. */
MUST_CHECK const struct problem *setup_new(struct arena *a, const struct setup_options *options,
                                           const struct setup_parts *parts, struct setup **out);
/* Loads the fixtures into the first world, and completes it. */
MUST_CHECK const struct problem *setup_fill(struct setup *s);
void setup_free(struct setup *s); /* s may be NULL */

struct worlds *setup_worlds(const struct setup *s);
const struct admin_patterns *setup_patterns(const struct setup *s);
/* What to look at; NULL without --explain. */
struct explain_summary *setup_summary(const struct setup *s);
/* Which access patterns were used, in all worlds; NULL if no patterns were loaded. */
const struct coverage *setup_coverage(const struct setup *s);
