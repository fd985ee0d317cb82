/* ascii.h: classes of ASCII characters, independent of the locale. Other bytes are in no class. */
#pragma once

#include <stdbool.h>
#include <string.h>

static inline bool ascii_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool ascii_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool ascii_is_letter_or_digit(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c);
}

/* A letter, a digit or '_'. */
static inline bool ascii_is_word(char c)
{
    return ascii_is_letter_or_digit(c) || c == '_';
}

/* Whether it is in the set; NUL never is. */
static inline bool ascii_is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

/* Space, tab, CR and LF: JSON's white space. */
static inline bool ascii_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Blanks, vertical tab and form feed: C's isspace. */
static inline bool ascii_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline char ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline char ascii_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* The value of a hexadecimal digit, or -1. */
static inline int ascii_hex(char c)
{
    if (ascii_is_digit(c))
        return c - '0';
    c = ascii_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}
