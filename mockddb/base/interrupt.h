/* interrupt.h: work that Ctrl-C ends in good order, with a report of how far it came. */
#ifndef BASE_INTERRUPT_H
#define BASE_INTERRUPT_H

#include "base/attributes.h"

/* From now on the first SIGINT or SIGTERM is only noted: long work looks for it and stops. The
 * second one ends the process. */
void interrupt_watch(void);

/* The signal that came, or 0. */
int interrupt_signal(void);

/* What is wrong with work that is to stop: a line once the signal came, else NULL. */
const char *interrupt_check(void);

#endif
