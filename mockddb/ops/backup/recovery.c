#include "ops/backup/recovery.h"

#include "ops/backup/recovery_log.h"

static int64_t later_ms(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

struct recovery_window recovery_window(const struct call *c, const struct table *t)
{
    int64_t now = clock_now_ms(c->clock);

    return (struct recovery_window){
        .earliest_ms = later_ms(t->recovery.from_ms, now - t->recovery.days * LIMIT_DAY_MS),
        .latest_ms = later_ms(t->recovery.since_ms, now - LIMIT_RECOVERY_LAG_MS),
    };
}

const struct error *recovery_enable(struct call *c, struct table *draft, int64_t days)
{
    struct recovery *r = &draft->recovery;

    if (r->space) {
        r->from_ms = recovery_window(c, draft).earliest_ms;
        r->days = days;
        return NULL;
    }
    r->since_ms = r->from_ms = clock_now_ms(c->clock);
    r->days = days;
    return unit_new_space(c->unit, 0, &r->space);
}

const struct error *recovery_disable(struct call *c, struct table *draft)
{
    uint32_t space = draft->recovery.space;

    draft->recovery = (struct recovery){.space = 0};
    return space ? recovery_log_drop(c, space) : NULL;
}
