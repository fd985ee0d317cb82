#include "patterns/pattern_check.h"

#include "base/search.h"
#include "wire/object_rules.h"
#include "wire/wire_node.h"

#include <stdlib.h>

static const struct object_rule expect_rules[] = {
    {"count", JSON_NULL, 0, 0},
    {"every", JSON_OBJECT, 0, 0},
    {"some", JSON_OBJECT, 0, 0},
    {"picked", JSON_OBJECT, 0, 0},
    {"order", JSON_OBJECT, 0, 0},
    {"attributes", JSON_ARRAY, 0, 0},
    {"more", JSON_BOOL, 0, 0},
    {"answer", JSON_OBJECT, 0, 0},
    {"error", JSON_STRING, OBJECT_FILLED, 0},
    {"message", JSON_STRING, 0, 0},
    {.name = NULL},
};
static const struct object_rule order_rules[] = {
    {"by", JSON_STRING, OBJECT_REQUIRED | OBJECT_FILLED, 0},
    {"descending", JSON_BOOL, 0, 0},
    {.name = NULL},
};
static const struct object_rule range_rules[] = {
    {"min", JSON_NUMBER, 0, 0},
    {"max", JSON_NUMBER, 0, 0},
    {.name = NULL},
};
static const struct object_rule cost_rules[] = {
    {"index", JSON_STRING, OBJECT_FILLED, 0},
    {"read", JSON_NULL, 0, 0},
    {"rcu", JSON_NULL, 0, 0},
    {.name = NULL},
};

/* --- checks of one attribute ------------------------------------------------------------------ */

static bool begins_with(const struct attr *value, const wire_node *wanted)
{
    return value && value->type == ATTR_S && span_starts_with(value->bytes, wire_text(wanted));
}

static bool value_contains(const struct attr *value, const wire_node *wanted)
{
    size_t i, looked = 0;

    if (value && value->type == ATTR_S)
        return search_contains(value->bytes, wire_text(wanted), &looked);
    if (!value || !(attr_is_set(value->type) || value->type == ATTR_L))
        return false;
    for (i = 0; i < value->list.len; i++) {
        const struct attr *element = &value->list.at[i];

        if (element->type <= ATTR_B && span_equal(element->bytes, wire_text(wanted)))
            return true;
    }
    return false;
}

static bool has_type(const struct attr *value, const wire_node *wanted)
{
    return value && span_is(wire_text(wanted), attr_type_code(value->type));
}

static bool value_exists(const struct attr *value, const wire_node *wanted)
{
    return (value != NULL) == wire_bool(wanted, true);
}

/* Sets *out to a number's value; digits that a double cannot hold do not matter for a bound. */
static bool number_of(const struct attr *value, double *out)
{
    char digits[256];

    if (!value || value->type != ATTR_N || value->bytes.len >= sizeof digits)
        return false;
    memcpy(digits, value->bytes.at, value->bytes.len);
    digits[value->bytes.len] = '\0';
    *out = strtod(digits, NULL);
    return true;
}

static bool at_least(const struct attr *value, const wire_node *wanted)
{
    double number;

    return number_of(value, &number) && number >= wire_double(wanted, 0);
}

static bool at_most(const struct attr *value, const wire_node *wanted)
{
    double number;

    return number_of(value, &number) && number <= wire_double(wanted, 0);
}

static const struct pattern_check table[] = {
    {"begins_with", JSON_STRING, begins_with},
    {"contains", JSON_STRING, value_contains},
    {"type", JSON_STRING, has_type},
    {"exists", JSON_BOOL, value_exists},
    {"min", JSON_NUMBER, at_least},
    {"max", JSON_NUMBER, at_most},
};

const struct pattern_check *pattern_check_find(struct span name)
{
    for (size_t i = 0; i < COUNT(table); i++)
        if (span_is(name, table[i].name))
            return &table[i];
    return NULL;
}

bool pattern_check_is_value(const wire_node *node)
{
    enum attr_type type;

    return wire_count(node) == 1 && attr_type_of_code(wire_name(wire_first(node)), &type);
}

/* --- expected numbers ------------------------------------------------------------------------- */

static bool is_upside_down(const wire_node *range)
{
    const wire_node *min = wire_get(range, "min"), *max = wire_get(range, "max");

    return min && max && wire_double(min, 0) > wire_double(max, 0);
}

