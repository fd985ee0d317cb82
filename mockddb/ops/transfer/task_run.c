#include "ops/transfer/task_run.h"

#include "ops/transfer/bulk_run.h"
#include "ops/transfer/export_run.h"
#include "ops/transfer/import_run.h"

#include <stdlib.h>

#define STEP_ROWS 100 /* rows that a step looks at */

struct task_run {
    struct arena *arena;
    struct buf position; /* key of the last finished row */
    int64_t due_ms;      /* when the next waiting task is due */
    bool in_slice;       /* a slice was begun that is not kept */
    struct buf owner;    /* key of the task that owns the members below */
    struct export_run *export;
    struct input_run *input; /* of an import or bulk put */
};

struct task_run *task_run_new(void)
{
    struct task_run *r = process_zeroed(sizeof *r);

    r->arena = arena_new();
    r->position = buf_in(r->arena);
    r->owner = buf_in(r->arena);
    r->due_ms = INT64_MAX;
    return r;
}

static void drop_input(struct task_run *r)
{
    input_run_free(r->input);
    r->input = NULL;
}

static void drop_parts(struct task_run *r)
{
    export_run_free(r->export);
    r->export = NULL;
    drop_input(r);
}

void task_run_free(struct task_run *r)
{
    if (!r)
        return;
    drop_parts(r);
    arena_free(r->arena);
    free(r);
}

struct task_work {
    struct task_run *run;
    struct task *task;
};

static const struct error *work_slice(struct call *c, void *data)
{
    struct task_work *w = data;

    switch (w->task->kind) {
    case TASK_EXPORT:
        return export_run_step(c, w->task, &w->run->export);
    case TASK_IMPORT:
        return import_run_step(c, w->task, &w->run->input);
    default:
        return bulk_run_step(c, w->task, &w->run->input);
    }
}

static void set_key(struct buf *to, struct span key)
{
    to->len = 0;
    buf_add_span(to, key);
}

/* A newer task may come before the current one, which then loses its state and starts its part
 * again. An input that was read in a slice that was undone, for a conflict, is opened again. */
static void take_over(struct task_run *r, struct span key)
{
    if (r->in_slice)
        drop_input(r);
    if (span_equal(buf_span(&r->owner), key))
        return;
    drop_parts(r);
    set_key(&r->owner, key);
}

/* Does a slice of a task; *stays: the task needs more. */
static const struct error *visit_task(struct call *c, struct task_run *r, struct span key,
                                      struct task *t, bool *stays)
{
    struct task_work work = {r, t};
    const struct error *e;

    *stays = false;
    if (task_has_ended(t))
        return NULL;
    if (t->ready_ms > clock_now_ms(c->clock)) {
        r->due_ms = t->ready_ms < r->due_ms ? t->ready_ms : r->due_ms;
        return NULL;
    }
    take_over(r, key);
    c->region = t->region;
    r->in_slice = true;
    if ((e = op_unit_run(c, UNIT_WRITES, work_slice, &work)))
        return e;
    r->in_slice = false;
    *stays = !task_has_ended(t);
    if (!*stays)
        drop_parts(r);
    return NULL;
}

/* Finds the next task that has not ended and passes finished ones. After STEP_ROWS finished tasks
 * it returns a finished task at the current position. */
static const struct error *find_open(struct call *c, struct task_run *r, struct cursor *cursor,
                                     struct task *out, struct span *key, bool *found)
{
    for (int rows = 0; rows < STEP_ROWS; rows++) {
        struct arena_mark mark = arena_mark(c->arena);
        struct store_row row;
        const struct error *e = cursor_next(cursor, &row);

        *found = !e && row.found;
        if (!*found)
            return e;
        *key = arena_span(c->arena, row.key);
        if (task_decode(c, &row, out) && !task_has_ended(out))
            return NULL;
        set_key(&r->position, *key);
        arena_release(c->arena, mark);
    }
    *out = (struct task){.status = TASK_COMPLETED};
    *key = arena_span(c->arena, buf_span(&r->position));
    return NULL;
}

const struct error *task_run_step(struct call *c, struct task_run *r, bool *more, int64_t *due_ms)
{
    struct task t = {.status = TASK_COMPLETED};
    struct cursor *cursor = cursor_open(c->unit, task_range_of_all(c, buf_span(&r->position)));
    struct span key = {NULL, 0};
    const struct error *e;
    bool stays;

    e = find_open(c, r, cursor, &t, &key, more);
    cursor_close(cursor);
    if (e)
        return e;
    *due_ms = INT64_MAX;
    if (!*more) {
        r->position.len = 0;
        *due_ms = r->due_ms;
        r->due_ms = INT64_MAX;
        return NULL;
    }
    if ((e = visit_task(c, r, key, &t, &stays)))
        return e;
    if (!stays)
        set_key(&r->position, key);
    return NULL;
}
