/* reply_pool.h: buffers for replies, which are used again and again.
 *
 * A front end that cannot send a long reply at once may hold its buffer instead of copying it; the
 * next reply then gets another one. A pool owns its buffers; a held one outlives the pool until it
 * is released. */
#pragma once

#include "base/buf.h"

struct reply_pool;
struct reply_buffer;

struct reply_pool *reply_pool_new(void);
void reply_pool_free(struct reply_pool *p); /* p may be NULL */

/* Frees the spare buffers and the newest reply's. */
void reply_pool_trim(struct reply_pool *p);

/* An empty buffer for the next reply: the last reply's, unless it is held. */
struct buf *reply_pool_next(struct reply_pool *p);

/* Keeps only the newest reply's bytes, at their address, until they are released. */
struct reply_buffer *reply_pool_hold(struct reply_pool *p);
/* The memory that it takes: the reply and the unused rest of its buffer. */
size_t reply_pool_held_bytes(const struct reply_buffer *b);
void reply_pool_release(struct reply_buffer *b);
