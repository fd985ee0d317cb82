/* moving_changes.h: what incremental exports have: for each item that was changed its key, and what
 * it was in the end, if it was there.
 *
 *     {"Metadata":{…},"Keys":{…},"OldImage":{…},"NewImage":{…}}
 *     $ion_1_0 {Record:{Metadata:{…},Keys:{…},OldImage:{…},NewImage:{…}}}
 *
 * A change becomes a record of the item that is to be put, or of the key of one that is gone. An
 * image that a projection has left without its key gets it.
 * Source: developer guide, "DynamoDB table export output format". */
#ifndef MOVING_MOVING_CHANGES_H
#define MOVING_MOVING_CHANGES_H

#include "ops/transfer/transfer_reader.h"

extern const struct transfer_format moving_changes_json;
extern const struct transfer_format moving_changes_ion;

/* Whether the item of a record of these formats is the key of one that is gone. */
bool moving_changes_is_gone(const struct transfer_record *record);

/* Whether a text of Ion begins as one of changes does. */
bool moving_changes_are_in(struct span ion);

#endif
