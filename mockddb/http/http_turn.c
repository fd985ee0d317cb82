#include "http/http_turn.h"

#include "http/http_connection.h"

#include <time.h>

#define SWEEP_MS 1000   /* between two checks of all connections */
#define NEWS_MS  600000 /* until something is logged again */

void http_turn_open(struct http_turn *t)
{
    TAILQ_INIT(&t->all);
    TAILQ_INIT(&t->prompt);
    TAILQ_INIT(&t->slow);
    TAILQ_INIT(&t->waiting);
    TAILQ_INIT(&t->heavy);
    TAILQ_INIT(&t->lingering);
    t->arena = arena_new();
    t->text = buf_in(t->arena);
    http_turn_begin(t);
    t->moved_ms = t->now_ms;
}

void http_turn_close(struct http_turn *t)
{
    while (!TAILQ_EMPTY(&t->all))
        http_connection_close(TAILQ_FIRST(&t->all));
    arena_free(t->arena);
}

bool http_turn_is_due(const struct http_turn *t)
{
    return !TAILQ_EMPTY(&t->prompt) || !TAILQ_EMPTY(&t->slow);
}

bool http_turn_is_slow(const struct http_turn *t)
{
    return TAILQ_EMPTY(&t->prompt) && !TAILQ_EMPTY(&t->slow);
}

void http_turn_begin(struct http_turn *t)
{
    t->now_ms = clock_monotonic_ms();
}

/* --- work ------------------------------------------------------------------------------------- */

/* Whether the operation that a connection requests was slow; NULL if it is not known. Operations
 * with the same hash are treated as one. */
static bool *slow_target(struct http_turn *t, const struct http_connection *c)
{
    const char *name = c->exchange.request.fields.x_amz_target;
    unsigned hash = 0;

    if (c->stage != HTTP_READY || !name)
        return NULL;
    while (*name)
        hash = hash * 31 + (unsigned char)*name++;
    return &t->slow_targets[hash % HTTP_TURN_TARGETS];
}

static bool is_slow(struct http_turn *t, const struct http_connection *c)
{
    const bool *target = slow_target(t, c);

    return c->long_body || (c->known || !target ? c->slow : *target);
}

void http_turn_add(struct http_turn *t, struct http_connection *c)
{
    if (c->line)
        return;
    c->line = is_slow(t, c) ? &t->slow : &t->prompt;
    c->queued_ms = t->now_ms;
    TAILQ_INSERT_TAIL(c->line, c, queue_link);
}

static void leave_line(struct http_connection *c)
{
    if (c->line)
        TAILQ_REMOVE(c->line, c, queue_link);
    c->line = NULL;
}

/* Takes the next connection out of its line, or returns NULL. A slow one that has waited long comes
 * first, but not before the prompt ones have had as much time as the last slow one: a prompt one
 * never waits for two. */
static struct http_connection *next_connection(struct http_turn *t)
{
    struct http_connection *c = TAILQ_FIRST(&t->prompt), *slow = TAILQ_FIRST(&t->slow);

    if (slow && (!c || (t->owed_ms <= 0 && t->now_ms - slow->queued_ms > HTTP_MAX_WAIT_MS)))
        c = slow;
    if (c)
        leave_line(c);
    return c;
}

/* How much time a piece of work took that lasted `lasted` milliseconds: of a long time, others may
 * have used most of the processor. `used` is the turn's processor time before; reading it needs a
 * system call, so that is done once a turn, and here. */
static int64_t time_taken(int64_t lasted, int64_t *used)
{
    int64_t now, taken;

    if (lasted < HTTP_TURN_MS)
        return lasted;
    now = clock_work_us() / 1000;
    taken = now - *used;
    *used = now;
    return taken < lasted ? taken : lasted;
}

/* Notes the time of a connection's work. The connection may be in line again already. */
static void note_time(struct http_turn *t, struct http_connection *c, int64_t ms)
{
    bool again = c->line != NULL;

    t->owed_ms = ms >= HTTP_TURN_MS ? ms : t->owed_ms - ms;
    leave_line(c);
    c->slow = ms >= HTTP_TURN_MS;
    c->known = true;
    if (again)
        http_turn_add(t, c);
}

/* A slow connection is handled first in its turn or not at all: before it, new events are read. */
static void work_lines(struct http_turn *t)
{
    int64_t begun = clock_monotonic_ms(), end = begun + HTTP_TURN_MS, used = clock_work_us() / 1000;
    bool first = true;

    while (begun < end && (first || !http_turn_is_slow(t)) && (t->working = next_connection(t))) {
        bool *target = slow_target(t, t->working);
        int64_t now, taken;

        http_connection_work(t->working);
        now = clock_monotonic_ms();
        t->moved_ms = now;
        t->worked_ms += now - begun;
        taken = time_taken(now - begun, &used);
        if (target)
            *target = taken >= HTTP_TURN_MS;
        if (t->working)
            note_time(t, t->working, taken);
        begun = now;
        first = false;
    }
    t->working = NULL;
}

