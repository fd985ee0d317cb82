/* GET /_mockddb/explanations/ID: the explanation of a request that asked for one. */
#include "admin/admin_verb.h"

#include "explain/explanations.h"

static const struct problem *show_explanation(struct admin_call *c)
{
    struct span json = {NULL, 0};
    uint64_t number;

    if (admin_read_number(c->name, &number))
        json = explanations_find(worlds_explanations(c->worlds), world_name(c->world), number);
    if (!json.at)
        return problem_new(c->arena, PROBLEM_MISSING, "explanation %.*s does not exist (any more)",
                           SPAN_ARG(c->name));
    wire_put_member_text(&c->out, "id", c->name);
    wire_put_member_raw(&c->out, "explanation", json);
    return NULL;
}

const struct admin_verb verb_explanations = {
    .method = "GET", .path = "explanations/*", .run = show_explanation};
