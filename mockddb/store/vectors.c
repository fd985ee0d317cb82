#include "store/vectors.h"

#include "base/platform.h"
#include "base/process.h"

#include <stdlib.h>

/* Floats are in blocks of the size of a huge page, which a search reads a fifth faster than small
 * pages; they never move. */
#define BLOCK_BYTES ((size_t)2 << 20)
/* A set with this many notes is not given up; and the memory kept for notes. */
#define NOTES_MIN  4096
#define NOTES_KEPT ((size_t)64 * 1024)
#define SLOTS_MIN  64
/* Maximum number of searches in progress, and how long one is waited for. */
#define SEARCHES    16
#define SEARCH_LIFE ((int64_t)5000000)

struct row {
    double norm;
    char *bytes; /* the key, followed by the label */
    uint32_t key_len, label_len;
};

struct vector_set {
    struct vector_set *next;
    uint32_t space;
    size_t floats; /* per row */
    size_t block_rows;
    struct siphash_key hash_key;

    float **blocks;
    size_t block_count, block_capacity;
    struct row *rows;
    size_t count, capacity;
    uint32_t *slots;   /* by hash of the key: a row's number, counted from 1; 0: empty */
    size_t slot_count; /* a power of two, at least twice the number of rows */

    struct row position; /* of filling; only its key is used */
    bool filled;

    char *notes; /* keys, each followed by its length */
    size_t notes_len, notes_capacity, note_count;

    struct vector_search *searches; /* an array of SEARCHES, after the first search; id 0: unused */
};

/* --- sets ------------------------------------------------------------------------------------- */

static void *grown(void *at, size_t count, size_t size)
{
    if (count > SIZE_MAX / size || !(at = realloc(at, count * size)))
        process_out_of_memory();
    return at;
}

static struct span key_of(const struct row *row)
{
    return (struct span){row->bytes, row->key_len};
}

static void set_free(struct vector_set *set)
{
    for (size_t i = 0; i < set->count; i++)
        free(set->rows[i].bytes);
    for (size_t i = 0; i < set->block_count; i++)
        free(set->blocks[i]);
    free(set->rows);
    free(set->blocks);
    free(set->slots);
    free(set->position.bytes);
    free(set->notes);
    free(set->searches);
    free(set);
}

static void free_all(struct vector_set **sets)
{
    while (*sets) {
        struct vector_set *set = *sets;

        *sets = set->next;
        set_free(set);
    }
}

void vectors_free(struct vectors *all)
{
    free_all(&all->sets);
    free_all(&all->outdated);
}

void vectors_outdate(struct vectors *all)
{
    struct vector_set **end = &all->outdated;

    while (*end)
        end = &(*end)->next;
    *end = all->sets;
    all->sets = NULL;
}

void vectors_drop(struct vectors *all, uint32_t space)
{
    for (struct vector_set **at = &all->sets; *at; at = &(*at)->next)
        if ((*at)->space == space) {
            struct vector_set *set = *at;

            *at = set->next;
            set_free(set);
            return;
        }
}

struct vector_set *vectors_find(const struct vectors *all, uint32_t space)
{
    struct vector_set *set = all->sets;

    while (set && set->space != space)
        set = set->next;
    return set;
}

struct vector_set *vectors_begin(struct vectors *all, uint32_t space, size_t floats,
                                 const struct siphash_key *key)
{
    struct vector_set *set = process_zeroed(sizeof *set);

    free_all(&all->outdated);
    set->space = space;
    set->floats = floats;
    set->block_rows = BLOCK_BYTES / (floats * sizeof(float));
    set->hash_key = *key;
    set->next = all->sets;
    all->sets = set;
    return set;
}

/* --- notes ------------------------------------------------------------------------------------ */

void vectors_note(struct vectors *all, uint32_t space, struct span key)
{
    struct vector_set *set = vectors_find(all, space);
    size_t need = key.len + sizeof key.len;

    if (!set)
        return;
    if (set->note_count > set->count && set->note_count >= NOTES_MIN) {
        vectors_drop(all, space);
        return;
    }
    if (set->notes_capacity - set->notes_len < need) {
        set->notes_capacity = 2 * set->notes_capacity + need;
        set->notes = grown(set->notes, set->notes_capacity, 1);
    }
    memcpy(set->notes + set->notes_len, key.at, key.len);
    memcpy(set->notes + set->notes_len + key.len, &key.len, sizeof key.len);
    set->notes_len += need;
    set->note_count++;
}

