#include "ops/metrics/metrics_stored.h"

#include "base/damaged.h"
#include "store/cursor.h"

#define MOST_BYTES \
    ((int64_t)4 * 1024 * 1024) /* in all rows: some hours with a few busy processes */
#define TRIM_ROWS 100          /* are deleted in a step at most */

#define FORM        1           /* the first byte of a row; rows of other forms are not read */
#define NUMBER_LEN  ((size_t)8) /* of a minute, a process, a double */
#define COUNT_LEN   ((size_t)4) /* of cells, of values in a cell, of a step */
#define CELL_LEN    (2 * COUNT_LEN + NUMBER_LEN)
#define HEADER_LEN  4                            /* of a point: metric, lengths of its texts */
#define NUMBERS_LEN (4 * NUMBER_LEN + COUNT_LEN) /* … and its numbers behind the texts */
#define MINUTE_AT   KEY_SPACE_LEN                /* in a key */

/* --- rows ------------------------------------------------------------------------------------- */

static void put_double(struct buf *out, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    buf_add_big_endian(out, bits, NUMBER_LEN);
}

static double get_double(struct span s, size_t at)
{
    uint64_t bits = damaged_big_endian(s, at, NUMBER_LEN);
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static void put_point(struct buf *out, const struct metrics_key *key, const struct metrics_point *p)
{
    const struct span texts[] = {key->region, key->table, key->detail};

    buf_add_char(out, (char)key->metric);
    for (size_t i = 0; i < COUNT(texts); i++)
        buf_add_char(out, (char)texts[i].len);
    for (size_t i = 0; i < COUNT(texts); i++)
        buf_add_span(out, texts[i]);
    put_double(out, p->count);
    put_double(out, p->sum);
    put_double(out, p->least);
    put_double(out, p->most);
    buf_add_big_endian(out, p->cell_count, COUNT_LEN);
    for (size_t i = 0; i < p->cell_count; i++) {
        buf_add_big_endian(out, p->cells[i].step, COUNT_LEN);
        buf_add_big_endian(out, p->cells[i].count, COUNT_LEN);
        put_double(out, p->cells[i].sum);
    }
}

/* The row of a minute; of minute 0: totals. */
static struct span row_of(struct arena *a, const struct metrics *m, int64_t minute)
{
    struct buf out = buf_in(a);
    const struct metrics_series *s;

    buf_add_char(&out, FORM);
    for (size_t i = 0; (s = metrics_at(m, i)); i++) {
        struct metrics_key key = metrics_key_of(s);
        const struct metrics_point *points;
        struct metrics_point total = {.minute = 0};
        size_t count = metrics_points(s, &points);

        metrics_total(s, &total.count, &total.sum);
        if (!minute)
            put_point(&out, &key, &total);
        for (size_t k = 0; k < count; k++)
            if (minute && points[k].minute == minute)
                put_point(&out, &key, &points[k]);
    }
    return buf_span(&out);
}

/* Reads one text of a point. */
static struct span take_text(struct span *rest, size_t len)
{
    struct span text = {rest->at, len < rest->len ? len : rest->len};

    *rest = damaged_from(*rest, len);
    return text;
}

/* Adds a point of a row, and returns what follows it. */
static struct span add_point(struct arena *a, struct metrics *to, struct span row, int64_t minute,
                             bool totals)
{
    struct metrics_key key = {.metric = (enum metric)damaged_big_endian(row, 0, 1)};
    size_t region = damaged_big_endian(row, 1, 1), table = damaged_big_endian(row, 2, 1);
    size_t detail = damaged_big_endian(row, 3, 1);
    struct metrics_point p = {.minute = minute};
    struct span rest = damaged_from(row, HEADER_LEN);

    key.region = take_text(&rest, region);
    key.table = take_text(&rest, table);
    key.detail = take_text(&rest, detail);
    p.cell_count = (uint32_t)damaged_big_endian(rest, NUMBERS_LEN - COUNT_LEN, COUNT_LEN);
    if (key.metric >= METRIC_COUNT || rest.len < NUMBERS_LEN ||
        (rest.len - NUMBERS_LEN) / CELL_LEN < p.cell_count)
        return (struct span){"", 0}; /* of a later version, or damaged */
    p.count = get_double(rest, 0);
    p.sum = get_double(rest, NUMBER_LEN);
    p.least = get_double(rest, 2 * NUMBER_LEN);
    p.most = get_double(rest, 3 * NUMBER_LEN);
    rest = damaged_from(rest, NUMBERS_LEN);
    if (totals) {
        metrics_add_total(metrics_find(to, &key), p.count, p.sum);
        return damaged_from(rest, p.cell_count * CELL_LEN);
    }
    p.cells = p.cell_count ? arena_array(a, p.cell_count, sizeof *p.cells) : NULL;
    for (size_t i = 0; i < p.cell_count; i++, rest = damaged_from(rest, CELL_LEN))
        p.cells[i] = (struct metrics_cell){
            .step = (uint32_t)damaged_big_endian(rest, 0, COUNT_LEN),
            .count = (uint32_t)damaged_big_endian(rest, COUNT_LEN, COUNT_LEN),
            .sum = get_double(rest, 2 * COUNT_LEN),
        };
    metrics_add_point(to, metrics_find(to, &key), &p);
    return rest;
}

/* Adds the points of a row; `totals`: only to the totals of their series. */
static void add_row(struct arena *a, struct metrics *to, const struct store_row *row, bool totals)
{
    int64_t minute = (int64_t)damaged_big_endian(row->key, MINUTE_AT, NUMBER_LEN);
    struct span rest = damaged_from(row->body, 1);

    if (damaged_big_endian(row->body, 0, 1) != FORM)
        return;
    while (rest.len)
        rest = add_point(a, to, rest, minute, totals || !minute);
}

static void add_metrics(struct metrics *to, const struct metrics *from, int64_t minute)
{
    const struct metrics_series *s;

    for (size_t i = 0; (s = metrics_at(from, i)); i++) {
        struct metrics_key key = metrics_key_of(s);
        const struct metrics_point *points;
        size_t count = metrics_points(s, &points);

        for (size_t k = 0; k < count; k++)
            if (!minute || points[k].minute == minute)
                metrics_add_point(to, metrics_find(to, &key), &points[k]);
    }
}

static struct span key_of(struct arena *a, int64_t minute, struct span process)
{
    struct buf key = buf_in(a);

    key_of_space(&key, KEY_SPACE_METRICS);
    buf_add_big_endian(&key, (uint64_t)minute, NUMBER_LEN);
    buf_add_span(&key, process);
    return buf_span(&key);
}

/* --- reading ---------------------------------------------------------------------------------- */

const struct error *metrics_stored_read(struct unit *u, struct store *s, struct arena *a,
                                        struct metrics *own)
{
    struct cursor *cursor;
    const struct error *e;
    struct store_row row;
    struct metrics *sum;

    if (!own || !store_is_shared(s))
        return NULL;
    sum = metrics_sum_begin(own);
    cursor = cursor_open(u, cursor_range(a, KEY_SPACE_METRICS));
    while (!(e = cursor_next(cursor, &row)) && row.found) {
        (void)metrics_make_room(sum);
        add_row(a, sum, &row, false);
    }
    cursor_close(cursor);
    add_metrics(sum, own, 0);
    return e;
}

/* --- writing ---------------------------------------------------------------------------------- */

/* The first minute after this one that has values; 0: none has. */
static int64_t minute_after(const struct metrics *m, int64_t minute)
{
    const struct metrics_series *s;
    int64_t first = 0;

    for (size_t i = 0; (s = metrics_at(m, i)); i++) {
        const struct metrics_point *points;
        size_t count = metrics_points(s, &points);

        for (size_t k = 0; k < count; k++)
            if (points[k].minute > minute && (!first || points[k].minute < first))
                first = points[k].minute;
    }
    return first;
}

static const struct error *put_minutes(struct call *c, void *process)
{
    int64_t minute = 0;

    while ((minute = minute_after(c->metrics, minute))) {
        struct store_row row = {.key = key_of(c->arena, minute, *(const struct span *)process)};
        struct metrics *sum = metrics_sum_begin(c->metrics);
        const struct error *e = unit_get(c->unit, row.key, &row);
        struct span body;

        if (e)
            return e;
        if (row.found)
            add_row(c->arena, sum, &row, false);
        add_metrics(sum, c->metrics, minute);
        body = row_of(c->arena, sum, minute);
        if ((e = unit_put(c->unit, &row, body.len, body)))
            return e;
    }
    return NULL;
}

const struct error *metrics_stored_put(struct call *c, struct span process)
{
    const struct error *e;

    if (!minute_after(c->metrics, 0))
        return NULL;
    if (!(e = op_unit_run(c, UNIT_WRITES, put_minutes, &process)))
        metrics_clear(c->metrics);
    return e;
}

/* Moves the values of the oldest rows to the totals, until `excess` bytes are free or the step has
 * done enough. */
static const struct error *delete_oldest(struct call *c, struct cursor *oldest, struct metrics *sum,
                                         int64_t excess)
{
    for (int i = 0; i < TRIM_ROWS && excess > 0; i++) {
        const struct error *e;
        struct store_row row;

        if ((e = cursor_next(oldest, &row)) || !row.found)
            return e;
        row.key = arena_span(c->arena, row.key);
        add_row(c->arena, sum, &row, true);
        excess -= (int64_t)row.size;
        if ((e = unit_delete(c->unit, &row)))
            return e;
    }
    return NULL;
}

static const struct error *trim_rows(struct call *c, void *excess)
{
    struct store_row totals = {.key = key_of(c->arena, 0, SPAN_LIT(""))};
    struct store_range behind = cursor_range_behind(c->arena, KEY_SPACE_METRICS,
                                                    key_of(c->arena, 0, SPAN_LIT("")));
    struct metrics *sum = metrics_sum_begin(c->metrics);
    struct cursor *cursor;
    const struct error *e = unit_get(c->unit, totals.key, &totals);
    struct span body;

    if (e)
        return e;
    if (totals.found)
        add_row(c->arena, sum, &totals, true);
    cursor = cursor_open(c->unit, behind);
    e = delete_oldest(c, cursor, sum, *(int64_t *)excess);
    cursor_close(cursor);
    body = row_of(c->arena, sum, 0);
    return e ? e : unit_put(c->unit, &totals, body.len, body);
}

const struct error *metrics_stored_trim(struct call *c, bool *more)
{
    struct space_stats stats;
    const struct error *e = unit_stats(c->unit, KEY_SPACE_METRICS, &stats);
    int64_t excess = stats.bytes - MOST_BYTES;

    *more = !e && excess > 0;
    return *more ? op_unit_run(c, UNIT_WRITES, trim_rows, &excess) : e;
}
