/* explain_elsewhere.h: where else a key is that was not found: in the table, but not in the index;
 * as another attribute; in another table or index. */
#pragma once

#include "explain/explain_candidate.h"

/* Items of the table that fit the clauses and are not in the index, since they lack another
 * attribute of its key, or have one as another type. With is_vague they may lack one that a clause
 * is about. True: the reason was found. */
bool explain_elsewhere_outside(struct inquiry *q, const struct rows *r,
                               const struct expr_key_clause *clauses, size_t count, bool is_vague);

/* An item that is not in the index and has the text as an attribute or as a part of one, in this
 * range of the table. */
bool explain_elsewhere_unindexed(struct inquiry *q, const struct rows *r, const struct attr *text,
                                 const struct store_range *range);

/* An index without entries, while its table has items. */
void explain_elsewhere_no_entries(struct inquiry *q, const struct rows *r);

/* Items in a range that have the text as another attribute than `name`, one attribute for all.
 * Dates and numbers are the same by chance. */
struct holders {
    const struct attr *asked;
    struct span name;
    struct span holder; /* that attribute */
    struct item it;     /* the first of the items */
    size_t count;       /* of items, 2 at most */
};
void explain_elsewhere_holders(struct inquiry *q, const struct store_range *range,
                               struct holders *h);

/* The partition of another index of this table, or of other tables. `nothing` is what the reason
 * begins with. */
bool explain_elsewhere_partition(struct inquiry *q, const struct rows *r, const struct attr *asked,
                                 bool other_tables, const char *nothing);

/* A partition of this position that has, for a part of what was asked for, another attribute of
 * the item that this part is the key of: the index's name for the shop's domain. */
bool explain_elsewhere_composite(const struct position *p, const struct rows *r,
                                 struct candidate *out);
