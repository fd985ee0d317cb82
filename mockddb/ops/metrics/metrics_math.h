/* metrics_math.h: metric math: reads the expressions of GetMetricData into trees and runs them.
 *
 * Expressions refer to metrics and expressions of their request by id. Work and memory are charged
 * to the arena, so the request's budget limits them. Sources: docs/behaviour/metrics.md. */
#pragma once

#include <math.h>

#include "base/arena.h"

enum metrics_math_kind {
    MATH_NUMBER,
    MATH_TEXT, /* "…" */
    MATH_WORD, /* REPEAT, AVG: an argument */
    MATH_ID,
    MATH_CALL,   /* text is the function's name */
    MATH_BINARY, /* text is the operator */
    MATH_NEGATED,
    MATH_LIST /* [m1, m2] */
};

struct metrics_math {
    enum metrics_math_kind kind;
    struct span text;
    double number;
    struct metrics_math *first, *next;     /* its first argument; the next argument beside it */
    const struct metrics_math *earlier_id; /* of an id: the id read before it */
};

/* The error of an expression. */
struct metrics_math_fault {
    bool unknown; /* CloudWatch may support it, but mockddb does not: only this expression fails.
                     Otherwise the request fails. */
    const char *text;
};

/* Reads an expression. *ids is its last id. */
const struct metrics_math_fault *metrics_math_read(struct arena *a, struct span text,
                                                   struct metrics_math **out,
                                                   const struct metrics_math **ids);

/* --- running ---------------------------------------------------------------------------------- */

struct metrics_value {
    int64_t at_ms;
    double value;
};

/* Values in order of time, at most one for each period. */
struct metrics_curve {
    struct span label;
    int64_t period_s;
    struct metrics_value *at;
    size_t count;
    bool metric; /* a metric, not computed */
};

/* A number, a curve or several curves. */
enum metrics_operand_kind { METRICS_NUMBER, METRICS_CURVE, METRICS_CURVES };
struct metrics_operand {
    enum metrics_operand_kind kind;
    double number;
    struct metrics_curve *curves;
    size_t count;
};

/* A query of the request: an expression, or a metric, whose result is its curve. */
struct metrics_math_query {
    struct span id;
    struct metrics_math *tree; /* NULL: a metric */
    const struct metrics_math *ids;
    const struct metrics_math_fault *fault;
    struct metrics_operand result; /* if there is no fault */
    bool dropped;                  /* it dropped values that are not numbers, as in 1/0 */
    enum { METRICS_MATH_NEW, METRICS_MATH_RUNNING, METRICS_MATH_DONE } state;
};

struct metrics_math_scope {
    struct arena *arena;
    struct metrics_math_query *queries;
    size_t count;
    int64_t from_ms, until_ms;
    int64_t period_s; /* the default period */
    bool dropped;     /* the current expression dropped values */
};

/* Runs all expressions, each after the queries that it names. */
void metrics_math_run(struct metrics_math_scope *scope);

/* Makes a fault: one sentence. `unknown`: see struct metrics_math_fault. */
const struct metrics_math_fault *metrics_math_fault(struct arena *a, bool unknown, const char *fmt,
                                                    ...) PRINTF_LIKE(3, 4);

/* --- for metrics_math_run.c and metrics_math_call.c ------------------------------------------- */

/* A missing value or one that is not a number; it is dropped. */
#define MATH_NO_VALUE ((double)NAN)

/* Evaluates a node. */
const struct metrics_math_fault *metrics_math_eval(struct metrics_math_scope *scope,
                                                   const struct metrics_math *n,
                                                   struct metrics_operand *out);

/* Calls a function. */
const struct metrics_math_fault *metrics_math_call(struct metrics_math_scope *scope,
                                                   const struct metrics_math *n,
                                                   struct metrics_operand *out);

/* "SUM does not take a number here" */
const struct metrics_math_fault *metrics_math_unfit(struct metrics_math_scope *scope,
                                                    const struct metrics_math *call,
                                                    const struct metrics_operand *given);

/* An empty curve with room for `room` values, and the label and period of `like`. */
struct metrics_curve metrics_math_curve(struct metrics_math_scope *scope,
                                        const struct metrics_curve *like, size_t room);

/* Appends a value, or drops it if it is not a number. */
void metrics_math_add(struct metrics_math_scope *scope, struct metrics_curve *to, int64_t at_ms,
                      double value);

/* Make operands: a number, or `count` empty curves for the caller to fill. */
struct metrics_operand metrics_math_number(double number);
struct metrics_operand metrics_math_curves(struct metrics_math_scope *scope,
                                           enum metrics_operand_kind kind, size_t count);
