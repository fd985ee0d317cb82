/* transfer_look.h: looks into a JSON object without parsing it, to find out what it is.
 *
 * It follows brackets and strings but does not check the JSON. */
#pragma once

#include "base/span.h"

/* A member: its name as it is written, the text from its value on, and its depth (1: a member of
 * the object itself). */
struct transfer_look_member {
    struct span name, value;
    size_t depth;
};

/* In place of a length: the text is not JSON, whatever follows. */
#define TRANSFER_LOOK_BROKEN SIZE_MAX

/* Calls `see` for the members of the object at the beginning of the text, down to depth 2, until
 * `see` returns false. Returns the object's length; 0 if it does not end in the text or `see`
 * stopped; or TRANSFER_LOOK_BROKEN. */
size_t transfer_look(struct span text,
                     bool (*see)(void *context, const struct transfer_look_member *m),
                     void *context);

/* Returns the position after blanks. */
size_t transfer_look_past_blanks(struct span text, size_t at);

/* Return the position after a value, or after a name with its value; 0 if it does not end in the
 * text; or TRANSFER_LOOK_BROKEN. */
size_t transfer_look_past_value(struct span text, size_t at);
size_t transfer_look_past_member(struct span text, size_t at);

/* Whether a member is a typed value of DynamoDB's JSON: "S": "…", "L": […]. */
bool transfer_look_is_typed(const struct transfer_look_member *m);
