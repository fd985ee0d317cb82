/* serving.h: a server with all that lives as long as it. */
#ifndef COMMANDS_SERVING_H
#define COMMANDS_SERVING_H

#include "commands/serve_options.h"
#include "http/http_server.h"
#include "worlds/worlds.h"

struct serving;

/* Opens what the options ask for, listens, and loads the fixtures. NULL, and *problem one sentence,
 * where that cannot be. Borrows the options. */
struct serving *serving_start(struct arena *a, const struct serve_options *options,
                              const char **problem);
void serving_stop(struct serving *p); /* p may be NULL */

struct http_server *serving_server(const struct serving *p);
struct worlds *serving_worlds(const struct serving *p);

#endif
