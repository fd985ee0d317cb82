/* set_order.h: the members of sets in their order, whoever chose them.
 *
 * They are dealt out by one byte after the other, so that it takes time for each byte that tells
 * members apart, not for each comparison; nothing but the list is needed, and the work is charged
 * as it is done. */
#ifndef MODEL_SET_ORDER_H
#define MODEL_SET_ORDER_H

#include "model/attr.h"

/* Sorts S, N or B values of one type by attr_compare. */
void set_order(struct arena *a, struct attr_list *list);

#endif
