/* terminal.h: makes texts safe to print on a terminal.
 *
 * Answers of servers and stored data may contain control characters, which can make a terminal move
 * the cursor, change colours, rename itself or send input. They are written as \u001b: on standard
 * error always, on standard output only if it is a terminal: files and programs get the original
 * bytes. Line ends and tabs stay. */
#pragma once

#include "base/buf.h"

#include <stdio.h>

/* Appends the text. Control characters are those of ASCII and the C1 set; bytes that are not UTF-8
 * may be C1 too. */
void terminal_add(struct buf *out, struct span text);

/* Prints to standard error. */
void terminal_say(const char *fmt, ...) PRINTF_LIKE(1, 2);
void terminal_vsay(const char *fmt, va_list args) PRINTF_LIKE(1, 0);

/* Writes to a file. False: it cannot be written. */
MUST_CHECK bool terminal_write(FILE *to, struct span text);
/* Prints to standard output. */
void terminal_print(const char *fmt, ...) PRINTF_LIKE(1, 2);
