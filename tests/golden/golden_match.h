/* golden_match.h: whether a reply is what a golden file wants.
 *
 * Names are compared in any order, numbers by value. Where a value cannot be written down, the
 * file holds one of these instead:
 *   {"$any": true}        anything, but present     {"$absent": true}   nothing
 *   {"$regex": "^a+$"}    text that matches         {"$save": "name"}   anything, kept for "$ref"
 *   {"$partial": {…}}     at least these members    {"$unordered": […]} these in any order
 *   {"$either": [a, b]}   one of these */
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>

/* got may be NULL (absent). On a mismatch writes where it is to `path` (512 bytes). `saved` is an
 * object that "$save" adds to. */
bool golden_match(const cJSON *want, const cJSON *got, cJSON *saved, char *path);
