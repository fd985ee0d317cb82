/* op_wanted.h: the items that a call will read, gathered so that a store in a database reads them
 * all at once, as of one moment (unit_want). Other stores do not need that: nothing is gathered. */
#pragma once

#include "ops/op.h"

struct op_wanted {
    struct span *keys; /* NULL: nothing is gathered */
    size_t count;
};

/* Of at most this many keys. */
struct op_wanted op_wanted_new(const struct call *c, size_t most);

/* Adds the item that has the key attributes of `it`; or an entry by its key. */
void op_wanted_add(struct call *c, struct op_wanted *w, const struct table *t,
                   const struct item *it);
void op_wanted_add_key(struct op_wanted *w, struct span key);

/* Reads them: unit_get then has them. */
MUST_CHECK const struct error *op_wanted_read(struct call *c, const struct op_wanted *w);
