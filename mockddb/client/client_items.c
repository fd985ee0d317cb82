#include "client/client_items.h"

#include "base/one_more.h"
#include "wire/json.h"

static bool is(const wire_node *node, enum json_kind kind)
{
    return node && json_kind(node) == kind;
}

static void add_item(struct arena *a, struct client_items *items, const wire_node *item)
{
    if (!is(item, JSON_OBJECT))
        return;
    items->at = one_more(a, items->at, items->len, sizeof(const wire_node *));
    items->at[items->len++] = item;
}

static void add_all(struct arena *a, struct client_items *items, const wire_node *array)
{
    for (const wire_node *item = wire_first(array); item; item = wire_next(item))
        add_item(a, items, item);
}

struct client_items client_items_of(struct arena *a, const wire_node *answer)
{
    struct client_items items = {0};

    add_all(a, &items, wire_get(answer, "Items"));
    add_item(a, &items, wire_get(answer, "Item"));
    /* a list of {"Item": …}, or a map from table names to lists of items */
    for (const wire_node *n = wire_first(wire_get(answer, "Responses")); n; n = wire_next(n))
        if (is(n, JSON_ARRAY))
            add_all(a, &items, n);
        else
            add_item(a, &items, wire_get(n, "Item"));
    add_item(a, &items, wire_get(answer, "Attributes"));
    return items;
}

bool client_items_any(const wire_node *answer)
{
    const wire_node *responses = wire_get(answer, "Responses");

    return is(wire_get(answer, "Items"), JSON_ARRAY) || is(wire_get(answer, "Item"), JSON_OBJECT) ||
           is(responses, JSON_ARRAY) || is(responses, JSON_OBJECT) ||
           is(wire_get(answer, "Attributes"), JSON_OBJECT);
}
