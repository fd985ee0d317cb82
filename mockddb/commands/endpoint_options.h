/* endpoint_options.h: the options of commands that ask a running server. */
#ifndef COMMANDS_ENDPOINT_OPTIONS_H
#define COMMANDS_ENDPOINT_OPTIONS_H

#include "client/client_aws.h"
#include "commands/option.h"

#define ENDPOINT_DEFAULT CLIENT_AWS_ENDPOINT

/* Stands first in the options of a command. */
struct endpoint_options {
    const char *endpoint;
    const char *world; /* NULL: the one that the server chooses */
};

/* What is wrong where a command is given these and --db. */
#define ENDPOINT_OR_DB "--db FILE asks no server: --endpoint and --world do not go with it"

/* --endpoint and --world */
extern const struct option endpoint_options_rows[];

option_take endpoint_take_url, endpoint_take_world;

#endif
