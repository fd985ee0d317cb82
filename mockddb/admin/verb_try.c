/* POST /_mockddb/try: runs a request, and explains it. GET /_mockddb/explanations/ID: the
 * explanation of a request that asked for one. */
#include "admin/admin_verb.h"

#include "explain/explain.h"
#include "explain/explanations.h"
#include "wire/json.h"
#include "wire/wire_node.h"
#include "worlds/world_past.h"

/* Turns {"statement": "SELECT …"} into an ExecuteStatement. */
static struct span statement_body(struct admin_call *c, struct span text)
{
    struct buf out = buf_in(c->arena);
    struct wire_writer w = {&out, false};

    wire_open(&w, '{');
    wire_put_member_text(&w, "Statement", text);
    wire_close(&w, '}');
    return buf_span(&out);
}

static const struct problem *read_request(struct admin_call *c, struct request *out)
{
    struct span statement = wire_text(wire_get(c->body, "statement"));
    struct span operation = wire_text(wire_get(c->body, "operation"));
    const wire_node *request = wire_get(c->body, "request");

    if (statement.at && !operation.at && !request) {
        out->target = dispatch_target(c->arena, SPAN_LIT("ExecuteStatement"));
        out->body = statement_body(c, statement);
        return NULL;
    }
    if (!operation.at || !request || statement.at)
        return problem_invalid(c->arena, "operation and request are needed, or a statement");
    if (!op_of_action(operation))
        return problem_invalid(c->arena, "operation %.*s does not exist", SPAN_ARG(operation));
    out->target = dispatch_target(c->arena, operation);
    out->body = wire_raw(request);
    return NULL;
}

/* A member that is true or false. */
static const struct problem *read_flag(struct admin_call *c, const char *name, bool *out)
{
    const wire_node *node = wire_get(c->body, name);

    if (node && json_kind(node) != JSON_BOOL)
        return problem_invalid(c->arena, "%s is neither true nor false", name);
    *out = wire_bool(node, *out);
    return NULL;
}

static const struct problem *try(struct admin_call *c)
{
    struct request request = {.target = {NULL, 0}};
    const struct problem *p;
    const wire_node *calls = wire_get(c->body, "calls_a_day");
    struct world_past past = world_past_of(c->world);
    struct explain_context context = {.catalogue = world_catalogue(c->world),
                                      .past = &past.past,
                                      .calls_a_day = wire_double(calls, 0)};
    bool explain = true;
    struct explanation explanation;
    struct reply reply;

    if ((p = read_request(c, &request)))
        return p;
    if (calls && !(wire_is_number(calls) && context.calls_a_day > 0 && context.calls_a_day <= 1e12))
        return problem_invalid(c->arena, "calls_a_day is not a number above 0");
    if ((p = read_flag(c, "aside", &request.aside)) || (p = read_flag(c, "explain", &explain)) ||
        (p = admin_check_clock(c)))
        return p;
    context.summary = request.aside ? NULL : worlds_summary(c->worlds);
    if (explain || context.summary)
        explain_dispatch(world_dispatcher(c->world), &context, c->arena, &request, &reply,
                         explain ? &explanation : NULL);
    else
        dispatch(world_dispatcher(c->world), &request, &reply);
    wire_put_member_integer(&c->out, "status", reply.status);
    wire_put_member_raw(&c->out, "response", reply.body.len ? reply.body : SPAN_LIT("{}"));
    if (explain)
        wire_put_member_raw(&c->out, "explanation", explanation.json);
    return NULL;
}

static const struct problem *show_explanation(struct admin_call *c)
{
    struct span json = {NULL, 0};
    uint64_t number;

    if (admin_read_number(c->name, &number))
        json = explanations_find(worlds_explanations(c->worlds), world_name(c->world), number);
    if (!json.at)
        return problem_new(c->arena, PROBLEM_MISSING, "explanation %.*s does not exist (any more)",
                           SPAN_ARG(c->name));
    wire_put_member_text(&c->out, "id", c->name);
    wire_put_member_raw(&c->out, "explanation", json);
    return NULL;
}

const struct admin_verb verb_try[] = {
    {"POST", "try", ADMIN_WHOLE, "operation request statement calls_a_day aside explain", NULL,
     try},
    {"GET", "explanations/*", ADMIN_OWN, NULL, NULL, show_explanation},
    {0},
};