bool vectors_last_note(const struct vector_set *set, struct span *key)
{
    size_t end = set->notes_len - sizeof key->len;

    if (!set->note_count)
        return false;
    memcpy(&key->len, set->notes + end, sizeof key->len);
    key->at = set->notes + end - key->len;
    return true;
}

void vectors_drop_note(struct vector_set *set)
{
    struct span key;

    if (!vectors_last_note(set, &key))
        return;
    set->notes_len -= key.len + sizeof key.len;
    if (--set->note_count || set->notes_capacity <= NOTES_KEPT)
        return;
    free(set->notes);
    set->notes = NULL;
    set->notes_capacity = 0;
}

/* --- filling ---------------------------------------------------------------------------------- */

struct span vectors_position(const struct vector_set *set)
{
    return key_of(&set->position);
}

bool vectors_is_filled(const struct vector_set *set)
{
    return set->filled;
}

void vectors_set_position(struct vector_set *set, struct span key)
{
    set->position.bytes = grown(set->position.bytes, key.len ? key.len : 1, 1);
    if (key.len)
        memcpy(set->position.bytes, key.at, key.len);
    set->position.key_len = (uint32_t)key.len;
}

void vectors_set_filled(struct vector_set *set)
{
    set->filled = true;
}

/* --- finding a row ---------------------------------------------------------------------------- */

static size_t first_slot(const struct vector_set *set, struct span key)
{
    return (size_t)siphash(&set->hash_key, key) & (set->slot_count - 1);
}

static size_t next_slot(const struct vector_set *set, size_t slot)
{
    return (slot + 1) & (set->slot_count - 1);
}

/* The slot with the key's row, or the empty slot for it. */
static size_t find_slot(const struct vector_set *set, struct span key)
{
    size_t slot = first_slot(set, key);

    while (set->slots[slot] && !span_equal(key_of(&set->rows[set->slots[slot] - 1]), key))
        slot = next_slot(set, slot);
    return slot;
}

static void enter_row(struct vector_set *set, size_t row)
{
    set->slots[find_slot(set, key_of(&set->rows[row]))] = (uint32_t)row + 1;
}

static void set_slots(struct vector_set *set, size_t count)
{
    set->slot_count = count;
    free(set->slots);
    set->slots = process_zeroed(set->slot_count * sizeof *set->slots);
    for (size_t i = 0; i < set->count; i++)
        enter_row(set, i);
}

/* Closes the gap: moves up later rows whose own slot was taken. */
static void empty_slot(struct vector_set *set, size_t gap)
{
    size_t slot = gap, mask = set->slot_count - 1;

    set->slots[gap] = 0;
    while (set->slots[slot = next_slot(set, slot)]) {
        size_t home = first_slot(set, key_of(&set->rows[set->slots[slot] - 1]));

        if (((slot - home) & mask) < ((slot - gap) & mask))
            continue;
        set->slots[gap] = set->slots[slot];
        set->slots[slot] = 0;
        gap = slot;
    }
}

/* --- rows ------------------------------------------------------------------------------------- */

static float *floats_of(const struct vector_set *set, size_t row)
{
    return set->blocks[row / set->block_rows] + row % set->block_rows * set->floats;
}

/* Makes room for the floats of another row. */
static void grow_blocks(struct vector_set *set)
{
    float *block;

    if (set->count / set->block_rows < set->block_count)
        return;
    if (set->block_count == set->block_capacity) {
        set->block_capacity = 2 * set->block_capacity + 1;
        set->blocks = grown(set->blocks, set->block_capacity, sizeof *set->blocks);
    }
    block = process_have(aligned_alloc(BLOCK_BYTES, BLOCK_BYTES));
    if (set->block_count) /* for a small set, the system provides only as much as is used */
        platform_want_huge_pages(block, BLOCK_BYTES);
    set->blocks[set->block_count] = block;
    set->block_count++;
}

