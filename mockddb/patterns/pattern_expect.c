#include "patterns/pattern_expect.h"

#include "base/search.h"
#include "ops/op_subject.h"
#include "patterns/pattern_check.h"
#include "wire/json.h"
#include "wire/wire_attr.h"
#include "wire/wire_shape.h"

/* The expectations of one step being checked. */
struct checking {
    struct arena *arena;
    const struct pattern_step_result *step;
    struct pattern_result *result;
};

static const char *text_of(struct checking *c, const wire_node *node)
{
    struct buf out = buf_in(c->arena);

    if (!node)
        return "nothing";
    json_write(&out, node);
    return buf_text(&out);
}

/* Converts an attribute value to the model's form. False if it is not one; the answer of a server
 * is checked completely. */
static bool decode_value(struct arena *a, const wire_node *value, struct attr *out)
{
    static const struct wire_member members[] = {{"Item", &wire_attr_map, 0}, {NULL, NULL, 0}};
    struct buf text = buf_in(a);
    const wire_node *body;
    struct item item;

    buf_add_text(&text, "{\"Item\":{\"v\":");
    json_write(&text, value);
    buf_add_text(&text, "}}");
    if (wire_parse(a, buf_span(&text), &body) || wire_check_types(a, members, body) ||
        wire_read_item(a, wire_get(body, "Item"), WIRE_LAYER_CURRENT, &item))
        return false;
    *out = item.at[0].value;
    return true;
}

/* Whether one attribute passes its check; `value` NULL: the item does not have it. */
static bool value_passes(struct arena *a, const wire_node *check, const wire_node *value)
{
    struct attr found, wanted;

    if (value && !decode_value(a, value, &found))
        return false;
    if (pattern_check_is_value(check))
        return value && decode_value(a, check, &wanted) && attr_equal(&found, &wanted);
    for (const wire_node *member = wire_first(check); member; member = wire_next(member)) {
        const struct pattern_check *kind = pattern_check_find(wire_name(member));

        if (!kind || json_kind(member) != kind->kind || !kind->holds(value ? &found : NULL, member))
            return false;
    }
    return true;
}

/* The first check that the item fails, or NULL. */
static const wire_node *failing_check(struct arena *a, const wire_node *checks,
                                      const wire_node *item)
{
    for (const wire_node *check = wire_first(checks); check; check = wire_next(check))
        if (!value_passes(a, check, wire_get_span(item, wire_name(check))))
            return check;
    return NULL;
}

static void fail_item(struct checking *c, const char *which, const wire_node *item,
                      const wire_node *check)
{
    struct span name = wire_name(check);

    pattern_result_fail(c->arena, c->result, c->step->step, "%s: %.*s is %s, expected %s", which,
                        SPAN_ARG(name), text_of(c, wire_get_span(item, name)), text_of(c, check));
}

static void check_every(struct checking *c, const wire_node *checks)
{
    for (size_t i = 0; i < c->step->items.len; i++) {
        const wire_node *item = c->step->items.at[i],
                        *check = failing_check(c->arena, checks, item);

        if (check) {
            fail_item(c, arena_printf(c->arena, "item %zu", i + 1), item, check);
            return; /* one example is enough */
        }
    }
}

static void check_some(struct checking *c, const wire_node *checks)
{
    for (size_t i = 0; i < c->step->items.len; i++)
        if (!failing_check(c->arena, checks, c->step->items.at[i]))
            return;
    pattern_result_fail(c->arena, c->result, c->step->step, "no item has %s", text_of(c, checks));
}

static void check_picked(struct checking *c, const wire_node *checks)
{
    const wire_node *check;

    if (!c->step->picked) {
        pattern_result_fail(c->arena, c->result, c->step->step, "no item was picked");
        return;
    }
    if ((check = failing_check(c->arena, checks, c->step->picked)))
        fail_item(c, "picked item", c->step->picked, check);
}

static void check_order(struct checking *c, const wire_node *order)
{
    struct span by = wire_text(wire_get(order, "by"));
    bool descending = wire_bool(wire_get(order, "descending"), false);
    struct attr before, now;

    for (size_t i = 0; i < c->step->items.len; i++, before = now) {
        const wire_node *value = wire_get_span(c->step->items.at[i], by);
        int order_found;

        if (!value || !decode_value(c->arena, value, &now) || now.type > ATTR_B ||
            (i && now.type != before.type)) {
            pattern_result_fail(c->arena, c->result, c->step->step,
                                "item %zu: %.*s cannot be ordered", i + 1, SPAN_ARG(by));
            return;
        }
        order_found = i ? attr_compare(&before, &now) : 0;
        if (descending ? order_found < 0 : order_found > 0) {
            pattern_result_fail(c->arena, c->result, c->step->step,
                                "item %zu is out of order: %.*s is %s", i + 1, SPAN_ARG(by),
                                text_of(c, value));
            return;
        }
    }
}

/* The texts of a list's elements, or the names of an object's members. */
static const struct pattern_names *names_in(struct arena *a, const wire_node *node)
{
    struct pattern_names *names = pattern_names_new(a, wire_count(node));
    bool is_list = json_kind(node) == JSON_ARRAY;

    for (const wire_node *n = wire_first(node); n; n = wire_next(n))
        (void)pattern_names_add(names, is_list ? wire_text(n) : wire_name(n), 0);
    return names;
}

