#include "templates/template_value.h"

#include "model/limits.h"
#include "templates/template_functions.h"

const struct template_node *template_value_in(const struct template_scope *s, const char *section,
                                              struct span name)
{
    const struct template_member *m = template_node_member(template_node_get(s->root, section),
                                                           name);

    return m ? m->value : NULL;
}

/* --- circles ---------------------------------------------------------------------------------- */

const struct problem *template_value_enter(struct template_scope *s, struct span name,
                                           const struct template_node *at)
{
    struct template_using *using;

    for (const struct template_using *u = s->using; u; u = u->outer)
        if (span_equal(u->name, name))
            return template_node_problem(s->arena, at, "%.*s refers to itself", SPAN_ARG(name));
    using = arena_alloc(s->arena, sizeof *using);
    *using = (struct template_using){name, s->using};
    s->using = using;
    return NULL;
}

void template_value_leave(struct template_scope *s)
{
    s->using = s->using->outer;
}

/* --- values ----------------------------------------------------------------------------------- */

/* The function that the object calls, or NULL. */
static const struct template_member *called(const struct template_node *n)
{
    return n->kind == TEMPLATE_MAP && n->count == 1 &&
                   template_functions_is_name(n->members[0].name)
               ? n->members
               : NULL;
}

static const struct problem *call_function(struct template_scope *s, const struct template_node *n,
                                           const struct template_member *call,
                                           const struct template_node **out)
{
    template_function *function = template_functions_find(call->name);
    const struct problem *p;

    if (!function)
        return template_node_problem(s->arena, n, "the function %.*s is not evaluated here",
                                     SPAN_ARG(call->name));
    if (s->depth == LIMIT_TEMPLATE_DEPTH)
        return template_node_problem(s->arena, n,
                                     "functions refer to each other over more than "
                                     "%d levels",
                                     LIMIT_TEMPLATE_DEPTH);
    s->depth++;
    p = function(s, call->value, out);
    s->depth--;
    return p;
}

/* {{resolve:ssm:NAME}} and its like. */
static bool has_dynamic_reference(struct span text)
{
    static const struct span begin = SPAN_LIT_INIT("{{resolve:");
    const char *at;

    while ((at = span_find(text, '{'))) {
        text = span_from(text, (size_t)(at - text.at));
        if (span_starts_with(text, begin))
            return true;
        text = span_from(text, 1);
    }
    return false;
}

const struct problem *template_value(struct template_scope *s, const struct template_node *n,
                                     const struct template_node **out)
{
    const struct template_member *call = s->root ? called(n) : NULL;
    const struct problem *p = NULL;

    *out = n;
    if (++s->steps > LIMIT_TEMPLATE_STEPS)
        return template_node_problem(s->arena, n, "this takes more than %d steps to evaluate",
                                     LIMIT_TEMPLATE_STEPS);
    if (call && (p = call_function(s, n, call, out)))
        return p;
    if (*out && (*out)->kind == TEMPLATE_NULL) {
        if (s->root)
            return template_node_problem(s->arena, *out, "this has no value");
        *out = NULL;
    }
    if (*out && (*out)->kind == TEMPLATE_UNKNOWN)
        return template_node_unknown(s->arena, *out,
                                     "this is a secret, or known only once it is applied");
    if (s->root && has_dynamic_reference(template_node_text(*out)))
        return template_node_unknown(s->arena, n, "%.*s is known only to a deployment",
                                     SPAN_ARG((*out)->text));
    return NULL;
}

const struct problem *template_value_text(struct template_scope *s, const struct template_node *n,
                                          struct span *out)
{
    const struct template_node *value;
    const struct problem *p = template_value(s, n, &value);

    if (p)
        return p;
    if (!value || value->kind != TEMPLATE_SCALAR)
        return template_node_problem(s->arena, n, "a string is expected here, not %s",
                                     value ? template_node_kind(value) : "AWS::NoValue");
    *out = value->text;
    return NULL;
}

const struct problem *template_value_condition(struct template_scope *s, struct span name,
                                               const struct template_node *at, bool *out)
{
    const struct template_node *n = template_value_in(s, "Conditions", name);
    const struct problem *p;
    template_test *test;

    if (!n)
        return template_node_problem(s->arena, at, "there is no condition %.*s", SPAN_ARG(name));
    test = n->kind == TEMPLATE_MAP && n->count == 1 ? template_functions_test(n->members[0].name)
                                                    : NULL;
    if (!test)
        return template_node_problem(s->arena, n,
                                     "a condition is one of Fn::Equals, Fn::And, Fn::Or, Fn::Not "
                                     "and Condition");
    if ((p = template_value_enter(s, name, at)))
        return p;
    p = test(s, n->members[0].value, out);
    template_value_leave(s);
    return p;
}

const struct problem *template_value_arn(struct template_scope *s, const struct template_node *at,
                                         const char *service, const char *resource,
                                         struct span name, const struct template_node **out)
{
    const struct template_options *o = s->options;

    if (!o->region.len || !o->account.len)
        return template_node_unknown(s->arena, at, "region and account of this ARN are not known");
    *out = template_node_new_text(
        s->arena,
        span_of(arena_printf(s->arena, "arn:aws:%s:%.*s:%.*s:%s/%.*s", service, SPAN_ARG(o->region),
                             SPAN_ARG(o->account), resource, SPAN_ARG(name))),
        at);
    return NULL;
}