static size_t new_row(struct vector_set *set)
{
    if (2 * (set->count + 1) > set->slot_count)
        set_slots(set, set->slot_count ? 2 * set->slot_count : SLOTS_MIN);
    if (set->count == set->capacity) {
        set->capacity = 2 * set->capacity + 16;
        set->rows = grown(set->rows, set->capacity, sizeof *set->rows);
    }
    grow_blocks(set);
    set->rows[set->count].bytes = NULL;
    return set->count++;
}

void vectors_put(struct vector_set *set, const struct vector_row *row)
{
    size_t slot = set->slot_count ? find_slot(set, row->key) : 0;
    bool is_new = !set->slot_count || !set->slots[slot];
    size_t number = is_new ? new_row(set) : set->slots[slot] - 1;
    struct row *own = &set->rows[number];

    own->bytes = grown(own->bytes, row->key.len + row->label.len, 1);
    memcpy(own->bytes, row->key.at, row->key.len);
    if (row->label.len)
        memcpy(own->bytes + row->key.len, row->label.at, row->label.len);
    own->key_len = (uint32_t)row->key.len;
    own->label_len = (uint32_t)row->label.len;
    own->norm = row->norm;
    memcpy(floats_of(set, number), row->at, set->floats * sizeof(float));
    if (is_new)
        enter_row(set, number);
}

/* The last row moves to the place of the removed one. */
void vectors_remove(struct vector_set *set, struct span key)
{
    size_t slot = set->slot_count ? find_slot(set, key) : 0, number;

    if (!set->slot_count || !set->slots[slot])
        return;
    number = set->slots[slot] - 1;
    empty_slot(set, slot);
    free(set->rows[number].bytes);
    if (number != --set->count) {
        set->slots[find_slot(set, key_of(&set->rows[set->count]))] = (uint32_t)number + 1;
        set->rows[number] = set->rows[set->count];
        memcpy(floats_of(set, number), floats_of(set, set->count), set->floats * sizeof(float));
    }
    /* Rows that are added and removed at a boundary must not allocate and free each time: keeps one
     * block more than needed, and four times the slots. */
    while (set->block_count > set->count / set->block_rows + 2)
        free(set->blocks[--set->block_count]);
    if (set->slot_count == SLOTS_MIN || 8 * set->count > set->slot_count)
        return;
    set_slots(set, set->slot_count / 2);
    set->capacity = set->slot_count / 2;
    set->rows = grown(set->rows, set->capacity, sizeof *set->rows);
}

size_t vectors_count(const struct vector_set *set)
{
    return set->count;
}

struct vector_row vectors_row(const struct vector_set *set, size_t i)
{
    const struct row *row = &set->rows[i];

    return (struct vector_row){.at = floats_of(set, i),
                               .norm = row->norm,
                               .key = key_of(row),
                               .label = {row->bytes + row->key_len, row->label_len}};
}

size_t vectors_bytes(const struct vector_set *set)
{
    return set->count * set->floats * sizeof(float);
}

/* --- searches that take several turns --------------------------------------------------------- */

struct vector_search *vectors_search(struct vector_set *set, uint64_t id, int64_t now_us)
{
    struct vector_search *oldest;

    if (!set->searches)
        set->searches = process_zeroed(SEARCHES * sizeof *set->searches);
    oldest = set->searches;
    for (size_t i = 0; i < SEARCHES; i++) {
        struct vector_search *one = &set->searches[i];

        if (one->id == id) {
            one->used_us = now_us;
            return one;
        }
        if (!one->id || (oldest->id && one->used_us < oldest->used_us))
            oldest = one;
    }
    *oldest = (struct vector_search){.id = id, .used_us = now_us};
    return oldest;
}

void vectors_end_search(struct vector_set *set, uint64_t id)
{
    for (size_t i = 0; set->searches && i < SEARCHES; i++)
        if (set->searches[i].id == id)
            set->searches[i].id = 0;
}

bool vectors_is_searched(struct vector_set *set, int64_t now_us)
{
    bool any = false;

    for (size_t i = 0; set->searches && i < SEARCHES; i++) {
        struct vector_search *one = &set->searches[i];

        if (one->id && now_us - one->used_us > SEARCH_LIFE)
            one->id = 0;
        any = any || one->id;
    }
    return any;
}
