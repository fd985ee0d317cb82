/* Loaded into a program before its libraries (LD_PRELOAD): its clock is $MOCKDDB_CLOCK_SHIFT
 * seconds ahead of the machine's, or behind it. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static long shift_of(clockid_t clock)
{
    const char *shift = getenv("MOCKDDB_CLOCK_SHIFT");

    return shift && clock == CLOCK_REALTIME ? strtol(shift, NULL, 10) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int (*next)(clockid_t clock, struct timespec * now);
    void *found = dlsym(RTLD_NEXT, "clock_gettime");
    int status;

    memcpy(&next, &found, sizeof next);
    status = next(clock, now);
    now->tv_sec += shift_of(clock);
    return status;
}

int gettimeofday(struct timeval *now, void *zone)
{
    struct timespec precise = {.tv_sec = 0};

    (void)zone;
    (void)clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *out)
{
    struct timespec now = {.tv_sec = 0};

    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (out)
        *out = now.tv_sec;
    return now.tv_sec;
}
