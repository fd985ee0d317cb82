#include "ops/metrics/metrics.h"

#include "base/hash.h"
#include "base/process.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* From CloudWatch's documentation of the namespace AWS/DynamoDB. */
const struct metric_form metrics_forms[METRIC_COUNT] = {
    [METRIC_READ_UNITS] = {"ConsumedReadCapacityUnits", "Count", METRIC_OF_INDEX},
    [METRIC_WRITE_UNITS] = {"ConsumedWriteCapacityUnits", "Count", METRIC_OF_INDEX},
    [METRIC_LATENCY] = {"SuccessfulRequestLatency", "Milliseconds", METRIC_OF_OPERATION},
    [METRIC_RETURNED_ITEMS] = {"ReturnedItemCount", "Count", METRIC_OF_OPERATION},
    [METRIC_RETURNED_BYTES] = {"ReturnedBytes", "Bytes", METRIC_OF_OPERATION},
    [METRIC_CONDITION_FAILED] = {"ConditionalCheckFailedRequests", "Count", METRIC_OF_TABLE},
    [METRIC_CONFLICT] = {"TransactionConflict", "Count", METRIC_OF_TABLE},
    [METRIC_EXPIRED] = {"TimeToLiveDeletedItemCount", "Count", METRIC_OF_TABLE},
    [METRIC_THROTTLED_REQUESTS] = {"ThrottledRequests", "Count", METRIC_OF_OPERATION},
    [METRIC_READ_THROTTLES] = {"ReadThrottleEvents", "Count", METRIC_OF_INDEX},
    [METRIC_WRITE_THROTTLES] = {"WriteThrottleEvents", "Count", METRIC_OF_INDEX},
    [METRIC_SYSTEM_ERRORS] = {"SystemErrors", "Count", METRIC_OF_OPERATION},
    [METRIC_USER_ERRORS] = {"UserErrors", "Count", METRIC_OF_ACCOUNT},
    [METRIC_VECTOR_SEARCH] = {"VectorSearchRequestBytes", "Bytes", METRIC_OF_VECTOR_INDEX},
    [METRIC_VECTOR_WRITE] = {"VectorWriteRequestBytes", "Bytes", METRIC_OF_VECTOR_INDEX},
    [METRIC_PROVISIONED_READ] = {"ProvisionedReadCapacityUnits", "Count", METRIC_OF_INDEX},
    [METRIC_PROVISIONED_WRITE] = {"ProvisionedWriteCapacityUnits", "Count", METRIC_OF_INDEX},
};

const char *const metrics_details[METRIC_DIMENSIONS_COUNT] = {
    [METRIC_OF_INDEX] = "GlobalSecondaryIndexName",
    [METRIC_OF_VECTOR_INDEX] = "VectorIndexName",
    [METRIC_OF_OPERATION] = "Operation",
    [METRIC_OF_TABLE] = "",
    [METRIC_OF_ACCOUNT] = "",
};

struct metrics_series {
    struct metrics_newest newest; /* first */
    struct metrics_series *next;  /* of the same chain */
    struct metrics_key key;       /* its texts are stored after the struct */
    uint32_t hash;
    struct metrics_point *points; /* in the order of their creation */
    size_t count, room;
    double gone_count, gone_sum; /* of dropped points */
};

#define SERIES_AS_POINTS 10 /* memory of a series without its points */
#define CELLS_AS_POINT   4  /* cells of a histogram that take about as much memory as a point */

struct metrics {
    struct metrics_series **chains; /* their number is a power of two */
    size_t chain_count, series_count;
    struct metrics_series **all;    /* has room for chain_count */
    size_t point_count, max_points; /* in points: memory of points, series and cells */
    uint64_t generation;
    struct metrics *sum; /* metrics_sum_begin; NULL: never called */
};

struct metrics *metrics_new(size_t max_points)
{
    struct metrics *m = process_zeroed(sizeof *m);

    m->max_points = max_points;
    return m;
}

static void free_series(struct metrics_series *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->points[i].cells);
    free(s->points);
    free(s);
}

void metrics_clear(struct metrics *m)
{
    for (size_t i = 0; i < m->series_count; i++)
        free_series(m->all[i]);
    free(m->chains);
    free(m->all);
    *m = (struct metrics){
        .max_points = m->max_points, .generation = m->generation + 1, .sum = m->sum};
}

void metrics_free(struct metrics *m)
{
    if (!m)
        return;
    metrics_clear(m);
    metrics_free(m->sum);
    free(m);
}

/* --- finding ---------------------------------------------------------------------------------- */

