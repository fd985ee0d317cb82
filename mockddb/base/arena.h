/* arena.h: memory that lives exactly as long as one request (or one server object).
 *
 * The arena owns every block it hands out; nothing is freed on its own. There is no
 * error to check: running out of memory ends the process with one line on stderr, or, where
 * the arena has a budget, what is done in it. Under sanitizers (ARENA_DEBUG) every block is a
 * malloc of its own, so that an overrun or a use after arena_reset is caught. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/attributes.h"
#include "base/process.h"
#include "base/span.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *a); /* a may be NULL */

/* An arena of its own that is freed with the owner's next reset, unless it was freed before, or
 * disowned: whoever does that frees it from there on. So nothing is lost where work ends in its
 * middle. What is taken in it is charged to the owner's budget. Owner NULL: as arena_new. */
struct arena *arena_new_in(struct arena *owner);
void arena_disown(struct arena *a);

/* Takes memory in blocks of half a kilobyte instead of 64 KB: for a new arena that lasts, of which
 * there may be thousands with little in each. */
void arena_stay_small(struct arena *a);

/* Gives back all blocks but keeps the memory for the next request. */
void arena_reset(struct arena *a);

/* For work in steps whose memory is not to add up: all that was allocated or grown since the mark
 * goes, and is the budget's again; what was there before stays. Marks are released in the opposite
 * order. */
struct arena_mark {
    const void *block; /* the arena's newest then */
    size_t used;
};
struct arena_mark arena_mark(const struct arena *a);
void arena_release(struct arena *a, struct arena_mark mark);

/* Frees every block but the one in which `at` lies: what a buffer that grew to there left behind.
 */
void arena_keep_only(struct arena *a, const void *at);

/* Gives back also what is kept for the next request. */
void arena_trim(struct arena *a);

/* `size` bytes, zeroed, aligned for any type. */
void *arena_alloc(struct arena *a, size_t size);

/* `size` bytes, not zeroed, aligned for any type. */
void *arena_alloc_raw(struct arena *a, size_t size);

/* `count` elements of `size` bytes, zeroed; an overflowing product is as no memory. */
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

/* --- budgets ------------------------------------------------------------------------------- */

/* What may be done in an arena. Memory is charged as it is taken, and each 64 bytes of it as a
 * step; loops that look at much and allocate nothing charge what they do. A step stands for about
 * 10 ns: a node parsed, an attribute looked at, 64 bytes compared. */
struct arena_budget {
    size_t bytes;
    int64_t steps;
};

enum arena_spent { ARENA_SPENT_NOTHING, ARENA_SPENT_BYTES, ARENA_SPENT_STEPS };

/* From here on the arena has a budget. When it is used up, or the system has no memory to give,
 * control goes to `landing` (setjmp) with what was spent; the arena can be used on from there,
 * without a budget. What was at hand is left as it is, so nothing but arenas, and what the landing
 * place knows to clean up, may be held while a budget is charged. */
void arena_limit(struct arena *a, const struct arena_budget *budget, jmp_buf *landing);
void arena_unlimit(struct arena *a);

void arena_charge(struct arena *a, size_t steps);
/* What is left, so that work can end well before it is used up; all there can be without a budget.
 * It stays where it is, and says what is left then, until the budget ends. */
const struct arena_budget *arena_left(const struct arena *a);

/* Memory that the system does not give: as a budget of bytes that is used up. */
NO_RETURN void arena_out_of_memory(struct arena *a);

#endif
