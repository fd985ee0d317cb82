#include "wire/object_rules.h"

#include "wire/wire_body.h"

const struct problem *object_rules_read(struct arena *a, const wire_node *object,
                                        const struct object_rule *rules, void *out)
{
    struct span twice;

    if (!object)
        return NULL;
    if (json_kind(object) != JSON_OBJECT)
        return problem_invalid(a, "expected an object, found %s",
                               json_kind_name(json_kind(object)));
    twice = wire_repeated(object);
    if (twice.at)
        return problem_invalid(a, "%.*s is given twice", SPAN_ARG(twice));
    for (const wire_node *member = wire_first(object); member; member = wire_next(member)) {
        const struct object_rule *rule = rules;
        void *into;

        while (rule->name && !span_is(wire_name(member), rule->name))
            rule++;
        if (!rule->name)
            return problem_invalid(a, "unknown member %.*s", SPAN_ARG(wire_name(member)));
        if (rule->kind != JSON_NULL && json_kind(member) != rule->kind)
            return problem_invalid(a, "%s is %s, expected %s", rule->name,
                                   json_kind_name(json_kind(member)), json_kind_name(rule->kind));
        if (rule->flags & OBJECT_FILLED && !wire_text(member).len)
            return problem_invalid(a, "%s is empty", rule->name);
        for (const wire_node *n = wire_first(member); n && rule->flags & OBJECT_STRINGS;
             n = wire_next(n))
            if (json_kind(n) != JSON_STRING)
                return problem_invalid(a, "expected strings, found %s",
                                       json_kind_name(json_kind(n)));
        /* Sets the struct's member that the rule is about. */
        into = rule->into ? (char *)out + rule->into - 1 : NULL;
        if (into && rule->kind == JSON_STRING)
            *(const char **)into = arena_text(a, wire_text(member));
        else if (into)
            *(const wire_node **)into = member;
    }
    for (; rules->name; rules++)
        if (rules->flags & OBJECT_REQUIRED && !wire_get(object, rules->name))
            return problem_invalid(a, "member %s is missing", rules->name);
    return NULL;
}
