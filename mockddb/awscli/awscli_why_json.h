/* awscli_why_json.h: what is wrong with the JSON of an option, in one line. */
#ifndef AWSCLI_AWSCLI_WHY_JSON_H
#define AWSCLI_AWSCLI_WHY_JSON_H

#include "base/arena.h"

/* `option` without its dashes. NULL: nothing is known. */
const char *awscli_why_json(struct arena *a, const char *option, const char *text);

#endif
