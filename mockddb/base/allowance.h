/* allowance.h: an amount that is used up and comes back at a steady rate (a token bucket).
 *
 * What it holds is a function of what was taken and of the moments given: on a clock that stands
 * still nothing comes back. A level below 0 is a debt, which is paid off first. */
#ifndef BASE_ALLOWANCE_H
#define BASE_ALLOWANCE_H

#include <stdbool.h>
#include <stdint.h>

/* What comes back in a second, and how much is held at most. */
struct allowance_rate {
    double per_second, most;
};

struct allowance {
    double level;
    int64_t at_ms; /* the moment of that level */
};

/* One that begins at `since_ms`, full or with nothing. */
struct allowance allowance_begin(const struct allowance_rate *rate, bool full, int64_t since_ms);

/* What has come back since the last moment; none does where time has gone backwards. */
void allowance_refill(struct allowance *a, const struct allowance_rate *rate, int64_t now_ms);

/* Whether so much may be taken. A full one gives any amount, however large, or it never would. */
bool allowance_has(const struct allowance *a, const struct allowance_rate *rate, double amount);

/* Whether anything may be taken, into debt if need be. */
bool allowance_is_open(const struct allowance *a);

#endif
