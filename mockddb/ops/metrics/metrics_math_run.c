#include "base/buf.h"
#include "ops/metrics/metrics_math.h"

#define STEPS_PER_VALUE 2 /* to combine two values */

/* --- curves ----------------------------------------------------------------------------------- */

struct metrics_curve metrics_math_curve(struct metrics_math_scope *scope,
                                        const struct metrics_curve *like, size_t room)
{
    arena_charge(scope->arena, room * STEPS_PER_VALUE);
    return (struct metrics_curve){
        .label = like->label,
        .period_s = like->period_s,
        .at = arena_array(scope->arena, room + 1, sizeof(struct metrics_value)),
    };
}

void metrics_math_add(struct metrics_math_scope *scope, struct metrics_curve *to, int64_t at_ms,
                      double value)
{
    if (isfinite(value))
        to->at[to->count++] = (struct metrics_value){at_ms, value};
    else
        scope->dropped = true;
}

struct metrics_operand metrics_math_number(double number)
{
    return (struct metrics_operand){.kind = METRICS_NUMBER, .number = number};
}

struct metrics_operand metrics_math_curves(struct metrics_math_scope *scope,
                                           enum metrics_operand_kind kind, size_t count)
{
    return (struct metrics_operand){
        .kind = kind,
        .count = count,
        .curves = arena_array(scope->arena, count + 1, sizeof(struct metrics_curve)),
    };
}

/* --- operators -------------------------------------------------------------------------------- */

#define OPERATOR(name, result)             \
    static double name(double a, double b) \
    {                                      \
        return result;                     \
    }
OPERATOR(add_values, a + b)
OPERATOR(subtract_values, a - b)
OPERATOR(multiply_values, (a * b))
OPERATOR(divide_values, b != 0 ? a / b : MATH_NO_VALUE)
OPERATOR(is_equal, a == b)
OPERATOR(is_other, a != b)
OPERATOR(is_less, a < b)
OPERATOR(is_most, a <= b)
OPERATOR(is_greater, a > b)
OPERATOR(is_least, a >= b)
OPERATOR(are_both, a != 0 && b != 0)
OPERATOR(is_either, a != 0 || b != 0)
#undef OPERATOR

static const struct {
    const char *text;
    double (*apply)(double, double);
} operators[] = {
    {"+", add_values}, {"-", subtract_values}, {"*", multiply_values}, {"/", divide_values},
    {"^", pow},        {"==", is_equal},       {"!=", is_other},       {"<", is_less},
    {"<=", is_most},   {">", is_greater},      {">=", is_least},       {"AND", are_both},
    {"&&", are_both},  {"OR", is_either},      {"||", is_either},
};

/* Walks two curves in order of time; a missing value is 0. */
struct value_pair {
    const struct metrics_curve *a, *b;
    size_t i, k;
};

static bool next_pair(struct value_pair *p, int64_t *at_ms, double *a, double *b)
{
    bool has_a = p->i < p->a->count, has_b = p->k < p->b->count;
    int64_t a_ms, b_ms;

    if (!has_a && !has_b)
        return false;
    a_ms = has_a ? p->a->at[p->i].at_ms : INT64_MAX;
    b_ms = has_b ? p->b->at[p->k].at_ms : INT64_MAX;
    *at_ms = a_ms < b_ms ? a_ms : b_ms;
    *a = a_ms == *at_ms ? p->a->at[p->i++].value : 0;
    *b = b_ms == *at_ms ? p->b->at[p->k++].value : 0;
    return true;
}

static struct metrics_curve with_curve(struct metrics_math_scope *scope,
                                       double (*apply)(double, double),
                                       const struct metrics_curve *a, const struct metrics_curve *b)
{
    struct metrics_curve out = metrics_math_curve(scope, a, a->count + b->count);
    struct value_pair p = {.a = a, .b = b};
    double one, two;
    int64_t at_ms;

    if (b->period_s > a->period_s)
        out.period_s = b->period_s;
    while (next_pair(&p, &at_ms, &one, &two))
        metrics_math_add(scope, &out, at_ms, apply(one, two));
    return out;
}

