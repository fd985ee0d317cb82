#include "patterns/pattern_rules.h"

#include "wire/wire_body.h"

/* What is wrong with a member of an object; NULL: it follows its rule. */
static const char *check_member(struct arena *a, const wire_node *member,
                                const struct pattern_rule *rule, const char *where)
{
    if (rule->kind != JSON_NULL && json_kind(member) != rule->kind)
        return arena_printf(a, "%s: %s is %s, expected %s", where, rule->name,
                            json_kind_name(json_kind(member)), json_kind_name(rule->kind));
    if (rule->flags & PATTERN_FILLED && !wire_text(member).len)
        return arena_printf(a, "%s: %s is empty", where, rule->name);
    for (const wire_node *n = wire_first(member); n && rule->flags & PATTERN_STRINGS;
         n = wire_next(n))
        if (json_kind(n) != JSON_STRING)
            return arena_printf(a, "%s: expected strings, found %s", where,
                                json_kind_name(json_kind(n)));
    return NULL;
}

const char *pattern_rules_check(struct arena *a, const wire_node *object,
                                const struct pattern_rule *rules, const char *where)
{
    const char *problem;
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
        const struct pattern_rule *rule = rules;

        while (rule->name && !span_is(wire_name(member), rule->name))
            rule++;
        if (!rule->name)
            return arena_printf(a, "%s: unknown member %.*s", where, SPAN_ARG(wire_name(member)));
        if ((problem = check_member(a, member, rule, where)))
            return problem;
    }
    for (; rules->name; rules++)
        if (rules->flags & PATTERN_REQUIRED && !wire_get(object, rules->name))
            return arena_printf(a, "%s: member %s is missing", where, rules->name);
    return NULL;
}
