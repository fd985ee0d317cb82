#include "jobs/job.h"

#include "ops/transaction/transact.h"
#include "store/cursor.h"

/* A step ends after it has looked at this many tokens, or found this many expired. */
#define STEP_TOKENS 500
#define STEP_DEAD   100

/* Transactions are frequent; their expired tokens are deleted in groups. */
#define APART_MS (60 * LIMIT_SECOND_MS)

struct dead {
    struct store_row rows[STEP_DEAD];
    size_t count;
    struct span passed; /* the last token that was looked at */
};

static const struct error *read_tokens(struct call *c, struct job_walk *w, struct cursor *cursor,
                                       struct dead *dead, bool *more)
{
    int64_t now = clock_now_ms(c->clock);

    for (int i = 0; i < STEP_TOKENS && dead->count < STEP_DEAD; i++) {
        struct store_row row;
        const struct error *e = cursor_next(cursor, &row);
        int64_t end_ms;

        *more = row.found;
        if (e || !row.found)
            return e;
        row.key = dead->passed = arena_span(c->arena, row.key);
        end_ms = transact_token_end_ms(row.body);
        if (end_ms > now) {
            job_walk_due(w, end_ms > now + APART_MS ? end_ms : now + APART_MS);
            continue;
        }
        dead->rows[dead->count++] = row;
    }
    return NULL;
}

static const struct error *find_dead(struct call *c, struct job_walk *w, struct dead *dead,
                                     bool *more)
{
    struct cursor *cursor = cursor_open(
        c->unit, cursor_range_behind(c->arena, KEY_SPACE_TOKENS, job_walk_place(w)));
    const struct error *e = read_tokens(c, w, cursor, dead, more);

    cursor_close(cursor);
    return e;
}

static const struct error *delete_dead(struct call *c, void *data)
{
    struct dead *dead = data;
    const struct error *e = NULL;

    for (size_t i = 0; i < dead->count && !e; i++)
        e = unit_delete(c->unit, &dead->rows[i]);
    return e;
}

static const struct error *forget_tokens(struct call *c, struct job_walk *w, bool *more)
{
    struct dead *dead = arena_alloc(c->arena, sizeof *dead);
    const struct error *e;
    bool empty;

    if ((e = unit_is_empty(c->unit, KEY_SPACE_TOKENS, &empty)))
        return e;
    *more = !empty;
    if (*more && ((e = find_dead(c, w, dead, more)) ||
                  (dead->count && (e = op_unit_run(c, UNIT_WRITES, delete_dead, dead)))))
        return e;
    if (*more)
        job_walk_to(w, dead->passed);
    else
        job_walk_restart(w);
    return NULL;
}

const struct job job_forget = {.name = "forget", .wake = WAKE_FORGET, .step = forget_tokens};