static uint32_t hash_of(const struct metrics_key *key)
{
    uint32_t texts = (hash_bytes(key->table) * 31 + hash_bytes(key->detail)) * 31 +
                     hash_bytes(key->region);

    return texts * 31 + (uint32_t)key->metric;
}

static struct metrics_series *look_up(const struct metrics *m, const struct metrics_key *key,
                                      uint32_t hash)
{
    struct metrics_series *s = m->chain_count ? m->chains[hash & (m->chain_count - 1)] : NULL;

    while (s && !(s->hash == hash && s->key.metric == key->metric &&
                  span_equal(s->key.table, key->table) && span_equal(s->key.detail, key->detail) &&
                  span_equal(s->key.region, key->region)))
        s = s->next;
    return s;
}

const struct metrics_series *metrics_look_up(const struct metrics *m, const struct metrics_key *key)
{
    return look_up(m, key, hash_of(key));
}

static void chain_series(struct metrics *m, struct metrics_series *s)
{
    struct metrics_series **head = &m->chains[s->hash & (m->chain_count - 1)];

    s->next = *head;
    *head = s;
}

/* Rebuilds the chains with a new count. */
static void rechain(struct metrics *m, size_t chain_count)
{
    m->chain_count = chain_count;
    m->chains = process_realloc(m->chains, chain_count * sizeof *m->chains);
    m->all = process_realloc(m->all, chain_count * sizeof *m->all);
    memset(m->chains, 0, chain_count * sizeof *m->chains);
    for (size_t i = 0; i < m->series_count; i++)
        chain_series(m, m->all[i]);
}

static struct span put_text(char **at, struct span text)
{
    struct span copy = {*at, text.len};

    if (text.len)
        memcpy(*at, text.at, text.len);
    *at += text.len;
    return copy;
}

static struct metrics_series *make_series(struct metrics *m, const struct metrics_key *key,
                                          uint32_t hash)
{
    struct metrics_series *s = process_zeroed(sizeof *s + key->table.len + key->detail.len +
                                              key->region.len);
    char *texts;

    texts = (char *)(s + 1);
    s->key.metric = key->metric;
    s->key.table = put_text(&texts, key->table);
    s->key.detail = put_text(&texts, key->detail);
    s->key.region = put_text(&texts, key->region);
    s->hash = hash;
    if (m->series_count == m->chain_count)
        rechain(m, m->chain_count ? 2 * m->chain_count : 16);
    m->all[m->series_count++] = s;
    m->point_count += SERIES_AS_POINTS;
    chain_series(m, s);
    return s;
}

struct metrics_series *metrics_find(struct metrics *m, const struct metrics_key *key)
{
    uint32_t hash = hash_of(key);
    struct metrics_series *s = look_up(m, key, hash);

    return s ? s : make_series(m, key, hash);
}

/* --- adding ----------------------------------------------------------------------------------- */

/* Drops the older half of a series' points, rounded up. */
static void halve_series(struct metrics_series *s)
{
    size_t gone = (s->count + 1) / 2;

    if (!gone)
        return;
    for (size_t i = 0; i < gone; i++) {
        s->gone_count += s->points[i].count;
        s->gone_sum += s->points[i].sum;
        free(s->points[i].cells);
    }
    s->count -= gone;
    memmove(s->points, s->points + gone, s->count * sizeof *s->points);
    /* Shrinks the array of a series that has lost most of its points. */
    if (s->count && s->room > 4 * s->count) {
        s->room = 2 * s->count;
        s->points = process_realloc(s->points, s->room * sizeof *s->points);
    }
    s->newest.point = s->count ? &s->points[s->count - 1] : NULL;
}

/* Drops the older half of all points, and series without points. */
static void forget_points(struct metrics *m)
{
    size_t count = m->series_count;

    m->point_count = m->series_count = 0;
    m->generation++;
    for (size_t i = 0; i < count; i++) {
        struct metrics_series *s = m->all[i];

        halve_series(s);
        if (!s->count) {
            free_series(s);
            continue;
        }
        m->all[m->series_count++] = s;
        m->point_count += s->count + SERIES_AS_POINTS;
        for (size_t k = 0; k < s->count; k++)
            m->point_count += s->points[k].cell_room / CELLS_AS_POINT;
    }
    rechain(m, m->chain_count);
}

uint64_t metrics_make_room(struct metrics *m)
{
    if (m->point_count >= m->max_points)
        forget_points(m);
    return m->generation;
}

struct metrics_point *metrics_begin_point(struct metrics *m, struct metrics_series *s,
                                          int64_t minute)
{
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 4;
        s->points = process_realloc(s->points, s->room * sizeof *s->points);
    }
    s->points[s->count++] = (struct metrics_point){
        .minute = minute, .least = HUGE_VAL, .most = -HUGE_VAL};
    m->point_count++;
    s->newest.point = &s->points[s->count - 1];
    return s->newest.point;
}

