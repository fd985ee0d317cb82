#include "commands/endpoint_options.h"

#include "worlds/world.h"

const char *endpoint_take_world(const struct option_value *v)
{
    *(const char **)option_member(v) = v->text;
    return world_is_name(span_of(v->text)) ? NULL : world_name_problem(v->arena);
}

const char *endpoint_options_open(struct arena *a, const struct client_aws_options *o, bool writes,
                                  struct client **out)
{
    return client_options_open(a, "mockddb", o, (struct client_endpoint_question){.writes = writes},
                               out);
}

#define AT(member) offsetof(struct client_aws_options, member)

const struct option endpoint_options_rows[] = {
    {"--endpoint", "URL", client_options_url, AT(endpoint), ENDPOINT_HELP, NULL},
    {"--world", "NAME", endpoint_take_world, AT(world), "the server's world", NULL},
    {.name = NULL},
};
