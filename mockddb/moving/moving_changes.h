/* moving_changes.h: the records of incremental exports: for each changed item its key, and the item
 * itself at the end, unless it was deleted.
 *
 *     {"Metadata":{…},"Keys":{…},"OldImage":{…},"NewImage":{…}}
 *     $ion_1_0 {Record:{Metadata:{…},Keys:{…},OldImage:{…},NewImage:{…}}}
 *
 * A change becomes a record with the item to put, or with the key of a deleted item. An image that
 * lost its key in a projection gets it back.
 * Source: developer guide, "DynamoDB table export output format". */
#pragma once

#include "ops/transfer/transfer_reader.h"

extern const struct transfer_format moving_changes_json;
extern const struct transfer_format moving_changes_ion;

/* Whether the record's item is the key of a deleted item. */
bool moving_changes_is_gone(const struct transfer_record *record);

/* Whether Ion text begins like these records. */
bool moving_changes_are_in(struct span ion);
