/* clock.h: time and randomness from outside, so that a test can fix both. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include "base/arena.h"
#include "base/siphash.h"

struct clock;

/* The system's time and randomness. */
struct clock *clock_new_system(void);

/* Stands at `now_ms` (milliseconds since 1970) until moved; randomness follows from `seed`. */
struct clock *clock_new_fixed(int64_t now_ms, uint64_t seed);

void clock_free(struct clock *c); /* c may be NULL */

/* 9999-12-31T23:59:59.999Z: a clock that comes so far stands there. */
#define CLOCK_LAST_MS INT64_C(253402300799999)

/* Milliseconds since 1970-01-01T00:00:00Z. */
int64_t clock_now_ms(const struct clock *c);

/* Microseconds from any moment on, for durations: they pass while time is held, too, and are not
 * moved with it. On a fixed clock they pass as that is moved. */
int64_t clock_ticks_us(const struct clock *c);

/* Microseconds of the processor that this thread has used: of work, however busy the machine is. */
int64_t clock_work_us(void);

/* Time stands still from clock_hold to clock_release: what a request does, it does at one moment.
 */
void clock_hold(struct clock *c);
void clock_release(struct clock *c);

/* 2026-10-09T12:00:00.123 (UTC), for a moment from 1970 on; what is later than CLOCK_LAST_MS is
 * shown as that. */
char *clock_iso_time(struct arena *a, int64_t ms);

/* --- travel in time ------------------------------------------------------------------------- */

/* It is `ms` now, or `ms` later than it was (earlier where negative); from there on it goes as fast
 * as before. */
void clock_set(struct clock *c, int64_t ms);
void clock_advance(struct clock *c, int64_t ms);

/* From here on it goes `rate` times as fast as the system's time; 0: it stands. */
void clock_set_rate(struct clock *c, double rate);
double clock_rate(const struct clock *c);

/* The system's time again. */
void clock_follow_system(struct clock *c);

/* What a clock shows and how it goes, to be put back later, or on another clock. */
struct clock_time {
    bool moved; /* false: the system's time; then the rest says nothing */
    int64_t now_ms;
    double rate;
};
struct clock_time clock_time_of(const struct clock *c);
void clock_set_time(struct clock *c, const struct clock_time *to);

/* Fills `to` with `len` random bytes. */
void clock_random(struct clock *c, void *to, size_t len);

/* A version 4 UUID in lower case, 36 characters. */
char *clock_uuid(struct clock *c, struct arena *a);

/* A key that no random bytes and no ids say anything about, the same for the clock's whole life.
 */
const struct siphash_key *clock_hash_key(const struct clock *c);

#endif
