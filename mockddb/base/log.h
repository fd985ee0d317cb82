/* log.h: one line on stderr for the operator. Never contains a secret or an item. */
#pragma once

#include "base/attributes.h"

void log_error(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* Receives lines in place of stderr, without "mockddb: " and a line end. */
struct log_sink {
    void (*line)(void *context, const char *line); /* NULL: lines are dropped */
    void *context;
};

/* Sends this thread's lines to the sink, which is borrowed; NULL: to stderr, as at first. Returns
 * the one before. */
const struct log_sink *log_redirect(const struct log_sink *to);
