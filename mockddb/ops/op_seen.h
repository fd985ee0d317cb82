/* op_seen.h: the item that a caller saw before its write.
 *
 * A condition expression cannot notice an attribute that another client has added. If call.seen is
 * set, PutItem, UpdateItem and DeleteItem compare it with the whole stored item, in the unit of
 * their write, and write only if both are equal: numbers by value, sets and maps in any order. */
#pragma once

#include "model/attr.h"

struct op_seen {
    const struct item *item; /* NULL: the caller saw no item */
    bool differs;            /* set if the stored item differs; nothing was written then */
    struct span stored;      /* this item in the form of replies, valid like the reply; .at NULL: no
                              * item */
};
