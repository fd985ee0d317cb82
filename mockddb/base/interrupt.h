/* interrupt.h: lets Ctrl-C end long work in good order, with a report of how far it came. */
#pragma once

#include "base/attributes.h"

/* From this call on, the first SIGINT or SIGTERM is only noted: long work checks for it and stops.
 * The second one ends the process. */
void interrupt_watch(void);

/* The signal received, or 0. */
int interrupt_signal(void);

/* The reason why work must stop: a line of text after a signal, else NULL. */
const char *interrupt_check(void);
