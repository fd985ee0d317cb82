/* op_seen.h: the item that a caller saw before it writes.
 *
 * A condition expression cannot notice an attribute that another client added. Where call.seen is
 * set, PutItem, UpdateItem and DeleteItem compare the whole stored item with it, in the unit in
 * which they write, and write only where the two are equal: numbers by value, sets and maps in any
 * order. */
#ifndef OPS_OP_SEEN_H
#define OPS_OP_SEEN_H

#include "model/attr.h"

struct op_seen {
    const struct item *item; /* NULL: no item was stored */
    bool differs;            /* set where the stored item is another; nothing was written then */
    struct span stored;      /* that item as replies show it, valid as the reply is; at NULL: there
                              * is no item */
};

#endif
