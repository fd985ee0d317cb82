/* metrics_math.h: metric math: the expressions of GetMetricData, read into trees and run.
 *
 * Expressions name the metrics and expressions of their request by id. Work and memory are charged
 * to the arena, so they end with the request's budget. Sources: docs/behaviour/metrics.md. */
#ifndef OPS_METRICS_MATH_H
#define OPS_METRICS_MATH_H

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
    struct metrics_math *first, *next;     /* arguments, of which it is one itself */
    const struct metrics_math *earlier_id; /* of an id: the one that was read before */
};

/* What is wrong with an expression. */
struct metrics_math_fault {
    bool unknown; /* it may well be one of CloudWatch's, which is not known here: a fault of its id
                     alone; else the request's */
    const char *text;
};

/* Reads an expression. *ids: its last id. */
const struct metrics_math_fault *metrics_math_read(struct arena *a, struct span text,
                                                   struct metrics_math **out,
                                                   const struct metrics_math **ids);

/* --- running ---------------------------------------------------------------------------------- */

struct metrics_value {
    int64_t at_ms;
    double value;
};

/* Values in order of time, one of a period at most. */
struct metrics_curve {
    struct span label;
    int64_t period_s;
    struct metrics_value *at;
    size_t count;
    bool metric; /* not computed */
};

/* A number, a curve or several. */
enum metrics_operand_kind { METRICS_NUMBER, METRICS_CURVE, METRICS_CURVES };
struct metrics_operand {
    enum metrics_operand_kind kind;
    double number;
    struct metrics_curve *curves;
    size_t count;
};

/* A query of the request: a metric, whose curve is its result, or an expression. */
struct metrics_math_query {
    struct span id;
    struct metrics_math *tree; /* NULL: a metric */
    const struct metrics_math *ids;
    const struct metrics_math_fault *fault;
    struct metrics_operand result; /* where there is no fault */
    bool dropped;                  /* values that are no numbers, as of a division by 0 */
    enum { METRICS_MATH_NEW, METRICS_MATH_RUNNING, METRICS_MATH_DONE } state;
};

struct metrics_math_scope {
    struct arena *arena;
    struct metrics_math_query *queries;
    size_t count;
    int64_t from_ms, until_ms;
    int64_t period_s; /* where no metric gives another */
    bool dropped;     /* of the expression that is running */
};

/* Runs all expressions, each after those that it names. */
void metrics_math_run(struct metrics_math_scope *scope);

/* Why an expression has no result, in one sentence. `unknown`: CloudWatch may know what mockddb
 * does not, so the expression fails alone; else the request is refused. */
const struct metrics_math_fault *metrics_math_fault(struct arena *a, bool unknown, const char *fmt,
                                                    ...) PRINTF_LIKE(3, 4);

/* --- what running consists of ----------------------------------------------------------------- */

/* Of a value that is missing, or no number: it is dropped. */
#define MATH_NO_VALUE ((double)NAN)

/* A part of a tree. */
const struct metrics_math_fault *metrics_math_eval(struct metrics_math_scope *scope,
                                                   const struct metrics_math *n,
                                                   struct metrics_operand *out);

/* A function's value. */
const struct metrics_math_fault *metrics_math_call(struct metrics_math_scope *scope,
                                                   const struct metrics_math *n,
                                                   struct metrics_operand *out);

/* "SUM does not take a number here" */
const struct metrics_math_fault *metrics_math_unfit(struct metrics_math_scope *scope,
                                                    const struct metrics_math *call,
                                                    const struct metrics_operand *given);

/* A curve without values, with room for `room` of them, and another's label and period. */
struct metrics_curve metrics_math_curve(struct metrics_math_scope *scope,
                                        const struct metrics_curve *like, size_t room);

/* Adds a value behind the others; one that is no number is dropped. */
void metrics_math_add(struct metrics_math_scope *scope, struct metrics_curve *to, int64_t at_ms,
                      double value);

/* A number, and `count` empty curves, to be filled in, as values of an expression. */
struct metrics_operand metrics_math_number(double number);
struct metrics_operand metrics_math_curves(struct metrics_math_scope *scope,
                                           enum metrics_operand_kind kind, size_t count);

#endif
