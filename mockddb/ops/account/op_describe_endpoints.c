#include "ops/op.h"
#include "ops/op_region.h"

#define CACHE_MINUTES 1440

static const struct wire_member describe_endpoints_members[] = {
    {NULL, NULL, 0},
};

/* Clients with endpoint discovery use the endpoint of this answer, so it must be this server. */
static const struct error *describe_endpoints(struct call *c)
{
    struct wire_writer *w = &c->reply;
    struct span address = c->host;

    if (!address.len)
        address = span_of(
            arena_printf(c->arena, "dynamodb.%.*s.amazonaws.com", SPAN_ARG(op_region(c))));
    wire_key(w, "Endpoints");
    wire_open(w, '[');
    wire_open(w, '{');
    wire_put_member_text(w, "Address", address);
    wire_put_member_integer(w, "CachePeriodInMinutes", CACHE_MINUTES);
    wire_close(w, '}');
    wire_close(w, ']');
    return NULL;
}

const struct op op_describe_endpoints = {
    .name = "DescribeEndpoints",
    .access = OP_READS,
    .members = describe_endpoints_members,
    .run = describe_endpoints,
};
