/* plain.h: finds where the plain part of a JSON string ends, for reading and writing JSON. */
#pragma once

#include <stdbool.h>

/* A quote, backslash or control character. */
static inline bool plain_is_special(char c)
{
    return c == '"' || c == '\\' || (unsigned char)c < 0x20;
}

/* The first quote, backslash or control character from `at` on, or `end`. */
const char *plain_end(const char *at, const char *end);
