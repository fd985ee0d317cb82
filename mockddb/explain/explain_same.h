/* explain_same.h: whether a rewritten read gives the items that the request gave. */
#pragma once

#include "explain/inquiry.h"

enum sameness {
    SAME_NOT,
    SAME_KEYS, /* the same items, without some of their attributes */
    SAME_ITEMS
};

/* Compares the items of the call's reply with those of a proposal that was tried. If more pages
 * follow the reply, its items must be among the proposal's. *fetch_units is what reading the rest
 * of the items by their keys takes, for SAME_KEYS. */
enum sameness explain_same(struct inquiry *q, const struct table *t, const struct proposal *p,
                           double *fetch_units);
