#include "stream_lambda/lambda_filter.h"

#include "base/ascii.h"
#include "wire/json.h"

#define DEPTH_MAX 64

static bool is_kind(const wire_node *node, enum json_kind kind)
{
    return node && json_kind(node) == kind;
}

/* --- texts ------------------------------------------------------------------------------------ */

static bool is_same_in_any_case(struct span text, struct span other)
{
    size_t i = 0;

    while (i < text.len && i < other.len && ascii_lower(text.at[i]) == ascii_lower(other.at[i]))
        i++;
    return i == text.len && i == other.len;
}

static bool has_suffix(struct span text, struct span suffix)
{
    return text.len >= suffix.len && span_equal(span_from(text, text.len - suffix.len), suffix);
}

/* Operators that compare texts; anything-but also takes each of them. */
static const struct {
    const char *name;
    bool (*holds)(struct span text, struct span argument);
} text_rules[] = {
    {"prefix", span_starts_with},
    {"suffix", has_suffix},
    {"equals-ignore-case", is_same_in_any_case},
};

static size_t find_text_rule(struct span name)
{
    size_t i = 0;

    while (i < COUNT(text_rules) && !span_is(name, text_rules[i].name))
        i++;
    return i;
}

static bool text_rule_holds(size_t rule, const wire_node *argument, const wire_node *value)
{
    return is_kind(value, JSON_STRING) &&
           text_rules[rule].holds(wire_text(value), wire_text(argument));
}

/* --- anything-but: "a", 1, ["a", 1], {"prefix": "a"}, {"prefix": ["a", "b"]} ------------------ */

static bool is_text(const wire_node *node)
{
    return is_kind(node, JSON_STRING);
}

static bool is_text_or_number(const wire_node *node)
{
    return is_kind(node, JSON_STRING) || is_kind(node, JSON_NUMBER);
}

/* The node, or each element if it is a list, must satisfy is_one. */
static bool is_one_or_list(const wire_node *node, bool (*is_one)(const wire_node *))
{
    const wire_node *element = wire_first(node);

    if (!is_kind(node, JSON_ARRAY))
        return is_one(node);
    while (element && is_one(element))
        element = wire_next(element);
    return wire_count(node) && !element;
}

static const char *check_anything_but(const wire_node *argument)
{
    const wire_node *rule = wire_first(argument);

    if (is_kind(argument, JSON_OBJECT)
            ? wire_count(argument) == 1 && find_text_rule(wire_name(rule)) < COUNT(text_rules) &&
                  is_one_or_list(rule, is_text)
            : is_one_or_list(argument, is_text_or_number))
        return NULL;
    return "\"anything-but\" takes strings and numbers, or an object with \"prefix\", \"suffix\" "
           "or \"equals-ignore-case\"";
}

static bool excluded(const wire_node *excluding, size_t rule, const wire_node *value)
{
    return rule < COUNT(text_rules) ? text_rule_holds(rule, excluding, value)
                                    : json_equal(excluding, value);
}

static bool matches_anything_but(const wire_node *argument, const wire_node *value)
{
    size_t rule = COUNT(text_rules);

    if (is_kind(argument, JSON_OBJECT)) {
        argument = wire_first(argument);
        rule = find_text_rule(wire_name(argument));
    }
    if (!is_kind(argument, JSON_ARRAY))
        return !excluded(argument, rule, value);
    for (const wire_node *element = wire_first(argument); element; element = wire_next(element))
        if (excluded(element, rule, value))
            return false;
    return true;
}

/* --- numeric: ["<", 10], [">=", 0, "<", 10] --------------------------------------------------- */

static const struct {
    const char *name;
    bool smaller, equal, greater;
} comparisons[] = {
    {"<", true, false, false}, {"<=", true, true, false}, {"=", false, true, false},
    {">=", false, true, true}, {">", false, false, true},
};

static size_t find_comparison(const wire_node *name)
{
    size_t i = 0;

    while (i < COUNT(comparisons) && !span_is(wire_text(name), comparisons[i].name))
        i++;
    return i;
}

static const char *check_numeric(const wire_node *argument)
{
    size_t count = wire_count(argument), good = 0;
    const wire_node *name, *limit;

    for (name = wire_first(argument); name; name = wire_next(limit)) {
        limit = wire_next(name);
        if (find_comparison(name) == COUNT(comparisons) || !is_kind(limit, JSON_NUMBER))
            break;
        good += 2;
    }
    if (is_kind(argument, JSON_ARRAY) && good == count && (count == 2 || count == 4))
        return NULL;
    return "\"numeric\" takes one or two comparisons, such as [\">\", 0, \"<=\", 5]";
}

static bool matches_numeric(const wire_node *argument, const wire_node *value)
{
    const wire_node *name, *limit;

    if (!is_kind(value, JSON_NUMBER))
        return false;
    for (name = wire_first(argument); name; name = wire_next(limit)) {
        size_t i = find_comparison(name);
        double x = wire_double(value, 0), y;

        limit = wire_next(name);
        y = wire_double(limit, 0);
        if (!(x < y   ? comparisons[i].smaller
              : x > y ? comparisons[i].greater
                      : comparisons[i].equal))
            return false;
    }
    return true;
}

/* --- leaves ----------------------------------------------------------------------------------- */

