/* moving_door.h: who holds the tables that items come from or go to: a server, over HTTP; a file,
 * in this process; or a world that is at hand. */
#ifndef MOVING_MOVING_DOOR_H
#define MOVING_MOVING_DOOR_H

#include "client/client_answer.h"
#include "dispatch/dispatch.h"

struct moving_door;

struct moving_door_options {
    const char *db; /* path of a file, which is made where there is none; NULL: the endpoint */
    const char *endpoint, *region, *profile, *world; /* as in client_aws.h */
};

/* NULL, and *problem one line, where it cannot be opened. */
struct moving_door *moving_door_open(struct arena *a, const struct moving_door_options *options,
                                     const char **problem);
/* A dispatcher, which is borrowed; tables are there at once, writes are never denied. */
struct moving_door *moving_door_to(struct arena *a, struct dispatcher *d,
                                   const struct settings *settings);
void moving_door_close(struct moving_door *d); /* d may be NULL */

/* What it is called in messages: its URL or path. */
const char *moving_door_name(const struct moving_door *d);
/* What time it is for the items that are written to it, in milliseconds since 1970. */
int64_t moving_door_now_ms(struct moving_door *d, struct arena *a);
/* Whether all that is written stays on this machine. */
bool moving_door_is_here(const struct moving_door *d);
/* How many calls are worth sending together; 1 in this process. */
size_t moving_door_width(const struct moving_door *d);

/* Calls an operation, and again where it was refused for now, or the connection broke of a server
 * that had answered before. The answer is the arena's. Returns
 * NULL when there is one, be it an error; else why not. */
MUST_CHECK const char *moving_door_call(struct moving_door *d, struct arena *a,
                                        const char *operation, struct span request,
                                        struct client_answer *out);
/* As many at once as the door is wide; what is refused for now is not repeated. */
MUST_CHECK const char *moving_door_call_all(struct moving_door *d, struct arena *a,
                                            const char *operation, const struct span *requests,
                                            size_t count, struct client_answer *out);

/* Makes what was written last; NULL, or what is wrong. */
MUST_CHECK const char *moving_door_flush(struct moving_door *d);

/* A rest before a server is asked again: longer with each try from 0 on. False when it was tried
 * often enough, and always in this process, where nothing changes meanwhile. */
MUST_CHECK bool moving_door_rest(const struct moving_door *d, int tries);

#endif
