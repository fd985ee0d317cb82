/* explain_key.h: the words for keys and items that do not fit the schema. */
#pragma once

#include "explain/explain_expression.h"

explain_words explain_key_stranger, explain_key_missing, explain_key_type, explain_key_index_type;

/* The item or key that the entry sends: Key, Item, or the entry itself. */
bool explain_key_sent(struct inquiry *q, struct item *out);

/* Puts a value into *sent that mends the fault; the error of what is sent then. */
const struct error *explain_key_mended(struct inquiry *q, const struct error_why *why,
                                       struct item *sent);

/* Whether a value looks typed twice: {"M": {"S": {"S": …}}}, or a map with "N" and digits. A
 * document client was given a value with its type. */
bool explain_key_is_typed_twice(const struct attr *value);

/* A Query of a table or index by one attribute. */
void explain_key_propose_query(struct inquiry *q, const struct table *t, const struct index *ix,
                               struct span name, const struct attr *value);
/* A Query of a table by its partition key, and by how its sort key begins. */
void explain_key_propose_beginning(struct inquiry *q, const struct table *t,
                                   const struct attr *hash, const struct attr *sort);
