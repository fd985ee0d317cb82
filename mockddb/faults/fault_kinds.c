/* Every kind of fault, in the order in which they are applied. */
#include "faults/fault_kind.h"

extern const struct fault_kind fault_delay, fault_skew, fault_error, fault_drop, fault_cut,
    fault_unprocessed, fault_stale;

/* The checksum in the reply's header does not match its body. */
static const struct fault_kind fault_crc = {
    .member = "wrong_crc", .value = FAULT_TRUE, .sets = offsetof(struct disturbance, wrong_crc)};

/* Pages of Query and Scan end after this many items, even if more would fit. */
static const struct fault_kind fault_page = {.member = "page_limit",
                                             .forms = OP_PAGES,
                                             .value = FAULT_COUNT,
                                             .sets = offsetof(struct disturbance, page_limit)};

static bool reads_index(const struct op_subjects *subjects)
{
    for (size_t i = 0; i < subjects->len; i++)
        if (subjects->at[i].index.len)
            return true;
    return false;
}

/* Query and Scan do not see entries of global indexes before they have this age. */
static const struct fault_kind fault_lag = {.member = "index_lag",
                                            .forms = OP_PAGES,
                                            .happens = reads_index,
                                            .looks_back = true,
                                            .value = FAULT_DELAY,
                                            .sets = offsetof(struct disturbance, index_lag_ms)};

/* GetRecords does not return records before they have this age. */
static const struct fault_kind fault_late = {.member = "stream_late",
                                             .forms = OP_RECORDS,
                                             .value = FAULT_DELAY,
                                             .sets = offsetof(struct disturbance, stream_late_ms)};

/* The next iterator returns the same records of GetRecords again. */
static const struct fault_kind fault_twice = {.member = "stream_twice",
                                              .forms = OP_RECORDS,
                                              .value = FAULT_TRUE,
                                              .sets = offsetof(struct disturbance, stream_twice)};

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

const void *fault_kind_read(const struct fault_kind *kind, struct fault_reading *r,
                            const wire_node *rule)
{
    int64_t *number;
    bool read;

    if (kind->value == FAULT_OWN)
        return kind->read(r, rule);
    if (kind->value == FAULT_TRUE)
        return fault_read_true(r, rule, kind->member) ? rule : NULL;
    number = arena_alloc(r->arena, sizeof *number);
    read = kind->value == FAULT_COUNT
               ? fault_read_count(r, rule, kind->member, 1, INT32_MAX, number)
               : fault_read_delay(r, rule, kind->member, number);
    return read ? number : NULL;
}

void fault_kind_apply(const struct fault_kind *kind, const void *state, struct fault_hit *hit)
{
    char *member = (char *)hit->disturbance + kind->sets;

    if (kind->value == FAULT_OWN)
        kind->apply(state, hit);
    else if (kind->value == FAULT_TRUE)
        memcpy(member, &(bool){true}, sizeof(bool));
    else
        memcpy(member, state, sizeof(int64_t));
}
