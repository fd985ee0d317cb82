/* explain_draft.h: a Query that asks for other keys than the request, or asks in another way. */
#pragma once

#include "explain/inquiry.h"

/* JSON: a Query of a table or index with these conditions in its key condition and in its filter.
 * Paths shown are whole attributes. With `instead`, the other members of the entry stay, without
 * those that these ones take the place of. */
struct span explain_draft_query(struct inquiry *q, const struct table *t, const struct index *ix,
                                const struct expr_key *key, const struct expr_key *filter,
                                const struct expr_projection *shown, bool instead);
