/* "unprocessed": this many keys or writes of a batch are left unprocessed: the last ones or, with
 * "which": "first", the first ones. */
#include "faults/fault_kind.h"

struct unprocessed {
    int64_t count;
    int which;
};

static const char *const sides[] = {"last", "first", NULL};

static const void *read_unprocessed(struct fault_reading *r, const wire_node *rule)
{
    struct unprocessed *u = arena_alloc(r->arena, sizeof *u);

    return fault_read_count(r, rule, "unprocessed", 1, 100, &u->count) &&
                   fault_kind_read_word(r, rule, "which", sides, &u->which)
               ? u
               : NULL;
}

static void apply_unprocessed(const void *state, struct fault_hit *hit)
{
    const struct unprocessed *u = state;

    hit->disturbance->unprocessed = (size_t)u->count;
    hit->disturbance->unprocessed_first = u->which == 1;
}

static const char *const and_those[] = {"which", NULL};

const struct fault_kind fault_unprocessed = {.member = "unprocessed",
                                             .and_those = and_those,
                                             .forms = OP_BATCH_GET | OP_BATCH_WRITE |
                                                      OP_BATCH_STATEMENT,
                                             .read = read_unprocessed,
                                             .apply = apply_unprocessed};
