#include "ops/metrics/metrics_math.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/search.h"
#include "model/limits.h"

#define STEPS_PER_SORTED 8

typedef const struct metrics_math_fault *fault;

/* A call of a function: its arguments, and the value of the first one. */
struct math_call {
    struct metrics_math_scope *scope;
    const struct metrics_math *call;
    const struct math_function *function;
    const struct metrics_math *rest; /* the other arguments */
    struct metrics_operand first;
};

/* Makes one value of many; `all` is their number if none were missing. */
typedef double fold(const struct metrics_value *at, size_t count, double all);

/* The kinds of operands that a function takes first. */
enum {
    NUMBER = 1 << METRICS_NUMBER,
    CURVE = 1 << METRICS_CURVE,
    CURVES = 1 << METRICS_CURVES,
    ANY = NUMBER | CURVE | CURVES
};

struct math_function {
    const char *name;
    size_t least, most; /* number of arguments; with least 0 the first is not run */
    unsigned takes;
    fault (*run)(struct math_call *c, struct metrics_operand *out);
    union { /* what `run` does with values */
        fold *fold;
        double (*map)(double value);
        double (*step)(const struct metrics_value *v, double sum);
        double (*part)(const struct tm *t);
    } with;
    bool sorts; /* SORT accepts its name */
};

static const struct math_function *find_function(struct span name);

/* --- times ------------------------------------------------------------------------------------ */

/* The times from StartTime to EndTime, one for each period. */
struct period_grid {
    int64_t from_ms, period_ms;
    size_t count;
};

static fault find_grid(struct metrics_math_scope *scope, int64_t period_s, struct period_grid *g)
{
    int64_t span_ms;

    g->period_ms = period_s * LIMIT_SECOND_MS;
    g->from_ms = scope->from_ms - scope->from_ms % g->period_ms;
    span_ms = scope->until_ms - g->from_ms;
    g->count = span_ms > 0 ? (size_t)((span_ms + g->period_ms - 1) / g->period_ms) : 0;
    if (g->count <= LIMIT_METRIC_VALUES)
        return NULL;
    return metrics_math_fault(scope->arena, true,
                              "its time series would have %zu values; mockddb makes up to %d",
                              g->count, LIMIT_METRIC_VALUES);
}

static fault count_periods(struct math_call *c, const struct metrics_curve *curve, double *out)
{
    struct period_grid g;
    fault e = find_grid(c->scope, curve->period_s, &g);

    *out = e ? 0 : (double)g.count;
    return e;
}

/* --- folding values --------------------------------------------------------------------------- */

static int by_time(const void *one, const void *two)
{
    int64_t a = ((const struct metrics_value *)one)->at_ms;
    int64_t b = ((const struct metrics_value *)two)->at_ms;

    return (a > b) - (a < b);
}

static const struct metrics_curve no_curve = {.label = SPAN_LIT_INIT("")};

/* All values of several curves, in order of time. */
static struct metrics_curve gather_curves(struct metrics_math_scope *scope,
                                          const struct metrics_operand *curves)
{
    struct metrics_curve all;
    size_t room = 0;

    for (size_t i = 0; i < curves->count; i++)
        room += curves->curves[i].count;
    arena_charge(scope->arena, room * STEPS_PER_SORTED);
    all = metrics_math_curve(scope, curves->count ? curves->curves : &no_curve, room);
    for (size_t i = 0; i < curves->count; i++) {
        const struct metrics_curve *one = &curves->curves[i];

        if (one->period_s > all.period_s)
            all.period_s = one->period_s;
        memcpy(all.at + all.count, one->at, one->count * sizeof *one->at);
        all.count += one->count;
    }
    if (!curves->count)
        all.period_s = scope->period_s;
    qsort(all.at, all.count, sizeof *all.at, by_time);
    return all;
}

static double sum_of(const struct metrics_value *at, size_t count, double all)
{
    double sum = 0;

    (void)all;
    for (size_t i = 0; i < count; i++)
        sum += at[i].value;
    return sum;
}

/* Missing values count as 0. */
static double average_of(const struct metrics_value *at, size_t count, double all)
{
    return all > 0 ? sum_of(at, count, all) / all : MATH_NO_VALUE;
}

static double least_of(const struct metrics_value *at, size_t count, double all)
{
    double least = count ? at[0].value : MATH_NO_VALUE;

    (void)all;
    for (size_t i = 1; i < count; i++)
        least = fmin(least, at[i].value);
    return least;
}

