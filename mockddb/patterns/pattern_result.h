/* pattern_result.h: the results of running patterns; pattern_run fills them, reports read them. */
#pragma once

#include "client/client_answer.h"
#include "client/client_items.h"
#include "patterns/pattern_file.h"
#include "patterns/pattern_names.h"

/* The total consumption of a step's pages. */
struct pattern_step_cost {
    const char *index; /* the indexes charged; "table": none; NULL: unknown */
    size_t read;       /* items read */
    double rcu;
};

struct pattern_step_result {
    const struct pattern_step *step;
    const wire_node *request; /* the first, with values and prefix filled in; NULL: never sent */
    const wire_node *shown;   /* the request as a command shows it; NULL if request is */
    const wire_node *answer;  /* the last answer, or its pages merged */
    struct client_items items;
    const wire_node *picked; /* may be NULL */
    struct span error_type;  /* len 0: the operation succeeded */
    struct span message;
    struct pattern_step_cost cost;
    int64_t millis;
};

struct pattern_result {
    const struct pattern *pattern;
    struct pattern_step_result *steps;
    size_t step_count;           /* the steps that were begun */
    struct pattern_names *names; /* of the steps that have answers, with their indexes */
    const char **failures;       /* one sentence each; no failures: the pattern holds */
    size_t failure_count;
};

struct pattern_file_result {
    const struct pattern_file *file;
    struct pattern_result *patterns; /* the selected ones */
    size_t pattern_count;
    struct client_answer *tables; /* of DescribeTable, for each section */
};

/* A whole run, for reports. */
struct pattern_report {
    const char *endpoint;
    const char *prefix;
    const struct pattern_file_result *files;
    size_t file_count;
};

/* Appends "step NAME: …" to the pattern's failures. */
void pattern_result_fail(struct arena *a, struct pattern_result *result,
                         const struct pattern_step *step, const char *fmt, ...) PRINTF_LIKE(4, 5);

/* Sums over the steps of a pattern. */
struct pattern_totals {
    size_t read;
    double rcu;
    int64_t millis;
};
struct pattern_totals pattern_result_totals(const struct pattern_result *result);

/* The items of the last step, and the indexes of all steps without duplicates ("GSI_A, table"). */
size_t pattern_result_items(const struct pattern_result *result);
const char *pattern_result_indexes(struct arena *a, const struct pattern_result *result);

/* Units as people write them: 1, 0.5, 12.5. */
const char *pattern_result_units(struct arena *a, double units);

/* The number of patterns that failed. */
size_t pattern_result_failed(const struct pattern_file_result *result);
