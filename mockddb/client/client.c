#include "client/client.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "wire/json.h"

#include <errno.h>
#include <time.h>

#define TRIES      10
#define BREAKS     3     /* broken connections that a call survives */
#define PAUSE_US   50000 /* before the second try; twice that before the next one */
#define LONGEST_US INT64_C(1000000000000) /* eleven days, even at a tiny rate */

void client_free(struct client *c)
{
    if (c)
        c->transport->free(c);
}

const char *client_call(struct client *c, struct arena *a, const char *operation,
                        struct span request, struct client_answer *out)
{
    return c->transport->call(c, a, operation, request, out);
}

const char *client_ask(struct client *c, struct arena *a, const char *verb, struct span body,
                       struct client_verb_answer *out)
{
    return c->transport->ask(c, a, verb, body, out);
}

int64_t client_now_ms(struct client *c, struct arena *a)
{
    return c->transport->now_ms(c, a);
}

const char *client_flush(struct client *c)
{
    return c->transport->flush ? c->transport->flush(c) : NULL;
}

struct buf client_table_request_begun(struct arena *a, struct span table)
{
    struct buf out = buf_in(a);

    buf_add_text(&out, "{\"TableName\":");
    buf_add_json_string(&out, table);
    return out;
}

struct span client_table_request(struct arena *a, struct span table)
{
    struct buf out = client_table_request_begun(a, table);

    buf_add_char(&out, '}');
    return buf_span(&out);
}

/* --- again ------------------------------------------------------------------------------------ */

static void pause_us(int64_t us)
{
    struct timespec rest = {us / 1000000, us % 1000000 * 1000};

    while (us > 0 && nanosleep(&rest, &rest) && errno == EINTR && !interrupt_check())
        ;
}

bool client_rest(const struct client *c, size_t tries)
{
    if (!c->transport->may_pass || tries >= TRIES || interrupt_check())
        return false;
    pause_us((int64_t)PAUSE_US << tries);
    return !interrupt_check();
}

/* Whether a call is repeated for which there was no answer. */
static bool survives(struct client *c, const char *problem, size_t *breaks)
{
    c->has_answered |= !problem;
    return problem && c->has_answered && *breaks < BREAKS && client_rest(c, (*breaks)++);
}

static const char *repeat(struct client *c, struct arena *a, const char *operation,
                          struct span request, size_t breaks, struct client_answer *out)
{
    const char *problem;
    size_t tries = 0;

    if (c->transport->may_pass && interrupt_check())
        return interrupt_check();
    do
        do
            problem = client_call(c, a, operation, request, out);
        while (survives(c, problem, &breaks));
    while (!problem && out->error_type.len && client_answer_is_passing(out) &&
           client_rest(c, tries++));
    return problem;
}

const char *client_repeat(struct client *c, struct arena *a, const char *operation,
                          struct span request, struct client_answer *out)
{
    return repeat(c, a, operation, request, 0, out);
}

const char *client_repeat_refused(struct client *c, struct arena *a, const char *operation,
                                  struct span request, struct client_answer *out)
{
    return repeat(c, a, operation, request, BREAKS, out);
}

const char *client_succeed(struct client *c, struct arena *a, const char *operation,
                           struct span request, struct client_answer *out)
{
    const char *problem = client_repeat(c, a, operation, request, out);

    if (problem || !out->error_type.len)
        return problem;
    return arena_printf(a, "%s: %s", operation, client_answer_error(a, out));
}

const char *client_repeat_all(struct client *c, struct arena *a, const char *operation,
                              const struct span *requests, size_t count, struct client_answer *out)
{
    const char *problem;
    size_t breaks = 0;

    if (c->transport->may_pass && interrupt_check())
        return interrupt_check();
    do
        problem = c->transport->call_all(c, a, operation, requests, count, out);
    while (survives(c, problem, &breaks));
    return problem;
}

/* --- pace ------------------------------------------------------------------------------------- */

void client_pace_wait(const struct client_pace *p)
{
    if (p && p->rate > 0)
        pause_us(p->ready_us - clock_monotonic_us());
}

void client_pace_count(struct client_pace *p, double units)
{
    int64_t now = clock_monotonic_us();
    double price_us;

    if (!p)
        return;
    p->spent += units;
    if (p->rate <= 0)
        return;
    if (p->ready_us < now)
        p->ready_us = now;
    price_us = units / p->rate * 1e6;
    if (price_us > 0)
        p->ready_us += price_us < LONGEST_US ? (int64_t)price_us : LONGEST_US;
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

const char *client_pace_call(struct client_pace *p, struct client *c, struct arena *a,
                             const char *operation, struct span request, struct client_answer *out)
{
    const char *problem;

    client_pace_wait(p);
    if ((problem = client_succeed(c, a, operation, request, out)))
        return problem;
    client_pace_count(p, units_of(out->body));
    return NULL;
}
