#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK_SIZE ((size_t)64 * 1024)
#define SMALL_SIZE ((size_t)480) /* half a kilobyte, with what malloc adds */
#define SPARE_MAX  512           /* blocks: what one large request needed is not kept forever */
#define KEPT_MAX   ((size_t)16 * 1024 * 1024) /* bytes of large blocks until the next reset */
#define ALIGNMENT  (_Alignof(max_align_t))
#ifdef ARENA_DEBUG
#define EACH_ALONE true /* a block of its own for each allocation, freed with it */
#else
#define EACH_ALONE false
#endif

struct block {
    struct block *next;
    size_t size; /* usable bytes after the header */
    size_t used;
    max_align_t data[];
};

/* Blocks in use are `full` plus `current`; `spare` keeps ordinary blocks for reuse, `kept` large
 * ones: the system takes and gives memory a page at a time, which costs more than most uses of
 * it. */
struct arena {
    struct block *current;
    struct block *full;
    struct block *spare;
    struct block *kept;
    size_t block_size; /* of ordinary blocks */
    size_t spare_count, kept_bytes;
    struct arena *owner, *children, *next,
        *previous;     /* next and previous among the owner's children */
    jmp_buf *landing;  /* NULL: no budget */
    bool allows_again; /* arena_run_again goes to the landing place */
    struct arena_budget left;
};

#define BYTES_PER_STEP 64

/* --- budgets ------------------------------------------------------------------------------- */

static struct arena *payer_of(struct arena *a);

NO_RETURN static void leave_work(struct arena *a, enum arena_spent spent)
{
    jmp_buf *landing;

    a = payer_of(a);
    if (!a)
        process_out_of_memory();
    landing = a->landing;
    arena_unlimit(a);
    longjmp(*landing, (int)spent);
}

void arena_out_of_memory(struct arena *a)
{
    leave_work(a, ARENA_SPENT_BYTES);
}

#define LEAST_ROOM 16 /* of arrays that are kept */

void *arena_kept_room(struct arena *a, void *array, size_t wanted, size_t *room, size_t size)
{
    size_t more = *room ? 2 * *room : LEAST_ROOM;

    if (wanted <= *room)
        return array;
    more = more < wanted ? wanted : more;
    if (!(array = realloc(array, more * size)))
        arena_out_of_memory(a);
    *room = more;
    return array;
}

void arena_allow_again(struct arena *a)
{
    a->allows_again = true;
}

void arena_run_again(struct arena *a)
{
    const struct arena *payer = payer_of(a);

    if (payer && payer->allows_again)
        leave_work(a, ARENA_RUN_AGAIN);
}

void arena_limit(struct arena *a, const struct arena_budget *budget, jmp_buf *landing)
{
    a->left = *budget;
    a->landing = landing;
    a->allows_again = false;
}

void arena_unlimit(struct arena *a)
{
    a->landing = NULL;
}

/* Returns the arena whose budget `a` is charged to, or NULL. */
static struct arena *payer_of(struct arena *a)
{
    while (a && !a->landing)
        a = a->owner;
    return a;
}

static void charge_steps(struct arena *payer, size_t steps)
{
    if (steps > (size_t)payer->left.steps)
        leave_work(payer, ARENA_SPENT_STEPS);
    payer->left.steps -= (int64_t)steps;
}

void arena_charge(struct arena *a, size_t steps)
{
    struct arena *payer = payer_of(a);

    if (payer)
        charge_steps(payer, steps);
}

const struct arena_budget *arena_left(const struct arena *a)
{
    static const struct arena_budget no_end = {.bytes = SIZE_MAX, .steps = INT64_MAX};

    while (a && !a->landing)
        a = a->owner;
    return a ? &a->left : &no_end;
}

static void charge_block(struct arena *a, size_t size)
{
    struct arena *payer = payer_of(a);

    if (!payer)
        return;
    if (size > payer->left.bytes)
        leave_work(payer, ARENA_SPENT_BYTES);
    payer->left.bytes -= size;
    charge_steps(payer, (size + BYTES_PER_STEP - 1) / BYTES_PER_STEP);
}

/* A block that goes to the spare list has its steps credited: taking it again costs no time. */
static void credit_block(struct arena *a, const struct block *b)
{
    struct arena *payer = payer_of(a);

    if (!payer)
        return;
    payer->left.bytes += b->size;
    if (!EACH_ALONE && b->size == a->block_size)
        payer->left.steps += (int64_t)(a->block_size / BYTES_PER_STEP);
}