static struct metrics_curve with_number(struct metrics_math_scope *scope,
                                        double (*apply)(double, double),
                                        const struct metrics_curve *curve, double number,
                                        bool number_first)
{
    struct metrics_curve out = metrics_math_curve(scope, curve, curve->count);

    for (size_t i = 0; i < curve->count; i++) {
        double value = curve->at[i].value;

        metrics_math_add(scope, &out, curve->at[i].at_ms,
                         number_first ? apply(number, value) : apply(value, number));
    }
    return out;
}

static const char *const kinds[] = {
    [METRICS_NUMBER] = "a number",
    [METRICS_CURVE] = "a time series",
    [METRICS_CURVES] = "an array of time series",
};

static const struct metrics_math_fault *run_binary(struct metrics_math_scope *scope,
                                                   const struct metrics_math *n,
                                                   struct metrics_operand *out)
{
    const struct metrics_math_fault *fault;
    struct metrics_operand a = {0}, b = {0};
    size_t i = 0, count;

    if ((fault = metrics_math_eval(scope, n->first, &a)) ||
        (fault = metrics_math_eval(scope, n->first->next, &b)))
        return fault;
    while (!span_is(n->text, operators[i].text))
        i++;
    if (a.kind == METRICS_NUMBER && b.kind == METRICS_NUMBER) {
        *out = metrics_math_number(operators[i].apply(a.number, b.number));
        return NULL;
    }
    if (a.kind == METRICS_CURVES && b.kind == METRICS_CURVES)
        return metrics_math_fault(scope->arena, false,
                                  "operator %.*s does not take two arrays of time series",
                                  SPAN_ARG(n->text));
    count = a.kind == METRICS_CURVES || b.kind == METRICS_NUMBER ? a.count : b.count;
    *out = metrics_math_curves(scope, a.kind > b.kind ? a.kind : b.kind, count);
    for (size_t k = 0; k < count; k++) {
        const struct metrics_curve *left = a.kind == METRICS_CURVES ? &a.curves[k] : a.curves;
        const struct metrics_curve *right = b.kind == METRICS_CURVES ? &b.curves[k] : b.curves;
        double (*apply)(double, double) = operators[i].apply;

        out->curves[k] = a.kind == METRICS_NUMBER ? with_number(scope, apply, right, a.number, true)
                         : b.kind == METRICS_NUMBER
                             ? with_number(scope, apply, left, b.number, false)
                             : with_curve(scope, apply, left, right);
        if (b.kind == METRICS_CURVES)
            out->curves[k].label = b.curves[k].label;
    }
    return NULL;
}

static const struct metrics_math_fault *run_negated(struct metrics_math_scope *scope,
                                                    const struct metrics_math *n,
                                                    struct metrics_operand *out)
{
    const struct metrics_math_fault *fault;
    struct metrics_operand a = {0};

    if ((fault = metrics_math_eval(scope, n->first, &a)))
        return fault;
    *out = a;
    out->number = -a.number;
    if (a.kind == METRICS_NUMBER)
        return NULL;
    *out = metrics_math_curves(scope, a.kind, a.count);
    for (size_t i = 0; i < a.count; i++)
        out->curves[i] = with_number(scope, subtract_values, &a.curves[i], 0, true);
    return NULL;
}

/* --- queries that an expression names --------------------------------------------------------- */

static struct metrics_math_query *find_query(const struct metrics_math_scope *scope, struct span id)
{
    for (size_t i = 0; i < scope->count; i++) {
        arena_charge(scope->arena, 1);
        if (span_equal(scope->queries[i].id, id))
            return &scope->queries[i];
    }
    return NULL;
}

static const struct metrics_math_fault *no_query(const struct metrics_math_scope *scope,
                                                 struct span id)
{
    return metrics_math_fault(scope->arena, false, "there is no query with the id %.*s",
                              SPAN_ARG(id));
}

