#include "commands/endpoint_options.h"

const char *endpoint_take_url(const struct option_value *v)
{
    struct endpoint_options *o = v->into;

    o->endpoint = v->text;
    return strncmp(v->text, "http://", 7) == 0 || strncmp(v->text, "https://", 8) == 0
               ? NULL
               : "does not begin with http:// or https://";
}

const struct option endpoint_options_rows[] = {
    {"--endpoint", "URL", endpoint_take_url, 0, "the server to ask (" ENDPOINT_DEFAULT ")"},
    {"--world", "NAME", option_text, offsetof(struct endpoint_options, world),
     "which of its worlds is meant"},
    {NULL, NULL, NULL, 0, NULL},
};
