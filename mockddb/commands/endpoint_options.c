#include "commands/endpoint_options.h"

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
    return world_is_name(span_of(v->text))
               ? NULL
               : "is no name of a world: 1 to 64 of A-Z a-z 0-9 _ . -, not beginning with a dot";
}

const struct option endpoint_options_rows[] = {
    {"--endpoint", "URL", endpoint_take_url, 0, "the server to ask (" ENDPOINT_DEFAULT ")"},
    {"--world", "NAME", endpoint_take_world, 0, "which of its worlds is meant"},
    {NULL, NULL, NULL, 0, NULL},
};
