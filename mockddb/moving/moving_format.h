/* moving_format.h: JSON as tools print it: items in lists, and in the answers of Scan and Query, as
 * well as one behind another. */
#ifndef MOVING_MOVING_FORMAT_H
#define MOVING_MOVING_FORMAT_H

#include "ops/transfer/transfer_format.h"

/* DynamoDB's JSON: objects, or lists of them. */
extern const struct transfer_format moving_format_dynamodb;
/* Answers that have the items in "Items". */
extern const struct transfer_format moving_format_answers;
/* JSON without types: objects, or lists of them. */
extern const struct transfer_format moving_format_plain;

/* --- looking into an object without parsing it ------------------------------------------------ */

/* A member of an object: its name as it is written, where its value begins, and how deep it is
 * (1: of the object itself). */
struct moving_format_member {
    struct span name, value;
    size_t depth;
};

/* Gives the members of the object that the text begins with to `see`, until that says so by
 * answering false; down to depth 2. Returns the length of the object, 0 where it does not end in
 * the text or was not looked through. */
size_t moving_format_look(struct span text,
                          bool (*see)(void *context, const struct moving_format_member *m),
                          void *context);

#endif
