/* try_door.h: where try sends its commands: a running server, or fixtures in this process. */
#pragma once

#include "client/client_aws.h"
#include "moving/moving_fixtures.h"
#include "ops/op.h"

struct try_options {
    struct client_aws_options at;    /* its endpoint and world */
    struct moving_fixtures fixtures; /* if any are given, no server is used */
    bool yes;                        /* writes to another machine are allowed */
    int64_t calls_a_day;             /* of each read; 0: not known */
    char *const *words;
};

struct try_door;

/* The server's explanation of a request. */
struct try_explanation {
    struct span text; /* lines; empty: it has none */
    bool page_ended;  /* its reason is that other pages follow */
};

/* Returns NULL and sets *problem to one line if no server or fixture can be used. */
struct try_door *try_door_open(struct arena *a, const struct try_options *options,
                               const char **problem);
void try_door_close(struct try_door *d); /* d may be NULL */

/* Called before an operation is run, once or several times. Chooses the server, for which `pasted`,
 * the command's --endpoint-url or NULL, may matter, and asks the user once before the first write
 * to another machine. Returns NULL, or why the operation may not be run. */
MUST_CHECK const char *try_door_turn(struct try_door *d, struct arena *a, const struct op *op,
                                     struct span request, const char *pasted);

/* Runs the operation. Returns NULL if the
 * operation was answered, even with an error; else why it was not. */
MUST_CHECK const char *try_door_ask(struct try_door *d, struct arena *a, const struct op *op,
                                    struct span request, struct client_answer *out,
                                    struct try_explanation *explanation);
