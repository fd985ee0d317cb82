#include "commands/endpoint_options.h"

#include "base/terminal.h"
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

const char *endpoint_options_choose(struct arena *a, const struct client_endpoint_question *q,
                                    const char **url)
{
    struct client_endpoint found;
    const char *problem = client_endpoint_find(a, q, &found);

    if (!problem && found.note)
        terminal_say("mockddb: %s\n", found.note);
    *url = found.url;
    return problem;
}

const struct option endpoint_options_rows[] = {
    {"--endpoint", "URL", endpoint_take_url, 0, ENDPOINT_HELP},
    {"--world", "NAME", endpoint_take_world, 0, "the server's world"},
    {NULL, NULL, NULL, 0, NULL},
};
