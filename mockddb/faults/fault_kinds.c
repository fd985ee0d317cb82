/* Every kind of fault, in the order in which they are applied. */
#include "faults/fault_kind.h"

extern const struct fault_kind fault_delay;
extern const struct fault_kind fault_skew;
extern const struct fault_kind fault_error;
extern const struct fault_kind fault_drop;
extern const struct fault_kind fault_cut;
extern const struct fault_kind fault_crc;
extern const struct fault_kind fault_unprocessed;
extern const struct fault_kind fault_page;
extern const struct fault_kind fault_stale;
extern const struct fault_kind fault_lag;
extern const struct fault_kind fault_late;
extern const struct fault_kind fault_twice;

const struct fault_kind *const fault_kind_table[] = {
    &fault_delay, &fault_skew,        &fault_error, &fault_drop,  &fault_cut,
    &fault_crc,   &fault_unprocessed, &fault_page,  &fault_stale, &fault_lag,
    &fault_late,  &fault_twice,       NULL,
};

bool fault_kind_touches(const struct fault_kind *kind, const struct op *op)
{
    return !kind->forms || (kind->forms & op->form);
}

bool fault_kind_happens(const struct fault_kind *kind, const struct call *c,
                        const struct op_subjects *subjects)
{
    return fault_kind_touches(kind, c->op) && (!kind->happens || kind->happens(subjects));
}
