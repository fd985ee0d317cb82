#include "jobs/job.h"

#include "ops/stream/stream.h"

/* A step looks at up to this many streams, and reads up to this many old records, or bytes. */
#define STEP_STREAMS 50
#define STEP_RECORDS 250
#define STEP_BYTES   LIMIT_MB

/* Old records are not readable (stream_next_record), so they are deleted only every ten seconds. */
#define APART_MS (10 * LIMIT_SECOND_MS)

struct trim_step {
    int64_t now_ms;
    int streams, records;
    size_t bytes;
};

static bool is_over(const struct trim_step *s)
{
    return s->streams >= STEP_STREAMS || s->records >= STEP_RECORDS || s->bytes >= STEP_BYTES;
}

/* The moment from which records of `ms` are no longer kept (stream_keeps). */
static int64_t end_of(int64_t ms)
{
    return ms + LIMIT_STREAM_RETENTION_MS + 1;
}

static void note_due(struct job_walk *w, const struct trim_step *step, int64_t at_ms)
{
    int64_t earliest = step->now_ms + APART_MS;

    job_walk_due(w, at_ms > earliest ? at_ms : earliest);
}

/* The number of the last of a shard's leading records that are too old, or 0. *all says that no
 * old record follows. */
static const struct error *find_old(struct call *c, struct job_walk *w, const struct stream *s,
                                    struct trim_step *step, uint64_t *last, bool *all)
{
    struct cursor *cursor = cursor_open(c->unit, stream_record_range(c, s, w->part, 0));
    const struct error *e = NULL;
    struct store_row row = {.found = true};

    *last = 0;
    while (!is_over(step) && !(e = cursor_next(cursor, &row)) && row.found) {
        struct stream_record record = stream_read_record(&row);

        step->bytes += row.body.len;
        if (stream_keeps(c, record.created_ms)) {
            note_due(w, step, end_of(record.created_ms));
            row.found = false;
            break;
        }
        *last = record.number;
        step->records++;
    }
    *all = !row.found;
    cursor_close(cursor);
    return e;
}

/* The records of a shard up to and including one. */
struct old {
    const struct stream *stream;
    uint32_t shard;
    uint64_t last;
};

static const struct error *delete_old(struct call *c, void *data)
{
    const struct old *old = data;

    return unit_delete_range(c->unit, stream_record_key(c, old->stream, old->shard, 0),
                             stream_record_key(c, old->stream, old->shard, old->last + 1));
}

static const struct error *trim_shard(struct call *c, struct job_walk *w, const struct stream *s,
                                      struct trim_step *step, bool *all)
{
    struct old old = {.stream = s, .shard = w->part};
    const struct error *e = find_old(c, w, s, step, &old.last, all);

    return e || !old.last ? e : op_unit_run(c, UNIT_WRITES, delete_old, &old);
}

static const struct error *trim_shards(struct call *c, struct job_walk *w, const struct stream *s,
                                       struct trim_step *step)
{
    while (w->part < s->shards && !is_over(step)) {
        bool all;
        const struct error *e = trim_shard(c, w, s, step, &all);

        if (e)
            return e;
        w->part += all;
    }
    return NULL;
}

static const struct error *forget_stream(struct call *c, void *stream)
{
    return stream_forget(c, stream);
}

/* Trims one stream, or a part of it. */
static const struct error *trim_stream(struct call *c, struct job_walk *w, struct stream *s,
                                       struct trim_step *step)
{
    bool empty, over = stream_is_over(c, s);
    const struct error *e = unit_is_empty(c->unit, s->space, &empty);

    step->streams++;
    if (!e && over)
        e = op_unit_run(c, UNIT_WRITES, forget_stream, s);
    else if (!e && !empty)
        e = trim_shards(c, w, s, step);
    if (e || (!over && !empty && w->part < s->shards))
        return e;
    if (s->closed_ms && !over)
        note_due(w, step, end_of(s->closed_ms));
    job_walk_to(w, s->place);
    return NULL;
}

static const struct error *trim_streams(struct call *c, struct job_walk *w, bool *more)
{
    struct trim_step step = {.now_ms = clock_now_ms(c->clock)};
    const struct error *e;

    for (*more = true; !is_over(&step);) {
        struct stream s;

        if ((e = stream_after(c, job_walk_place(w), (struct span){NULL, 0}, &s, more)))
            return e;
        if (!*more) {
            job_walk_restart(w);
            return NULL;
        }
        if ((e = trim_stream(c, w, &s, &step)))
            return e;
    }
    return NULL;
}

const struct job job_trim = {.name = "trim", .wake = WAKE_TRIM, .step = trim_streams};