static double most_of(const struct metrics_value *at, size_t count, double all)
{
    double most = count ? at[0].value : MATH_NO_VALUE;

    (void)all;
    for (size_t i = 1; i < count; i++)
        most = fmax(most, at[i].value);
    return most;
}

static double deviation_of(const struct metrics_value *at, size_t count, double all)
{
    double mean = count ? sum_of(at, count, all) / (double)count : MATH_NO_VALUE, squares = 0;

    for (size_t i = 0; i < count; i++)
        squares += (at[i].value - mean) * (at[i].value - mean);
    return count ? sqrt(squares / (double)count) : MATH_NO_VALUE;
}

static double count_of(const struct metrics_value *at, size_t count, double all)
{
    (void)at;
    (void)all;
    return (double)count;
}

static fault fold_curve(struct math_call *c, fold *apply, const struct metrics_curve *curve,
                        double *out)
{
    double all;
    fault e = count_periods(c, curve, &all);

    arena_charge(c->scope->arena, curve->count);
    if (!e)
        *out = apply(curve->at, curve->count, all);
    return e;
}

/* Folds a curve to a number, or an array to a curve. */
static fault run_fold(struct math_call *c, struct metrics_operand *out)
{
    fold *apply = c->function->with.fold;
    struct metrics_curve all;
    size_t end;

    if (c->first.kind == METRICS_CURVE) {
        *out = metrics_math_number(0);
        return fold_curve(c, apply, c->first.curves, &out->number);
    }
    all = gather_curves(c->scope, &c->first);
    *out = metrics_math_curves(c->scope, METRICS_CURVE, 1);
    *out->curves = metrics_math_curve(c->scope, &all, all.count);
    for (size_t i = 0; i < all.count; i = end) {
        for (end = i + 1; end < all.count && all.at[end].at_ms == all.at[i].at_ms;)
            end++;
        metrics_math_add(c->scope, out->curves, all.at[i].at_ms,
                         apply(all.at + i, end - i, (double)c->first.count));
    }
    return NULL;
}

/* --- single values, and pairs of neighbours --------------------------------------------------- */

static double logarithm_of(double value)
{
    return value > 0 ? log(value) : MATH_NO_VALUE;
}

static double decimal_logarithm_of(double value)
{
    return value > 0 ? log10(value) : MATH_NO_VALUE;
}

static fault run_map(struct math_call *c, struct metrics_operand *out)
{
    double (*apply)(double value) = c->function->with.map;

    if (c->first.kind == METRICS_NUMBER) {
        *out = metrics_math_number(apply(c->first.number));
        return NULL;
    }
    *out = metrics_math_curves(c->scope, c->first.kind, c->first.count);
    for (size_t k = 0; k < c->first.count; k++) {
        const struct metrics_curve *from = &c->first.curves[k];

        out->curves[k] = metrics_math_curve(c->scope, from, from->count);
        for (size_t i = 0; i < from->count; i++)
            metrics_math_add(c->scope, &out->curves[k], from->at[i].at_ms,
                             apply(from->at[i].value));
    }
    return NULL;
}

/* DIFF, DIFF_TIME and RATE are of a value and the one before it. */
static double seconds_of(const struct metrics_value *v, double sum)
{
    (void)sum;
    return (double)(v[0].at_ms - v[-1].at_ms) / LIMIT_SECOND_MS;
}

static double difference_of(const struct metrics_value *v, double sum)
{
    (void)sum;
    return v[0].value - v[-1].value;
}

static double rate_of(const struct metrics_value *v, double sum)
{
    return difference_of(v, sum) / seconds_of(v, sum);
}

static double running_sum_of(const struct metrics_value *v, double sum)
{
    return sum + v->value;
}

/* A value for each value but the first, to which only RUNNING_SUM gives one. */
static fault run_steps(struct math_call *c, struct metrics_operand *out)
{
    *out = metrics_math_curves(c->scope, c->first.kind, c->first.count);
    for (size_t k = 0; k < c->first.count; k++) {
        const struct metrics_curve *from = &c->first.curves[k];
        bool sums = c->function->with.step == running_sum_of;
        double sum = 0;

        out->curves[k] = metrics_math_curve(c->scope, from, from->count);
        for (size_t i = sums ? 0 : 1; i < from->count; i++) {
            sum = c->function->with.step(&from->at[i], sum);
            metrics_math_add(c->scope, &out->curves[k], from->at[i].at_ms, sum);
        }
    }
    return NULL;
}

