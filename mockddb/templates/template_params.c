#include "templates/template_params.h"

const char *template_params_unused(struct arena *a, const struct option_pairs *params)
{
    for (size_t i = 0; i < params->count; i++)
        if (!params->at[i].is_used)
            return arena_printf(a, "--param %.*s: no template has a parameter of that name",
                                SPAN_ARG(params->at[i].name));
    return NULL;
}
