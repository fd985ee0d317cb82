/* arena.h: memory that lives exactly as long as one request (or one server object).
 *
 * The arena owns every block it hands out; nothing is freed on its own. There is no
 * error to check: running out of memory ends the process with one line on stderr.
 * Under sanitizers (ARENA_DEBUG) every block is a malloc of its own, so that an
 * overrun or a use after arena_reset is caught. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/attributes.h"
#include "base/span.h"

#include <stdarg.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *a); /* a may be NULL */

/* Gives back all blocks but keeps the memory for the next request. */
void arena_reset(struct arena *a);

/* For work in steps whose memory is not to add up: all that was allocated or grown since the mark
 * goes, what was there before stays. Marks are released in the opposite order. */
struct arena_mark {
    const void *block; /* the arena's newest then */
    size_t used;
};
struct arena_mark arena_mark(const struct arena *a);
void arena_release(struct arena *a, struct arena_mark mark);

/* `size` bytes, zeroed, aligned for any type. */
void *arena_alloc(struct arena *a, size_t size);

/* `size` bytes, not zeroed, aligned for any type. */
void *arena_alloc_raw(struct arena *a, size_t size);

/* `count` elements of `size` bytes, zeroed; an overflowing product ends the process. */
void *arena_array(struct arena *a, size_t count, size_t size);

/* Makes the block `old` of `old_size` bytes at least `new_size` bytes long, in place where
 * it is the newest block; else moves it. The added bytes are not zeroed. */
void *arena_grow(struct arena *a, void *old, size_t old_size, size_t new_size);

/* A NUL-terminated copy. */
char *arena_text(struct arena *a, struct span s);
/* A copy of the bytes (followed by a NUL that does not count). */
struct span arena_span(struct arena *a, struct span s);

char *arena_printf(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
char *arena_vprintf(struct arena *a, const char *fmt, va_list args) PRINTF_LIKE(2, 0);

/* Ends the process with one clear line; for failed allocations outside an arena too. */
NO_RETURN void out_of_memory(void);

#endif
