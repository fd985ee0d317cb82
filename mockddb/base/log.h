/* log.h: one line on stderr for the operator. Never contains a secret or an item. */
#pragma once

#include "base/attributes.h"

void log_error(const char *fmt, ...) PRINTF_LIKE(1, 2);
