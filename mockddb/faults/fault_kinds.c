/* Every kind of fault, in the order in which they are applied. */
#include "faults/fault_kind.h"
#include "wire/wire_node.h"

extern const struct fault_kind fault_skew, fault_error;

#define AT(member) offsetof(struct disturbance, member)

/* The reply is sent later, with jitter by a random time more. */
static void add_jitter(const void *state, struct fault_hit *hit)
{
    struct disturbance *d = hit->disturbance;

    (void)state;
    d->delay_ms += (int64_t)(hit->random * (double)(d->jitter_ms + 1));
}

static const struct fault_kind fault_delay = {
    .member = "delay",
    .and_those = (const char *const[]){"jitter", NULL},
    .values = {{"delay", FAULT_DELAY, .at = AT(delay_ms)},
               {"jitter", FAULT_DELAY, .at = AT(jitter_ms)}},
    .apply = add_jitter};

/* The connection ends without a reply, before the operation has run or after it. */
static void end_before(const void *state, struct fault_hit *hit)
{
    (void)state;
    if (!hit->disturbance->dropped_after)
        hit->error = error_internal(hit->call->arena);
}

static const struct fault_kind fault_drop = {
    .member = "drop",
    .sets = AT(dropped),
    .values = {{"drop", FAULT_WORD, .words = (const char *const[]){"before", "after", NULL},
                .at = AT(dropped_after)}},
    .apply = end_before};

/* The connection ends after this many bytes of the reply's body. */
static const struct fault_kind fault_cut = {
    .member = "cut",
    .sets = AT(cut),
    .values = {{"cut", FAULT_COUNT, 0, INT32_MAX, .at = AT(cut_bytes)}}};

/* The checksum in the reply's header does not match its body. */
static const struct fault_kind fault_crc = {
    .member = "wrong_crc", .sets = AT(wrong_crc), .values = {{"wrong_crc", FAULT_TRUE}}};

/* This many keys or writes of a batch are left unprocessed: the last ones or the first ones. */
static const struct fault_kind fault_unprocessed = {
    .member = "unprocessed",
    .and_those = (const char *const[]){"which", NULL},
    .forms = OP_BATCH_GET | OP_BATCH_WRITE | OP_BATCH_STATEMENT,
    .values = {{"unprocessed", FAULT_COUNT, 1, 100, .at = AT(unprocessed)},
               {"which", FAULT_WORD, .words = (const char *const[]){"last", "first", NULL},
                .at = AT(unprocessed_first)}}};

/* Pages of Query and Scan end after this many items, even if more would fit. */
static const struct fault_kind fault_page = {
    .member = "page_limit",
    .forms = OP_PAGES,
    .values = {{"page_limit", FAULT_COUNT, 1, INT32_MAX, .at = AT(page_limit)}}};

/* A part of the request reads without ConsistentRead. */
static bool reads_stale(const struct op_subjects *subjects)
{
    for (size_t i = 0; i < subjects->len; i++)
        if (!wire_bool(wire_get(subjects->at[i].entry, "ConsistentRead"), false))
            return true;
    return false;
}

/* Eventually consistent GetItem and BatchGetItem return items as they were before their newest
 * change (true), or this long ago ("2s"). */
static const struct fault_kind fault_stale = {
    .member = "stale",
    .forms = OP_GET | OP_BATCH_GET,
    .happens = reads_stale,
    .looks_back = true,
    .sets = AT(stale),
    .values = {{"stale", FAULT_TRUE_OR_DELAY, .at = AT(stale_ms)}}};

static bool reads_index(const struct op_subjects *subjects)
{
    for (size_t i = 0; i < subjects->len; i++)
        if (subjects->at[i].index.len)
            return true;
    return false;
}

/* Query and Scan do not see entries of global indexes before they have this age. */
static const struct fault_kind fault_lag = {
    .member = "index_lag",
    .forms = OP_PAGES,
    .happens = reads_index,
    .looks_back = true,
    .values = {{"index_lag", FAULT_DELAY, .at = AT(index_lag_ms)}}};

/* GetRecords does not return records before they have this age. */
static const struct fault_kind fault_late = {
    .member = "stream_late",
    .forms = OP_RECORDS,
    .values = {{"stream_late", FAULT_DELAY, .at = AT(stream_late_ms)}}};

/* The next iterator returns the same records of GetRecords again. */
static const struct fault_kind fault_twice = {.member = "stream_twice",
                                              .forms = OP_RECORDS,
                                              .sets = AT(stream_twice),
                                              .values = {{"stream_twice", FAULT_TRUE}}};

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
    int64_t *numbers;

    if (kind->read)
        return kind->read(r, rule);
    numbers = arena_array(r->arena, FAULT_VALUES, sizeof *numbers);
    for (size_t i = 0; i < FAULT_VALUES && kind->values[i].member; i++)
        if (!fault_kind_read_value(r, rule, &kind->values[i], &numbers[i]))
            return NULL;
    return numbers;
}

void fault_kind_apply(const struct fault_kind *kind, const void *state, struct fault_hit *hit)
{
    char *to = (char *)hit->disturbance;

    for (size_t i = 0; i < FAULT_VALUES && kind->values[i].at; i++)
        memcpy(to + kind->values[i].at, (const int64_t *)state + i, sizeof(int64_t));
    if (kind->sets)
        memcpy(to + kind->sets, &(bool){true}, sizeof(bool));
    if (kind->apply)
        kind->apply(state, hit);
}
