/* POST /_mockddb/assert: whether a world's journal is as it should be. */
#include "admin/admin_verb.h"
#include "journal/assertions.h"

static const struct admin_fault *check(struct admin_call *c)
{
    const struct journal *j = world_journal(c->world);
    struct assertions *all;
    const char *problem;

    if ((problem = assertions_read(c->arena, c->body, &all)) ||
        (problem = assertions_know(c->arena, all, journal_options_of(j)->catalogue)))
        return admin_refuse(c, 400, "%s", problem);
    for (uint64_t id = journal_first(j); id <= journal_last(j); id++)
        assertions_take(all, journal_find(j, id));
    assertions_show(all, journal_dropped(j), &c->out);
    c->status = !journal_dropped(j) && assertions_hold(all) ? 200 : 409;
    return NULL;
}

static const char *const members[] = {"assert", NULL};

const struct admin_verb verb_assert = {
    .method = "POST", .path = "assert", .members = members, .run = check};
