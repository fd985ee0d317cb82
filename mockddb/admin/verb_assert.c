/* POST /_mockddb/assert: checks assertions against a world's journal. */
#include "admin/admin_verb.h"
#include "journal/assertions.h"

#define SLICE ((size_t)400000) /* entries times assertions in one slice: some milliseconds */

struct asserting {
    struct arena *arena;
    struct assertions *all;
    uint64_t next_id, last_id; /* at the beginning */
    uint64_t dropped;
};

/* Entries that the journal drops before they are checked count like those dropped earlier. */
static bool step_checks(struct admin_work *w)
{
    const struct journal *j = world_journal(w->world);
    struct asserting *n = w->state;
    uint64_t first = journal_first(j);
    size_t looks = 0;

    if (n->next_id < first) {
        n->dropped += (first <= n->last_id ? first : n->last_id + 1) - n->next_id;
        n->next_id = first;
    }
    while (n->next_id <= n->last_id && looks < SLICE)
        looks += assertions_take(n->all, world_name(w->world), journal_find(j, n->next_id++));
    return n->next_id > n->last_id;
}

static const struct problem *answer_checks(struct admin_call *c, struct admin_work *w)
{
    const struct asserting *n = w->state;

    assertions_show(n->all, n->dropped, &c->out);
    c->status = !n->dropped && assertions_hold(n->all) ? 200 : 409;
    return NULL;
}

static void end_checks(struct admin_work *w)
{
    arena_free(((struct asserting *)w->state)->arena);
}

static const struct admin_job job = {
    .step = step_checks, .answer = answer_checks, .end = end_checks};

/* The assertions live until the work is over; the request's text does not. */
static const struct problem *read_assertions(struct admin_call *c, struct arena *own,
                                             struct assertions **out)
{
    const struct problem *p;
    const wire_node *body = c->body;

    if (body && wire_parse(own, arena_span(own, c->text), &body))
        return problem_invalid(own, "the body is not a JSON object");
    if ((p = assertions_read(own, body, out)))
        return p;
    return assertions_know(own, *out, world_catalogue(c->world));
}

static const struct problem *begin_checks(struct admin_call *c)
{
    const struct journal *j = world_journal(c->world);
    struct arena *own = arena_new_in(c->arena);
    struct asserting *n = arena_alloc(own, sizeof *n);
    const struct problem *p = read_assertions(c, own, &n->all);

    if (p)
        return p;
    if (!journal_options_of(j)->count)
        return problem_new(c->arena, PROBLEM_CONFLICT, "the server keeps no journal (--journal 0)");
    n->arena = own;
    n->next_id = journal_first(j);
    n->last_id = journal_last(j);
    n->dropped = journal_dropped(j);
    arena_disown(own);
    admin_begin(c, &job, n);
    return NULL;
}

const struct admin_verb verb_assert[] = {
    {"POST", "assert", ADMIN_OWN | ADMIN_ALONE, "assert", NULL, begin_checks},
    {0},
};
