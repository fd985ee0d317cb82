#include "patterns/pattern_rules.h"

#include "wire/wire_body.h"

static const struct pattern_rule *rule_of(const struct pattern_rule *rules, struct span name)
{
    for (; rules->name; rules++)
        if (span_is(name, rules->name))
            return rules;
    return NULL;
}

const char *pattern_rules_check(struct arena *a, const wire_node *object,
                                const struct pattern_rule *rules, const char *where)
{
    struct span twice;

    if (!object)
        return NULL;
    if (json_kind(object) != JSON_OBJECT)
        return arena_printf(a, "%s: expected an object, found %s", where,
                            json_kind_name(json_kind(object)));
    twice = wire_repeated(object);
    if (twice.at)
        return arena_printf(a, "%s: %.*s is given twice", where, SPAN_ARG(twice));
    for (const wire_node *member = wire_first(object); member; member = wire_next(member)) {
        struct span name = wire_name(member);
        const struct pattern_rule *rule = rule_of(rules, name);

        if (!rule)
            return arena_printf(a, "%s: unknown member %.*s", where, SPAN_ARG(name));
        if (rule->kind != JSON_NULL && json_kind(member) != rule->kind)
            return arena_printf(a, "%s: %s is %s, expected %s", where, rule->name,
                                json_kind_name(json_kind(member)), json_kind_name(rule->kind));
    }
    for (; rules->name; rules++)
        if (rules->required && !wire_get(object, rules->name))
            return arena_printf(a, "%s: member %s is missing", where, rules->name);
    return NULL;
}

const char *pattern_rules_filled(struct arena *a, const wire_node *object, const char *name,
                                 const char *where)
{
    const wire_node *node = wire_get(object, name);

    return node && !wire_text(node).len ? arena_printf(a, "%s: %s is empty", where, name) : NULL;
}
