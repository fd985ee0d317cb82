#include "capture/capture_call.h"

#include "wire/json.h"

#include <errno.h>
#include <time.h>

#define TRIES      10
#define LONGEST_US INT64_C(1000000000000) /* eleven days */
#define PAUSE_US   50000 /* before the second try; twice that before the next one */

/* The operations that can be sent. */
static const char *const operations[CAPTURE_OPERATION_COUNT] = {
    [CAPTURE_DESCRIBE_TABLE] = "DescribeTable",
    [CAPTURE_DESCRIBE_TTL] = "DescribeTimeToLive",
    [CAPTURE_BATCH_GET] = "BatchGetItem",
    [CAPTURE_QUERY] = "Query",
    [CAPTURE_SCAN] = "Scan",
};

static int64_t now_us(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void pause_us(int64_t us)
{
    struct timespec rest = {us / 1000000, us % 1000000 * 1000};

    while (us > 0 && nanosleep(&rest, &rest) && errno == EINTR)
        ;
}

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

/* Waits until the rate allows the next request. */
static void pay(struct capture_caller *c, double units)
{
    double wait_us = units / c->rate * 1e6;
    int64_t now = now_us();

    if (c->ready_us < now)
        c->ready_us = now;
    if (wait_us > 0) /* the consumed units may be any number that an endpoint sends */
        c->ready_us += wait_us < LONGEST_US ? (int64_t)wait_us : LONGEST_US;
    c->units += units;
}

bool capture_call_wait(size_t time)
{
    if (time >= TRIES)
        return false;
    pause_us(PAUSE_US << time);
    return true;
}

const char *capture_call(struct capture_caller *c, struct arena *a,
                         enum capture_operation operation, struct span request,
                         struct client_answer *out)
{
    const char *problem;
    int64_t wait_us = PAUSE_US;

    for (int i = 0; i < TRIES; i++, wait_us *= 2) {
        pause_us(c->ready_us - now_us());
        if ((problem = client_aws_call(c->client, a, operations[operation], request, out)))
            return problem;
        pay(c, units_of(out->body));
        if (!out->error_type.len)
            return NULL;
        if (!client_answer_is_passing(out))
            break;
        pause_us(wait_us);
    }
    return arena_printf(a, "%s: %.*s: %.*s", operations[operation], SPAN_ARG(out->error_type),
                        SPAN_ARG(out->message));
}
