/* "index_lag": Query and Scan do not see entries of global indexes before they have this age. */
#include "faults/fault_kind.h"

/* It occurs in reads of an index. */
static bool reads_index(const struct op_subjects *subjects)
{
    for (size_t i = 0; i < subjects->len; i++)
        if (subjects->at[i].index.len)
            return true;
    return false;
}

const struct fault_kind fault_lag = {.member = "index_lag",
                                     .forms = OP_PAGES,
                                     .happens = reads_index,
                                     .looks_back = true,
                                     .value = FAULT_DELAY,
                                     .sets = offsetof(struct disturbance, index_lag_ms)};