/* --- missing values --------------------------------------------------------------------------- */

enum filler { FILL_NUMBER, FILL_CURVE, FILL_REPEAT, FILL_LINEAR };

struct fill_state {
    enum filler filler;
    struct metrics_operand with;
    size_t at; /* in the filling curve */
};

/* The value at a time between two values of the curve, each of which may be NULL. */
static double filler_at(struct fill_state *f, int64_t at_ms, const struct metrics_value *before,
                        const struct metrics_value *after)
{
    const struct metrics_curve *with = f->with.curves;

    switch (f->filler) {
    case FILL_NUMBER:
        return f->with.number;
    case FILL_REPEAT:
        return before ? before->value : MATH_NO_VALUE;
    case FILL_LINEAR:
        return before && after ? before->value + (after->value - before->value) *
                                                     (double)(at_ms - before->at_ms) /
                                                     (double)(after->at_ms - before->at_ms)
                               : MATH_NO_VALUE;
    default:
        while (f->at < with->count && with->at[f->at].at_ms < at_ms)
            f->at++;
        return f->at < with->count && with->at[f->at].at_ms == at_ms ? with->at[f->at].value
                                                                     : MATH_NO_VALUE;
    }
}

static fault fill_curve(struct math_call *c, struct fill_state *f, const struct metrics_curve *from,
                        struct metrics_curve *out)
{
    struct period_grid g;
    fault e = find_grid(c->scope, from->period_s, &g);
    size_t next = 0;

    if (e)
        return e;
    *out = metrics_math_curve(c->scope, from, g.count + from->count);
    f->at = 0;
    for (size_t i = 0; i < g.count; i++) {
        int64_t at_ms = g.from_ms + (int64_t)i * g.period_ms;
        double value;

        while (next < from->count && from->at[next].at_ms < at_ms)
            next++;
        if (next < from->count && from->at[next].at_ms == at_ms)
            value = from->at[next].value;
        else
            value = filler_at(f, at_ms, next ? &from->at[next - 1] : NULL,
                              next < from->count ? &from->at[next] : NULL);
        if (isfinite(value))
            metrics_math_add(c->scope, out, at_ms, value);
    }
    return NULL;
}

static fault run_fill(struct math_call *c, struct metrics_operand *out)
{
    struct fill_state f = {.filler = FILL_NUMBER};
    fault e = NULL;

    if (c->rest->kind == MATH_WORD && span_is(c->rest->text, "REPEAT"))
        f.filler = FILL_REPEAT;
    else if (c->rest->kind == MATH_WORD && span_is(c->rest->text, "LINEAR"))
        f.filler = FILL_LINEAR;
    else if ((e = metrics_math_eval(c->scope, c->rest, &f.with)))
        return e;
    else if (f.with.kind == METRICS_CURVES)
        return metrics_math_unfit(c->scope, c->call, &f.with);
    else if (f.with.kind == METRICS_CURVE)
        f.filler = FILL_CURVE;
    *out = metrics_math_curves(c->scope, c->first.kind, c->first.count);
    for (size_t i = 0; i < c->first.count && !e; i++)
        e = fill_curve(c, &f, &c->first.curves[i], &out->curves[i]);
    return e;
}

/* --- new curves ------------------------------------------------------------------------------- */

static double minute_of(const struct tm *t)
{
    return t->tm_min;
}

static double hour_of(const struct tm *t)
{
    return t->tm_hour;
}

static double weekday_of(const struct tm *t)
{
    return t->tm_wday ? t->tm_wday : 7; /* Monday is 1 */
}

static double date_of(const struct tm *t)
{
    return t->tm_mday;
}

static double month_of(const struct tm *t)
{
    return t->tm_mon + 1;
}

static double year_of(const struct tm *t)
{
    return t->tm_year + 1900;
}

/* Makes a value for each period: the number, a part of the date, or (without `part`) its seconds.
 */
