/* statement_token.h: NextToken: where a SELECT goes on.
 *
 * Opaque to clients: base64 of a digest of statement, parameters and table, the position, and a
 * check of the whole. Limit and ConsistentRead may change from page to page. */
#ifndef OPS_STATEMENT_TOKEN_H
#define OPS_STATEMENT_TOKEN_H

#include "base/sha256.h"
#include "ops/statement/statement.h"

/* Between the rows of a SELECT: a range of its ranges, and the entry of it that was read last. */
struct statement_position {
    size_t range;
    struct span key; /* empty: the range was not begun */
};

/* What all tokens of a statement have in common. Long parameters take their time: their seal is
 * made before rows are read, so that a page can end while there is time for its token. */
struct statement_seal {
    const struct statement *of;
    bool made;
    unsigned char digest[SHA256_LEN];
};
struct statement_seal statement_token_seal(struct call *c, const struct statement *s);

/* The token of a position in the statement's rows, in the call's arena. */
struct span statement_token(struct call *c, struct statement_seal *seal,
                            const struct statement_position *position);

/* "Invalid NextToken", "NextToken does not match request" */
MUST_CHECK const struct error *statement_token_read(struct call *c, struct statement_seal *seal,
                                                    struct span token,
                                                    struct statement_position *out);

#endif
