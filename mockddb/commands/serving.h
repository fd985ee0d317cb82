/* serving.h: a server and everything that lives as long as it. */
#pragma once

#include "commands/run_report.h"
#include "commands/serve_options.h"
#include "http/http_server.h"

#define EXIT_ASSERTION 3 /* the requests broke a rule of --fail-on */

struct serving;
struct explain_summary;

/* What one of several processes does that serve one address (commands/workers.h). */
struct serving_role {
    struct http_sockets sockets; /* of the address; none: it does not serve */
    struct http_share share;     /* with the other ones */
    bool does_jobs;              /* and loads the fixtures */
};

/* Opens the files, listens, and loads the fixtures, as the options say. Returns NULL on failure,
 * after a line on standard error; *status is the exit status then. Borrows the options and the
 * report, which counts the requests to all worlds; NULL: they are not counted. role NULL: it is the
 * only process. */
struct serving *serving_start(struct arena *a, const struct serve_options *options,
                              const struct serving_role *role, struct run_report *report,
                              int *status);
void serving_stop(struct serving *p); /* p may be NULL */

struct http_server *serving_server(const struct serving *p);
/* What to look at; NULL without --explain. */
const struct explain_summary *serving_summary(const struct serving *p);
/* Which access patterns were used, in all worlds; NULL if no patterns were loaded. */
const struct coverage *serving_coverage(const struct serving *p);

/* After the server's end: prints the result of --fail-on on standard error. Returns the exit
 * status, EXIT_SUCCESS or EXIT_ASSERTION. */
int serving_report(struct arena *a, const struct serve_options *options);
