#include "ops/metrics/metrics_statistic.h"

#include <math.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "model/names.h"

const char *const metrics_statistic_names[] = {
    [METRICS_SAMPLE_COUNT] = "SampleCount", [METRICS_AVERAGE] = "Average", [METRICS_SUM] = "Sum",
    [METRICS_MINIMUM] = "Minimum",          [METRICS_MAXIMUM] = "Maximum", NULL,
};

/* --- reading ---------------------------------------------------------------------------------- */

#define DECIMALS    10
#define WHOLE       9 /* digits before the point */
#define HUNDRED     100.0
#define STEPS_A_RUN 8 /* to sort and add it */

static const struct {
    const char *rank, *range; /* as in p99 and PR(100:2000); NULL: no such form */
    enum metrics_statistic_kind kind;
} forms[] = {
    {"p", NULL, METRICS_PERCENTILE},       {"tm", "TM", METRICS_TRIMMED_MEAN},
    {"tc", "TC", METRICS_TRIMMED_COUNT},   {"ts", "TS", METRICS_TRIMMED_SUM},
    {"wm", "WM", METRICS_WINSORIZED_MEAN}, {NULL, "PR", METRICS_PERCENTILE_RANK},
};

/* Cuts an unsigned number off the front of the text. */
static bool cut_number(struct span *text, double *out)
{
    size_t whole = 0, decimals = 0, len;
    char digits[WHOLE + DECIMALS + 2];

    while (whole < text->len && ascii_is_digit(text->at[whole]))
        whole++;
    len = whole;
    if (len < text->len && text->at[len] == '.') {
        len++;
        while (len < text->len && ascii_is_digit(text->at[len]))
            len++;
        decimals = len - whole - 1;
    }
    if (whole + decimals == 0 || whole > WHOLE || decimals > DECIMALS)
        return false;
    memcpy(digits, text->at, len);
    digits[len] = '\0';
    *out = strtod(digits, NULL);
    *text = span_from(*text, len);
    return true;
}

/* Cuts a bound of a range, which may be absent; then *given is unchanged. */
static bool cut_bound(struct span *text, double *out, bool *given, bool *percent)
{
    bool is_percent;

    if (!text->len || (!ascii_is_digit(text->at[0]) && text->at[0] != '.'))
        return true;
    if (!cut_number(text, out))
        return false;
    is_percent = text->len && text->at[0] == '%';
    if (is_percent)
        *text = span_from(*text, 1);
    if (*given && *percent != is_percent)
        return false;
    *given = true;
    *percent = is_percent;
    return !is_percent || *out <= HUNDRED;
}

/* Reads (low:high). One bound may be absent; both must be percentages or both values. */
static bool read_range(struct span text, struct metrics_statistic *s)
{
    double low = -1, high = -1;
    bool given = false;

    if (text.len < 2 || text.at[0] != '(' || text.at[text.len - 1] != ')')
        return false;
    text = (struct span){text.at + 1, text.len - 2};
    if (!cut_bound(&text, &low, &given, &s->percent) || !text.len || text.at[0] != ':')
        return false;
    text = span_from(text, 1);
    if (!cut_bound(&text, &high, &given, &s->percent) || text.len || !given)
        return false;
    s->low = low >= 0 ? low : s->percent ? 0 : -HUGE_VAL;
    s->high = high >= 0 ? high : s->percent ? HUNDRED : HUGE_VAL;
    return s->low <= s->high && !(s->kind == METRICS_PERCENTILE_RANK && s->percent);
}

bool metrics_statistic_read(struct span text, struct metrics_statistic *out)
{
    int plain = names_find(metrics_statistic_names, text, -1);

    if (plain >= 0) {
        *out = (struct metrics_statistic){.kind = (enum metrics_statistic_kind)plain};
        return true;
    }
    if (span_is(text, "IQM") || span_is(text, "iqm")) {
        *out = (struct metrics_statistic){METRICS_TRIMMED_MEAN, true, 25, 75};
        return true;
    }
    for (size_t i = 0; i < COUNT(forms); i++) {
        struct span rank = span_of(forms[i].rank ? forms[i].rank : "");
        struct span range = span_of(forms[i].range ? forms[i].range : "");

        *out = (struct metrics_statistic){forms[i].kind, true, 0, HUNDRED};
        if (range.len && span_starts_with(text, range))
            return read_range(span_from(text, range.len), out);
        if (rank.len && span_starts_with(text, rank)) {
            struct span rest = span_from(text, rank.len);

            return cut_number(&rest, &out->high) && !rest.len && out->high <= HUNDRED;
        }
    }
    return false;
}

/* --- values ----------------------------------------------------------------------------------- */

/* A number of equal values. */
struct value_run {
    double value, count;
};