static fault run_times(struct math_call *c, struct metrics_operand *out)
{
    const struct metrics_curve number = {.label = c->call->text, .period_s = c->scope->period_s};
    bool constant = c->first.kind == METRICS_NUMBER;
    const struct metrics_curve *like = constant ? &number : c->first.curves;
    struct period_grid g;
    fault e = find_grid(c->scope, like->period_s, &g);

    if (e)
        return e;
    *out = metrics_math_curves(c->scope, METRICS_CURVE, 1);
    *out->curves = metrics_math_curve(c->scope, like, g.count);
    for (size_t i = 0; i < g.count; i++) {
        int64_t at_ms = g.from_ms + (int64_t)i * g.period_ms;
        time_t seconds = (time_t)(at_ms / LIMIT_SECOND_MS);
        double value = constant ? c->first.number : (double)seconds;
        struct tm t;

        if (c->function->with.part)
            value = c->function->with.part(gmtime_r(&seconds, &t));
        metrics_math_add(c->scope, out->curves, at_ms, value);
    }
    return NULL;
}

static fault run_period(struct math_call *c, struct metrics_operand *out)
{
    if (!c->first.curves->metric)
        return metrics_math_fault(c->scope->arena, false, "PERIOD takes a metric");
    *out = metrics_math_number((double)c->first.curves->period_s);
    return NULL;
}

/* --- arrays ----------------------------------------------------------------------------------- */

/* All metrics of the request, or those whose id contains the text. */
static fault run_metrics(struct math_call *c, struct metrics_operand *out)
{
    const struct metrics_math *text = c->call->first;
    struct span part = text ? text->text : SPAN_LIT("");
    size_t looked = 0;

    if (text && text->kind != MATH_TEXT)
        return metrics_math_fault(c->scope->arena, false, "METRICS takes a text");
    *out = metrics_math_curves(c->scope, METRICS_CURVES, c->scope->count);
    out->count = 0;
    for (size_t i = 0; i < c->scope->count; i++) {
        const struct metrics_math_query *q = &c->scope->queries[i];

        if (!q->tree && !q->fault && search_contains(q->id, part, &looked))
            out->curves[out->count++] = *q->result.curves;
    }
    return NULL;
}

static fault run_count(struct math_call *c, struct metrics_operand *out)
{
    *out = metrics_math_number((double)c->first.count);
    return NULL;
}

static fault take_curve(struct math_call *c, size_t at, struct metrics_operand *out)
{
    *out = metrics_math_curves(c->scope, METRICS_CURVE, 1);
    *out->curves = c->first.count ? c->first.curves[at] : no_curve;
    if (!c->first.count)
        out->curves->period_s = c->scope->period_s;
    return NULL;
}

static fault run_first(struct math_call *c, struct metrics_operand *out)
{
    return take_curve(c, 0, out);
}

static fault run_last(struct math_call *c, struct metrics_operand *out)
{
    return take_curve(c, c->first.count ? c->first.count - 1 : 0, out);
}

/* Reads a number of curves; on entry *out is the most that it may be. */
static fault read_size(struct math_call *c, const struct metrics_math *n, size_t *out)
{
    struct metrics_operand number;
    fault e = metrics_math_eval(c->scope, n, &number);

    if (e)
        return e;
    if (number.kind != METRICS_NUMBER)
        return metrics_math_unfit(c->scope, c->call, &number);
    *out = number.number >= (double)*out ? *out : number.number > 0 ? (size_t)number.number : 0;
    return NULL;
}

static fault run_slice(struct math_call *c, struct metrics_operand *out)
{
    size_t from = c->first.count, end = c->first.count;
    fault e;

    if ((e = read_size(c, c->rest, &from)) ||
        (c->rest->next && (e = read_size(c, c->rest->next, &end))))
        return e;
    *out = c->first;
    out->curves += from;
    out->count = end > from ? end - from : 0;
    return NULL;
}

static fault run_filled(struct math_call *c, struct metrics_operand *out)
{
    *out = metrics_math_curves(c->scope, METRICS_CURVES, c->first.count);
    out->count = 0;
    for (size_t i = 0; i < c->first.count; i++)
        if (c->first.curves[i].count)
            out->curves[out->count++] = c->first.curves[i];
    return NULL;
}

/* A curve's position, with its value to sort by. */
struct curve_rank {
    double value;
    size_t at;
};

static int by_rank(const void *one, const void *two)
{
    const struct curve_rank *a = one, *b = two;
    int order = (a->value > b->value) - (a->value < b->value);

    return order ? order : (a->at > b->at) - (a->at < b->at);
}

