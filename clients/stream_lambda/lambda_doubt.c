#include "stream_lambda/lambda_filter.h"

#include "model/attr.h"
#include "wire/json.h"

/* The objects of a record that have known members. */
static const struct record_level {
    const char *what;
    const char *members[9];
    const char *deeper[4]; /* those that are objects of the next level, in the end images */
} levels[] = {
    {"a record",
     {"eventID", "eventName", "eventVersion", "eventSource", "awsRegion", "dynamodb",
      "userIdentity", "eventSourceARN"},
     {"dynamodb"}},
    {"dynamodb of a record",
     {"ApproximateCreationDateTime", "Keys", "NewImage", "OldImage", "SequenceNumber", "SizeBytes",
      "StreamViewType"},
     {"Keys", "NewImage", "OldImage"}},
};

static bool is_in(const char *const *names, struct span name)
{
    while (*names && !span_is(name, *names))
        names++;
    return *names;
}

/* Whether a leaf also matches a missing value; $or is not a leaf. */
static bool may_be_absent(const wire_node *member)
{
    if (span_is(wire_name(member), "$or"))
        return true;
    for (const wire_node *element = json_kind(member) == JSON_ARRAY ? wire_first(member) : NULL;
         element; element = wire_next(element))
        if (json_kind(element) == JSON_OBJECT && wire_get(element, "exists") &&
            !wire_bool(wire_get(element, "exists"), true))
            return true;
    return false;
}

/* Whether a leaf matches only JSON numbers. */
static bool wants_number(const wire_node *leaf)
{
    for (const wire_node *element = wire_first(leaf); element; element = wire_next(element))
        if (json_kind(element) != JSON_NUMBER &&
            !(json_kind(element) == JSON_OBJECT && wire_get(element, "numeric")))
            return false;
    return true;
}

static const char *doubt_of_value(struct arena *a, const wire_node *attribute)
{
    struct span name = wire_name(attribute);
    enum attr_type type;

    if (json_kind(attribute) == JSON_ARRAY)
        return arena_printf(a, "an attribute there has its type: {\"%.*s\": {\"S\": […]}}",
                            SPAN_ARG(name));
    for (const wire_node *member = wire_first(attribute); member; member = wire_next(member)) {
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

static const char *doubt_at(struct arena *a, const wire_node *pattern, size_t level)
{
    const char *doubt = NULL;

    for (const wire_node *m = wire_first(pattern); m && !doubt; m = wire_next(m)) {
        if (may_be_absent(m))
            continue;
        if (level == COUNT(levels))
            doubt = doubt_of_value(a, m);
        else if (!is_in(levels[level].members, wire_name(m)))
            doubt = arena_printf(a, "%s has no %.*s", levels[level].what, SPAN_ARG(wire_name(m)));
        else if (is_in(levels[level].deeper, wire_name(m)) && json_kind(m) == JSON_OBJECT)
            doubt = doubt_at(a, m, level + 1);
    }
    return doubt;
}

const char *lambda_filter_doubt(struct arena *a, const struct lambda_filter *filter)
{
    return doubt_at(a, filter->pattern, 0);
}
