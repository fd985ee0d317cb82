#include "client/client_options.h"

const char *client_options_url(const struct option_value *v)
{
    *(const char **)option_member(v) = v->text;
    return strncmp(v->text, "http://", 7) == 0 || strncmp(v->text, "https://", 8) == 0
               ? NULL
               : "does not begin with http:// or https://";
}

#define AT(member) offsetof(struct client_aws_options, member)

const struct option client_options_rows[] = {
    {"--endpoint", "URL", client_options_url, AT(endpoint),
     "the server to ask (AWS_ENDPOINT_URL_DYNAMODB[_STREAMS], " CLIENT_OPTIONS_VARIABLES ")", NULL},
    {"--region", "R", option_text, AT(region),
     "sign requests for this region (AWS_REGION, the profile's, us-east-1)", NULL},
    {"--profile", "NAME", option_text, AT(profile),
     "sign requests with this profile's keys in ~/.aws/credentials and ~/.aws/config", NULL},
    {.name = NULL},
};

const char *client_options_open(struct arena *a, const char *program,
                                const struct client_aws_options *options,
                                struct client_endpoint_question which, struct client **out)
{
    struct client_aws_options to = *options;
    const char *problem;

    which.option = options->endpoint;
    problem = client_endpoint_choose(a, program, &which, &to.endpoint);
    return problem ? problem : client_aws_new(a, &to, out);
}
