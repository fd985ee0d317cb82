/* GET, POST and DELETE /_mockddb/faults: a world's fault rules. */
#include "admin/admin_verb.h"

static const struct admin_fault *show(struct admin_call *c)
{
    faults_show(world_faults(c->world), &c->out);
    return NULL;
}

static const struct admin_fault *add(struct admin_call *c)
{
    const char *problem = world_add_faults(c->world, c->arena, c->text, "");

    return problem ? admin_refuse(c, 400, "%s", problem) : show(c);
}

static const struct admin_fault *clear(struct admin_call *c)
{
    world_clear_faults(c->world);
    return show(c);
}

static const struct admin_fault *drop(struct admin_call *c)
{
    uint64_t id;

    if (!admin_read_number(c->name, &id) || !world_remove_fault(c->world, id))
        return admin_refuse(c, 404, "rule %.*s does not exist", SPAN_ARG(c->name));
    return show(c);
}

static const char *const members[] = {"rules", NULL};

const struct admin_verb verb_faults_get = {.method = "GET", .path = "faults", .run = show};

const struct admin_verb verb_faults_add = {.method = "POST",
                                           .path = "faults",
                                           .flags = ADMIN_CHANGES | ADMIN_WHOLE,
                                           .members = members,
                                           .run = add};

const struct admin_verb verb_faults_clear = {
    .method = "DELETE", .path = "faults", .flags = ADMIN_CHANGES | ADMIN_WHOLE, .run = clear};

const struct admin_verb verb_faults_drop = {
    .method = "DELETE", .path = "faults/*", .flags = ADMIN_CHANGES | ADMIN_WHOLE, .run = drop};
