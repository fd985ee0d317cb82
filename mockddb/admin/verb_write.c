/* POST /_mockddb/write: writes an item, unless it has changed since the caller read it. */
#include "admin/admin_verb.h"

#include "ops/op_seen.h"
#include "wire/wire_attr.h"

static bool is_given(const wire_node *object, const char *name)
{
    for (const wire_node *m = wire_first(object); m; m = wire_next(m))
        if (span_is(wire_name(m), name))
            return true;
    return false;
}

/* Reads the member old: an item, or null for a missing one. */
static const struct problem *read_old(struct admin_call *c, struct item *item, struct op_seen *out)
{
    static const struct wire_member shape[] = {{"old", &wire_attr_map, 0}, {NULL, NULL, 0}};
    const wire_node *old = wire_get(c->body, "old");
    const struct error *e;

    if (!is_given(c->body, "old"))
        return problem_invalid(c->arena,
                               "old is needed: the item as it was read, or null for a missing one");
    *out = (struct op_seen){.item = old ? item : NULL};
    if (!old)
        return NULL;
    if (!(e = wire_check_types(c->arena, shape, c->body)) &&
        !(e = wire_read_item(c->arena, old, WIRE_LAYER_CURRENT, item)))
        return NULL;
    return e->message.len
               ? problem_invalid(c->arena, "old is not an item: %.*s", SPAN_ARG(e->message))
               : problem_invalid(c->arena, "old is not an item");
}

static const struct problem *read_operation(struct admin_call *c, struct request *out)
{
    struct span name = wire_text(wire_get(c->body, "operation"));
    const wire_node *request = wire_get(c->body, "request");
    const struct op *op = op_find(OP_DYNAMODB, name);

    if (!name.at || !request)
        return problem_invalid(c->arena, "operation and request are needed");
    if (!op || !op->compares)
        return problem_invalid(c->arena, "operation is %.*s, not PutItem, UpdateItem or DeleteItem",
                               SPAN_ARG(name));
    out->target = dispatch_target(c->arena, name);
    out->body = wire_raw(request);
    return NULL;
}

/* If the server does not separate regions, all regions have the same tables. */
static const struct problem *read_region(struct admin_call *c, struct request *out)
{
    const struct settings *settings = world_settings(c->world);
    struct span region = wire_text(wire_get(c->body, "region"));

    if (!is_given(c->body, "region"))
        return NULL;
    if (!world_is_name(region))
        return problem_invalid(c->arena, "region is not a region's name");
    out->region = op_region_signed(settings, region);
    return NULL;
}

/* Answers 200 with the service's status and answer, or 409 with the stored item. */
static void answer_write(struct admin_call *c, const struct op_seen *seen,
                         const struct reply *reply)
{
    if (seen->differs) {
        c->status = 409;
        wire_put_member_word(&c->out, "message", "the stored item is not the one in old");
        wire_put_member_raw(&c->out, "item", seen->stored.at ? seen->stored : SPAN_LIT("null"));
        return;
    }
    wire_put_member_integer(&c->out, "status", reply->status);
    wire_put_member_raw(&c->out, "response", reply->body);
}

static const struct problem *write(struct admin_call *c)
{
    struct request request = {.aside = true};
    const struct problem *p;
    struct op_seen seen;
    struct reply reply;
    struct item old;

    if ((p = read_operation(c, &request)) || (p = read_old(c, &old, &seen)) ||
        (p = read_region(c, &request)))
        return p;
    if ((p = admin_check_clock(c)))
        return p;
    request.seen = &seen;
    arena_unlimit(c->arena); /* once the item is written, the reply must not fail */
    dispatch(world_dispatcher(c->world), &request, &reply);
    answer_write(c, &seen, &reply);
    return NULL;
}

const struct admin_verb verb_write[] = {
    {"POST", "write", ADMIN_CHANGES, "operation request old region", NULL, write},
    {0},
};
