#include "stream_lambda/lambda_doubt.h"

#include "model/attr.h"
#include "wire/json.h"

static const char *const record_names[] = {
    "eventID",   "eventName", "eventVersion", "eventSource",
    "awsRegion", "dynamodb",  "userIdentity", "eventSourceARN",
};
static const char *const change_names[] = {
    "ApproximateCreationDateTime",
    "Keys",
    "NewImage",
    "OldImage",
    "SequenceNumber",
    "SizeBytes",
    "StreamViewType",
};
static const char *const image_names[] = {"Keys", "NewImage", "OldImage"};

static bool is_in(const char *const *names, size_t count, struct span name)
{
    for (size_t i = 0; i < count; i++) {
        if (span_is(name, names[i]))
            return true;
    }
    return false;
}

/* Whether a leaf also matches a missing value; $or is not a leaf. */
static bool may_be_absent(const wire_node *member)
{
    const wire_node *element;

    if (span_is(wire_name(member), "$or"))
        return true;
    for (element = json_kind(member) == JSON_ARRAY ? wire_first(member) : NULL; element;
         element = wire_next(element)) {
        if (json_kind(element) == JSON_OBJECT && wire_get(element, "exists") &&
            !wire_bool(wire_get(element, "exists"), true))
            return true;
    }
    return false;
}

/* Whether a leaf matches only JSON numbers. */
static bool wants_number(const wire_node *leaf)
{
    const wire_node *element;

    for (element = wire_first(leaf); element; element = wire_next(element)) {
        if (json_kind(element) != JSON_NUMBER &&
            !(json_kind(element) == JSON_OBJECT && wire_get(element, "numeric")))
            return false;
    }
    return true;
}

static const char *doubt_of_value(struct arena *a, const wire_node *attribute)
{
    struct span name = wire_name(attribute);
    const wire_node *member;
    enum attr_type type;

    if (json_kind(attribute) == JSON_ARRAY)
        return arena_printf(a, "an attribute there has its type: {\"%.*s\": {\"S\": […]}}",
                            SPAN_ARG(name));
    for (member = wire_first(attribute); member; member = wire_next(member)) {
        if (may_be_absent(member))
            continue;
        if (!attr_type_of_code(wire_name(member), &type))
            return arena_printf(a, "%.*s of %.*s is not an attribute type such as S",
                                SPAN_ARG(wire_name(member)), SPAN_ARG(name));
        if ((type == ATTR_N || type == ATTR_NS) && json_kind(member) == JSON_ARRAY &&
            wants_number(member))
            return arena_printf(
                a,
                "%.*s of a record is text, {\"%s\": [\"5\"]}: numbers and numeric do not match it",
                SPAN_ARG(name), attr_type_code(type));
    }
    return NULL;
}

static const char *doubt_of_image(struct arena *a, const wire_node *image)
{
    const wire_node *attribute;
    const char *doubt = NULL;

    for (attribute = wire_first(image); attribute && !doubt; attribute = wire_next(attribute)) {
        if (!may_be_absent(attribute))
            doubt = doubt_of_value(a, attribute);
    }
    return doubt;
}

static const char *doubt_of_change(struct arena *a, const wire_node *change)
{
    const wire_node *member;
    const char *doubt;

    for (member = wire_first(change); member; member = wire_next(member)) {
        if (may_be_absent(member))
            continue;
        if (!is_in(change_names, COUNT(change_names), wire_name(member)))
            return arena_printf(a, "dynamodb of a record has no %.*s", SPAN_ARG(wire_name(member)));
        if (is_in(image_names, COUNT(image_names), wire_name(member)) &&
            json_kind(member) == JSON_OBJECT && (doubt = doubt_of_image(a, member)))
            return doubt;
    }
    return NULL;
}

const char *lambda_doubt(struct arena *a, const struct lambda_filter *filter)
{
    const wire_node *member;
    const char *doubt;

    for (member = wire_first(filter->pattern); member; member = wire_next(member)) {
        if (may_be_absent(member))
            continue;
        if (!is_in(record_names, COUNT(record_names), wire_name(member)))
            return arena_printf(a, "a record has no %.*s", SPAN_ARG(wire_name(member)));
        if (span_is(wire_name(member), "dynamodb") && json_kind(member) == JSON_OBJECT &&
            (doubt = doubt_of_change(a, member)))
            return doubt;
    }
    return NULL;
}
