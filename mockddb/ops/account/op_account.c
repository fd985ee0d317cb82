#include "ops/op.h"

#define CACHE_MINUTES 1440

/* Clients with endpoint discovery use the endpoint of this answer, so it must be this server. */
static const struct error *describe_endpoints(struct call *c)
{
    struct wire_writer *w = &c->reply;
    struct span address = c->host;

    if (!address.len)
        address = span_of(
            arena_printf(c->arena, "dynamodb.%.*s.amazonaws.com", SPAN_ARG(op_region(c))));
    wire_open_member(w, "Endpoints", '[');
    wire_open(w, '{');
    wire_put_member_text(w, "Address", address);
    wire_put_member_integer(w, "CachePeriodInMinutes", CACHE_MINUTES);
    wire_close(w, '}');
    wire_close(w, ']');
    return NULL;
}

const struct op op_describe_endpoints = {
    .name = "DescribeEndpoints",
    .members = wire_no_members,
    .run = describe_endpoints,
};

/* The default quotas of an account. */
static const struct {
    const char *name;
    int64_t units;
} quotas[] = {
    {"AccountMaxReadCapacityUnits", LIMIT_ACCOUNT_UNITS},
    {"AccountMaxWriteCapacityUnits", LIMIT_ACCOUNT_UNITS},
    {"TableMaxReadCapacityUnits", LIMIT_TABLE_UNITS},
    {"TableMaxWriteCapacityUnits", LIMIT_TABLE_UNITS},
};

static const struct error *describe_limits(struct call *c)
{
    for (size_t i = 0; i < COUNT(quotas); i++)
        wire_put_member_integer(&c->reply, quotas[i].name, quotas[i].units);
    return NULL;
}

const struct op op_describe_limits = {
    .name = "DescribeLimits",
    .members = wire_no_members,
    .run = describe_limits,
};
