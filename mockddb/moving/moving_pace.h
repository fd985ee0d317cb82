/* moving_pace.h: limits items per second. */
#ifndef MOVING_MOVING_PACE_H
#define MOVING_MOVING_PACE_H

#include <stddef.h>
#include <stdint.h>

struct moving_pace {
    double rate;      /* items a second; 0: no limit */
    int64_t ready_us; /* nothing is sent before this time, to keep the rate */
};

/* Waits until the previous items are due, and then counts `items`. p may be NULL. */
void moving_pace_pay(struct moving_pace *p, size_t items);

#endif
