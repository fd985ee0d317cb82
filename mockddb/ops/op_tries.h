/* op_tries.h: work that runs again from its beginning after a conflict (store/unit.h).
 *
 * Calls (dispatch) and steps of jobs set a landing place in their arena and come here when control
 * returns to it. Work of which each try meets a conflict is given up after ten tries or two
 * seconds. */
#pragma once

#include "ops/op.h"
#include "ops/past.h"

struct op_tries {
    struct past_mark before;
    unsigned count;   /* tries that were undone */
    int64_t until_us; /* the next try begins by then, or never */
};

struct op_tries op_tries_begin(const struct call *c);
/* The work was left by a jump: undoes its open units, and drops its accounts. */
void op_tries_undo(const struct op_tries *t, struct call *c);
/* It was undone for a conflict: whether it may run again. */
bool op_tries_next(struct op_tries *t, const struct call *c);
/* The last try has ended. */
void op_tries_end(const struct op_tries *t, const struct call *c);
