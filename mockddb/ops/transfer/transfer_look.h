/* transfer_look.h: looking into a JSON object without parsing it: what is it?
 *
 * Nothing is checked: brackets and strings are followed as far as they go. */
#ifndef OPS_TRANSFER_TRANSFER_LOOK_H
#define OPS_TRANSFER_TRANSFER_LOOK_H

#include "base/span.h"

/* A member of an object: its name as it is written, its value and all that stands behind that, and
 * how deep it is (1: of the object itself). */
struct transfer_look_member {
    struct span name, value;
    size_t depth;
};

/* In place of a length: what is there is no JSON, whatever follows. */
#define TRANSFER_LOOK_BROKEN SIZE_MAX

/* Gives the members of the object that the text begins with to `see`, until that says so by
 * answering false; down to depth 2. Returns the length of the object, 0 where it does not end in
 * the text or was not looked through, or TRANSFER_LOOK_BROKEN. */
size_t transfer_look(struct span text,
                     bool (*see)(void *context, const struct transfer_look_member *m),
                     void *context);

/* Behind the blanks there. */
size_t transfer_look_past_blanks(struct span text, size_t at);

/* Behind the value, or the name with its value, that begins there; 0 where it does not end in the
 * text, or TRANSFER_LOOK_BROKEN. */
size_t transfer_look_past_value(struct span text, size_t at);
size_t transfer_look_past_member(struct span text, size_t at);

/* Whether a member is what an attribute's value has in DynamoDB's JSON: "S": "…", "L": […]. */
bool transfer_look_is_typed(const struct transfer_look_member *m);

#endif
