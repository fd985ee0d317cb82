/* /_mockddb/worlds and reset: lists, makes, drops and resets worlds. */
#include "admin/admin_show.h"
#include "wire/json.h"

static void show_world(struct admin_call *c, const struct world *w)
{
    const struct clock_time time = clock_time_of(world_clock(w));
    const struct table_totals content = table_size_all(c->arena, world_store(w));

    wire_put_member_text(&c->out, "name", world_name(w));
    wire_put_set_text(&c->out, "from", world_origin(w));
    admin_show_content(c, &content);
    wire_put_member_integer(&c->out, "memory", (int64_t)world_memory(w));
    wire_put_member_integer(&c->out, "snapshots", (int64_t)worlds_snapshots(w)->count);
    admin_show_moment(c, "last_used", worlds_used_ms(c->worlds, w));
    wire_open_member(&c->out, "clock", '{');
    admin_show_time(c, &time);
    wire_close(&c->out, '}');
}

static const struct problem *list_worlds(struct admin_call *c)
{
    struct world_files_list closed;

    wire_open_member(&c->out, "worlds", '[');
    for (size_t i = 0; i < worlds_count(c->worlds); i++) {
        wire_open(&c->out, '{');
        show_world(c, worlds_at(c->worlds, i));
        wire_close(&c->out, '}');
    }
    worlds_closed(c->arena, c->worlds, &closed);
    for (size_t i = 0; i < closed.count; i++) {
        wire_open(&c->out, '{');
        wire_put_member_text(&c->out, "name", closed.names[i]);
        wire_put_member_bool(&c->out, "closed", true);
        wire_close(&c->out, '}');
    }
    wire_close(&c->out, ']');
    return NULL;
}

static const struct problem *show_one(struct admin_call *c)
{
    const struct problem *p;
    struct world *w;

    if ((p = worlds_seek(c->arena, c->worlds, c->name, &w)))
        return p;
    show_world(c, w);
    return NULL;
}

/* Reads a member that is a name. */
static const struct problem *read_name(struct admin_call *c, const char *member, struct span *out)
{
    const wire_node *node = wire_get(c->body, member);

    *out = wire_text(node);
    return !node || world_is_name(*out)
               ? NULL
               : problem_invalid(c->arena, "%s is not a valid name", member);
}

/* Reads {"from": world, "snapshot": one of its snapshots}; without "from" it is the first world's
 * snapshot; or {"empty": true}. Sets nothing if none of them is given. */
static const struct problem *find_source(struct admin_call *c, struct world **of,
                                         struct world_state *out)
{
    struct span from, snapshot;
    const struct problem *p;
    const struct snapshot *kept;
    struct world *w = worlds_first(c->worlds);
    const wire_node *empty = wire_get(c->body, "empty");

    if (empty && (json_kind(empty) != JSON_BOOL || wire_count(c->body) > 1))
        return problem_invalid(c->arena, "empty is true or false, and goes with no other member");
    if (wire_bool(empty, false))
        return worlds_find_empty(c->arena, c->worlds, out);
    if ((p = read_name(c, "from", &from)) || (p = read_name(c, "snapshot", &snapshot)) ||
        (from.len && (p = worlds_seek(c->arena, c->worlds, from, &w))))
        return p;
    if (snapshot.len) {
        if ((p = worlds_find_snapshot(c->arena, w, snapshot, &kept)))
            return p;
        *out = kept->state;
    } else if (from.len) {
        if (!world_flush(w))
            return problem_new(c->arena, PROBLEM_FAILED, "world %.*s cannot be saved",
                               SPAN_ARG(from));
        *of = w;
    }
    return NULL;
}

static void show_made(struct admin_call *c, struct worlds_copy *copy)
{
    show_world(c, worlds_copy_world(copy));
}

static const struct problem *make_world(struct admin_call *c)
{
    struct world_state from = {.store = NULL};
    const struct problem *p;
    struct world *of = NULL;
    struct worlds_copy *copy;

    if ((p = find_source(c, &of, &from)) ||
        (p = worlds_begin_make(c->arena, c->worlds, c->name, of, from.store ? &from : NULL, &copy)))
        return p;
    return admin_copy(c, copy, show_made);
}

static const struct problem *drop_world(struct admin_call *c)
{
    const struct problem *p = worlds_drop(c->arena, c->worlds, c->name);

    if (!p)
        wire_put_member_text(&c->out, "dropped", c->name);
    return p;
}

static void answer_reset(struct admin_call *c, struct worlds_copy *copy)
{
    wire_put_member_text(&c->out, "world", world_name(worlds_copy_world(copy)));
}

static const struct problem *reset(struct admin_call *c)
{
    struct worlds_copy *copy;
    const struct problem *p = worlds_begin_reset(c->arena, c->worlds, c->world, &copy);

    return p ? p : admin_copy(c, copy, answer_reset);
}

const struct admin_verb verb_worlds[] = {
    {"GET", "worlds", ADMIN_NO_WORLD, NULL, NULL, list_worlds},
    {"GET", "worlds/*", ADMIN_NO_WORLD, NULL, NULL, show_one},
    {"POST", "worlds/*", ADMIN_CHANGES | ADMIN_WHOLE | ADMIN_COPIES | ADMIN_NO_WORLD,
     "from snapshot empty", NULL, make_world},
    {"DELETE", "worlds/*", ADMIN_CHANGES | ADMIN_WHOLE | ADMIN_NO_WORLD, NULL, NULL, drop_world},
    {"POST", "reset", ADMIN_CHANGES | ADMIN_WHOLE | ADMIN_COPIES, "", NULL, reset},
    {0},
};
