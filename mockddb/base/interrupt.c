#include "base/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t came;

static void note_signal(int number)
{
    came = number;
}

/* Blocking reads are not restarted, so that the code that waits sees the signal. */
void interrupt_watch(void)
{
    const struct sigaction action = {.sa_handler = note_signal, .sa_flags = (int)SA_RESETHAND};

    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

int interrupt_signal(void)
{
    return came;
}

const char *interrupt_check(void)
{
    return came ? "interrupted" : NULL;
}
