/* client_items.h: the items in an operation's answer. */
#pragma once

#include "base/arena.h"
#include "wire/wire_body.h"

struct client_items {
    const wire_node **at; /* each an object: attribute name → attribute value */
    size_t len;
};

/* `Items` (Query, Scan, ExecuteStatement), `Item` (GetItem), `Responses` (BatchGetItem,
 * TransactGetItems, BatchExecuteStatement) and `Attributes` (writes), in this order. */
struct client_items client_items_of(struct arena *a, const wire_node *answer);

/* Whether the object has one of these members, with the type that answers use. */
bool client_items_any(const wire_node *answer);
