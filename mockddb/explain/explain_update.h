/* explain_update.h: updates that do not fit the item they are for. */
#ifndef EXPLAIN_EXPLAIN_UPDATE_H
#define EXPLAIN_EXPLAIN_UPDATE_H

#include "explain/inquiry.h"

/* Finds the reason in the update of the inquiry's entry and in the item that it is for. */
void explain_update(struct inquiry *q);

#endif
