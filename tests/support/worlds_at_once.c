#include "support/worlds_at_once.h"

#include "worlds/worlds_core.h"

const struct problem *worlds_at_once_run(struct worlds_copy *copy)
{
    while (!worlds_copy_step(copy))
        continue;
    return worlds_copy_problem(copy);
}

const struct problem *worlds_at_once_use(struct arena *a, struct worlds *all, struct span name,
                                         struct world **out)
{
    const struct problem *p;

    while ((p = worlds_use(a, all, name, out)) && p->kind == PROBLEM_WAITS)
        worlds_copies_idle(all);
    return p;
}

/* *out: the world that was made; out may be NULL. */
static const struct problem *finish(struct arena *a, struct worlds_copy *copy, struct world **out)
{
    const struct problem *p = worlds_at_once_run(copy);

    if (p)
        p = problem_copy(a, p);
    else if (out)
        *out = worlds_copy_world(copy);
    worlds_copy_free(copy);
    return p;
}

const struct problem *worlds_at_once_make(struct arena *a, struct worlds *all, struct span name,
                                          const struct world_state *from, struct world **out)
{
    struct worlds_copy *copy;
    const struct problem *p = worlds_begin_make(a, all, name, NULL, from, &copy);

    return p ? p : finish(a, copy, out);
}

const struct problem *worlds_at_once_reset(struct arena *a, struct worlds *all, struct world *w)
{
    struct worlds_copy *copy;
    const struct problem *p = worlds_begin_reset(a, all, w, &copy);

    return p ? p : finish(a, copy, NULL);
}
