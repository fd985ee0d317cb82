/* explain_draft.h: requests in other words: a Query of other keys, or an expression with another
 * name. */
#pragma once

#include "explain/inquiry.h"

/* JSON: a Query of a table or index with these conditions in its key condition and in its filter.
 * Paths shown are whole attributes. With `instead`, the other members of the entry stay, without
 * those that these ones take the place of. */
struct span explain_draft_query(struct inquiry *q, const struct table *t, const struct index *ix,
                                const struct expr_key *key, const struct expr_key *filter,
                                const struct expr_projection *shown, bool instead);

/* Proposes the request with one attribute's name for another, which may be a path: where it is
 * written, or what its placeholder means. */
void explain_draft_rename(struct inquiry *q, const char *parameter, struct span from,
                          struct span to);
