/* explain_write.h: writes that succeed and do something else than was meant. */
#pragma once

#include "explain/inquiry.h"

/* An entry of a batch or transaction that writes. */
struct written {
    const wire_node *action; /* {"Item": …} or {"Key": …}, named PutRequest, Put, Delete, … */
    struct span table;
    struct item key;
    bool is_put, found; /* found: there was an item before */
    size_t attributes;  /* of that item */
    size_t number;      /* of the entry in its list, from 1 */
};

/* What is where items are going to be written. */
struct write_before {
    bool known, found; /* of a single item */
    size_t attributes;
    struct written *entries; /* of a batch or transaction, as far as they can be read */
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
