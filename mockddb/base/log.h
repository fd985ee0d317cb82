/* log.h: one line on stderr for the operator. Never contains a secret or an item. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "base/attributes.h"

void log_error(const char *fmt, ...) PRINTF_LIKE(1, 2);

#endif
