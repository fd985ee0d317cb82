/* workers.h: --workers: several processes that serve one address, with one database.
 *
 * They have the listening sockets of the process that starts them. One more process does the jobs,
 * and loads the fixtures before the others begin. One that ends is started again. */
#pragma once

#include "commands/serving.h"

/* Serves until SIGTERM, SIGINT or SIGHUP. Returns the exit status. */
int workers_run(struct arena *a, const struct serve_options *options);
