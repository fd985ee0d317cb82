#include "catalogue/catalogue_kinds.h"

#include "base/hash.h"

#define MAX_KINDS ((size_t)256)
#define PLACES    (2 * MAX_KINDS) /* so that one slot is always free */
#define MAX_BYTES ((size_t)256 << 10)

struct kind_slot {
    struct span mark;
    const struct catalogue_kind *kind; /* NULL: the slot is free */
};

struct catalogue_kinds {
    struct arena *arena; /* of all kinds kept */
    struct kind_slot places[PLACES];
    size_t count, bytes;
};

struct catalogue_kinds *catalogue_kinds_new(struct arena *a)
{
    struct catalogue_kinds *k = arena_alloc(a, sizeof *k);

    k->arena = arena_new_in(a);
    return k;
}

/* The slot of the mark, or the free slot for it. */
static size_t place_of(const struct catalogue_kinds *k, struct span mark)
{
    size_t i = hash_bytes(mark) % PLACES;

    while (k->places[i].kind && !span_equal(k->places[i].mark, mark))
        i = (i + 1) % PLACES;
    return i;
}

const struct catalogue_kind *catalogue_kinds_find(const struct catalogue_kinds *k, struct span mark)
{
    return k->places[place_of(k, mark)].kind;
}

static size_t size_of(struct span mark, const struct catalogue_kind *kind)
{
    size_t size = sizeof *kind + mark.len + kind->text.len;

    for (size_t i = 0; i < kind->value_count; i++)
        size += sizeof *kind->values + kind->values[i].name.len;
    return size + kind->step_count * sizeof *kind->steps;
}

static const struct catalogue_kind *copy_of(struct arena *a, const struct catalogue_kind *kind)
{
    struct catalogue_kind *copy = arena_alloc(a, sizeof *copy);

    *copy = *kind;
    copy->text = arena_span(a, kind->text);
    copy->values = arena_array(a, kind->value_count, sizeof *copy->values);
    for (size_t i = 0; i < kind->value_count; i++) {
        copy->values[i].name = arena_span(a, kind->values[i].name);
        copy->values[i].in_key = kind->values[i].in_key;
        copy->values[i].needed = kind->values[i].needed;
    }
    copy->steps = arena_array(a, kind->step_count, sizeof *copy->steps);
    for (size_t i = 0; i < kind->step_count; i++)
        copy->steps[i] = kind->steps[i];
    return copy;
}

void catalogue_kinds_keep(struct catalogue_kinds *k, struct span mark,
                          const struct catalogue_kind *kind)
{
    size_t size = size_of(mark, kind);

    if (size > MAX_BYTES)
        return;
    if (k->count == MAX_KINDS || k->bytes + size > MAX_BYTES) {
        arena_reset(k->arena);
        memset(k->places, 0, sizeof k->places);
        k->count = k->bytes = 0;
    }
    k->places[place_of(k, mark)] = (struct kind_slot){arena_span(k->arena, mark),
                                                      copy_of(k->arena, kind)};
    k->count++;
    k->bytes += size;
}
