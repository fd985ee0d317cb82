/* endpoint_options.h: the options of commands that send requests to a running server. */
#ifndef COMMANDS_ENDPOINT_OPTIONS_H
#define COMMANDS_ENDPOINT_OPTIONS_H

#include "client/client.h"
#include "client/client_endpoint.h"
#include "commands/option.h"

#define ENDPOINT_HELP \
    "the server to ask (AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL, " CLIENT_ENDPOINT_DEFAULT ")"

/* Must be the first member of a command's options. */
struct endpoint_options {
    const char *endpoint;         /* NULL: client_endpoint_choose decides */
    const char *world;            /* NULL: the server chooses */
    const char *region, *profile; /* to sign requests; NULL: as client_aws.h decides */
};

/* The error for a command that is given both --db and one of these options. */
#define ENDPOINT_OR_DB "--db FILE asks no server: --endpoint and --world do not go with it"

/* --endpoint and --world */
extern const struct option endpoint_options_rows[];

/* Connects to the server (client_endpoint.h), and prints it if neither an option nor the default
 * decided. `writes`: something may be written. Returns NULL, or why no server may be used. */
MUST_CHECK const char *endpoint_options_open(struct arena *a, const struct endpoint_options *o,
                                             bool writes, struct client **out);

option_take endpoint_take_url, endpoint_take_world;

#endif