/* --- replies ---------------------------------------------------------------------------------- */

void http_turn_wait(struct http_turn *t, struct http_connection *c)
{
    c->waiting = true;
    TAILQ_INSERT_TAIL(&t->waiting, c, waiting_link);
}

void http_turn_flush(struct http_turn *t)
{
    struct http_connection *c;

    worlds_flush(t->handler->worlds);
    while ((c = TAILQ_FIRST(&t->waiting))) {
        const struct world *world = c->exchange.reply.world;

        TAILQ_REMOVE(&t->waiting, c, waiting_link);
        c->waiting = false;
        http_connection_flushed(c, world && world_lost(world));
    }
}

bool http_turn_has_replies(const struct http_turn *t)
{
    const struct http_connection *c;

    TAILQ_FOREACH(c, &t->all, all_link)
    if (c->stage == HTTP_READY || c->stage == HTTP_WAITING || c->stage == HTTP_SENDING)
        return true;
    return false;
}

/* --- what is held ----------------------------------------------------------------------------- */

void http_turn_weigh(struct http_turn *t, struct http_connection *c, size_t bytes)
{
    bool heavy = bytes >= HTTP_HEAVY;

    t->held = t->held - c->weight + bytes;
    c->weight = bytes;
    if (heavy && !c->heavy)
        TAILQ_INSERT_TAIL(&t->heavy, c, heavy_link);
    else if (!heavy && c->heavy)
        TAILQ_REMOVE(&t->heavy, c, heavy_link);
    c->heavy = heavy;
}

/* Drops the connections that have held data longest. A complete request is not dropped: its data is
 * freed with its reply. */
static void make_room(struct http_turn *t)
{
    struct http_connection *c = TAILQ_FIRST(&t->heavy);

    while (c && t->held > HTTP_MAX_HELD) {
        struct http_connection *after = TAILQ_NEXT(c, heavy_link);

        if (c->stage != HTTP_READY)
            http_connection_close(c);
        c = after;
    }
}

void http_turn_run(struct http_turn *t)
{
    work_lines(t);
    http_turn_flush(t);
    make_room(t);
}

/* --- the end of connections ------------------------------------------------------------------- */

void http_turn_moved(struct http_turn *t, struct http_connection *c)
{
    c->moved_ms = t->now_ms;
    t->moved_ms = t->now_ms;
    TAILQ_REMOVE(&t->all, c, all_link);
    TAILQ_INSERT_TAIL(&t->all, c, all_link);
}

bool http_turn_make_way(struct http_turn *t)
{
    struct http_connection *c;

    TAILQ_FOREACH(c, &t->all, all_link)
    if (http_connection_can_go(c)) {
        http_connection_close(c);
        return true;
    }
    return false;
}

bool http_turn_is_news(const struct http_turn *t, int64_t *said_ms)
{
    if (*said_ms && t->now_ms - *said_ms < NEWS_MS)
        return false;
    *said_ms = t->now_ms;
    return true;
}

void http_turn_linger(struct http_turn *t, struct http_connection *c)
{
    c->lingering = true;
    c->moved_ms = t->now_ms;
    TAILQ_INSERT_TAIL(&t->lingering, c, queue_link);
}

void http_turn_sweep(struct http_turn *t)
{
    struct http_connection *c, *after;

    while ((c = TAILQ_FIRST(&t->lingering)) && t->now_ms - c->moved_ms >= HTTP_LINGER_MS)
        http_connection_close(c);
    if (t->now_ms - t->swept_ms < SWEEP_MS)
        return;
    t->swept_ms = t->now_ms;
    for (c = TAILQ_FIRST(&t->all); c; c = after) {
        after = TAILQ_NEXT(c, all_link);
        if (http_connection_is_idle(c))
            http_connection_close(c);
    }
}

void http_turn_forget(struct http_turn *t, struct http_connection *c)
{
    t->moved_ms = t->now_ms;
    http_turn_weigh(t, c, 0);
    TAILQ_REMOVE(&t->all, c, all_link);
    t->count--;
    leave_line(c);
    if (c->lingering)
        TAILQ_REMOVE(&t->lingering, c, queue_link);
    if (c->waiting)
        TAILQ_REMOVE(&t->waiting, c, waiting_link);
    if (t->working == c)
        t->working = NULL;
}