/* --- arenas ---------------------------------------------------------------------------------- */

struct arena *arena_new(void)
{
    struct arena *a = process_zeroed(sizeof *a);

    a->block_size = BLOCK_SIZE;
    return a;
}

struct arena *arena_new_in(struct arena *owner)
{
    struct arena *a;

    if (!owner)
        return arena_new();
    if (!(a = calloc(1, sizeof *a)))
        leave_work(owner, ARENA_SPENT_BYTES);
    a->block_size = BLOCK_SIZE;
    a->owner = owner;
    a->next = owner->children;
    if (a->next)
        a->next->previous = a;
    owner->children = a;
    return a;
}

void arena_stay_small(struct arena *a)
{
    a->block_size = SMALL_SIZE;
}

void arena_disown(struct arena *a)
{
    if (!a->owner)
        return;
    if (a->previous)
        a->previous->next = a->next;
    else
        a->owner->children = a->next;
    if (a->next)
        a->next->previous = a->previous;
    a->owner = a->next = a->previous = NULL;
}

static void free_children(struct arena *a)
{
    struct arena *next;

    for (struct arena *child = a->children; child; child = next) {
        next = child->next;
        child->owner = NULL; /* all are freed: no need to unlink each one first */
        arena_free(child);
    }
    a->children = NULL;
}

/* --- blocks ---------------------------------------------------------------------------------- */

static struct block *block_new(struct arena *a, size_t size)
{
    struct block *b;

    if (size > SIZE_MAX - sizeof *b || !(b = malloc(sizeof *b + size)))
        leave_work(a, ARENA_SPENT_BYTES);
    b->next = NULL;
    b->size = size;
    b->used = 0;
    return b;
}

static void free_blocks(struct block *b)
{
    while (b) {
        struct block *next = b->next;

        free(b);
        b = next;
    }
}

/* Credits an arena's blocks to its owner when it is freed; the blocks go back to the system. */
static void credit_all(struct arena *a)
{
    struct arena *payer = payer_of(a);

    if (!payer)
        return;
    if (a->current)
        payer->left.bytes += a->current->size;
    for (const struct block *b = a->full; b; b = b->next)
        payer->left.bytes += b->size;
}

void arena_free(struct arena *a)
{
    if (!a)
        return;
    credit_all(a);
    arena_disown(a);
    free_children(a);
    free_blocks(a->current);
    free_blocks(a->full);
    free_blocks(a->spare);
    free_blocks(a->kept);
    free(a);
}

/* Returns the link to a kept block that is large enough but not much larger; *link is NULL if there
 * is no such block. */
static struct block **find_kept(struct arena *a, size_t size)
{
    struct block **at = &a->kept;

    while (*at && ((*at)->size < size || (*at)->size / 2 > size))
        at = &(*at)->next;
    return at;
}

static struct block *take_kept(struct arena *a, struct block **at)
{
    struct block *b = *at;

    *at = b->next;
    a->kept_bytes -= b->size;
    b->next = NULL;
    b->used = 0;
    return b;
}

static void free_kept(struct arena *a)
{
    free_blocks(a->kept);
    a->kept = NULL;
    a->kept_bytes = 0;
}

/* Ordinary blocks go to the spare list; larger and surplus ones go back to the system. */
static void retire_block(struct arena *a, struct block *b)
{
    if (EACH_ALONE || b->size != a->block_size || a->spare_count == SPARE_MAX) {
        free(b);
        return;
    }
    b->used = 0;
    b->next = a->spare;
    a->spare = b;
    a->spare_count++;
}

/* Returns the blocks in use, oldest first: the oldest are kept, the heap's end is freed. */
static struct block *take_all(struct arena *a)
{
    struct block *all = a->current;

    while (a->full) {
        struct block *b = a->full;

        a->full = b->next;
        b->next = all;
        all = b;
    }
    a->current = NULL;
    return all;
}

void arena_reset(struct arena *a)
{
    struct block *b = take_all(a);

    free_children(a);
    free_kept(a);
    while (b) {
        struct block *next = b->next;

        retire_block(a, b);
        b = next;
    }
}

/* Whether `at` points into the block. */
static bool block_holds(const struct block *b, const void *at)
{
    uintptr_t first = (uintptr_t)b->data, place = (uintptr_t)at;

    return place >= first && place - first < b->size;
}

void arena_keep_only(struct arena *a, const void *at)
{
    struct block *b = take_all(a);

    while (b) {
        struct block *next = b->next;

        b->next = NULL;
        if (block_holds(b, at))
            a->current = b;
        else
            free(b);
        b = next;
    }
    free_kept(a);
}

