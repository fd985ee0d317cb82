/* client_endpoint.h: which server a program sends requests to.
 *
 * The first of these that is set: the program's own option; the --endpoint-url of a pasted command,
 * if it names this machine; AWS_ENDPOINT_URL_DYNAMODB, or AWS_ENDPOINT_URL_DYNAMODB_STREAMS for
 * streams; AWS_ENDPOINT_URL; what the program asks otherwise;
 * CLIENT_ENDPOINT_DEFAULT. As in the SDKs,
 * AWS_IGNORE_CONFIGURED_ENDPOINT_URLS=true hides the variables. A variable may name the real
 * service, so requests that write follow one only to this machine. */
#pragma once

#include "base/arena.h"

#define CLIENT_ENDPOINT_DEFAULT "http://127.0.0.1:8000"

struct client_endpoint_question {
    const char *option;    /* the program's own option; NULL: not given */
    const char *pasted;    /* the --endpoint-url of a pasted command, or NULL */
    const char *otherwise; /* asked where none of these names a server, or NULL */
    bool streams;          /* only operations of streams are sent */
    bool writes;           /* something may be written */
};

struct client_endpoint {
    const char *url;
    const char *note; /* a line for the user, or NULL where that is as expected */
};

/* Returns NULL, or why no server may be used: a wrong URL, or a write to another machine that only
 * a variable names. */
MUST_CHECK const char *client_endpoint_find(struct arena *a,
                                            const struct client_endpoint_question *q,
                                            struct client_endpoint *out);

/* The real service's URL in a region. */
const char *client_endpoint_of_service(struct arena *a, const char *region);

/* Like client_endpoint_find; prints the note, if there is one, as a line of the program. */
MUST_CHECK const char *client_endpoint_choose(struct arena *a, const char *program,
                                              const struct client_endpoint_question *q,
                                              const char **url);
