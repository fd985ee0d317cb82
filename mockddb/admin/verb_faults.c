/* GET, POST and DELETE /_mockddb/faults: a world's fault rules. */
#include "admin/admin_verb.h"

static const struct problem *show_rules(struct admin_call *c)
{
    faults_show(world_faults(c->world), &c->out);
    return NULL;
}

static const struct problem *add_rules(struct admin_call *c)
{
    const struct problem *p = world_add_faults(c->world, c->arena, c->text, "");

    return p ? p : show_rules(c);
}

static const struct problem *remove_rules(struct admin_call *c)
{
    world_clear_faults(c->world);
    return show_rules(c);
}

static const struct problem *remove_rule(struct admin_call *c)
{
    uint64_t id;

    if (!admin_read_number(c->name, &id) || !world_remove_fault(c->world, id))
        return problem_new(c->arena, PROBLEM_MISSING, "rule %.*s does not exist",
                           SPAN_ARG(c->name));
    return show_rules(c);
}

const struct admin_verb verb_faults[] = {
    {"GET", "faults", ADMIN_OWN, NULL, NULL, show_rules},
    {"POST", "faults", ADMIN_OWN | ADMIN_CHANGES | ADMIN_WHOLE, "rules", NULL, add_rules},
    {"DELETE", "faults", ADMIN_OWN | ADMIN_CHANGES | ADMIN_WHOLE, NULL, NULL, remove_rules},
    {"DELETE", "faults/*", ADMIN_OWN | ADMIN_CHANGES | ADMIN_WHOLE, NULL, NULL, remove_rule},
    {0},
};
