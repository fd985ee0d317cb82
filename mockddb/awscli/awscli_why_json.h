/* awscli_why_json.h: explains, in one line, what is wrong with the JSON of an option. */
#pragma once

#include "base/arena.h"

/* `option` is without its dashes. NULL if there is no explanation. */
const char *awscli_why_json(struct arena *a, const char *option, const char *text);