static int by_value(const void *one, const void *two)
{
    double a = ((const struct value_run *)one)->value, b = ((const struct value_run *)two)->value;

    return (a > b) - (a < b);
}

/* Lists the values of a period, in order. Returns the number of runs. */
static size_t read_runs(struct arena *a, const struct metrics_bucket *b, struct value_run **out)
{
    const struct metrics_cell *cells;
    struct metrics_cell one;
    size_t count = 0;

    for (size_t i = 0; i < b->point_count; i++)
        count += metrics_cells(&b->points[i], &one, &cells);
    arena_charge(a, count * STEPS_A_RUN);
    *out = arena_array(a, count + 1, sizeof **out);
    if (b->least == b->most) {
        **out = (struct value_run){b->least, b->count};
        return 1;
    }
    count = 0;
    for (size_t i = 0; i < b->point_count; i++) {
        size_t more = metrics_cells(&b->points[i], &one, &cells);

        for (size_t k = 0; k < more; k++)
            (*out)[count++] = (struct value_run){cells[k].sum / cells[k].count, cells[k].count};
    }
    qsort(*out, count, sizeof **out, by_value);
    return count;
}

/* The value of a rank, from 1. */
static double value_at(const struct value_run *runs, size_t count, double rank)
{
    for (size_t i = 0; i < count; i++) {
        rank -= runs[i].count;
        if (rank <= 0)
            return runs[i].value;
    }
    return runs[count - 1].value;
}

/* The rank of a percentage, rounded up or down, ignoring rounding errors of the product. */
static double rank_of(double percent, double count, bool up)
{
    const double tiny = 1e-9;
    double rank = percent * count / HUNDRED;

    return up ? ceil(rank - tiny) : floor(rank + tiny);
}

/* Count and sum of the values within the bounds; moved_sum is the sum of all values, with outliers
 * moved to the bounds (for winsorized means). */
struct trimmed_values {
    double count, sum, moved_sum;
};

static struct trimmed_values trim_by_rank(const struct metrics_statistic *s,
                                          const struct value_run *runs, size_t count, double all)
{
    double first = rank_of(s->low, all, false), last = rank_of(s->high, all, true), before = 0;
    double low = value_at(runs, count, first + 1), high = value_at(runs, count, fmax(last, 1));
    struct trimmed_values t = {0};

    for (size_t i = 0; i < count; i++) {
        double kept = fmin(before + runs[i].count, last) - fmax(before, first);

        if (kept > 0) {
            t.count += kept;
            t.sum += kept * runs[i].value;
        }
        t.moved_sum += runs[i].count * fmin(fmax(runs[i].value, low), high);
        before += runs[i].count;
    }
    return t;
}

static struct trimmed_values trim_by_value(const struct metrics_statistic *s,
                                           const struct value_run *runs, size_t count)
{
    struct trimmed_values t = {0};

    for (size_t i = 0; i < count; i++) {
        if (runs[i].value > s->low && runs[i].value <= s->high) {
            t.count += runs[i].count;
            t.sum += runs[i].count * runs[i].value;
        }
        t.moved_sum += runs[i].count * fmin(fmax(runs[i].value, s->low), s->high);
    }
    return t;
}

static bool bounded_value(struct arena *a, const struct metrics_statistic *s,
                          const struct metrics_bucket *b, double *out)
{
    struct value_run *runs;
    size_t count = read_runs(a, b, &runs);
    struct trimmed_values t;

    if (s->kind == METRICS_PERCENTILE) {
        *out = value_at(runs, count, fmax(rank_of(s->high, b->count, true), 1));
        return true;
    }
    t = s->percent ? trim_by_rank(s, runs, count, b->count) : trim_by_value(s, runs, count);
    if (s->kind == METRICS_TRIMMED_COUNT)
        *out = t.count;
    else if (s->kind == METRICS_TRIMMED_SUM)
        *out = t.sum;
    else if (s->kind == METRICS_PERCENTILE_RANK)
        *out = HUNDRED * t.count / b->count;
    else if (s->kind == METRICS_WINSORIZED_MEAN)
        *out = t.moved_sum / b->count;
    else
        *out = t.count > 0 ? t.sum / t.count : 0;
    return s->kind != METRICS_TRIMMED_MEAN || t.count > 0;
}

bool metrics_statistic_value(struct arena *a, const struct metrics_statistic *s,
                             const struct metrics_bucket *b, double *out)
{
    const double values[] = {
        [METRICS_SAMPLE_COUNT] = b->count,
        [METRICS_AVERAGE] = b->sum / b->count,
        [METRICS_SUM] = b->sum,
        [METRICS_MINIMUM] = b->least,
        [METRICS_MAXIMUM] = b->most,
    };

    if (s->kind >= METRICS_PERCENTILE)
        return bounded_value(a, s, b, out);
    *out = values[s->kind];
    return true;
}
