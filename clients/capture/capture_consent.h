/* capture_consent.h: reads whole tables only after the user has seen the cost and confirmed
 * twice. */
#ifndef CAPTURE_CAPTURE_CONSENT_H
#define CAPTURE_CAPTURE_CONSENT_H

#include "capture/capture_run.h"

/* Adds a line for each whole table: its items, read units, time and price. */
void capture_consent_estimate(struct buf *out, const struct capture_options *o,
                              const struct capture_tables *tables);

/* Asks on the terminal, or requires --sure without one. Returns NULL, or why nothing may be
 * read. */
MUST_CHECK const char *capture_consent_ask(struct arena *a, const struct capture_options *o);

#endif
