#include "capture/capture_call.h"

#include "wire/json.h"

/* The operations that can be sent. */
static const char *const operations[CAPTURE_OPERATION_COUNT] = {
    [CAPTURE_DESCRIBE_TABLE] = "DescribeTable",
    [CAPTURE_DESCRIBE_TTL] = "DescribeTimeToLive",
    [CAPTURE_BATCH_GET] = "BatchGetItem",
    [CAPTURE_QUERY] = "Query",
    [CAPTURE_SCAN] = "Scan",
};

static double units_of(const wire_node *answer)
{
    const wire_node *used = wire_get(answer, "ConsumedCapacity");
    double sum = 0;

    if (used && json_kind(used) == JSON_OBJECT)
        return wire_double(wire_get(used, "CapacityUnits"), 0);
    for (const wire_node *n = wire_first(used); n; n = wire_next(n))
        sum += wire_double(wire_get(n, "CapacityUnits"), 0);
    return sum;
}

const char *capture_call(struct capture_caller *c, struct arena *a,
                         enum capture_operation operation, struct span request,
                         struct client_answer *out)
{
    const char *problem;
    double units;

    client_pace_wait(&c->pace);
    if ((problem = client_succeed(c->client, a, operations[operation], request, out)))
        return problem;
    units = units_of(out->body);
    client_pace_count(&c->pace, units);
    c->units += units;
    return NULL;
}
