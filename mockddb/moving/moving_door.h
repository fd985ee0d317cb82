/* moving_door.h: where items come from or go to: a server, over HTTP; a file of tables, opened in
 * this process; or a world of this server. */
#ifndef MOVING_MOVING_DOOR_H
#define MOVING_MOVING_DOOR_H

#include "client/client_answer.h"
#include "dispatch/dispatch.h"

struct moving_door;

struct moving_door_options {
    const char *db; /* path of a file, created if it does not exist; NULL: use the endpoint */
    const char *endpoint, *region, *profile, *world; /* as in client_aws.h */
};

/* Returns NULL and sets *problem to one line if it cannot be opened. */
struct moving_door *moving_door_open(struct arena *a, const struct moving_door_options *options,
                                     const char **problem);
/* Uses a dispatcher, which is borrowed; tables are ACTIVE at once, and writes are never denied. */
struct moving_door *moving_door_to(struct arena *a, struct dispatcher *d,
                                   const struct settings *settings);
void moving_door_close(struct moving_door *d); /* d may be NULL */

/* Its name in messages: a URL or path. */
const char *moving_door_name(const struct moving_door *d);
/* The time there, in milliseconds since 1970, by which items expire. */
int64_t moving_door_now_ms(struct moving_door *d, struct arena *a);
/* Whether all writes stay on this machine. */
bool moving_door_is_here(const struct moving_door *d);
/* How many calls should be sent together; 1 in this process. */
size_t moving_door_width(const struct moving_door *d);

/* Calls an operation; repeats it after a temporary refusal, and after a broken connection if the
 * server has answered before. The answer lives in the arena. Returns NULL if there is an answer,
 * even an error; else the reason. */
MUST_CHECK const char *moving_door_call(struct moving_door *d, struct arena *a,
                                        const char *operation, struct span request,
                                        struct client_answer *out);
/* Sends up to moving_door_width calls at once; does not repeat temporary refusals. */
MUST_CHECK const char *moving_door_call_all(struct moving_door *d, struct arena *a,
                                            const char *operation, const struct span *requests,
                                            size_t count, struct client_answer *out);

/* Makes all writes durable. Returns NULL, or the error. */
MUST_CHECK const char *moving_door_flush(struct moving_door *d);

/* Pauses before retry number `tries`, counted from 0, longer each time. Returns false after too
 * many tries, and always in this process, where nothing would change meanwhile. */
MUST_CHECK bool moving_door_rest(const struct moving_door *d, int tries);

#endif
