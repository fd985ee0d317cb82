/* terminal.h: texts that may come onto a screen.
 *
 * What others answer and what is stored may hold control characters, by which a terminal is told to
 * move, to colour, to rename itself or to answer. They are written as \u001b, in what is said on
 * standard error always, in output where it goes to a terminal: files and programs get it as it is.
 * Line ends and tabs stay. */
#ifndef BASE_TERMINAL_H
#define BASE_TERMINAL_H

#include "base/buf.h"

#include <stdio.h>

/* Appends the text. Control characters are those of ASCII and Unicode's second set, which bytes
 * that are no UTF-8 may stand for as well. */
void terminal_add(struct buf *out, struct span text);

/* Says something on standard error. */
void terminal_say(const char *fmt, ...) PRINTF_LIKE(1, 2);
void terminal_vsay(const char *fmt, va_list args) PRINTF_LIKE(1, 0);

/* Output. False: it cannot be written. */
MUST_CHECK bool terminal_write(FILE *to, struct span text);
/* Says something on standard output. */
void terminal_print(const char *fmt, ...) PRINTF_LIKE(1, 2);

#endif
