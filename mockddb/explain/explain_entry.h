/* explain_entry.h: what a part of a request is about: an action of a transaction, a key or a write
 * of a batch, or all of the request. The part that is looked at is the inquiry's `entry`. */
#pragma once

#include "explain/inquiry.h"
#include "expr/expr_lex.h"
#include "expr/expr_vars.h"

/* The entry's table, by its TableName; false where it is not there. */
bool explain_entry_table(struct inquiry *q, const struct table **out);

/* The table and the key that a part of a request is about: its Key, or that of its Item. False: one
 * of them is not there, or not sound. */
bool explain_entry_key(struct inquiry *q, const wire_node *entry, const struct table **t,
                       struct item *key);
/* Like explain_entry_key, for a part whose table is named elsewhere. */
bool explain_entry_key_of(struct inquiry *q, struct span table, const wire_node *entry,
                          const struct table **t, struct item *key);

/* The stored item with this key; false: it does not exist. */
bool explain_entry_stored(struct inquiry *q, const struct table *t, const struct item *key,
                          struct item *out);

/* The attribute of the item that is called nearly so; NULL: none is. */
const char *explain_entry_near_name(struct inquiry *q, const struct item *it, struct span name);

/* The entry's placeholders, as far as they can be read. */
struct expr_vars explain_entry_vars(struct inquiry *q);

/* The value of a placeholder; false: it has no value that can be read. */
bool explain_entry_value(struct inquiry *q, struct span placeholder, struct attr *out);

/* Its condition: ConditionExpression, or of the whole request Expected; NULL: none that is sound.
 */
struct expr_cond *explain_entry_condition(struct inquiry *q);

/* --- tokens --- */

/* All tokens of a text, behind them several TOKEN_END: a few tokens behind the last one can be
 * looked at. text.at may be NULL. */
struct token *explain_tokens(struct inquiry *q, enum expr_grammar grammar, struct span text);

/* Whether the token names the attribute, itself or as a placeholder of the entry. */
bool explain_tokens_name(const struct inquiry *q, const struct token *t, struct span attribute);

/* What is written instead of some words, which have blanks around them: " len length ". */
struct foreign {
    const char *words, *instead;
};
/* The row of a word, in any case, with _ for blanks in it; NULL: no row has it. */
const char *explain_tokens_instead(struct inquiry *q, const struct foreign *rows, size_t count,
                                   struct span word);

/* The letters, digits and marks at both ends of a place in a text, with the place. */
struct span explain_tokens_around(struct span text, struct span place, const char *marks);

/* From one token to another, both of them included. */
static inline struct span explain_tokens_text(const struct token *from, const struct token *to)
{
    return (struct span){from->text.at, (size_t)(span_end(to->text) - from->text.at)};
}
