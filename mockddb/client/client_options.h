/* client_options.h: the options of programs that send requests to a server. */
#pragma once

#include "base/option.h"
#include "client/client_aws.h"
#include "client/client_endpoint.h"

#define CLIENT_OPTIONS_VARIABLES "AWS_ENDPOINT_URL, " CLIENT_ENDPOINT_DEFAULT

/* --endpoint, --region and --profile, for options whose first member is a struct
 * client_aws_options. */
extern const struct option client_options_rows[];

option_take client_options_url; /* of a server, into a const char * */

/* Connects to the server (client_endpoint.h), and prints it if neither an option nor the default
 * decided. `which` says what is sent; its other members are not read. Returns NULL, or why no
 * server may be used. */
MUST_CHECK const char *client_options_open(struct arena *a, const char *program,
                                           const struct client_aws_options *options,
                                           struct client_endpoint_question which,
                                           struct client **out);
