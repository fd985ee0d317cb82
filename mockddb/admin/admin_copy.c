#include <stdlib.h>

#include "admin/admin_verb.h"

struct copying {
    struct worlds_copy *copy;
    const struct admin_fault *(*answer)(struct admin_call *c, struct worlds_copy *copy);
};

static bool step_copy(struct admin_work *w)
{
    const struct copying *state = w->state;

    return worlds_copy_step(state->copy);
}

static const struct admin_fault *answer_copy(struct admin_call *c, struct admin_work *w)
{
    const struct copying *state = w->state;
    const struct admin_fault *f = admin_world_fault(c, worlds_copy_fault(state->copy));

    return f ? f : state->answer(c, state->copy);
}

static void end_copy(struct admin_work *w)
{
    struct copying *state = w->state;

    worlds_copy_free(state->copy);
    free(state);
}

static bool waits(const struct admin_work *w)
{
    const struct copying *state = w->state;

    return worlds_copy_waits(state->copy);
}

static const struct admin_job job = {
    .step = step_copy, .answer = answer_copy, .end = end_copy, .waits = waits, .is_copy = true};

const struct admin_fault *admin_copy(struct admin_call *c, struct worlds_copy *copy,
                                     const struct admin_fault *(*write)(struct admin_call *c,
                                                                        struct worlds_copy *copy))
{
    struct copying *state;
    const struct admin_fault *f;

    if (!(c->verb->flags & ADMIN_ALONE) && worlds_copy_step(copy)) {
        f = admin_world_fault(c, worlds_copy_fault(copy));
        if (!f)
            f = write(c, copy);
        worlds_copy_free(copy);
        return f;
    }
    state = process_malloc(sizeof *state);
    *state = (struct copying){copy, write};
    admin_begin(c, &job, state);
    return NULL;
}
