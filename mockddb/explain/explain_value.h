/* explain_value.h: attribute values that cannot be, anywhere in the request. */
#ifndef EXPLAIN_EXPLAIN_VALUE_H
#define EXPLAIN_EXPLAIN_VALUE_H

#include "explain/inquiry.h"

/* Finds the reason in the values of a request that was refused. */
void explain_value(struct inquiry *q);

/* A plain value where one with its type belongs: {"id": "x"} for {"id": {"S": "x"}}. */
void explain_value_plain(struct inquiry *q);

#endif
