/* expr_fault.h: "Invalid <parameter>: …", the beginning of every error in an expression. For
 * PartiQL the parameter is NULL, and the message begins with the problem. */
#pragma once

#include "base/buf.h"
#include "model/error.h"

/* For messages without client bytes other than identifiers and placeholders. */
MUST_CHECK const struct error *expr_fault(struct arena *a, const char *parameter,
                                          struct error_why why, const char *fmt, ...)
    PRINTF_LIKE(4, 5);

/* For an expression of more than LIMIT_OPERATORS. */
MUST_CHECK const struct error *expr_fault_operators(struct arena *a, const char *parameter);

/* Begins a message for error_written that will contain client bytes, including NUL. */
struct buf expr_fault_begin(struct arena *a, const char *parameter);
