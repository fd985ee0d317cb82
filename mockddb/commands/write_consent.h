/* write_consent.h: nothing is written elsewhere than on this machine unless somebody says so. */
#ifndef COMMANDS_WRITE_CONSENT_H
#define COMMANDS_WRITE_CONSENT_H

#include "base/arena.h"

/* Asks on the terminal about a server that is not this machine; `yes`: that was done. NULL, or why
 * nothing may be written there. */
MUST_CHECK const char *write_consent_ask(struct arena *a, const char *server, bool is_here,
                                         bool yes);

#endif
