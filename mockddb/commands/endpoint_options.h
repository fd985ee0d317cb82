/* endpoint_options.h: the options of commands that send requests to a running server. */
#pragma once

#include "client/client_options.h"

#define ENDPOINT_HELP "the server to ask (AWS_ENDPOINT_URL_DYNAMODB, " CLIENT_OPTIONS_VARIABLES ")"

/* The error for a command that is given both --db and one of these options. */
#define ENDPOINT_OR_DB "--db FILE asks no server: --endpoint and --world do not go with it"

/* --endpoint and --world, for options whose first member is a struct client_aws_options. */
extern const struct option endpoint_options_rows[];

/* Connects to the server, as client_options_open. `writes`: something may be written. */
MUST_CHECK const char *endpoint_options_open(struct arena *a, const struct client_aws_options *o,
                                             bool writes, struct client **out);

option_take endpoint_take_world;