/* Whether the item has exactly the listed attributes. */
static bool check_item(struct checking *c, size_t number, const wire_node *list,
                       const struct pattern_names *listed)
{
    const wire_node *item = c->step->items.at[number], *node;
    const struct pattern_names *attributes = names_in(c->arena, item);

    for (node = wire_first(item); node; node = wire_next(node)) {
        if (pattern_names_has(listed, wire_name(node)))
            continue;
        pattern_result_fail(c->arena, c->result, c->step->step,
                            "item %zu has the attribute %.*s too", number + 1,
                            SPAN_ARG(wire_name(node)));
        return false;
    }
    for (node = wire_first(list); node; node = wire_next(node)) {
        if (pattern_names_has(attributes, wire_text(node)))
            continue;
        pattern_result_fail(c->arena, c->result, c->step->step, "item %zu has no attribute %.*s",
                            number + 1, SPAN_ARG(wire_text(node)));
        return false;
    }
    return true;
}

static void check_attributes(struct checking *c, const wire_node *list)
{
    const struct pattern_names *listed = names_in(c->arena, list);
    bool holds = true;

    for (size_t i = 0; i < c->step->items.len && holds; i++)
        holds = check_item(c, i, list, listed);
}

static void check_answer(struct checking *c, const wire_node *members)
{
    for (const wire_node *wanted = wire_first(members); wanted; wanted = wire_next(wanted)) {
        const wire_node *found = json_at(c->step->answer, wire_name(wanted));

        if (!found || !json_equal(found, wanted))
            pattern_result_fail(c->arena, c->result, c->step->step, "%.*s is %s, expected %s",
                                SPAN_ARG(wire_name(wanted)), text_of(c, found), text_of(c, wanted));
    }
}

/* A range is a number, or an object with min and max. */
static void check_range(struct checking *c, const char *what, const wire_node *range, double found)
{
    struct buf text = buf_in(c->arena);
    const wire_node *min = range, *max = range;

    if (!range)
        return;
    if (json_kind(range) == JSON_OBJECT) {
        min = wire_get(range, "min");
        max = wire_get(range, "max");
    }
    if (found >= wire_double(min, found) && found <= wire_double(max, found))
        return;
    json_write(&text, range);
    pattern_result_fail(c->arena, c->result, c->step->step, "%s is %g, expected %s", what, found,
                        buf_text(&text));
}

static void check_more(struct checking *c, const wire_node *more)
{
    bool found = wire_get(c->step->answer, "LastEvaluatedKey") != NULL;

    if (found != wire_bool(more, found))
        pattern_result_fail(c->arena, c->result, c->step->step, "there %s LastEvaluatedKey",
                            found ? "is a" : "is no");
}

static const struct expectation {
    const char *name;
    void (*check)(struct checking *c, const wire_node *wanted);
} expectations[] = {
    {"every", check_every},   {"some", check_some}, {"picked", check_picked},
    {"order", check_order},   {"more", check_more}, {"attributes", check_attributes},
    {"answer", check_answer},
};

/* Fails the step with the endpoint's error. "Requested resource not found" does not say which: the
 * request's tables are named. */
static void fail_with_error(const struct checking *c)
{
    const struct pattern_step_result *step = c->step;
    struct buf tables = buf_in(c->arena);

    if (span_is(step->error_type, "ResourceNotFoundException")) {
        struct op_subjects named = op_subject_all(c->arena, step->request);

        for (size_t i = 0; i < named.len; i++) {
            struct span table = named.at[i].table;
            size_t k = 0, looked = 0;

            while (k < i && !span_equal(named.at[k].table, table))
                k++;
            if (k < i || search_contains(step->message, table, &looked))
                continue;
            buf_add_text(&tables, tables.len ? " or " : ": ");
            buf_add_span(&tables, table);
        }
    }
    pattern_result_fail(c->arena, c->result, step->step, "%.*s: %.*s%s", SPAN_ARG(step->error_type),
                        SPAN_ARG(step->message), buf_text(&tables));
}

void pattern_expect_check(struct arena *a, const wire_node *expect,
                          const struct pattern_step_result *step, struct pattern_result *result)
{
    struct checking c = {a, step, result};
    const wire_node *count = wire_get(expect, "count");

    if (wire_get(expect, "error")) {
        struct span type = wire_text(wire_get(expect, "error"));
        const wire_node *message = wire_get(expect, "message");

        if (!c.step->error_type.len)
            pattern_result_fail(c.arena, c.result, c.step->step, "succeeded, expected %.*s",
                                SPAN_ARG(type));
        else if (!span_equal(type, c.step->error_type) ||
                 (message && !span_equal(wire_text(message), c.step->message)))
            fail_with_error(&c);
        return;
    }
    if (step->error_type.len) {
        fail_with_error(&c);
        return;
    }
    if (count)
        check_range(&c, "number of items", count, (double)c.step->items.len);
    else if (!wire_get(expect, "answer") && !c.step->items.len)
        pattern_result_fail(c.arena, c.result, c.step->step, "nothing was found");
    for (size_t i = 0; i < COUNT(expectations); i++) {
        const wire_node *wanted = wire_get(expect, expectations[i].name);

        if (wanted)
            expectations[i].check(&c, wanted);
    }
}

void pattern_expect_check_cost(struct arena *a, const wire_node *cost,
                               const struct pattern_step_result *step,
                               struct pattern_result *result)
{
    struct checking c = {a, step, result};
    const wire_node *index = wire_get(cost, "index");
    const char *found = step->cost.index ? step->cost.index : "unknown";

    if (step->error_type.len)
        return; /* an error reports no cost */
    if (index && !span_is(wire_text(index), found))
        pattern_result_fail(a, result, step->step, "index used is %s, expected %.*s", found,
                            SPAN_ARG(wire_text(index)));
    check_range(&c, "number of items read", wire_get(cost, "read"), (double)step->cost.read);
    check_range(&c, "read units", wire_get(cost, "rcu"), step->cost.rcu);
}
