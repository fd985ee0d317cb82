/* POST /_mockddb/reset: resets a world to its initial state. */
#include "admin/admin_show.h"

static const struct admin_fault *answer_reset(struct admin_call *c, struct worlds_copy *copy)
{
    admin_show_text(c, "world", world_name(worlds_copy_world(copy)));
    return NULL;
}

static const struct admin_fault *reset(struct admin_call *c)
{
    struct worlds_copy *copy;
    const struct admin_fault *f = admin_world_fault(
        c, worlds_begin_reset(c->arena, c->worlds, c->world, &copy));

    return f ? f : admin_copy(c, copy, answer_reset);
}

static const char *const members[] = {NULL};

const struct admin_verb verb_reset = {.method = "POST",
                                      .path = "reset",
                                      .flags = ADMIN_CHANGES | ADMIN_WHOLE,
                                      .members = members,
                                      .run = reset};
