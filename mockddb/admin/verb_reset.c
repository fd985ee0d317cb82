/* POST /_mockddb/reset: a world as it was in the beginning. */
#include "admin/admin_show.h"

static const struct admin_fault *reset(struct admin_call *c)
{
    const struct admin_fault *f = admin_world_fault(c, worlds_reset(c->arena, c->worlds, c->world));

    if (!f)
        admin_show_text(c, "world", world_name(c->world));
    return f;
}

static const char *const members[] = {NULL};

const struct admin_verb verb_reset = {.method = "POST",
                                      .path = "reset",
                                      .flags = ADMIN_CHANGES | ADMIN_WHOLE,
                                      .members = members,
                                      .run = reset};
