#include "jobs/jobs.h"

#include <stdlib.h>

#include "ops/op_tries.h"

#define RETRY_MS 1000 /* from an error to the next attempt */
#define LOOK_MS  1000 /* until a job looks again in a store whose other users cannot mark it */

static const struct job *const table[] = {
    &job_settle,  &job_backfill, &job_reap,      &job_trim,    &job_forget,
    &job_expiry,  &job_copy,     &job_lapse,     &job_restore, &job_outdate,
    &job_deliver, &job_transfer, &job_replicate, &job_renew,   &job_meter,
};

struct job_state {
    int64_t next_ms; /* when its next step is due */
    struct job_walk walk;
};

struct jobs {
    struct job_state states[COUNT(table)];
    int64_t due_ms; /* the minimum of their next_ms */
};

struct jobs *jobs_new(void)
{
    struct jobs *j = process_zeroed(sizeof *j);

    for (size_t i = 0; i < COUNT(table); i++)
        j->states[i].walk = job_walk_new();
    return j;
}

void jobs_free(struct jobs *j)
{
    if (!j)
        return;
    for (size_t i = 0; i < COUNT(table); i++)
        job_walk_free(&j->states[i].walk);
    free(j);
}

int64_t jobs_due_ms(const struct jobs *j)
{
    return j->due_ms;
}

/* A walk in progress may have passed what falls due at that moment, so the mark is kept as well. */
static void wake_job(struct jobs *j, struct job_state *s, int64_t at_ms)
{
    job_walk_due(&s->walk, at_ms);
    if (at_ms < s->next_ms)
        s->next_ms = at_ms;
    if (at_ms < j->due_ms)
        j->due_ms = at_ms;
}

/* Marks count from `earliest_ms` on. */
static void take_marks(struct jobs *j, const struct call *c, int64_t earliest_ms)
{
    for (size_t i = 0; i < COUNT(table); i++) {
        int64_t at_ms = c->wakes_ms[table[i]->wake];

        if (at_ms)
            wake_job(j, &j->states[i], at_ms > earliest_ms ? at_ms : earliest_ms);
    }
}

void jobs_wake(struct jobs *j, const struct call *c)
{
    take_marks(j, c, 0);
}

void jobs_restart(struct jobs *j, const struct clock *clock)
{
    int64_t at_ms = clock_now_ms(clock) + RETRY_MS;

    for (size_t i = 0; i < COUNT(table); i++) {
        job_walk_restart(&j->states[i].walk);
        wake_job(j, &j->states[i], at_ms);
    }
}

static size_t find_first(const struct jobs *j)
{
    size_t first = 0;

    for (size_t i = 1; i < COUNT(table); i++)
        if (j->states[i].next_ms < j->states[first].next_ms)
            first = i;
    return first;
}

struct turn {
    const struct job *job;
    struct job_walk *walk;
    bool more;
};

static const struct error *take_turn(struct call *c, void *data)
{
    struct turn *turn = data;

    return turn->job->visit ? job_walk_tables(c, turn->walk, turn->job->visit, &turn->more)
                            : turn->job->step(c, turn->walk, &turn->more);
}

/* Returns false, with the turn undone, if it met a conflict. */
static bool try_turn(struct call *c, const struct op_tries *tries, struct turn *turn,
                     const struct error **e)
{
    static const struct arena_budget no_end = {.bytes = SIZE_MAX / 2, .steps = INT64_MAX / 2};
    jmp_buf landing;

    switch (setjmp(landing)) {
    case ARENA_SPENT_NOTHING:
        arena_limit(c->arena, &no_end, &landing);
        arena_allow_again(c->arena);
        *e = op_unit_run(c, UNIT_READS, take_turn, turn);
        arena_unlimit(c->arena);
        return true;
    case ARENA_RUN_AGAIN:
        op_tries_undo(tries, c);
        return false;
    default:
        process_out_of_memory();
    }
}

/* Takes a turn; while it meets conflicts, again and again. Returns false after an error, which was
 * logged, or too many conflicts. Marks of units that were kept stay. */
static bool run_turn(struct call *c, struct turn *turn)
{
    const struct call fresh = *c;
    struct op_tries tries = op_tries_begin(c);
    const struct error *e = NULL;
    bool done;

    while (!(done = try_turn(c, &tries, turn, &e)) && op_tries_next(&tries, c)) {
        struct call again = fresh;

        arena_reset(c->arena);
        store_release_tables(c->store);
        memcpy(again.wakes_ms, c->wakes_ms, sizeof again.wakes_ms);
        *c = again;
    }
    op_tries_end(&tries, c);
    return done && !e;
}

/* After an error, marks of earlier work count as well. Marks of work that is undone do no harm, as
 * long as they do not cause the next attempt at once. */
static void run_job(struct jobs *j, size_t i, struct call *c)
{
    struct job_state *s = &j->states[i];
    struct turn turn = {.job = table[i], .walk = &s->walk};
    int64_t now = clock_now_ms(c->clock), earliest_ms = 0;

    if (!table[i]->is_own && !store_owns(c->store)) {
        job_walk_restart(&s->walk);
        s->next_ms = earliest_ms = now + LOOK_MS;
    } else if ((table[i]->grows && !store_has_room(c->store)) || !run_turn(c, &turn)) {
        job_walk_restart(&s->walk);
        s->next_ms = earliest_ms = now + RETRY_MS;
    } else if (turn.more) {
        s->next_ms = now;
    } else {
        if (store_is_shared(c->store) && !table[i]->is_own)
            job_walk_due(&s->walk, now + LOOK_MS);
        s->next_ms = s->walk.due_ms;
        s->walk.due_ms = JOB_NEVER;
    }
    take_marks(j, c, earliest_ms);
}

bool jobs_step(struct jobs *j, struct call *c)
{
    size_t first = find_first(j);

    if (j->states[first].next_ms <= clock_now_ms(c->clock)) {
        run_job(j, first, c);
        j->due_ms = j->states[find_first(j)].next_ms;
    }
    return j->due_ms <= clock_now_ms(c->clock);
}
