#include "jmespath/jmespath_function.h"
#include "jmespath/jmespath_tree.h"

static const struct jmespath_value *evaluate(struct jmespath_run *r, const struct jmespath *e,
                                             const struct jmespath_value *in);

#define ELEMENTS_MAX 5000000 /* expressions can double their result many times */

static void append(struct jmespath_run *r, struct jmespath_value *to,
                   const struct jmespath_value *element)
{
    if (++r->elements > ELEMENTS_MAX)
        r->problem = "the result of --query is too large";
    else
        jmespath_value_add(r->arena, to, (struct span){NULL, 0}, element);
}

static const struct jmespath_value *project(struct jmespath_run *r, const struct jmespath *e,
                                            const struct jmespath_value *of, enum json_kind kind)
{
    struct jmespath_value *all = jmespath_value_array(r->arena);

    if (of->kind != kind)
        return &jmespath_value_null;
    for (size_t i = 0; i < of->count && !r->problem; i++) {
        const struct jmespath_value *holds = e->condition ? evaluate(r, e->condition, of->at[i])
                                                          : jmespath_value_bool(true);

        if (holds && jmespath_value_is_true(holds)) {
            const struct jmespath_value *element = of->at[i];
            const struct jmespath_value *v = evaluate(r, e->right, element);

            /* Adds the result for an element, unless it is null. */
            if (v && (v->kind != JSON_NULL || v->expression))
                append(r, all, v);
        }
    }
    return all;
}

static const struct jmespath_value *flatten(struct jmespath_run *r,
                                            const struct jmespath_value *list)
{
    struct jmespath_value *all = jmespath_value_array(r->arena);

    if (list->kind != JSON_ARRAY)
        return &jmespath_value_null;
    for (size_t i = 0; i < list->count && !r->problem; i++) {
        const struct jmespath_value *inner = list->at[i];

        if (inner->kind != JSON_ARRAY)
            append(r, all, inner);
        else
            for (size_t k = 0; k < inner->count; k++)
                append(r, all, inner->at[k]);
    }
    return all;
}

/* A place in a list of `count` elements: from the end if it is negative, and within `least` and
 * `most`. */
static int64_t clamp(int64_t at, int64_t count, int64_t least, int64_t most)
{
    if (at < 0)
        at = at < -count ? least : at + count;
    return at < least ? least : at > most ? most : at;
}

static const struct jmespath_value *slice(struct jmespath_run *r, const struct jmespath *e,
                                          const struct jmespath_value *list)
{
    int64_t count = (int64_t)list->count, step = e->given[2] ? e->numbers[2] : 1;
    int64_t least = step < 0 ? -1 : 0, most = step < 0 ? count - 1 : count;
    int64_t from = e->given[0] ? clamp(e->numbers[0], count, least, most) : step < 0 ? most : least;
    int64_t to = e->given[1] ? clamp(e->numbers[1], count, least, most) : step < 0 ? least : most;
    struct jmespath_value *part = jmespath_value_array(r->arena);

    if (list->kind != JSON_ARRAY)
        return &jmespath_value_null;
    if (!step) {
        r->problem = "slice step cannot be zero";
        return NULL;
    }
    while (step < 0 ? from > to : from < to) {
        append(r, part, list->at[from]);
        if (step > count || step < -count)
            break;
        from += step;
    }
    return part;
}

static const struct jmespath_value *compare(enum jmespath_comparator comparator,
                                            const struct jmespath_value *left,
                                            const struct jmespath_value *right)
{
    int order;

    if (comparator <= JMESPATH_UNEQUAL)
        return jmespath_value_bool(jmespath_value_equal(left, right) ==
                                   (comparator == JMESPATH_EQUAL));
    if (left->kind != right->kind || (left->kind != JSON_NUMBER && left->kind != JSON_STRING))
        return &jmespath_value_null;
    order = jmespath_value_order(left, right);
    return jmespath_value_bool(comparator == JMESPATH_LESS      ? order < 0
                               : comparator == JMESPATH_AT_MOST ? order <= 0
                               : comparator == JMESPATH_MORE    ? order > 0
                                                                : order >= 0);
}

