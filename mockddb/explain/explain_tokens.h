/* explain_tokens.h: the tokens of an expression, to look for what it has. */
#pragma once

#include "explain/inquiry.h"
#include "expr/expr_lex.h"

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
