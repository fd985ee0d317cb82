/* explain_search.h: a search of vectors that gave nothing, or less than there is. */
#pragma once

#include "explain/inquiry.h"

/* Of SearchVectors that succeeded; of other calls it says nothing. */
void explain_search(struct inquiry *q);
