#include "moving/moving_pace.h"

#include "base/interrupt.h"

#include <errno.h>
#include <time.h>

static int64_t now_us(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

#define LONGEST_US INT64_C(1000000000000) /* eleven days, even at a tiny rate */

void moving_pace_pay(struct moving_pace *p, size_t items)
{
    double price_us;
    int64_t now, rest_us;
    struct timespec rest;

    if (!p || p->rate <= 0)
        return;
    now = now_us();
    rest_us = p->ready_us - now;
    rest = (struct timespec){rest_us / 1000000, rest_us % 1000000 * 1000};
    while (rest_us > 0 && nanosleep(&rest, &rest) && errno == EINTR && !interrupt_check())
        ;
    if (p->ready_us < now)
        p->ready_us = now;
    price_us = (double)items / p->rate * 1e6;
    p->ready_us += price_us < LONGEST_US ? (int64_t)price_us : LONGEST_US;
}
