/* /_mockddb/snapshots: a world's named snapshots. */
#include "admin/admin_show.h"

static void show_snapshot(struct admin_call *c, const struct snapshot *s)
{
    wire_put_member_text(&c->out, "name", span_of(s->name));
    admin_show_content(c, &s->content);
    admin_show_moment(c, "taken", s->taken_ms);
    wire_open_member(&c->out, "clock", '{');
    admin_show_time(c, &s->state.time);
    wire_close(&c->out, '}');
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

    if ((p = worlds_find_snapshot(c->arena, c->world, c->name, &s)))
        return p;
    show_snapshot(c, s);
    return NULL;
}

static void show_copied(struct admin_call *c, struct worlds_copy *copy)
{
    show_snapshot(c, worlds_copy_snapshot(copy));
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

    if ((p = worlds_find_snapshot(c->arena, c->world, c->name, &s)) ||
        (p = worlds_begin_restore(c->arena, c->worlds, c->world, s, &copy)))
        return p;
    return admin_copy(c, copy, show_copied);
}

static void send_file(struct admin_call *c, struct worlds_copy *copy)
{
    c->file = worlds_copy_take_file(copy);
}

static const struct problem *read_file(struct admin_call *c)
{
    const struct problem *p;
    const struct snapshot *s;
    struct worlds_copy *copy;

    if ((p = worlds_find_snapshot(c->arena, c->world, c->name, &s)) ||
        (p = worlds_begin_export(c->arena, c->worlds, s, &copy)))
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
        wire_put_member_text(&c->out, "dropped", c->name);
    return p;
}

const struct admin_verb verb_snapshots[] = {
    {"GET", "snapshots", 0, NULL, NULL, list_snapshots},
    {"POST", "snapshots/*", ADMIN_CHANGES | ADMIN_WHOLE | ADMIN_COPIES, "", NULL, take_snapshot},
    {"GET", "snapshots/*", 0, NULL, NULL, show_one},
    {"POST", "snapshots/*/restore", ADMIN_CHANGES | ADMIN_WHOLE | ADMIN_COPIES, "", NULL,
     restore_snapshot},
    {"DELETE", "snapshots/*", ADMIN_CHANGES | ADMIN_WHOLE, NULL, NULL, remove_snapshot},
    {"GET", "snapshots/*/file", ADMIN_WHOLE | ADMIN_COPIES, NULL, NULL, read_file},
    {"PUT", "snapshots/*/file",
     ADMIN_CHANGES | ADMIN_WHOLE | ADMIN_COPIES | ADMIN_ALONE | ADMIN_FILE, NULL, NULL, load_file},
    {0},
};
