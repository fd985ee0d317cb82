#include "dispatch/reply_pool.h"

#include <stdlib.h>

#define KEPT_BYTES ((size_t)4 * 1024 * 1024) /* a larger buffer is not kept */
#define MAX_SPARES 4                         /* nor are more than this many */

struct reply_buffer {
    struct arena *arena;
    struct buf buf;
    struct reply_pool *pool;
    struct reply_buffer *next; /* of the spare ones */
};

struct reply_pool {
    struct reply_buffer *current; /* of the newest reply; NULL while that one is held */
    struct reply_buffer *spare;
    size_t spares, held;
    bool closed; /* freed by its owner; waits for the last held buffer */
};

struct reply_pool *reply_pool_new(void)
{
    struct reply_pool *p = process_zeroed(sizeof *p);

    return p;
}

static void buffer_free(struct reply_buffer *b)
{
    if (!b)
        return;
    arena_free(b->arena);
    free(b);
}

void reply_pool_trim(struct reply_pool *p)
{
    buffer_free(p->current);
    p->current = NULL;
    while (p->spare) {
        struct reply_buffer *next = p->spare->next;

        buffer_free(p->spare);
        p->spare = next;
    }
    p->spares = 0;
}

void reply_pool_free(struct reply_pool *p)
{
    if (!p)
        return;
    reply_pool_trim(p);
    p->closed = true;
    if (!p->held)
        free(p);
}

static void empty_buffer(struct reply_buffer *b)
{
    b->buf.len = 0;
    if (b->buf.cap <= KEPT_BYTES)
        return;
    arena_reset(b->arena);
    b->buf = buf_in(b->arena);
}

struct buf *reply_pool_next(struct reply_pool *p)
{
    if (!p->current && p->spare) {
        p->current = p->spare;
        p->spare = p->current->next;
        p->spares--;
    }
    if (!p->current) {
        struct reply_buffer *b = process_zeroed(sizeof *b);

        b->arena = arena_new();
        b->buf = buf_in(b->arena);
        b->pool = p;
        p->current = b;
    }
    empty_buffer(p->current);
    return &p->current->buf;
}

struct reply_buffer *reply_pool_hold(struct reply_pool *p)
{
    struct reply_buffer *b = p->current;

    p->current = NULL;
    p->held++;
    arena_keep_only(b->arena, b->buf.at);
    return b;
}

size_t reply_pool_held_bytes(const struct reply_buffer *b)
{
    return b->buf.cap;
}

void reply_pool_release(struct reply_buffer *b)
{
    struct reply_pool *p = b->pool;

    p->held--;
    if (p->closed || p->spares == MAX_SPARES) {
        buffer_free(b);
    } else {
        b->next = p->spare;
        p->spare = b;
        p->spares++;
    }
    if (p->closed && !p->held)
        free(p);
}