struct arena_mark arena_mark(const struct arena *a)
{
    return (struct arena_mark){a->current, a->current ? a->current->used : 0};
}

void arena_release(struct arena *a, struct arena_mark mark)
{
    while (a->current != mark.block) {
        struct block *newest = a->current;

        a->current = a->full;
        if (a->full) {
            a->full = a->full->next;
            a->current->next = NULL;
        }
        credit_block(a, newest);
        if (!EACH_ALONE && newest->size > a->block_size &&
            newest->size <= KEPT_MAX - a->kept_bytes) {
            newest->next = a->kept;
            a->kept = newest;
            a->kept_bytes += newest->size;
        } else {
            retire_block(a, newest);
        }
    }
    if (a->current)
        a->current->used = mark.used;
}

void arena_trim(struct arena *a)
{
    arena_reset(a);
    free_blocks(a->spare);
    a->spare = NULL;
    a->spare_count = 0;
}

static struct block *large_block(struct arena *a, size_t size)
{
    struct block **kept = find_kept(a, size);

    charge_block(a, *kept ? (*kept)->size : size);
    return *kept ? take_kept(a, kept) : block_new(a, size);
}

static struct block *block_for(struct arena *a, size_t size)
{
    struct block *b;

    if (EACH_ALONE || size > a->block_size)
        return large_block(a, size);
    charge_block(a, a->block_size);
    if (!a->spare)
        return block_new(a, a->block_size);
    b = a->spare;
    a->spare = b->next;
    a->spare_count--;
    b->next = NULL;
    return b;
}

/* The number of bytes that an allocation takes. */
static size_t room_for(struct arena *a, size_t size)
{
    if (EACH_ALONE)
        return size ? size : 1;
    if (size > SIZE_MAX - ALIGNMENT)
        leave_work(a, ARENA_SPENT_BYTES);
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void *arena_alloc_raw(struct arena *a, size_t size)
{
    size_t rounded = room_for(a, size);
    struct block *b = a->current;
    void *at;

    if (!b || b->size - b->used < rounded) {
        struct block *fresh = block_for(a, rounded);

        if (b) {
            b->next = a->full;
            a->full = b;
        }
        a->current = b = fresh;
    }
    at = (char *)b->data + b->used;
    b->used += rounded;
    return at;
}

void *arena_alloc(struct arena *a, size_t size)
{
    void *at = arena_alloc_raw(a, size);

    memset(at, 0, size);
    return at;
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        leave_work(a, ARENA_SPENT_BYTES);
    return arena_alloc(a, count * size);
}

/* Whether `old` ends where the newest allocation ends, so that it can be stretched. */
static bool is_newest(struct arena *a, const void *old, size_t old_size)
{
    const struct block *b = a->current;

    if (!b || !old)
        return false;
    return (const char *)old + room_for(a, old_size) == (const char *)b->data + b->used;
}

void *arena_grow(struct arena *a, void *old, size_t old_size, size_t new_size)
{
    void *at;

    if (new_size <= old_size)
        return old;
    if (!EACH_ALONE && is_newest(a, old, old_size)) {
        struct block *b = a->current;
        size_t offset = (size_t)((char *)old - (char *)b->data), rounded = room_for(a, new_size);

        if (rounded <= b->size - offset) {
            b->used = offset + rounded;
            return old;
        }
    }
    at = arena_alloc_raw(a, new_size);
    if (old_size)
        memcpy(at, old, old_size);
    return at;
}

char *arena_text(struct arena *a, struct span s)
{
    char *copy = arena_alloc_raw(a, s.len + 1);

    if (s.len)
        memcpy(copy, s.at, s.len);
    copy[s.len] = '\0';
    return copy;
}

struct span arena_span(struct arena *a, struct span s)
{
    return (struct span){arena_text(a, s), s.len};
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list args)
{
    va_list again;
    int len;
    char *text;

    va_copy(again, args);
    len = vsnprintf(NULL, 0, fmt, args);
    if (len < 0)
        leave_work(a, ARENA_SPENT_BYTES);
    text = arena_alloc_raw(a, (size_t)len + 1);
    (void)vsnprintf(text, (size_t)len + 1, fmt, again);
    va_end(again);
    return text;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list args;
    char *text;

    va_start(args, fmt);
    text = arena_vprintf(a, fmt, args);
    va_end(args);
    return text;
}
