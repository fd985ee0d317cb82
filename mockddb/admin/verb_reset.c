/* POST /_mockddb/reset: resets a world to its initial state. */
#include "admin/admin_show.h"

static const struct problem *answer_reset(struct admin_call *c, struct worlds_copy *copy)
{
    admin_show_text(c, "world", world_name(worlds_copy_world(copy)));
    return NULL;
}

static const struct problem *reset(struct admin_call *c)
{
    struct worlds_copy *copy;
    const struct problem *p = worlds_begin_reset(c->arena, c->worlds, c->world, &copy);

    return p ? p : admin_copy(c, copy, answer_reset);
}

static const char *const members[] = {NULL};

const struct admin_verb verb_reset = {.method = "POST",
                                      .path = "reset",
                                      .flags = ADMIN_CHANGES | ADMIN_WHOLE,
                                      .members = members,
                                      .run = reset};
