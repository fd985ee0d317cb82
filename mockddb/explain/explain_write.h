/* explain_write.h: writes that succeed and do something else than was meant. */
#pragma once

#include "explain/inquiry.h"

/* A write of one item: the request, or an entry of a batch or transaction. */
struct written {
    const wire_node *action; /* {"Item": …} or {"Key": …}; of an entry it is named PutRequest, Put,
                                Delete, … */
    struct span table;       /* a name: tables may change in the call */
    struct item key;
    bool is_put, found; /* found: there was an item before */
    bool left;          /* the answer leaves it to be sent again */
    size_t attributes;  /* of that item */
    size_t number;      /* of the entry in its list, from 1 */
};

/* What is where items are going to be written, as far as it can be read. */
struct write_before {
    bool is_single; /* the request writes one item */
    struct written *entries;
    size_t entry_count;
};

/* Before the call. */
struct write_before explain_write_before(struct inquiry *q, const struct request *request);
/* After a call for several items: the entries that were left or did something else than is often
 * meant. */
void explain_write_entries(struct inquiry *q, const struct write_before *before);
/* Writes the member "entries": of a batch or transaction, what each entry did, or why it did
 * nothing. Nothing is written where that is not known. */
void explain_write_put_entries(struct inquiry *q, struct wire_writer *w);
/* After a call for one item has succeeded. */
void explain_write(struct inquiry *q, const struct write_before *before);
