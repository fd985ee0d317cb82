/* awscli_paging.h: which operations the CLI pages by itself, and under which names. */
#ifndef AWSCLI_AWSCLI_PAGING_H
#define AWSCLI_AWSCLI_PAGING_H

#include "ops/op.h"

struct awscli_paging {
    const char *operation;
    const char *input_token, *output_token;
    const char *limit;          /* NULL: pages have no size */
    const char *const *results; /* what is put together, up to NULL; the first is the list */
    const char *const *once;    /* what is taken from the first page, up to NULL */
};

/* That of an operation, or NULL: it has one page, as far as the CLI knows. */
const struct awscli_paging *awscli_paging_of(const struct op *op);

#endif
