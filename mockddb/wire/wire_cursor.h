/* wire_cursor.h: walks through JSON text that wire_scan accepted, without building anything.
 *
 * A place in the text is a pointer to the first character of a value; nothing needs to be checked
 * again, since every value is followed by the character that ends it. */
#pragma once

#include "wire/wire_scan.h"

/* Returns the end of the value at `at`. */
const char *wire_past_value(const struct wire_source *s, const char *at);

/* Reads the string whose opening quote is at `at`; returns its end. *out borrows from the text if
 * it has no escapes. */
const char *wire_read_string(const struct wire_source *s, const char *at, struct span *out);

/* A member of an object or an element of a list. */
struct wire_place {
    const char *at;   /* its value */
    struct span name; /* of a member */
    bool named;
};

/* Go to the first child of the container at `at`, and to the next child, `past` being the end of
 * the value before: false if there is no child; p->at is then the end of the container. */
bool wire_enter(const struct wire_source *s, const char *at, struct wire_place *p);
bool wire_step(const struct wire_source *s, struct wire_place *p, const char *past);

/* The number of members or elements of the container at `at`, repeated ones included. */
size_t wire_count_in(const struct wire_source *s, const char *at);

static inline const char *wire_end(const struct wire_source *s)
{
    return s->text.at + s->text.len;
}
