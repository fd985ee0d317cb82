/* endpoint_options.h: the options of commands that ask a running server. */
#ifndef COMMANDS_ENDPOINT_OPTIONS_H
#define COMMANDS_ENDPOINT_OPTIONS_H

#include "client/client_endpoint.h"
#include "commands/option.h"

#define ENDPOINT_HELP \
    "the server to ask (AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL, " CLIENT_ENDPOINT_DEFAULT ")"

/* Stands first in the options of a command. */
struct endpoint_options {
    const char *endpoint; /* NULL: endpoint_options_choose decides */
    const char *world;    /* NULL: the one that the server chooses */
};

/* What is wrong where a command is given these and --db. */
#define ENDPOINT_OR_DB "--db FILE asks no server: --endpoint and --world do not go with it"

/* --endpoint and --world */
extern const struct option endpoint_options_rows[];

/* Which server is asked (client_endpoint.h), and says so on standard error where another than the
 * default was not asked for by an option. Returns NULL, or why none may be asked. */
MUST_CHECK const char *endpoint_options_choose(struct arena *a,
                                               const struct client_endpoint_question *q,
                                               const char **url);

option_take endpoint_take_url, endpoint_take_world;

#endif
