#include "stream_lambda/lambda_response.h"

#include "ops/transfer/transfer_look.h"
#include "wire/json.h"

static bool is_blank(struct span text)
{
    return transfer_look_past_blanks(text, 0) == text.len;
}

static const char *read_failures(struct arena *a, const wire_node *list,
                                 const struct lambda_record *const *records, size_t count,
                                 size_t *failed)
{
    if (json_kind(list) != JSON_ARRAY)
        return "batchItemFailures is not a list";
    for (const wire_node *entry = wire_first(list); entry; entry = wire_next(entry)) {
        const wire_node *id = wire_get(entry, "itemIdentifier");
        size_t i = 0;

        if (!wire_text(id).len)
            return "an element of batchItemFailures has no itemIdentifier";
        while (i < count && !span_equal(records[i]->sequence, wire_text(id)))
            i++;
        if (i == count)
            return arena_printf(a, "itemIdentifier %.*s is not a record of the batch",
                                SPAN_ARG(wire_text(id)));
        if (i < *failed)
            *failed = i;
    }
    return NULL;
}

const char *lambda_response_read(struct arena *a, struct span response,
                                 const struct lambda_record *const *records, size_t count,
                                 size_t *failed)
{
    const wire_node *tree, *list;

    *failed = count;
    if (is_blank(response))
        return NULL;
    if (!json_parse(a, response, &tree))
        return "its answer is not JSON";
    switch (json_kind(tree)) {
    case JSON_NULL:
        return NULL;
    case JSON_STRING:
        return wire_text(tree).len ? "its answer is a string" : NULL;
    case JSON_OBJECT:
        list = wire_get(tree, "batchItemFailures");
        return list ? read_failures(a, list, records, count, failed) : NULL;
    default:
        return arena_printf(a, "its answer is %s", json_kind_name(json_kind(tree)));
    }
}

bool lambda_response_is_error(struct arena *a, struct span response, const char **message)
{
    const wire_node *tree;
    struct span type, text;

    if (is_blank(response) || !json_parse(a, response, &tree))
        return false;
    type = wire_text(wire_get(tree, "errorType"));
    text = wire_text(wire_get(tree, "errorMessage"));
    if (!type.len && !text.len)
        return false;
    *message = arena_printf(a, "%.*s%s%.*s", SPAN_ARG(type), type.len && text.len ? ": " : "",
                            SPAN_ARG(text));
    return true;
}
