/* clock.h: the source of time and randomness, so that a test can fix both. */
#pragma once

#include "base/arena.h"
#include "base/siphash.h"

struct clock;

/* The system's time and randomness. */
struct clock *clock_new_system(void);

/* A clock stopped at `now_ms` (milliseconds since 1970) until moved; `seed` fixes its
 * randomness. */
struct clock *clock_new_fixed(int64_t now_ms, uint64_t seed);

void clock_free(struct clock *c); /* c may be NULL */

/* 9999-12-31T23:59:59.999Z: the clock stops there. */
#define CLOCK_LAST_MS INT64_C(253402300799999)

/* Milliseconds since 1970-01-01T00:00:00Z. */
int64_t clock_now_ms(const struct clock *c);

/* Microseconds since an arbitrary moment, for durations: they pass also while the clock is held,
 * and moving the clock does not change them. On a fixed clock they pass as it is moved. */
int64_t clock_ticks_us(const struct clock *c);

/* Microseconds since an arbitrary moment, by no clock that can be moved: for deadlines and pauses
 * of this process. */
int64_t clock_monotonic_us(void);

static inline int64_t clock_monotonic_ms(void)
{
    return clock_monotonic_us() / 1000;
}

/* Microseconds of processor time of this thread: a measure of work on a busy machine. */
int64_t clock_work_us(void);

/* Stops time from clock_hold to clock_release, so that a request does all its work at one
 * moment. */
void clock_hold(struct clock *c);
void clock_release(struct clock *c);

/* 2026-10-09T12:00:00.123 (UTC), for a moment from 1970 on; a moment after CLOCK_LAST_MS is shown
 * as CLOCK_LAST_MS. */
char *clock_iso_time(struct arena *a, int64_t ms);

/* --- travel in time ------------------------------------------------------------------------- */

/* Sets the time to `ms`, or moves it forward by `ms` (backward if negative); the rate does not
 * change. */
void clock_set(struct clock *c, int64_t ms);
void clock_advance(struct clock *c, int64_t ms);

/* Makes the clock run `rate` times as fast as the system's time; 0 stops it. */
void clock_set_rate(struct clock *c, double rate);
double clock_rate(const struct clock *c);

/* Goes back to the system's time. */
void clock_follow_system(struct clock *c);

/* A clock's time and rate, to be restored later or set on another clock. */
struct clock_time {
    bool moved; /* false: the system's time; the other members are unused */
    int64_t now_ms;
    double rate;
};
struct clock_time clock_time_of(const struct clock *c);
void clock_set_time(struct clock *c, const struct clock_time *to);

/* Fills `to` with `len` random bytes. */
void clock_random(struct clock *c, void *to, size_t len);

/* A version 4 UUID in lower case, 36 characters. */
char *clock_uuid(struct clock *c, struct arena *a);

/* A key that cannot be derived from random bytes or ids given out; it stays the same for the
 * clock's whole life. */
const struct siphash_key *clock_hash_key(const struct clock *c);
