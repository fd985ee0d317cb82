#include "ops/item/legacy_attributes.h"

#include <stdlib.h>

/* A name with its position, to find duplicates by sorting. */
struct listed_name {
    struct span name;
    size_t at;
};

static int by_name(const void *a, const void *b)
{
    const struct listed_name *left = a, *right = b;
    int order = span_compare(left->name, right->name);

    return order ? order : (left->at > right->at) - (left->at < right->at);
}

/* Reports the first name that repeats an earlier one. */
static const struct error *check_repeats(struct arena *a, const struct expr_projection *list)
{
    struct listed_name *sorted = arena_array(a, list->len, sizeof *sorted);
    const struct listed_name *repeat = NULL;

    for (size_t i = 0; i < list->len; i++)
        sorted[i] = (struct listed_name){list->paths[i].at[0].name, i};
    qsort(sorted, list->len, sizeof *sorted, by_name);
    for (size_t i = 1; i < list->len; i++)
        if (span_equal(sorted[i - 1].name, sorted[i].name) &&
            (!repeat || sorted[i].at < repeat->at))
            repeat = &sorted[i];
    if (!repeat)
        return NULL;
    return error_parameter(a, "Duplicate value in attribute name: %.*s", SPAN_ARG(repeat->name));
}

const struct error *legacy_attributes_read(struct call *c, const wire_node *parameters,
                                           struct expr_projection *out)
{
    const wire_node *list = wire_get(parameters, "AttributesToGet");
    struct path_step *steps = arena_array(c->arena, wire_count(list), sizeof *steps);
    struct path *paths = arena_array(c->arena, wire_count(list), sizeof *paths);
    size_t len = 0;

    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        steps[len].name = wire_text(n);
        paths[len] = (struct path){&steps[len], 1};
        len++;
    }
    *out = expr_projection_of(c->arena, paths, len);
    return check_repeats(c->arena, out);
}
