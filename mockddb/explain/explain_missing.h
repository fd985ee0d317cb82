/* explain_missing.h: a key that a read did not find. */
#pragma once

#include "explain/explain_candidate.h"

/* The reason why no entry of a table or index has this key: which attribute of it is wrong, and
 * what may have been meant. */
void explain_missing(struct inquiry *q, const struct rows *r, const struct expr_key *key);

/* "; there is "X": how it differs", of the attribute that is wrong; or what is stored beside the
 * partition key; "". */
const char *explain_missing_near(struct inquiry *q, const struct rows *r,
                                 const struct expr_key *key);

/* Of a value whose type its key attribute does not take: proposes what was meant, and says how that
 * differs (NULL: the types say it). False: nothing is known. */
bool explain_missing_typed(struct inquiry *q, const struct rows *r, const struct expr_key *key,
                           struct span name, const char **how);

/* The reason why an index has no entries, while its table has items. */
void explain_missing_no_entries(struct inquiry *q, const struct rows *r);