/* An operator: an object with one member. */
static const char *check_operator(struct arena *a, const wire_node *object)
{
    const wire_node *argument = wire_first(object);
    struct span name;

    if (wire_count(object) != 1)
        return "an operator is an object with one member, such as {\"prefix\": \"a\"}";
    name = wire_name(argument);
    if (find_text_rule(name) < COUNT(text_rules))
        return is_text(argument) ? NULL
                                 : arena_printf(a, "\"%.*s\" takes a string", SPAN_ARG(name));
    if (span_is(name, "anything-but"))
        return check_anything_but(argument);
    if (span_is(name, "numeric"))
        return check_numeric(argument);
    if (span_is(name, "exists"))
        return is_kind(argument, JSON_BOOL) ? NULL : "\"exists\" takes true or false";
    return arena_printf(a, "there is no operator \"%.*s\"", SPAN_ARG(name));
}

/* `value` is a scalar of the record, or NULL if it is missing. */
static bool matches_operator(const wire_node *object, const wire_node *value)
{
    const wire_node *argument = wire_first(object);
    struct span name = wire_name(argument);
    size_t rule = find_text_rule(name);

    if (span_is(name, "exists"))
        return wire_bool(argument, false) == (value != NULL);
    if (!value)
        return false;
    if (rule < COUNT(text_rules))
        return text_rule_holds(rule, argument, value);
    return span_is(name, "numeric") ? matches_numeric(argument, value)
                                    : matches_anything_but(argument, value);
}

static const char *check_leaf(struct arena *a, const wire_node *list)
{
    const char *problem;

    if (!wire_count(list))
        return "an empty list matches nothing";
    for (const wire_node *element = wire_first(list); element; element = wire_next(element)) {
        if (is_kind(element, JSON_ARRAY))
            return "a list in a list";
        if (is_kind(element, JSON_OBJECT) && (problem = check_operator(a, element)))
            return problem;
    }
    return NULL;
}

static bool leaf_holds(const wire_node *list, const wire_node *value)
{
    for (const wire_node *element = wire_first(list); element; element = wire_next(element))
        if (is_kind(element, JSON_OBJECT) ? matches_operator(element, value)
                                          : value && json_equal(element, value))
            return true;
    return false;
}

/* --- patterns: objects of patterns and leaves ------------------------------------------------- */

static const char *check_pattern(struct arena *a, const wire_node *pattern, unsigned depth);

/* {"$or": [pattern, pattern]} */
static const char *check_or(struct arena *a, const wire_node *list, unsigned depth)
{
    const wire_node *element = wire_first(list);
    const char *problem = NULL;

    if (!is_kind(list, JSON_ARRAY) || wire_count(list) < 2)
        return "\"$or\" takes a list of two or more patterns";
    while (element && !(problem = check_pattern(a, element, depth + 1)))
        element = wire_next(element);
    return problem;
}

static const char *check_pattern(struct arena *a, const wire_node *pattern, unsigned depth)
{
    struct span twice;
    const char *problem = NULL;

    if (!is_kind(pattern, JSON_OBJECT))
        return arena_printf(a, "%s where a list of values or an object belongs",
                            json_kind_name(json_kind(pattern)));
    if (depth > DEPTH_MAX)
        return "it is nested too deeply";
    twice = wire_repeated(pattern);
    if (twice.at)
        return arena_printf(a, "\"%.*s\" is given twice", SPAN_ARG(twice));
    for (const wire_node *member = wire_first(pattern); member && !problem;
         member = wire_next(member))
        if (span_is(wire_name(member), "$or"))
            problem = check_or(a, member, depth);
        else if (is_kind(member, JSON_ARRAY))
            problem = check_leaf(a, member);
        else
            problem = check_pattern(a, member, depth + 1);
    return problem;
}

static bool pattern_holds(const wire_node *pattern, const wire_node *value);

static bool one_holds(const wire_node *patterns, const wire_node *value)
{
    for (const wire_node *pattern = wire_first(patterns); pattern; pattern = wire_next(pattern))
        if (pattern_holds(pattern, value))
            return true;
    return false;
}

/* For a list in the record, one element must match. An object counts as missing. */
static bool member_holds(const wire_node *pattern, const wire_node *value)
{
    bool (*holds)(const wire_node *,
                  const wire_node *) = is_kind(pattern, JSON_ARRAY) ? leaf_holds : pattern_holds;

    if (is_kind(value, JSON_ARRAY) && wire_count(value)) {
        for (const wire_node *element = wire_first(value); element; element = wire_next(element))
            if (holds(pattern, element))
                return true;
        return false;
    }
    if (holds == leaf_holds && (is_kind(value, JSON_OBJECT) || is_kind(value, JSON_ARRAY)))
        value = NULL;
    return holds(pattern, value);
}

/* `value` is the record's value there; NULL if it is missing. */
static bool pattern_holds(const wire_node *pattern, const wire_node *value)
{
    for (const wire_node *member = wire_first(pattern); member; member = wire_next(member)) {
        struct span name = wire_name(member);

        if (span_is(name, "$or") ? !one_holds(member, value)
                                 : !member_holds(member, value ? json_member(value, name) : NULL))
            return false;
    }
    return true;
}

/* --- filters ---------------------------------------------------------------------------------- */

const char *lambda_filter_read(struct arena *a, struct span text, struct lambda_filter *out)
{
    const wire_node *pattern;
    const char *problem;

    if (!json_parse(a, text, &pattern))
        return "it is not JSON";
    if (!(problem = check_pattern(a, pattern, 0)))
        out->pattern = pattern;
    return problem;
}

bool lambda_filter_any_matches(const struct lambda_filter *filters, size_t count,
                               const wire_node *record)
{
    size_t i = 0;

    while (i < count && !pattern_holds(filters[i].pattern, record))
        i++;
    return i < count || !count;
}
