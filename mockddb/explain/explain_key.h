/* explain_key.h: keys and items that do not fit the schema. */
#ifndef EXPLAIN_EXPLAIN_KEY_H
#define EXPLAIN_EXPLAIN_KEY_H

#include "explain/inquiry.h"

/* Finds the reason in the keys and items of a request that was refused. */
void explain_key(struct inquiry *q);

/* Attributes that are keys of indexes, and cannot be that. */
void explain_key_check_indexes(struct inquiry *q, const struct table *t, const struct item *it);

/* Whether a value looks typed twice: {"M": {"S": {"S": …}}}, or a map with "N" and digits. A
 * document client was given a value with its type. */
bool explain_key_is_typed_twice(const struct attr *value);

/* A Query of a table or index by one attribute. */
void explain_key_propose_query(struct inquiry *q, const struct table *t, const struct index *ix,
                               struct span name, const struct attr *value);
/* A Query of a table by its partition key, and by how its sort key begins. */
void explain_key_propose_beginning(struct inquiry *q, const struct table *t,
                                   const struct attr *hash, const struct attr *sort);

#endif
