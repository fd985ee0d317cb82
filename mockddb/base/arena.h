/* arena.h: memory that lives exactly as long as one request (or one server object).
 *
 * The arena owns every block it hands out; nothing is freed on its own. There is no error to check:
 * running out of memory ends the process with one line on stderr or, if the arena has a budget,
 * ends the work that is being done in it. Under sanitizers (ARENA_DEBUG) every block is a separate
 * malloc, so that an overrun or a use after arena_reset is caught. */
#pragma once

#include "base/attributes.h"
#include "base/process.h"
#include "base/span.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *a); /* a may be NULL */

/* A child arena, freed with the owner's next reset unless it was freed or disowned before; a
 * disowned arena is freed by the caller. So nothing leaks when work is cut off in the middle. Its
 * memory is charged to the owner's budget. With owner NULL this is arena_new. */
struct arena *arena_new_in(struct arena *owner);
void arena_disown(struct arena *a);

/* Takes memory in blocks of half a kilobyte instead of 64 KB: for a new arena that lasts, of which
 * there may be thousands with little in each. */
void arena_stay_small(struct arena *a);

/* Gives back all blocks but keeps the memory for the next request. */
void arena_reset(struct arena *a);

/* For work in steps whose memory must not add up: releasing a mark frees all that was allocated or
 * grown since then and credits it to the budget; older allocations stay. Marks are released in the
 * opposite order. */
struct arena_mark {
    const void *block; /* the arena's newest block at that time */
    size_t used;
};
struct arena_mark arena_mark(const struct arena *a);
void arena_release(struct arena *a, struct arena_mark mark);

/* Frees every block except the one that contains `at`: the ones a growing buffer left behind. */
void arena_keep_only(struct arena *a, const void *at);

/* Also gives back the memory that arena_reset keeps for the next request. */
void arena_trim(struct arena *a);

/* `size` bytes, zeroed, aligned for any type. */
void *arena_alloc(struct arena *a, size_t size);

/* `size` bytes, not zeroed, aligned for any type. */
void *arena_alloc_raw(struct arena *a, size_t size);

/* `count` elements of `size` bytes, zeroed; a product that overflows counts as out of memory. */
void *arena_array(struct arena *a, size_t count, size_t size);

/* Makes the block `old` of `old_size` bytes at least `new_size` bytes long: in place if it is the
 * newest block, else by moving it. The added bytes are not zeroed. */
void *arena_grow(struct arena *a, void *old, size_t old_size, size_t new_size);

/* A NUL-terminated copy. */
char *arena_text(struct arena *a, struct span s);
/* A copy of the bytes (followed by a NUL that does not count). */
struct span arena_span(struct arena *a, struct span s);

char *arena_printf(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
char *arena_vprintf(struct arena *a, const char *fmt, va_list args) PRINTF_LIKE(2, 0);

/* --- budgets ------------------------------------------------------------------------------- */

/* The limits of the work done in an arena. Memory is charged when it is taken, and each 64 bytes of
 * it as one step; loops that read much and allocate nothing charge their steps themselves. A step
 * is about 10 ns: a node parsed, an attribute read, 64 bytes compared. */
struct arena_budget {
    size_t bytes;
    int64_t steps;
};

enum arena_spent { ARENA_SPENT_NOTHING, ARENA_SPENT_BYTES, ARENA_SPENT_STEPS, ARENA_RUN_AGAIN };

/* Gives the arena a budget. When it is used up, or the system has no memory left, control goes to
 * `landing` (setjmp) with what was spent; the arena can be used after that, without a budget. The
 * interrupted work is not undone, so while a budget is charged the work may hold nothing but arenas
 * and what the landing code knows how to clean up. */
void arena_limit(struct arena *a, const struct arena_budget *budget, jmp_buf *landing);
void arena_unlimit(struct arena *a);

void arena_charge(struct arena *a, size_t steps);
/* What is left of the budget, so that work can end well before it is used up; the maximum if there
 * is no budget. The pointer stays valid and current until the budget ends. */
const struct arena_budget *arena_left(const struct arena *a);

/* Called when the system has no memory left: acts as if the budget of bytes were used up. */
NO_RETURN void arena_out_of_memory(struct arena *a);

/* Room for `wanted` elements of `size` bytes in an array from malloc, which outlives the arena's
 * work; *room is what it has now. At least doubles. Without memory it ends the work as above, and
 * the array stays as it was. */
void *arena_kept_room(struct arena *a, void *array, size_t wanted, size_t *room, size_t size);

/* Until its budget ends, the arena's work may be done again from its beginning. */
void arena_allow_again(struct arena *a);
/* The work has to be done again from its beginning: control goes to `landing` with ARENA_RUN_AGAIN.
 * Returns if that is not allowed. */
void arena_run_again(struct arena *a);
