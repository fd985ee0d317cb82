/* explain_failed.h: a condition that failed: what the item is like that it was asked of. */
#pragma once

#include "explain/inquiry.h"

/* Of the inquiry's entry. */
void explain_failed(struct inquiry *q);