/* SORT(curves, AVG, DESC, limit); a curve without values counts as the least. */
static fault run_sort(struct math_call *c, struct metrics_operand *out)
{
    const struct metrics_math *order = c->rest->next;
    bool falls = order->kind == MATH_WORD && span_is(order->text, "DESC");
    const struct math_function *by = c->rest->kind == MATH_WORD ? find_function(c->rest->text)
                                                                : NULL;
    size_t count = c->first.count;
    struct curve_rank *ranks;
    fault e;

    if (!by || !by->sorts || !(falls || (order->kind == MATH_WORD && span_is(order->text, "ASC"))))
        return metrics_math_fault(c->scope->arena, false,
                                  "SORT takes SUM, AVG, MIN or MAX, and ASC or DESC");
    ranks = arena_array(c->scope->arena, count + 1, sizeof *ranks);
    for (size_t i = 0; i < count; i++) {
        ranks[i].at = i;
        if ((e = fold_curve(c, by->with.fold, &c->first.curves[i], &ranks[i].value)))
            return e;
        if (isnan(ranks[i].value))
            ranks[i].value = -HUGE_VAL;
        if (falls)
            ranks[i].value = -ranks[i].value;
    }
    qsort(ranks, count, sizeof *ranks, by_rank);
    *out = metrics_math_curves(c->scope, METRICS_CURVES, count);
    for (size_t i = 0; i < count; i++)
        out->curves[i] = c->first.curves[ranks[i].at];
    return order->next ? read_size(c, order->next, &out->count) : NULL;
}

/* --- IF --------------------------------------------------------------------------------------- */

/* One of the values of IF: a number, a curve, or NULL (never a value). */
struct if_arm {
    const struct metrics_operand *value;
    double missing; /* in place of a curve's missing value */
    size_t at;
};

static double arm_at(struct if_arm *a, int64_t at_ms)
{
    const struct metrics_curve *curve;

    if (!a->value)
        return MATH_NO_VALUE;
    if (a->value->kind == METRICS_NUMBER)
        return a->value->number;
    curve = a->value->curves;
    while (a->at < curve->count && curve->at[a->at].at_ms < at_ms)
        a->at++;
    return a->at < curve->count && curve->at[a->at].at_ms == at_ms ? curve->at[a->at].value
                                                                   : a->missing;
}

/* A missing value of the first arm is 0; of the second arm it is left out. */
static void choose_values(struct math_call *c, const struct metrics_operand *yes,
                          const struct metrics_operand *no, struct metrics_curve *out)
{
    const struct metrics_curve *condition = c->first.curves;
    struct if_arm arms[] = {{.value = yes, .missing = 0}, {.value = no, .missing = MATH_NO_VALUE}};

    *out = metrics_math_curve(c->scope, condition, condition->count);
    for (size_t i = 0; i < condition->count; i++) {
        double value = arm_at(&arms[condition->at[i].value == 0], condition->at[i].at_ms);

        if (!isnan(value))
            metrics_math_add(c->scope, out, condition->at[i].at_ms, value);
    }
}

static fault run_if(struct math_call *c, struct metrics_operand *out)
{
    struct metrics_operand arms[2], *no = c->rest->next ? &arms[1] : NULL;
    fault e;

    if ((e = metrics_math_eval(c->scope, c->rest, &arms[0])) ||
        (no && (e = metrics_math_eval(c->scope, c->rest->next, no))))
        return e;
    if (c->first.kind == METRICS_CURVES) /* after the faults of the others */
        return metrics_math_unfit(c->scope, c->call, &c->first);
    if (arms[0].kind == METRICS_CURVES || (no && no->kind == METRICS_CURVES))
        return metrics_math_unfit(c->scope, c->call, arms[0].kind == METRICS_CURVES ? arms : no);
    if (c->first.kind == METRICS_NUMBER && c->first.number != 0) {
        *out = arms[0];
        return NULL;
    }
    if (c->first.kind == METRICS_NUMBER && no) {
        *out = *no;
        return NULL;
    }
    *out = metrics_math_curves(c->scope, METRICS_CURVE, 1);
    if (c->first.kind == METRICS_CURVE)
        choose_values(c, &arms[0], no, out->curves);
    else
        out->curves->period_s = c->scope->period_s;
    return NULL;
}

/* --- all functions ---------------------------------------------------------------------------- */

