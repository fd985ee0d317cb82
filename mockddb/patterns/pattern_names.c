#include "patterns/pattern_names.h"

#include "base/siphash.h"

#define MIN_SLOTS      8  /* slots, a power of two */
#define STEPS_PER_NAME 12 /* its hash, and its slot in a table that is in no cache */

struct name_slot {
    struct span name; /* at NULL: the slot is free */
    size_t number;
};

struct pattern_names {
    struct arena *arena;
    size_t mask;
    struct name_slot *slots; /* at most half of them are used */
};

struct pattern_names *pattern_names_new(struct arena *a, size_t max_names)
{
    struct pattern_names *n = arena_alloc(a, sizeof *n);
    size_t size = MIN_SLOTS;

    while (size / 2 < max_names)
        size *= 2;
    *n = (struct pattern_names){a, size - 1, arena_array(a, size, sizeof *n->slots)};
    return n;
}

/* The name's slot, or the free slot for it. */
static struct name_slot *slot_of(const struct pattern_names *n, struct span name)
{
    size_t at = (size_t)siphash(siphash_own_key(), name) & n->mask;

    arena_charge(n->arena, STEPS_PER_NAME + name.len / 16);
    while (n->slots[at].name.at && !span_equal(n->slots[at].name, name))
        at = (at + 1) & n->mask;
    return &n->slots[at];
}

bool pattern_names_add(struct pattern_names *n, struct span name, size_t number)
{
    struct name_slot *s = slot_of(n, name);

    if (s->name.at)
        return false;
    *s = (struct name_slot){{name.at ? name.at : "", name.len}, number};
    return true;
}

bool pattern_names_find(const struct pattern_names *n, struct span name, size_t *number)
{
    const struct name_slot *s = n ? slot_of(n, name) : NULL;

    if (!s || !s->name.at)
        return false;
    *number = s->number;
    return true;
}

bool pattern_names_has(const struct pattern_names *n, struct span name)
{
    size_t number;

    return pattern_names_find(n, name, &number);
}