/* --- histograms ------------------------------------------------------------------------------- */

#define MANTISSA_BITS 52
#define STEP_BITS     5 /* upper bits of the mantissa that make a step */

/* The upper bits of positive doubles have the order of the values. No metric is negative. */
static uint32_t step_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return value > 0 ? (uint32_t)(bits >> (MANTISSA_BITS - STEP_BITS)) : 0;
}

/* Finds or makes the step's cell. */
static struct metrics_cell *find_cell(struct metrics *m, struct metrics_point *p, uint32_t step)
{
    uint32_t low = 0, high = p->cell_count;

    assert(p->cells || (!p->cell_count && !p->cell_room));
    while (low < high) {
        uint32_t middle = (low + high) / 2;

        if (p->cells[middle].step < step)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < p->cell_count && p->cells[low].step == step)
        return &p->cells[low];
    if (p->cell_count == p->cell_room) {
        m->point_count += (p->cell_room ? p->cell_room : CELLS_AS_POINT) / CELLS_AS_POINT;
        p->cell_room = p->cell_room ? 2 * p->cell_room : CELLS_AS_POINT;
        p->cells = process_realloc(p->cells, p->cell_room * sizeof *p->cells);
    }
    memmove(&p->cells[low + 1], &p->cells[low], (p->cell_count - low) * sizeof *p->cells);
    p->cells[low] = (struct metrics_cell){.step = step};
    p->cell_count++;
    return &p->cells[low];
}

static void count_values(struct metrics *m, struct metrics_point *p, double value, double count)
{
    struct metrics_cell *cell = find_cell(m, p, step_of(value));

    cell->count += (uint32_t)count;
    cell->sum += value * count;
}

/* Without cells all earlier values are equal. */
NO_INLINE void metrics_spread(struct metrics *m, struct metrics_point *p, double value)
{
    if (!p->cells)
        count_values(m, p, value == p->most ? p->least : p->most, p->count - 1);
    count_values(m, p, value, 1);
}

static void add_cells(struct metrics *m, struct metrics_point *to, const struct metrics_point *from)
{
    struct metrics_cell one;
    const struct metrics_cell *cells;
    size_t count = metrics_cells(from, &one, &cells);

    for (size_t i = 0; i < count; i++) {
        struct metrics_cell *cell = find_cell(m, to, cells[i].step);

        cell->count += cells[i].count;
        cell->sum += cells[i].sum;
    }
}

void metrics_add_point(struct metrics *m, struct metrics_series *s, const struct metrics_point *p)
{
    struct metrics_point *to = s->newest.point;

    if (!to || to->minute != p->minute)
        to = metrics_begin_point(m, s, p->minute);
    if (p->cells || (to->count && (to->least != p->least || to->most != p->most))) {
        struct metrics_point before = *to;

        if (!to->cells && to->count)
            add_cells(m, to, &before);
        add_cells(m, to, p);
    }
    to->count += p->count;
    to->sum += p->sum;
    to->least = fmin(to->least, p->least);
    to->most = fmax(to->most, p->most);
}

void metrics_add_total(struct metrics_series *s, double count, double sum)
{
    s->gone_count += count;
    s->gone_sum += sum;
}

size_t metrics_cells(const struct metrics_point *p, struct metrics_cell *one,
                     const struct metrics_cell **out)
{
    *out = p->cells ? p->cells : one;
    if (p->cells)
        return p->cell_count;
    *one = (struct metrics_cell){
        .sum = p->sum, .count = (uint32_t)p->count, .step = step_of(p->least)};
    return 1;
}

/* --- reading ---------------------------------------------------------------------------------- */

struct metrics *metrics_sum_begin(struct metrics *m)
{
    if (!m->sum)
        m->sum = metrics_new(m->max_points);
    metrics_clear(m->sum);
    return m->sum;
}

const struct metrics *metrics_sum(const struct metrics *m)
{
    return m && m->sum ? m->sum : m;
}

const struct metrics_series *metrics_at(const struct metrics *m, size_t i)
{
    return i < m->series_count ? m->all[i] : NULL;
}

struct metrics_key metrics_key_of(const struct metrics_series *s)
{
    return s->key;
}

size_t metrics_points(const struct metrics_series *s, const struct metrics_point **out)
{
    *out = s->points;
    return s->count;
}

void metrics_total(const struct metrics_series *s, double *count, double *sum)
{
    *count = s->gone_count;
    *sum = s->gone_sum;
    for (size_t i = 0; i < s->count; i++) {
        *count += s->points[i].count;
        *sum += s->points[i].sum;
    }
}
