/* template_params.h: the option --param of commands that read templates. */
#pragma once

#include "base/option.h"

#define TEMPLATE_PARAMS_HELP \
    "value of a parameter of templates (docs/templates.md); may be repeated"

/* Returns NULL, or a line that names a parameter that no template has. */
const char *template_params_unused(struct arena *a, const struct option_pairs *params);
