#include "explain/explain_ignored.h"

#include "explain/explain_near.h"
#include "explain/say.h"
#include "wire/wire_node.h"
#include "wire/wire_shape.h"

#define DEPTH     8  /* of structures */
#define LOOKED_AT 64 /* elements of a list or map */
#define FEW       4  /* members that are listed */

static const struct wire_member *find(const struct wire_member *members, struct span name)
{
    for (; members->name; members++)
        if (span_is(name, members->name))
            return members;
    return NULL;
}

/* The member with nearly that name, or all of them if they are few; "" if neither helps. */
static const char *instead(struct inquiry *q, const struct wire_member *members, struct span name)
{
    struct span names[FEW];
    size_t count = 0;

    for (const struct wire_member *m = members; m->name; m++)
        if (explain_near_names(q, name, span_of(m->name)))
            return say_text(q, ", it has %", m->name);
    for (; count < FEW && members[count].name; count++)
        names[count] = span_of(members[count].name);
    return members[count].name ? "" : say_text(q, ", it has %", say_names(names, count));
}

/* Whether something was found in the node, which is called `owner`. */
static bool look(struct inquiry *q, struct span owner, const struct wire_shape *shape,
                 const wire_node *node, int depth);

static bool look_at_members(struct inquiry *q, struct span owner, const struct wire_member *members,
                            const wire_node *node, int depth)
{
    for (const wire_node *n = wire_first(node); n; n = wire_next(n)) {
        const struct wire_member *m = find(members, wire_name(n));

        if (!m) {
            say_hint(q, ADVICE_HINT, "ignored-member", "% has no %%: the service ignores it", owner,
                     wire_name(n), instead(q, members, wire_name(n)));
            return true;
        }
        if (look(q, wire_name(n), m->shape, n, depth + 1))
            return true;
    }
    return false;
}

static bool look(struct inquiry *q, struct span owner, const struct wire_shape *shape,
                 const wire_node *node, int depth)
{
    size_t left = LOOKED_AT;

    if (depth > DEPTH)
        return false;
    if (shape->type == WIRE_STRUCT)
        return wire_is_object(node) && look_at_members(q, owner, shape->members, node, depth);
    if (shape->type != WIRE_LIST && shape->type != WIRE_MAP)
        return false;
    for (const wire_node *n = wire_first(node); n && left--; n = wire_next(n))
        if (look(q, owner, shape->element, n, depth + 1))
            return true;
    return false;
}

void explain_ignored(struct inquiry *q)
{
    if (q->call.op->members)
        (void)look_at_members(q, span_of(q->call.op->name), op_members(q->arena, q->call.op),
                              q->call.body, 0);
}
