/* explain_error.h: what is wrong with a request that was refused, found in the request and in the
 * tables, never in the message. */
#pragma once

#include "explain/inquiry.h"

/* Of a request that failed. */
void explain_error(struct inquiry *q);

/* Of a BatchExecuteStatement: its statements that failed, and those that gave nothing. */
void explain_error_members(struct inquiry *q);

/* A hint for the first member that the request has and the operation does not: the service passes
 * over it without a word. */
void explain_error_ignored(struct inquiry *q);
