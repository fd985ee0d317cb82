/* endpoint_options.h: the options of commands that send requests to a running server. */
#ifndef COMMANDS_ENDPOINT_OPTIONS_H
#define COMMANDS_ENDPOINT_OPTIONS_H

#include "client/client_endpoint.h"
#include "commands/option.h"

#define ENDPOINT_HELP \
    "the server to ask (AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL, " CLIENT_ENDPOINT_DEFAULT ")"

/* Must be the first member of a command's options. */
struct endpoint_options {
    const char *endpoint; /* NULL: endpoint_options_choose decides */
    const char *world;    /* NULL: the server chooses */
};

/* The error for a command that is given both --db and one of these options. */
#define ENDPOINT_OR_DB "--db FILE asks no server: --endpoint and --world do not go with it"

/* --endpoint and --world */
extern const struct option endpoint_options_rows[];

/* Chooses the server (client_endpoint.h), and prints it if neither an option nor the default
 * decided. Returns NULL, or why no server may be used. */
MUST_CHECK const char *endpoint_options_choose(struct arena *a,
                                               const struct client_endpoint_question *q,
                                               const char **url);

option_take endpoint_take_url, endpoint_take_world;

#endif
