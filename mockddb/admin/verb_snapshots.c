/* /_mockddb/snapshots: a world's named snapshots. */
#include "admin/admin_show.h"

static void show_snapshot(struct admin_call *c, const struct snapshot *s)
{
    admin_show_text(c, "name", span_of(s->name));
    admin_show_content(c, &s->content);
    admin_show_moment(c, "taken", s->taken_ms);
    wire_open_member(&c->out, "clock", '{');
    admin_show_time(c, &s->state.time);
    wire_close(&c->out, '}');
}

static const struct problem *find_snapshot(struct admin_call *c, const struct snapshot **out)
{
    return worlds_find_snapshot(c->arena, c->world, c->name, out);
}

static const struct problem *list_snapshots(struct admin_call *c)
{
    const struct snapshots *all = worlds_snapshots(c->world);

    wire_open_member(&c->out, "snapshots", '[');
    for (size_t i = 0; i < all->count; i++) {
        wire_open(&c->out, '{');
        show_snapshot(c, &all->at[i]);
        wire_close(&c->out, '}');
    }
    wire_close(&c->out, ']');
    return NULL;
}

static const struct problem *show_one(struct admin_call *c)
{
    const struct problem *p;
    const struct snapshot *s;

    if ((p = find_snapshot(c, &s)))
        return p;
    show_snapshot(c, s);
    return NULL;
}

static const struct problem *show_copied(struct admin_call *c, struct worlds_copy *copy)
{
    show_snapshot(c, worlds_copy_snapshot(copy));
    return NULL;
}

static const struct problem *take_snapshot(struct admin_call *c)
{
    struct worlds_copy *copy;
    const struct problem *p = worlds_begin_snapshot(c->arena, c->worlds, c->world, c->name, &copy);

    return p ? p : admin_copy(c, copy, show_copied);
}

static const struct problem *restore_snapshot(struct admin_call *c)
{
    const struct problem *p;
    const struct snapshot *s;
    struct worlds_copy *copy;

    if ((p = find_snapshot(c, &s)) ||
        (p = worlds_begin_restore(c->arena, c->worlds, c->world, s, &copy)))
        return p;
    return admin_copy(c, copy, show_copied);
}

static const struct problem *send_file(struct admin_call *c, struct worlds_copy *copy)
{
    c->file = worlds_copy_take_file(copy);
    return NULL;
}

static const struct problem *read_file(struct admin_call *c)
{
    const struct problem *p;
    const struct snapshot *s;
    struct worlds_copy *copy;

    if ((p = find_snapshot(c, &s)) || (p = worlds_begin_export(c->arena, c->worlds, s, &copy)))
        return p;
    return admin_copy(c, copy, send_file);
}

static const struct problem *load_file(struct admin_call *c)
{
    struct worlds_copy *copy;
    const struct problem *p = worlds_begin_load(c->arena, c->worlds, c->world, c->name, c->upload,
                                                &copy);

    return p ? p : admin_copy(c, copy, show_copied);
}

static const struct problem *remove_snapshot(struct admin_call *c)
{
    const struct problem *p = worlds_drop_snapshot(c->arena, c->worlds, c->world, c->name);

    if (!p)
        admin_show_text(c, "dropped", c->name);
    return p;
}

static const char *const members[] = {NULL};

const struct admin_verb verb_snapshots_list = {
    .method = "GET", .path = "snapshots", .run = list_snapshots};

const struct admin_verb verb_snapshots_take = {.method = "POST",
                                               .path = "snapshots/*",
                                               .flags = ADMIN_CHANGES | ADMIN_WHOLE,
                                               .members = members,
                                               .run = take_snapshot};

const struct admin_verb verb_snapshots_get = {
    .method = "GET", .path = "snapshots/*", .run = show_one};

const struct admin_verb verb_snapshots_restore = {.method = "POST",
                                                  .path = "snapshots/*/restore",
                                                  .flags = ADMIN_CHANGES | ADMIN_WHOLE,
                                                  .members = members,
                                                  .run = restore_snapshot};

const struct admin_verb verb_snapshots_drop = {.method = "DELETE",
                                               .path = "snapshots/*",
                                               .flags = ADMIN_CHANGES | ADMIN_WHOLE,
                                               .run = remove_snapshot};

const struct admin_verb verb_snapshots_read_file = {
    .method = "GET", .path = "snapshots/*/file", .flags = ADMIN_WHOLE, .run = read_file};

const struct admin_verb verb_snapshots_load_file = {.method = "PUT",
                                                    .path = "snapshots/*/file",
                                                    .flags = ADMIN_CHANGES | ADMIN_WHOLE |
                                                             ADMIN_ALONE,
                                                    .run = load_file};