/* Flattens arrays within an array. */
static const struct metrics_math_fault *run_list(struct metrics_math_scope *scope,
                                                 const struct metrics_math *n,
                                                 struct metrics_operand *out)
{
    const struct metrics_math_fault *fault;
    struct metrics_operand one = {0};
    struct buf curves = buf_in(scope->arena);

    for (const struct metrics_math *e = n->first; e; e = e->next) {
        if ((fault = metrics_math_eval(scope, e, &one)))
            return fault;
        if (one.kind == METRICS_NUMBER)
            return metrics_math_fault(scope->arena, false, "an array has time series only");
        buf_add(&curves, one.curves, one.count * sizeof *one.curves);
    }
    *out = (struct metrics_operand){.kind = METRICS_CURVES,
                                    .count = curves.len / sizeof *one.curves};
    out->curves = arena_array(scope->arena, out->count + 1, sizeof *out->curves);
    if (curves.len)
        memcpy(out->curves, curves.at, curves.len);
    return NULL;
}

const struct metrics_math_fault *metrics_math_eval(struct metrics_math_scope *scope,
                                                   const struct metrics_math *n,
                                                   struct metrics_operand *out)
{
    const struct metrics_math_query *query;

    arena_charge(scope->arena, 1);
    switch (n->kind) {
    case MATH_NUMBER:
        *out = metrics_math_number(n->number);
        return NULL;
    case MATH_ID:
        if (!(query = find_query(scope, n->text)))
            return no_query(scope, n->text);
        *out = query->result;
        return NULL;
    case MATH_CALL:
        return metrics_math_call(scope, n, out);
    case MATH_BINARY:
        return run_binary(scope, n, out);
    case MATH_NEGATED:
        return run_negated(scope, n, out);
    case MATH_LIST:
        return run_list(scope, n, out);
    default:
        return metrics_math_fault(scope->arena, false, "%.*s is no value", SPAN_ARG(n->text));
    }
}

const struct metrics_math_fault *metrics_math_unfit(struct metrics_math_scope *scope,
                                                    const struct metrics_math *call,
                                                    const struct metrics_operand *given)
{
    return metrics_math_fault(scope->arena, false, "%.*s does not take %s here",
                              SPAN_ARG(call->text), kinds[given->kind]);
}

static void run_query(struct metrics_math_scope *scope, struct metrics_math_query *q);

/* Runs the queries that the expression names. If one fails, the expression fails. */
static const struct metrics_math_fault *run_named(struct metrics_math_scope *scope,
                                                  const struct metrics_math_query *q)
{
    for (const struct metrics_math *n = q->ids; n; n = n->earlier_id) {
        struct metrics_math_query *other = find_query(scope, n->text);

        if (!other)
            return no_query(scope, n->text);
        if (other->state == METRICS_MATH_RUNNING)
            return metrics_math_fault(scope->arena, false, "%.*s depends on itself",
                                      SPAN_ARG(n->text));
        run_query(scope, other);
        if (other->fault)
            return metrics_math_fault(scope->arena, other->fault->unknown,
                                      "the query '%.*s', which it names, failed",
                                      SPAN_ARG(n->text));
    }
    return NULL;
}

/* Runs a query, after the queries that it names. */
static void run_query(struct metrics_math_scope *scope, struct metrics_math_query *q)
{
    if (q->state == METRICS_MATH_DONE)
        return;
    q->state = METRICS_MATH_RUNNING;
    if (q->tree && !q->fault && !(q->fault = run_named(scope, q))) {
        scope->dropped = false;
        q->fault = metrics_math_eval(scope, q->tree, &q->result);
        q->dropped = scope->dropped;
        if (!q->fault && q->result.kind == METRICS_NUMBER)
            q->fault = metrics_math_fault(scope->arena, false,
                                          "the result has to be a time series or an array of time "
                                          "series, not a number");
    }
    q->state = METRICS_MATH_DONE;
}

void metrics_math_run(struct metrics_math_scope *scope)
{
    for (size_t i = 0; i < scope->count; i++)
        run_query(scope, &scope->queries[i]);
}
