/* statement_token.h: NextToken, where a SELECT continues.
 *
 * Opaque to clients: base64 of a digest of statement, parameters and table, the position, and a
 * check of the whole. Limit and ConsistentRead may change from page to page. */
#ifndef OPS_STATEMENT_TOKEN_H
#define OPS_STATEMENT_TOKEN_H

#include "base/sha256.h"
#include "ops/statement/statement.h"

/* A position between rows of a SELECT: one of its ranges, and the last entry read from it. */
struct statement_position {
    size_t range;
    struct span key; /* empty: no entry was read */
};

/* The common part of a statement's tokens. With long parameters it takes much time, so it is made
 * before rows are read: the page then ends in time for its token. */
struct statement_seal {
    const struct statement *of;
    bool made;
    unsigned char digest[SHA256_LEN];
};
struct statement_seal statement_token_seal(struct call *c, const struct statement *s);

/* Makes the token of a position, in the call's arena. */
struct span statement_token(struct call *c, struct statement_seal *seal,
                            const struct statement_position *position);

/* "Invalid NextToken", "NextToken does not match request" */
MUST_CHECK const struct error *statement_token_read(struct call *c, struct statement_seal *seal,
                                                    struct span token,
                                                    struct statement_position *out);

#endif
