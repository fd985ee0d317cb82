#include <stdlib.h>

#include "admin/admin_verb.h"

struct copying {
    struct worlds_copy *copy;
    const struct problem *(*answer)(struct admin_call *c, struct worlds_copy *copy);
};

static bool step_copy(struct admin_work *w)
{
    const struct copying *state = w->state;

    return worlds_copy_step(state->copy);
}

static const struct problem *answer_copy(struct admin_call *c, struct admin_work *w)
{
    const struct copying *state = w->state;
    const struct problem *p = worlds_copy_problem(state->copy);

    return p ? p : state->answer(c, state->copy);
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

const struct problem *admin_copy(struct admin_call *c, struct worlds_copy *copy,
                                 const struct problem *(*write)(struct admin_call *c,
                                                                struct worlds_copy *copy))
{
    struct copying *state;
    const struct problem *p;

    if (!(c->verb->flags & ADMIN_ALONE) && worlds_copy_step(copy)) {
        p = problem_copy(c->arena, worlds_copy_problem(copy));
        if (!p)
            p = write(c, copy);
        worlds_copy_free(copy);
        return p;
    }
    state = process_malloc(sizeof *state);
    *state = (struct copying){copy, write};
    admin_begin(c, &job, state);
    return NULL;
}
