/* moving_pace.h: so many items a second, and no more. */
#ifndef MOVING_MOVING_PACE_H
#define MOVING_MOVING_PACE_H

#include <stddef.h>
#include <stdint.h>

struct moving_pace {
    double rate;      /* items a second; 0: as many as can be */
    int64_t ready_us; /* before then nothing goes, so that the rate is kept */
};

/* Waits until what was paid for before is due, and pays for so many; p may be NULL. */
void moving_pace_pay(struct moving_pace *p, size_t items);

#endif
