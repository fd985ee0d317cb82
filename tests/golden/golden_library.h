/* golden_library.h: the worlds of cases in libmockddb, for --library. */
#pragma once

#include "dispatch/dispatch.h"

struct golden_library;

/* A handle for a case: with these settings, at this time, frozen. `throttle` as in the
 * case's file, or NULL. */
struct golden_library *golden_library_open(const struct settings *settings, const char *throttle,
                                           int64_t now_ms);
void golden_library_close(struct golden_library *l);

/* The reply is valid until the next function. */
void golden_library_call(struct golden_library *l, const struct request *request,
                         struct reply *reply);
void golden_library_advance(struct golden_library *l, int64_t ms);
/* Does the work between requests until none is left. */
void golden_library_idle(struct golden_library *l);
