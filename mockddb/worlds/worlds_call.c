#include "worlds/worlds_call.h"

#include "worlds/world_past.h"

static const struct problem *find_world(struct worlds *all, struct arena *a,
                                        const struct worlds_call *call, struct world **out)
{
    *out = call->world.at ? worlds_find(all, call->world) : worlds_first(all);
    if (!*out && call->request.auth_error == ERROR_NONE)
        return (call->world_exists ? worlds_seek : worlds_use)(a, all, call->world, out);
    if (!*out)
        *out = worlds_first(all);
    worlds_touch(all, *out);
    return NULL;
}

/* The world in the request does not exist. */
static void refuse_world(struct worlds *all, const struct problem *p, struct reply *reply)
{
    enum error_kind kind = p->kind == PROBLEM_FAILED  ? ERROR_INTERNAL
                           : p->kind == PROBLEM_LIMIT ? ERROR_LIMIT_EXCEEDED
                                                      : ERROR_VALIDATION;

    dispatch_refuse(worlds_memory(all), kind, p->text, reply);
}

/* The summary that counts the request, or NULL. */
static struct explain_summary *summary_of(struct worlds *all, const struct worlds_call *call)
{
    return call->request.aside ? NULL : worlds_summary(all);
}

/* Runs the request, and keeps the explanation that it asks for. */
static void explain_request(struct worlds *all, struct arena *a, const struct worlds_call *call,
                            struct worlds_answer *out)
{
    const struct world_past past = world_past_of(out->world);
    const struct explain_context context = {.catalogue = world_catalogue(out->world),
                                            .summary = summary_of(all, call),
                                            .past = &past.past};
    struct explanation explanation;

    explain_dispatch(world_dispatcher(out->world), &context, a, &call->request, &out->reply,
                     call->keeps_explanation ? &explanation : NULL);
    if (call->keeps_explanation && !out->reply.unfinished)
        out->explanation = explanations_keep(worlds_explanations(all), world_name(out->world),
                                             &explanation);
}

enum worlds_called worlds_call(struct worlds *all, struct arena *a, const struct worlds_call *call,
                               struct worlds_answer *out)
{
    const struct problem *p;

    out->explanation = 0;
    if ((p = find_world(all, a, call, &out->world))) {
        if (p->kind == PROBLEM_WAITS)
            return WORLDS_WAITS_FOR_COPY;
        out->world = NULL;
        out->reply = (struct reply){.status = 0};
        refuse_world(all, p, &out->reply);
        return WORLDS_ANSWERED;
    }
    if (world_is_copied(out->world))
        return WORLDS_WAITS_FOR_COPY;
    if (world_is_advancing(out->world))
        return WORLDS_WAITS_FOR_CLOCK;
    if (call->keeps_explanation || (call->explains && summary_of(all, call)))
        explain_request(all, a, call, out);
    else
        dispatch(world_dispatcher(out->world), &call->request, &out->reply);
    return out->reply.unfinished ? WORLDS_UNFINISHED : WORLDS_ANSWERED;
}
