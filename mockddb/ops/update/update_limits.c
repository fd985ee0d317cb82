#include "ops/update/update.h"

#include <time.h>

/* --- decreases of provisioned throughput ------------------------------------------------------ */

/* For example: Friday, October 9, 2026 at 12:21:34 AM Coordinated Universal Time */
static const char *long_time(struct call *c, int64_t ms)
{
    time_t seconds = (time_t)(ms / LIMIT_SECOND_MS);
    char day[40], rest[40];
    struct tm utc;

    gmtime_r(&seconds, &utc);
    (void)strftime(day, sizeof day, "%A, %B", &utc);
    (void)strftime(rest, sizeof rest, "%M:%S %p", &utc);
    return arena_printf(c->arena, "%s %d, %d at %d:%s Coordinated Universal Time", day, utc.tm_mday,
                        utc.tm_year + 1900, utc.tm_hour % 12 ? utc.tm_hour % 12 : 12, rest);
}

static int64_t decreases_on(const struct throughput *p, int64_t day)
{
    return p->decreases_day == day ? p->decreases_today : 0;
}

const struct error *update_limits_check_decrease(struct call *c, const struct throughput *now,
                                                 const struct units_spec *units)
{
    int64_t time = clock_now_ms(c->clock), day = time / LIMIT_DAY_MS;
    int64_t next = now->last_decrease_ms + LIMIT_DECREASE_WAIT_MS;

    if ((units->read >= now->read && units->write >= now->write) ||
        decreases_on(now, day) < LIMIT_DECREASES || time >= next)
        return NULL;
    if (next > (day + 1) * LIMIT_DAY_MS)
        next = (day + 1) * LIMIT_DAY_MS;
    return error_new(c->arena, ERROR_LIMIT_EXCEEDED,
                     "Subscriber limit exceeded: Provisioned throughput decreases are limited "
                     "within a given UTC day. After the first 4 decreases, each subsequent "
                     "decrease in the same UTC day can be performed at most once every 3600 "
                     "seconds. Number of decreases today: %lld. Last decrease at %s. Next decrease "
                     "can be made at %s",
                     (long long)now->decreases_today, long_time(c, now->last_decrease_ms),
                     long_time(c, next));
}

struct throughput update_limits_throughput(const struct call *c, const struct throughput *now,
                                           const struct units_spec *units)
{
    int64_t time = clock_now_ms(c->clock), day = time / LIMIT_DAY_MS;
    struct throughput next = *now;

    next.read = units->read;
    next.write = units->write;
    if (units->read > now->read || units->write > now->write)
        next.last_increase_ms = time;
    if (units->read < now->read || units->write < now->write) {
        next.last_decrease_ms = time;
        next.decreases_today = decreases_on(now, day) + 1;
        next.decreases_day = day;
    }
    return next;
}

/* --- encryption ------------------------------------------------------------------------------- */

static bool in_sse_window(const struct table *t, int64_t now)
{
    return t->sse_changes && now < t->sse_window_ms + LIMIT_DAY_MS;
}

const struct error *update_limits_check_encryption(struct call *c, const struct table *t)
{
    int64_t now = clock_now_ms(c->clock), next = t->sse_changed_ms + LIMIT_SSE_CHANGE_WAIT_MS;

    if (!in_sse_window(t, now) || t->sse_changes < LIMIT_SSE_CHANGES || now >= next)
        return NULL;
    return error_new(c->arena, ERROR_LIMIT_EXCEEDED,
                     "Subscriber limit exceeded: Encryption mode changes are limited in the 24h "
                     "window ending at %sZ. After the first 4 change, each subsequent change in "
                     "the same window can be performed at most once every 21600 seconds. Number of "
                     "updates today: %lld. Last change at %sZ. Next changes can be made at %sZ.",
                     clock_iso_time(c->arena, t->sse_window_ms + LIMIT_DAY_MS),
                     (long long)t->sse_changes, clock_iso_time(c->arena, t->sse_changed_ms),
                     clock_iso_time(c->arena, next));
}

void update_limits_count_encryption(const struct call *c, struct table *t)
{
    int64_t now = clock_now_ms(c->clock);

    if (!in_sse_window(t, now)) {
        t->sse_window_ms = now;
        t->sse_changes = 0;
    }
    t->sse_changes++;
    t->sse_changed_ms = now;
}
