/* GET /_mockddb/differences: between two worlds. */
#include "admin/admin_verb.h"
#include "admin/world_differences.h"

#include <stdlib.h>

#define LISTED      200 /* default: differences that are listed */
#define MOST_LISTED 2000

struct comparing {
    struct world *from, *to; /* held */
    struct world_differences *walk;
};

static bool step_comparing(struct admin_work *w)
{
    return world_differences_step(((struct comparing *)w->state)->walk);
}

static const struct problem *answer_comparing(struct admin_call *c, struct admin_work *w)
{
    struct comparing *n = w->state;

    wire_put_member_text(&c->out, "from", world_name(n->from));
    wire_put_member_text(&c->out, "to", world_name(n->to));
    world_differences_show(n->walk, &c->out);
    return NULL;
}

static void end_comparing(struct admin_work *w)
{
    struct comparing *n = w->state;

    world_differences_free(n->walk);
    world_release(n->to);
    world_release(n->from);
    free(n);
}

static const struct admin_job job = {
    .step = step_comparing, .answer = answer_comparing, .end = end_comparing};

static const struct problem *read_world(struct admin_call *c, const char *name, struct world **out)
{
    struct span text = admin_filter(c, name);
    const struct problem *p;

    if (!text.at)
        return problem_invalid(c->arena, "%s is needed: the name of a world", name);
    if ((p = world_check_name(c->arena, text)))
        return p;
    return worlds_seek(c->arena, c->worlds, text, out);
}

static const struct problem *begin_comparing(struct admin_call *c)
{
    struct span table;
    uint64_t listed = LISTED;
    struct world *from = NULL, *to = NULL;
    const struct problem *p;
    struct comparing *n;

    if ((p = read_world(c, "from", &from)) || (p = read_world(c, "to", &to)) ||
        (p = admin_read_table(c, &table)) ||
        (p = admin_read_count(c, "limit", MOST_LISTED, &listed)))
        return p;
    if (table.at && !store_table(world_store(from), table) && !store_table(world_store(to), table))
        return admin_no_table(c, table);
    n = process_zeroed(sizeof *n);
    n->from = from;
    n->to = to;
    n->walk = world_differences_new(
        &(struct world_differences_options){.from = world_store(from),
                                            .to = world_store(to),
                                            .only = table.at ? table : (struct span){"", 0},
                                            .limit = (size_t)listed});
    admin_begin(c, &job, n);
    world_hold(from);
    world_hold(to);
    return NULL;
}

const struct admin_verb verb_differences[] = {
    {"GET", "differences", ADMIN_NO_WORLD | ADMIN_ALONE, NULL, "from to table limit",
     begin_comparing},
    {0},
};
