#include "commands/template_params.h"

#include "base/one_more.h"

const char *template_params_take(const struct option_value *v)
{
    struct template_params *params = option_member(v);
    const char *equals = strchr(v->text, '=');

    if (!equals || equals == v->text)
        return "is not NAME=VALUE";
    *v->adds = true;
    params->at = one_more(v->arena, params->at, params->count, sizeof *params->at);
    params->at[params->count++] = (struct template_param){
        {v->text, (size_t)(equals - v->text)},
        span_of(equals + 1),
        arena_alloc(v->arena, sizeof(bool)),
    };
    return NULL;
}

const char *template_params_unused(struct arena *a, const struct template_params *params)
{
    for (size_t i = 0; i < params->count; i++)
        if (!*params->at[i].is_used)
            return arena_printf(a, "--param %.*s: no template has a parameter of that name",
                                SPAN_ARG(params->at[i].name));
    return NULL;
}
