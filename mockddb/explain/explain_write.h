/* explain_write.h: writes that succeed and do something else than was meant. */
#ifndef EXPLAIN_EXPLAIN_WRITE_H
#define EXPLAIN_EXPLAIN_WRITE_H

#include "explain/inquiry.h"

/* What is where a single item is going to be written. */
struct write_before {
    bool known, found;
    size_t attributes;
};

/* Before the call. */
struct write_before explain_write_before(struct inquiry *q, const struct request *request);
/* After it has succeeded. */
void explain_write(struct inquiry *q, const struct write_before *before);

#endif