static const struct math_function functions[] = {
    {"ABS", 1, 1, ANY, .run = run_map, .with.map = fabs},
    {"AVG", 1, 1, CURVE | CURVES, .run = run_fold, .with.fold = average_of, .sorts = true},
    {"CEIL", 1, 1, ANY, .run = run_map, .with.map = ceil},
    {"DATAPOINT_COUNT", 1, 1, CURVE | CURVES, .run = run_fold, .with.fold = count_of},
    {"DATE", 1, 1, CURVE, .run = run_times, .with.part = date_of},
    {"DAY", 1, 1, CURVE, .run = run_times, .with.part = weekday_of},
    {"DIFF", 1, 1, CURVE | CURVES, .run = run_steps, .with.step = difference_of},
    {"DIFF_TIME", 1, 1, CURVE | CURVES, .run = run_steps, .with.step = seconds_of},
    {"EPOCH", 1, 1, CURVE, .run = run_times},
    {"FILL", 2, 2, CURVE | CURVES, .run = run_fill},
    {"FIRST", 1, 1, CURVES, .run = run_first},
    {"FLOOR", 1, 1, ANY, .run = run_map, .with.map = floor},
    {"HOUR", 1, 1, CURVE, .run = run_times, .with.part = hour_of},
    {"IF", 2, 3, ANY, .run = run_if},
    {"LAST", 1, 1, CURVES, .run = run_last},
    {"LOG", 1, 1, ANY, .run = run_map, .with.map = logarithm_of},
    {"LOG10", 1, 1, ANY, .run = run_map, .with.map = decimal_logarithm_of},
    {"MAX", 1, 1, CURVE | CURVES, .run = run_fold, .with.fold = most_of, .sorts = true},
    {"METRICS", 0, 1, ANY, .run = run_metrics},
    {"METRIC_COUNT", 1, 1, CURVES, .run = run_count},
    {"MIN", 1, 1, CURVE | CURVES, .run = run_fold, .with.fold = least_of, .sorts = true},
    {"MINUTE", 1, 1, CURVE, .run = run_times, .with.part = minute_of},
    {"MONTH", 1, 1, CURVE, .run = run_times, .with.part = month_of},
    {"PERIOD", 1, 1, CURVE, .run = run_period},
    {"RATE", 1, 1, CURVE | CURVES, .run = run_steps, .with.step = rate_of},
    {"REMOVE_EMPTY", 1, 1, CURVES, .run = run_filled},
    {"RUNNING_SUM", 1, 1, CURVE | CURVES, .run = run_steps, .with.step = running_sum_of},
    {"SLICE", 2, 3, CURVES, .run = run_slice},
    {"SORT", 3, 4, CURVES, .run = run_sort},
    {"STDDEV", 1, 1, CURVE | CURVES, .run = run_fold, .with.fold = deviation_of},
    {"SUM", 1, 1, CURVE | CURVES, .run = run_fold, .with.fold = sum_of, .sorts = true},
    {"TIME_SERIES", 1, 1, NUMBER, .run = run_times},
    {"YEAR", 1, 1, CURVE, .run = run_times, .with.part = year_of},
};

static const struct math_function *find_function(struct span name)
{
    for (size_t i = 0; i < COUNT(functions); i++)
        if (span_is(name, functions[i].name))
            return &functions[i];
    return NULL;
}

fault metrics_math_call(struct metrics_math_scope *scope, const struct metrics_math *n,
                        struct metrics_operand *out)
{
    struct math_call c = {.scope = scope, .call = n, .function = find_function(n->text)};
    size_t count = 0;
    fault e;

    if (!c.function)
        return metrics_math_fault(scope->arena, true, "mockddb does not have the function %.*s",
                                  SPAN_ARG(n->text));
    for (const struct metrics_math *argument = n->first; argument; argument = argument->next)
        count++;
    if (count < c.function->least || count > c.function->most)
        return metrics_math_fault(scope->arena, false, "%s takes %zu to %zu arguments, not %zu",
                                  c.function->name, c.function->least, c.function->most, count);
    if (c.function->least) {
        c.rest = n->first->next;
        if ((e = metrics_math_eval(scope, n->first, &c.first)))
            return e;
        if (!(c.function->takes & 1u << c.first.kind))
            return metrics_math_unfit(scope, n, &c.first);
    }
    e = c.function->run(&c, out);
    return e;
}
