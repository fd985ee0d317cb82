/* explain_ignored.h: members that the request has and the operation does not: the service passes
 * over them without a word. */
#pragma once

#include "explain/inquiry.h"

/* A hint for the first of them. */
void explain_ignored(struct inquiry *q);
