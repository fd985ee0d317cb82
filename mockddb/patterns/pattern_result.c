#include "patterns/pattern_result.h"

#include "base/buf.h"
#include "base/one_more.h"

#include <stdarg.h>
#include <stdio.h>

#define MAX_FAILURE 2000 /* bytes of a sentence */

void pattern_result_fail(struct arena *a, struct pattern_result *result,
                         const struct pattern_step *step, const char *fmt, ...)
{
    size_t count = result->failure_count;
    char text[MAX_FAILURE];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args); /* a longer sentence is cut off */
    va_end(args);

    result->failures = one_more(a, result->failures, count, sizeof *result->failures);
    result->failures[count] = arena_printf(a, "step %s: %s", step->name, text);
    result->failure_count++;
}

struct pattern_totals pattern_result_totals(const struct pattern_result *result)
{
    struct pattern_totals sum = {0, 0, 0};

    for (size_t i = 0; i < result->step_count; i++) {
        sum.read += result->steps[i].cost.read;
        sum.rcu += result->steps[i].cost.rcu;
        sum.millis += result->steps[i].millis;
    }
    return sum;
}

size_t pattern_result_items(const struct pattern_result *result)
{
    return result->step_count ? result->steps[result->step_count - 1].items.len : 0;
}

/* Whether an earlier step was charged to the same index. */
static bool is_repeated(const struct pattern_result *result, size_t step)
{
    for (size_t i = 0; i < step; i++) {
        const char *index = result->steps[i].cost.index;

        if (index && strcmp(index, result->steps[step].cost.index) == 0)
            return true;
    }
    return false;
}

const char *pattern_result_indexes(struct arena *a, const struct pattern_result *result)
{
    struct buf out = buf_in(a);

    for (size_t i = 0; i < result->step_count; i++) {
        if (!result->steps[i].cost.index || is_repeated(result, i))
            continue;
        if (out.len)
            buf_add_text(&out, ", ");
        buf_add_text(&out, result->steps[i].cost.index);
    }
    return out.len ? buf_text(&out) : "-";
}

size_t pattern_result_failed(const struct pattern_file_result *result)
{
    size_t i, failed = 0;

    for (i = 0; i < result->pattern_count; i++)
        failed += result->patterns[i].failure_count > 0;
    return failed;
}

const char *pattern_result_units(struct arena *a, double units)
{
    return arena_printf(a, "%g", units);
}
