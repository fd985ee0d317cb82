#include "support/worlds_at_once.h"

const struct world_fault *worlds_at_once_run(struct worlds_copy *copy)
{
    while (!worlds_copy_step(copy))
        continue;
    return worlds_copy_fault(copy);
}

const struct world_fault *worlds_at_once_use(struct arena *a, struct worlds *all, struct span name,
                                             struct world **out)
{
    const struct world_fault *f;

    while ((f = worlds_use(a, all, name, out)) && f->kind == WORLD_WAITS)
        worlds_copies_idle(all);
    return f;
}

/* *out: the world that was made; out may be NULL. */
static const struct world_fault *finish(struct arena *a, struct worlds_copy *copy,
                                        struct world **out)
{
    const struct world_fault *f = worlds_at_once_run(copy);

    if (f)
        f = world_fault(a, f->kind, "%s", f->message);
    else if (out)
        *out = worlds_copy_world(copy);
    worlds_copy_free(copy);
    return f;
}

const struct world_fault *worlds_at_once_make(struct arena *a, struct worlds *all, struct span name,
                                              const struct world_state *from, struct world **out)
{
    struct worlds_copy *copy;
    const struct world_fault *f = worlds_begin_make(a, all, name, NULL, from, &copy);

    return f ? f : finish(a, copy, out);
}

const struct world_fault *worlds_at_once_reset(struct arena *a, struct worlds *all, struct world *w)
{
    struct worlds_copy *copy;
    const struct world_fault *f = worlds_begin_reset(a, all, w, &copy);

    return f ? f : finish(a, copy, NULL);
}
