/* expr_fault.h: "Invalid <parameter>: …", how every complaint about an expression begins. The
 * parameter is NULL for PartiQL, whose complaints begin with what is wrong. */
#ifndef EXPR_EXPR_FAULT_H
#define EXPR_EXPR_FAULT_H

#include "base/buf.h"
#include "model/error.h"

/* Texts without client bytes other than identifiers and placeholders. */
MUST_CHECK const struct error *expr_fault(struct arena *a, const char *parameter, const char *fmt,
                                          ...) PRINTF_LIKE(3, 4);

/* Begins a message that will hold client bytes, NUL included … */
struct buf expr_fault_begin(struct arena *a, const char *parameter);
/* … and makes the error of it. */
MUST_CHECK const struct error *expr_fault_end(struct buf *message);

#endif
