/* explain_empty.h: why a read gave nothing: the first thing that is surely so, and what is near. */
#pragma once

#include "explain/explain_read.h"

/* Finds the reason why a read that succeeded gave nothing. */
void explain_empty(struct inquiry *q);

/* Whether the one item of a target is there; where it is not, what is near. */
bool explain_empty_item(struct inquiry *q, const struct target *target);

/* Like explain_empty, for SearchVectors, which may also have given less than there is. */
void explain_empty_search(struct inquiry *q);
