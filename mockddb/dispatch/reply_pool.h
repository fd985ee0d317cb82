/* reply_pool.h: the memory that replies are written into, used again and again.
 *
 * A front end that cannot send a long reply at once may hold its buffer instead of copying it;
 * the next reply then goes into another one. A pool owns its buffers; a held one outlives the
 * pool until it is released. */
#ifndef DISPATCH_REPLY_POOL_H
#define DISPATCH_REPLY_POOL_H

#include "base/buf.h"

struct reply_pool;
struct reply_buffer;

struct reply_pool *reply_pool_new(void);
void reply_pool_free(struct reply_pool *p); /* p may be NULL */

/* Gives up the buffers that wait for replies, the newest reply's among them. */
void reply_pool_trim(struct reply_pool *p);

/* An empty buffer for the next reply: the one of the last, unless that is held. */
struct buf *reply_pool_next(struct reply_pool *p);

/* Keeps the newest reply's bytes where they are, and no others, until they are released. */
struct reply_buffer *reply_pool_hold(struct reply_pool *p);
/* The memory that it takes: a reply, and the room that it did not need. */
size_t reply_pool_held_bytes(const struct reply_buffer *b);
void reply_pool_release(struct reply_buffer *b);

#endif
