/* wire_reply.h: writes a reply's JSON directly into its buffer, and sets the commas. */
#pragma once

#include "model/schema.h"

struct wire_writer {
    struct buf *out;
    bool comma; /* whether the next value needs a comma before it */
};

void wire_open(struct wire_writer *w, char bracket);  /* '{' or '[' */
void wire_close(struct wire_writer *w, char bracket); /* '}' or ']' */
void wire_key(struct wire_writer *w, const char *name);
void wire_key_span(struct wire_writer *w, struct span name);

void wire_put_text(struct wire_writer *w, struct span text);
void wire_put_integer(struct wire_writer *w, int64_t value);
void wire_put_bool(struct wire_writer *w, bool value);
/* A member with its name and value. */
void wire_open_member(struct wire_writer *w, const char *name, char bracket);
void wire_put_member_text(struct wire_writer *w, const char *name, struct span text);
void wire_put_member_word(struct wire_writer *w, const char *name, const char *word);
void wire_put_member_integer(struct wire_writer *w, const char *name, int64_t value);
void wire_put_member_bool(struct wire_writer *w, const char *name, bool value);
/* Seconds since 1970 with three decimals, from milliseconds. */
void wire_put_member_time(struct wire_writer *w, const char *name, int64_t ms);
void wire_put_member_raw(struct wire_writer *w, const char *name, struct span json);
/* A member that is left out if its text is empty or its number 0. */
void wire_put_set_text(struct wire_writer *w, const char *name, struct span text);
void wire_put_set_integer(struct wire_writer *w, const char *name, int64_t value);
void wire_put_set_time(struct wire_writer *w, const char *name, int64_t ms);
/* Capacity units: 1.0, 0.5 */
void wire_put_units(struct wire_writer *w, double units);
/* Any finite number in a form that reads back exactly: 12.0, 0.123 */
void wire_put_double(struct wire_writer *w, double value);
/* JSON text, unchanged, such as a stored item. */
void wire_put_raw(struct wire_writer *w, struct span json);
void wire_put_item(struct wire_writer *w, const struct item *it);
void wire_put_key_schema(struct wire_writer *w, const struct key_schema *keys); /* KeySchema */
