#include "jobs/job.h"

#include "ops/backup/backup.h"

/* A step looks at up to this many backups. */
#define STEP_BACKUPS 50

static const struct error *remove_backup(struct call *c, void *backup)
{
    return backup_remove(c, backup);
}

/* Removes an expired backup, which ends the step. */
static const struct error *lapse_backup(struct call *c, struct job_walk *w,
                                        const struct store_row *row, bool *removed)
{
    int64_t now = clock_now_ms(c->clock);
    struct backup b;

    *removed = false;
    if (!backup_decode(c, row, &b) || !b.expires_ms)
        return NULL;
    if (b.expires_ms > now) {
        job_walk_due(w, b.expires_ms);
        return NULL;
    }
    *removed = true;
    return op_unit_run(c, UNIT_WRITES, remove_backup, &b);
}

static const struct error *lapse_backups(struct call *c, struct job_walk *w, bool *more)
{
    struct cursor *cursor = cursor_open(
        c->unit, cursor_range_behind(c->arena, KEY_SPACE_BACKUPS, job_walk_place(w)));
    const struct error *e = NULL;
    struct store_row row;
    bool removed = false;

    for (int i = 0; i < STEP_BACKUPS && !removed && !(e = cursor_next(cursor, &row)); i++) {
        struct span key;

        *more = row.found;
        if (!row.found)
            break;
        key = arena_span(c->arena, row.key);
        if ((e = lapse_backup(c, w, &row, &removed)))
            break;
        job_walk_to(w, key);
    }
    cursor_close(cursor);
    if (!e && !*more)
        job_walk_restart(w);
    return e;
}

const struct job job_lapse = {.name = "lapse", .wake = WAKE_LAPSE, .step = lapse_backups};
