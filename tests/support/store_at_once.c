#include "support/store_at_once.h"

/* s as in store_copying_place. */
static const char *copy_at_once(struct arena *a, struct store *from,
                                const struct store_options *options, struct store **s)
{
    struct store_copying *c = store_copying_new(from, options);
    const char *problem;

    while (!store_copying_step(c, true))
        continue;
    if (!(problem = store_copying_place(a, c, s))) {
        while (!store_copying_step(c, true))
            continue;
        if (store_copying_problem(c))
            problem = arena_text(a, span_of(store_copying_problem(c)));
    }
    store_copying_free(c);
    return problem;
}

struct store *store_at_once_copy(struct arena *a, struct store *from,
                                 const struct store_options *options, const char **problem)
{
    struct store *s = NULL;

    if (!(*problem = copy_at_once(a, from, options, &s)))
        return s;
    store_free(s);
    return NULL;
}

const char *store_at_once_save(struct arena *a, struct store *from,
                               const struct store_options *options)
{
    return copy_at_once(a, from, options, NULL);
}
