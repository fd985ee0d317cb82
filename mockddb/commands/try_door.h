/* try_door.h: who answers the commands of try: a running server, or fixtures in this process. */
#ifndef COMMANDS_TRY_DOOR_H
#define COMMANDS_TRY_DOOR_H

#include "client/client_answer.h"
#include "ops/op.h"

struct try_door_options {
    const char *endpoint;        /* the option; may be NULL */
    const char *world;           /* may be NULL */
    const char *const *fixtures; /* with one or more, nobody else is asked */
    size_t fixture_count;
    const char *table_prefix;
    bool yes; /* a server elsewhere may be written to */
};

struct try_door;

/* NULL, and *problem one line, where nobody can be asked. */
struct try_door *try_door_open(struct arena *a, const struct try_door_options *options,
                               const char **problem);
void try_door_close(struct try_door *d); /* d may be NULL */

/* Before an operation is run, once or several times: finds the server for it, where it matters that
 * the command has --endpoint-url `pasted` (or NULL), and asks, once, before something is written to
 * one that is not this machine. NULL, or why it may not be run. */
MUST_CHECK const char *try_door_turn(struct try_door *d, struct arena *a, const struct op *op,
                                     struct span request, const char *pasted);

/* Runs the operation; *explanation is what the server says about it, empty where nothing. Returns
 * NULL when it was answered, be it with an error; else why it was not. */
MUST_CHECK const char *try_door_ask(struct try_door *d, struct arena *a, const struct op *op,
                                    struct span request, struct client_answer *out,
                                    struct span *explanation);

#endif