/* A multiselect: the parts as elements or members. */
static const struct jmespath_value *collect(struct jmespath_run *r, const struct jmespath *e,
                                            const struct jmespath_value *in)
{
    struct jmespath_value *all = jmespath_value_array(r->arena);

    if (in->kind == JSON_NULL)
        return &jmespath_value_null;
    if (e->kind == JMESPATH_HASH)
        all->kind = JSON_OBJECT;
    for (size_t i = 0; i < e->count; i++) {
        const struct jmespath_value *v = evaluate(r, e->parts[i], in);

        if (!v)
            return NULL;
        jmespath_value_add(r->arena, all, e->names[i], v);
    }
    return all;
}

static const struct jmespath_value *call(struct jmespath_run *r, const struct jmespath *e,
                                         const struct jmespath_value *in)
{
    const struct jmespath_value **arguments = arena_array(r->arena, e->count,
                                                          sizeof(struct jmespath_value *));

    for (size_t i = 0; i < e->count; i++)
        if (!(arguments[i] = evaluate(r, e->parts[i], in)))
            return NULL;
    return jmespath_function_call(r, e->function, arguments, e->count);
}

static const struct jmespath_value *index_of(const struct jmespath *e,
                                             const struct jmespath_value *list)
{
    int64_t count = (int64_t)list->count, at = e->numbers[0];

    at += at < 0 ? count : 0;
    return list->kind == JSON_ARRAY && at >= 0 && at < count ? list->at[at] : &jmespath_value_null;
}

/* Kinds whose value does not depend on the value of their left side. */
static const struct jmespath_value *evaluate_first(struct jmespath_run *r, const struct jmespath *e,
                                                   const struct jmespath_value *in)
{
    struct jmespath_value *argument;

    switch (e->kind) {
    case JMESPATH_LITERAL:
        return e->literal;
    case JMESPATH_FIELD:
        return jmespath_value_member(in, e->name);
    case JMESPATH_INDEX:
        return index_of(e, in);
    case JMESPATH_SLICE:
        return slice(r, e, in);
    case JMESPATH_LIST:
    case JMESPATH_HASH:
        return collect(r, e, in);
    case JMESPATH_CALL:
        return call(r, e, in);
    case JMESPATH_ARGUMENT:
        argument = arena_alloc(r->arena, sizeof *argument);
        argument->expression = e->left;
        return argument;
    default:
        return in;
    }
}

static const struct jmespath_value *evaluate(struct jmespath_run *r, const struct jmespath *e,
                                             const struct jmespath_value *in)
{
    const struct jmespath_value *left, *right;

    if (r->problem)
        return NULL;
    if (!e->left || e->kind == JMESPATH_ARGUMENT)
        return evaluate_first(r, e, in);
    if (!(left = evaluate(r, e->left, in)))
        return NULL;
    switch (e->kind) {
    case JMESPATH_CHAIN:
        return evaluate(r, e->right, left);
    case JMESPATH_PROJECT:
    case JMESPATH_FILTER:
        return project(r, e, left, JSON_ARRAY);
    case JMESPATH_VALUES:
        return project(r, e, left, JSON_OBJECT);
    case JMESPATH_FLATTEN:
        return flatten(r, left);
    case JMESPATH_OR:
        return jmespath_value_is_true(left) ? left : evaluate(r, e->right, in);
    case JMESPATH_AND:
        return jmespath_value_is_true(left) ? evaluate(r, e->right, in) : left;
    case JMESPATH_NOT:
        return jmespath_value_bool(!jmespath_value_is_true(left));
    default:
        right = evaluate(r, e->right, in);
        return right ? compare(e->comparator, left, right) : NULL;
    }
}

const char *jmespath_search(struct buf *out, const struct jmespath *expression,
                            const wire_node *value)
{
    struct jmespath_run r = {.arena = out->arena, .evaluate = evaluate};
    const struct jmespath_value *result = evaluate(&r, expression,
                                                   jmespath_value_of_json(out->arena, value));

    if (result)
        jmespath_value_write(out, result, false);
    return r.problem;
}
