#include "jobs/job.h"

#include <errno.h>
#include <stdlib.h>

#include "base/log.h"
#include "ops/kinesis/kinesis_files.h"
#include "ops/kinesis/kinesis_sink.h"

/* A step ends after this many records, or this many bytes of them. */
#define STEP_RECORDS 200
#define STEP_BYTES   ((size_t)256 * 1024)

#define RETRY_MS 1000 /* if the file cannot be written */

/* The records of one step: from the beginning of the outbox, all for the file of one stream. */
struct delivery {
    struct kinesis_sink *sink; /* NULL: they go into a file */
    bool sent;                 /* they only have to be deleted */
    struct span stream;
    struct buf lines;
    size_t bytes;
    struct store_row rows[STEP_RECORDS];
    size_t count;
};

/* Returns false for a record that is for another file. */
static bool add_line(struct call *c, struct delivery *d, const struct store_row *row)
{
    struct kinesis_record record = kinesis_record_read(row);

    if (!d->count)
        d->stream = arena_span(c->arena, record.stream);
    else if (!span_equal(d->stream, record.stream))
        return false;
    buf_add_span(&d->lines, record.json);
    buf_add_char(&d->lines, '\n');
    return true;
}

static const struct error *read_rows(struct call *c, struct cursor *cursor, struct delivery *d,
                                     bool *more)
{
    while (d->count < STEP_RECORDS && d->bytes < STEP_BYTES) {
        struct store_row row;
        const struct error *e = cursor_next(cursor, &row);

        *more = row.found;
        if (e || !row.found || (!d->sink && !d->sent && !add_line(c, d, &row)))
            return e;
        d->bytes += row.body.len;
        row.key = arena_span(c->arena, row.key);
        if (d->sink)
            row.body = arena_span(c->arena, row.body);
        d->rows[d->count++] = row;
    }
    return NULL;
}

/* --- what could not be written -------------------------------------------------------------- */

/* The state that a walk keeps while a file cannot be written. */
struct backlog {
    char *path; /* the first such file; the log does not name others */
    size_t dropped;
    int64_t waiting; /* records, after the last attempt */
    bool lasts;      /* records that wait outlive the process */
};

static void free_backlog(struct backlog *b)
{
    free(b->path);
    free(b);
}

/* Called when the server ends, or the world's tables are replaced. */
static void drop_backlog(void *kept)
{
    struct backlog *b = kept;

    if (b->lasts)
        log_error("records for Kinesis: %zu were dropped, and %lld were not written to %s yet",
                  b->dropped, (long long)b->waiting, b->path);
    else
        log_error("records for Kinesis: %lld are lost, as they could not be written to %s",
                  (long long)b->dropped + (long long)b->waiting, b->path);
    free_backlog(b);
}

static struct backlog *note_failure(const struct call *c, struct job_walk *w, const char *path)
{
    int cause = errno;
    struct backlog *b = w->kept;

    if (b)
        return b;
    b = process_malloc(sizeof *b);
    *b = (struct backlog){.path = process_malloc(strlen(path) + 1), .lasts = store_lasts(c->store)};
    memcpy(b->path, path, strlen(path) + 1);
    w->kept = b;
    w->drop = drop_backlog;
    log_error("records for Kinesis cannot be written to %s: %s", path, strerror(cause));
    return b;
}

static void note_success(struct job_walk *w, const char *path)
{
    struct backlog *b = w->kept;

    if (!b || strcmp(b->path, path) != 0)
        return;
    log_error("records for Kinesis are written to %s again; %zu were dropped", path, b->dropped);
    free_backlog(b);
    w->kept = NULL;
}

/* --- a step --------------------------------------------------------------------------------- */

static const struct error *delete_rows(struct call *c, void *delivery)
{
    struct delivery *d = delivery;
    const struct error *e = NULL;

    for (size_t i = 0; i < d->count && !e; i++)
        e = unit_delete(c->unit, &d->rows[i]);
    return e;
}

/* Keeps the records, unless too many wait: then this step's, the oldest, are deleted. */
static const struct error *put_off(struct call *c, struct job_walk *w, struct delivery *d,
                                   const char *path, bool *more)
{
    struct backlog *b = note_failure(c, w, path);
    struct space_stats stats;
    const struct error *e = unit_stats(c->unit, KEY_SPACE_OUTBOX, &stats);

    if (e)
        return e;
    *more = stats.bytes > (int64_t)LIMIT_KINESIS_WAITING;
    b->waiting = stats.entries;
    if (!*more) {
        job_walk_due(w, clock_now_ms(c->clock) + RETRY_MS);
        return NULL;
    }
    if ((e = op_unit_run(c, UNIT_WRITES, delete_rows, d)))
        return e;
    if (!b->dropped)
        log_error("records for Kinesis are dropped from now on, the oldest first: more than %zu "
                  "MB wait",
                  LIMIT_KINESIS_WAITING / LIMIT_MB);
    b->dropped += d->count;
    b->waiting -= (int64_t)d->count;
    return NULL;
}

/* Sends the records, unless that was done before a conflict. */
static const struct error *send_records(struct call *c, struct job_walk *w, struct delivery *d,
                                        bool *more)
{
    struct kinesis_files *files = c->settings->kinesis_files;
    const char *path;

    if (d->sent)
        return NULL;
    for (size_t i = 0; d->sink && i < d->count; i++) {
        struct kinesis_record record = kinesis_record_read(&d->rows[i]);

        d->sink->put(d->sink, &record);
        d->sent = true;
    }
    if (d->sink)
        return NULL;
    path = kinesis_files_path(files, c->arena, d->stream);
    d->sent = kinesis_files_append(files, c->arena, d->stream, buf_span(&d->lines));
    if (!d->sent)
        return put_off(c, w, d, path, more);
    note_success(w, path);
    return NULL;
}

/* Records are sent first, then deleted: an error or a crash in between sends them twice. A conflict
 * does not: the walk's place is the last record that was sent and is not deleted yet. In a shared
 * store it does as well, since other processes may have added records before that place. */
static const struct error *deliver_records(struct call *c, struct job_walk *w, bool *more)
{
    struct delivery *d = arena_alloc(c->arena, sizeof *d);
    struct store_range range = cursor_range(c->arena, KEY_SPACE_OUTBOX);
    struct cursor *cursor;
    const struct error *e;
    bool empty;

    *more = false;
    d->sink = c->settings->kinesis_sink;
    if (!(c->settings->kinesis_files || d->sink))
        return NULL;
    if ((e = unit_is_empty(c->unit, KEY_SPACE_OUTBOX, &empty)) || empty)
        return e;
    d->sent = job_walk_place(w).len != 0 && !store_is_shared(c->store);
    if (d->sent)
        range.high = cursor_key_behind(c->arena, job_walk_place(w));
    d->lines = buf_in(c->arena);
    cursor = cursor_open(c->unit, range);
    e = read_rows(c, cursor, d, more);
    cursor_close(cursor);
    *more = *more || d->sent;
    if (e || (d->count && ((e = send_records(c, w, d, more)) || !d->sent)))
        return e;
    if (d->count) {
        job_walk_to(w, d->rows[d->count - 1].key);
        if ((e = op_unit_run(c, UNIT_WRITES, delete_rows, d)))
            return e;
    }
    job_walk_to(w, (struct span){NULL, 0});
    return NULL;
}

const struct job job_deliver = {.name = "deliver", .wake = WAKE_DELIVER, .step = deliver_records};
