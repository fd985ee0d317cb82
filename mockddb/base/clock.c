#include "base/clock.h"

#include <stdlib.h>
#include <time.h>

struct clock {
    /* At `real_ms` of the system's time the clock showed `shown_ms`; since then it runs `rate`
     * times as fast. */
    int64_t real_ms, shown_ms;
    double rate; /* 0: it is stopped */
    bool fixed;  /* for tests: durations follow it too */
    bool held;
    int64_t held_ms;
    uint64_t state; /* of the random generator */
    struct siphash_key hash_key;
};

static int64_t system_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static struct clock *clock_new(void)
{
    struct clock *c = process_zeroed(sizeof *c);

    return c;
}

struct clock *clock_new_system(void)
{
    struct clock *c = clock_new();

    c->rate = 1;
    c->state = siphash_random_key().word[0];
    c->hash_key = siphash_random_key();
    return c;
}

struct clock *clock_new_fixed(int64_t now_ms, uint64_t seed)
{
    struct clock *c = clock_new();

    c->fixed = true;
    c->shown_ms = now_ms;
    c->state = seed;
    c->hash_key = (struct siphash_key){{seed, ~seed}};
    return c;
}

void clock_free(struct clock *c)
{
    free(c);
}

static int64_t shown_ms(const struct clock *c)
{
    if (c->rate == 0)
        return c->shown_ms;
    if (c->rate == 1)
        return c->shown_ms + (system_ms() - c->real_ms);
    return c->shown_ms + (int64_t)((double)(system_ms() - c->real_ms) * c->rate);
}

static int64_t within_years(int64_t ms)
{
    return ms < CLOCK_LAST_MS ? ms : CLOCK_LAST_MS;
}

int64_t clock_now_ms(const struct clock *c)
{
    return within_years(c->held ? c->held_ms : shown_ms(c));
}

int64_t clock_work_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_monotonic_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_ticks_us(const struct clock *c)
{
    return c->fixed ? clock_now_ms(c) * 1000 : clock_monotonic_us();
}

void clock_hold(struct clock *c)
{
    c->held_ms = clock_now_ms(c);
    c->held = true;
}

void clock_release(struct clock *c)
{
    c->held = false;
}

char *clock_iso_time(struct arena *a, int64_t ms)
{
    char text[sizeof "2026-10-09T12:00:00"];
    struct tm utc;
    time_t seconds;

    ms = within_years(ms);
    seconds = (time_t)(ms / 1000);
    gmtime_r(&seconds, &utc);
    (void)strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
    return arena_printf(a, "%s.%03d", text, (int)(ms % 1000));
}

void clock_set(struct clock *c, int64_t ms)
{
    c->shown_ms = ms;
    c->real_ms = system_ms();
}

void clock_advance(struct clock *c, int64_t ms)
{
    clock_set(c, clock_now_ms(c) + ms);
}

void clock_set_rate(struct clock *c, double rate)
{
    clock_set(c, clock_now_ms(c));
    c->rate = rate;
}

double clock_rate(const struct clock *c)
{
    return c->rate;
}

void clock_follow_system(struct clock *c)
{
    c->shown_ms = c->real_ms = 0;
    c->rate = 1;
}

struct clock_time clock_time_of(const struct clock *c)
{
    return (struct clock_time){.moved = c->rate != 1 || c->real_ms || c->shown_ms,
                               .now_ms = clock_now_ms(c),
                               .rate = c->rate};
}

void clock_set_time(struct clock *c, const struct clock_time *to)
{
    if (!to->moved) {
        clock_follow_system(c);
        return;
    }
    clock_set(c, to->now_ms);
    c->rate = to->rate;
}

/* splitmix64: ids need to differ, not to be secret. */
static uint64_t next_word(struct clock *c)
{
    uint64_t z = c->state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void clock_random(struct clock *c, void *to, size_t len)
{
    unsigned char *at = to;

    while (len) {
        uint64_t word = next_word(c);
        size_t part = len < sizeof word ? len : sizeof word;

        memcpy(at, &word, part);
        at += part;
        len -= part;
    }
}

char *clock_uuid(struct clock *c, struct arena *a)
{
    unsigned char b[16];

    clock_random(c, b, sizeof b);
    b[6] = (unsigned char)((b[6] & 0x0F) | 0x40);
    b[8] = (unsigned char)((b[8] & 0x3F) | 0x80);
    return arena_printf(a, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
                        b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11],
                        b[12], b[13], b[14], b[15]);
}

const struct siphash_key *clock_hash_key(const struct clock *c)
{
    return &c->hash_key;
}
