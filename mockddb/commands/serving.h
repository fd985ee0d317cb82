/* serving.h: a server with all that lives as long as it. */
#ifndef COMMANDS_SERVING_H
#define COMMANDS_SERVING_H

#include "commands/serve_options.h"
#include "http/http_server.h"
#include "worlds/worlds.h"

#define EXIT_ASSERTION 3 /* what was asked for is not what --fail-on allows */

struct serving;

/* Opens what the options ask for, listens, and loads the fixtures. NULL, and *problem one sentence,
 * where that cannot be. Borrows the options. */
struct serving *serving_start(struct arena *a, const struct serve_options *options,
                              const char **problem);
void serving_stop(struct serving *p); /* p may be NULL */

struct http_server *serving_server(const struct serving *p);
struct worlds *serving_worlds(const struct serving *p);

/* After the end: what --fail-on says of all that was asked for, on standard error. Returns the exit
 * status, EXIT_SUCCESS or EXIT_ASSERTION. */
int serving_report(struct arena *a, const struct serve_options *options);

#endif
