#include "commands/endpoint_options.h"

#include "client/client_aws.h"
#include "client/client_endpoint.h"
#include "worlds/world.h"

const char *endpoint_take_url(const struct option_value *v)
{
    struct endpoint_options *o = v->into;

    o->endpoint = v->text;
    return strncmp(v->text, "http://", 7) == 0 || strncmp(v->text, "https://", 8) == 0
               ? NULL
               : "does not begin with http:// or https://";
}

const char *endpoint_take_world(const struct option_value *v)
{
    struct endpoint_options *o = v->into;

    o->world = v->text;
    return world_is_name(span_of(v->text)) ? NULL : world_name_problem(v->arena);
}

const char *endpoint_options_open(struct arena *a, const struct endpoint_options *o, bool writes,
                                  struct client **out)
{
    const struct client_endpoint_question which = {.option = o->endpoint, .writes = writes};
    struct client_aws_options to = {.region = o->region, .profile = o->profile, .world = o->world};
    const char *problem = client_endpoint_choose(a, "mockddb", &which, &to.endpoint);

    return problem ? problem : client_aws_new(a, &to, out);
}

const struct option endpoint_options_rows[] = {
    {"--endpoint", "URL", endpoint_take_url, 0, ENDPOINT_HELP},
    {"--world", "NAME", endpoint_take_world, 0, "the server's world"},
    {NULL, NULL, NULL, 0, NULL},
};
