/* collect_kinds.h: the kinds of items that a table holds, by the forms of their keys.
 *
 * A form has the key's words and … for its values: SHOP#…, JOB#…#LOG. Words are the first, third …
 * part of a key, have no digits, and are all in capitals unless the first part is not; a key of one
 * part is a word if it is in capitals. Items of a kind have the same forms of partition and sort
 * key. Some items of each kind are read whole, for their attributes. */
#pragma once

#include "wire/wire_reply.h"

struct collect_kinds;
struct collect_kind;

/* The separators of partition and sort keys; 0: they have no parts. */
struct collect_kinds *collect_kinds_new(struct arena *a, char hash_separator, char sort_separator);

/* Counts an item; sort is empty if its key has none. Returns its kind if the item should also be
 * given to collect_kinds_read, else NULL. */
struct collect_kind *collect_kinds_take(struct collect_kinds *k, struct span partition,
                                        struct span sort, size_t size);
void collect_kinds_read(struct collect_kinds *k, struct collect_kind *kind, const struct item *it,
                        const struct item *key);

/* Writes the members "kinds", those with the most items first, and "other_kinds", the number of
 * items of further kinds. */
void collect_kinds_show(struct collect_kinds *k, struct wire_writer *w);