/* A number, or a range of numbers. */
static const struct problem *validate_range(struct arena *a, const wire_node *object,
                                            const char *name, bool whole)
{
    const wire_node *range = wire_get(object, name), *number;
    const struct problem *p;

    if (!range)
        return NULL;
    number = json_kind(range) == JSON_NUMBER ? range : wire_first(range);
    if (number != range && (p = object_rules_read(a, range, range_rules, NULL)))
        return p;
    if (!number)
        return problem_invalid(a, "%s takes a number, min or max", name);
    for (; number; number = number == range ? NULL : wire_next(number)) {
        if (wire_double(number, -1) < 0 || (whole && !wire_is_whole(number->at)))
            return problem_invalid(a, "%s takes %s from 0 on", name,
                                   whole ? "a whole number" : "a number");
    }
    return is_upside_down(range) ? problem_invalid(a, "%s: min is above max", name) : NULL;
}

/* --- allowed members -------------------------------------------------------------------------- */

static const struct problem *validate_check(struct arena *a, const wire_node *check)
{
    struct span attribute = wire_name(check);
    enum attr_type type;

    if (json_kind(check) != JSON_OBJECT || !wire_count(check))
        return problem_invalid(a, "attribute %.*s: expected a value or a check",
                               SPAN_ARG(attribute));
    if (pattern_check_is_value(check) || wire_get(check, "$from"))
        return NULL;
    for (const wire_node *member = wire_first(check); member; member = wire_next(member)) {
        const struct pattern_check *kind = pattern_check_find(wire_name(member));

        if (!kind)
            return problem_invalid(a, "attribute %.*s: unknown check %.*s", SPAN_ARG(attribute),
                                   SPAN_ARG(wire_name(member)));
        if (json_kind(member) != kind->kind)
            return problem_invalid(a, "attribute %.*s: %s takes %s", SPAN_ARG(attribute),
                                   kind->name, json_kind_name(kind->kind));
        if (kind->holds == has_type && !attr_type_of_code(wire_text(member), &type))
            return problem_invalid(a, "attribute %.*s: there is no type %.*s, such as S or SS",
                                   SPAN_ARG(attribute), SPAN_ARG(wire_text(member)));
    }
    return is_upside_down(check)
               ? problem_invalid(a, "attribute %.*s: min is above max", SPAN_ARG(attribute))
               : NULL;
}

static const struct problem *validate_checks(struct arena *a, const wire_node *expect,
                                             const char *name)
{
    const wire_node *checks = wire_get(expect, name), *check;
    const struct problem *p = NULL;

    if (checks && !wire_count(checks))
        return problem_invalid(a, "%s is empty", name);
    for (check = wire_first(checks); check && !p; check = wire_next(check))
        p = validate_check(a, check);
    return p;
}

const struct problem *pattern_check_expect(struct arena *a, const wire_node *expect)
{
    const struct problem *p = object_rules_read(a, expect, expect_rules, NULL);
    const wire_node *order = wire_get(expect, "order");

    if (p || (p = validate_range(a, expect, "count", true)) ||
        (p = object_rules_read(a, order, order_rules, NULL)) ||
        (p = validate_checks(a, expect, "every")) || (p = validate_checks(a, expect, "some")))
        return p;
    for (const wire_node *n = wire_first(wire_get(expect, "answer")); n; n = wire_next(n))
        if (wire_name(n).len && wire_name(n).at[0] != '/')
            return problem_invalid(a, "%.*s is not a JSON Pointer, which begins with /",
                                   SPAN_ARG(wire_name(n)));
    /* an error has no items to count, and only an error has a message */
    if (wire_get(expect, "message") && !wire_get(expect, "error"))
        return problem_invalid(a, "message goes with error");
    if (wire_get(expect, "error") && wire_get(expect, "count"))
        return problem_invalid(a, "error and count exclude each other");
    return validate_checks(a, expect, "picked");
}

const struct problem *pattern_check_cost(struct arena *a, const wire_node *cost)
{
    const struct problem *p = object_rules_read(a, cost, cost_rules, NULL);

    if (p || (p = validate_range(a, cost, "read", true)))
        return p;
    return validate_range(a, cost, "rcu", false);
}
