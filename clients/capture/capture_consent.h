/* capture_consent.h: whole tables are read only by those who know what it costs, and say so twice.
 */
#ifndef CAPTURE_CAPTURE_CONSENT_H
#define CAPTURE_CAPTURE_CONSENT_H

#include "capture/capture_run.h"

/* A line for each whole table: its items, read units, time and price. */
void capture_consent_estimate(struct buf *out, const struct capture_options *o,
                              const struct capture_tables *tables);

/* Asks on the terminal, or looks for --sure where there is none. Returns NULL, or why not. */
MUST_CHECK const char *capture_consent_ask(struct arena *a, const struct capture_options *o);

#endif
