/* allowance.h: an amount that is used up and comes back at a steady rate (a token bucket).
 *
 * The level depends only on what was taken and on the times passed in: while the clock is stopped,
 * nothing comes back. A level below 0 is a debt, which is paid off first. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What comes back per second, and the most that is held. */
struct allowance_rate {
    double per_second, most;
};

struct allowance {
    double level;
    int64_t at_ms; /* when `level` was computed */
};

/* An allowance that begins at `since_ms`, full or empty. */
struct allowance allowance_begin(const struct allowance_rate *rate, bool full, int64_t since_ms);

/* Adds what has come back since the last refill; nothing if time has gone backwards. */
void allowance_refill(struct allowance *a, const struct allowance_rate *rate, int64_t now_ms);

/* Whether `amount` may be taken. A full allowance grants any amount, however large. */
bool allowance_has(const struct allowance *a, const struct allowance_rate *rate, double amount);

/* Whether anything may be taken, going into debt if necessary. */
bool allowance_is_open(const struct allowance *a);
