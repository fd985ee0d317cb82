/* serving.h: a server with all that lives as long as it. */
#ifndef COMMANDS_SERVING_H
#define COMMANDS_SERVING_H

#include "commands/run_report.h"
#include "commands/serve_options.h"
#include "http/http_server.h"
#include "worlds/worlds.h"

#define EXIT_ASSERTION 3 /* what was asked for is not what --fail-on allows */

struct serving;

/* Opens what the options ask for, listens, and loads the fixtures. NULL, and *problem one sentence,
 * where that cannot be. Borrows the options and the report, in which all requests to any world are
 * counted; NULL: they are not. */
struct serving *serving_start(struct arena *a, const struct serve_options *options,
                              struct run_report *report, const char **problem);
void serving_stop(struct serving *p); /* p may be NULL */

struct http_server *serving_server(const struct serving *p);
/* Which access patterns were used, in all worlds; NULL where there are no patterns. */
const struct coverage *serving_coverage(const struct serving *p);

/* After the end: what --fail-on says of all that was asked for, on standard error. Returns the exit
 * status, EXIT_SUCCESS or EXIT_ASSERTION. */
int serving_report(struct arena *a, const struct serve_options *options);

#endif
