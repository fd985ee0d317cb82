/* write_consent.h: asks the user before anything is written to another machine. */
#pragma once

#include "base/arena.h"

/* Asks on the terminal before a write to a server that is not this machine; `yes`: the user allowed
 * it by option. Returns NULL, or why nothing may be written there. */
MUST_CHECK const char *write_consent_ask(struct arena *a, const char *server, bool is_here,
                                         bool yes);
