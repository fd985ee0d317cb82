/* explain_rewrite.h: the request with other words in one of its expressions, as a proposal. */
#pragma once

#include "explain/inquiry.h"

/* With one attribute's name for another, which may be a path: where it is written, or what its
 * placeholder means. */
void explain_rewrite_name(struct inquiry *q, const char *parameter, struct span from,
                          struct span to);
