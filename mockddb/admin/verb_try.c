/* POST /_mockddb/try: runs a request, and explains it. */
#include "admin/admin_verb.h"

#include "explain/explain.h"

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
    if (!op_find(OP_DYNAMODB, operation) && !op_find(OP_STREAMS, operation))
        return problem_invalid(c->arena, "operation %.*s does not exist", SPAN_ARG(operation));
    out->target = dispatch_target(c->arena, operation);
    out->body = wire_raw(request);
    return NULL;
}

static const struct problem *try(struct admin_call *c)
{
    struct request request = {.target = {NULL, 0}};
    const struct problem *p;
    struct explanation explanation;
    struct reply reply;

    if ((p = read_request(c, &request)))
        return p;
    if (world_is_advancing(c->world))
        return problem_new(c->arena, PROBLEM_CONFLICT, "this world's clock is being advanced");
    explain_dispatch(world_dispatcher(c->world), world_catalogue(c->world), c->arena, &request,
                     NULL, &reply, &explanation);
    wire_put_member_integer(&c->out, "status", reply.status);
    wire_put_member_raw(&c->out, "response", reply.body.len ? reply.body : SPAN_LIT("{}"));
    wire_put_member_raw(&c->out, "explanation", explanation.json);
    return NULL;
}

static const char *const members[] = {"operation", "request", "statement", NULL};

const struct admin_verb verb_try = {
    .method = "POST", .path = "try", .flags = ADMIN_WHOLE, .members = members, .run = try};
