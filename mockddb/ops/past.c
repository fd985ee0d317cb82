#include "ops/past.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

struct past_note {
    uint32_t hash; /* of its key */
    bool found;
    int64_t at_ms;
    size_t size;
    char *bytes; /* the key, then the body */
    size_t key_len, body_len;
};

/* The newest notes of one kind. */
struct past_ring {
    struct past_note at[LIMIT_PAST_NOTES];
    uint64_t total; /* notes made so far */
    size_t count;   /* notes still stored */
    size_t bytes;
};

struct past {
    struct past_ring images, entries;
};

/* The place of the i-th note, newest first. */
static size_t place_of(const struct past_ring *r, size_t i)
{
    return (size_t)((r->total - i) % LIMIT_PAST_NOTES);
}

static void forget_note(struct past_ring *r, size_t i)
{
    struct past_note *n = &r->at[place_of(r, i)];

    r->bytes -= n->key_len + n->body_len;
    free(n->bytes);
    r->count--;
}

static void forget_newest(struct past_ring *r)
{
    forget_note(r, 0);
    r->total--;
}

static void clear_ring(struct past_ring *r)
{
    while (r->count)
        forget_newest(r);
}

static void add_note(struct past_ring *r, struct span key, struct span body, struct past_note n)
{
    size_t bytes = key.len + body.len;

    while (r->count && (r->count == LIMIT_PAST_NOTES || r->bytes + bytes > LIMIT_PAST_BYTES))
        forget_note(r, r->count - 1);
    n.hash = hash_bytes(key);
    n.key_len = key.len;
    n.body_len = body.len;
    n.bytes = process_malloc(bytes);
    memcpy(n.bytes, key.at, key.len);
    if (body.len)
        memcpy(n.bytes + key.len, body.at, body.len);
    r->total++;
    r->count++;
    r->bytes += bytes;
    r->at[place_of(r, 0)] = n;
}

struct past *past_new(void)
{
    struct past *p = process_zeroed(sizeof *p);

    return p;
}

void past_clear(struct past *p)
{
    if (!p)
        return;
    clear_ring(&p->images);
    clear_ring(&p->entries);
}

void past_free(struct past *p)
{
    past_clear(p);
    free(p);
}

void past_note_item(struct past *p, const struct store_row *before, int64_t now_ms)
{
    struct span nothing = {NULL, 0};

    add_note(&p->images, before->key, before->found ? before->body : nothing,
             (struct past_note){.at_ms = now_ms,
                                .found = before->found,
                                .size = before->found ? before->size : 0});
}

void past_note_entry(struct past *p, struct span key, int64_t now_ms)
{
    add_note(&p->entries, key, (struct span){NULL, 0},
             (struct past_note){.at_ms = now_ms, .found = true});
}

struct past_mark past_mark(const struct past *p)
{
    return p ? (struct past_mark){p->images.total, p->entries.total} : (struct past_mark){0, 0};
}

/* Removes the notes since the mark, or all if the ring has lost some of them. */
static void undo_notes(struct past_ring *r, uint64_t mark)
{
    while (r->count && r->total > mark)
        forget_newest(r);
}

void past_undo(struct past *p, struct past_mark mark)
{
    if (!p)
        return;
    undo_notes(&p->images, mark.images);
    undo_notes(&p->entries, mark.entries);
}

static bool is_of(const struct past_note *n, uint32_t hash, struct span key)
{
    return n->hash == hash && span_equal((struct span){n->bytes, n->key_len}, key);
}

bool past_image(const struct past *p, struct span key, int64_t moment_ms, struct store_row *out)
{
    const struct past_note *first = NULL; /* the first change after the moment */
    uint32_t hash = hash_bytes(key);

    for (size_t i = 0; i < p->images.count; i++) {
        const struct past_note *n = &p->images.at[place_of(&p->images, i)];

        if (!is_of(n, hash, key))
            continue;
        if (moment_ms != PAST_PREVIOUS && n->at_ms <= moment_ms)
            break;
        first = n;
        if (moment_ms == PAST_PREVIOUS)
            break;
    }
    if (!first)
        return false;
    *out = (struct store_row){.key = key,
                              .found = first->found,
                              .size = first->size,
                              .body = {first->bytes + first->key_len, first->body_len}};
    return true;
}

bool past_is_younger(const struct past *p, struct span key, int64_t moment_ms)
{
    uint32_t hash;

    if (!p->entries.count)
        return false;
    hash = hash_bytes(key);
    for (size_t i = 0; i < p->entries.count; i++) {
        const struct past_note *n = &p->entries.at[place_of(&p->entries, i)];

        if (n->at_ms > moment_ms && is_of(n, hash, key))
            return true;
    }
    return false;
}
