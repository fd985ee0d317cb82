#include "model/attr_set.h"

#include <assert.h>
#include <stdlib.h>

#define FEW 24 /* fewer members are sorted by insertion */

/* The letters by which values are ordered. S and B: their bytes. N: one letter for the sign and the
 * number of digits before the point, then the digits, complemented if the number is negative. The
 * end of a value comes before all letters; the end of a negative number comes after them. */
#define END      0
#define LAST_END 257
#define BUCKETS  258

static unsigned letter_of_number(struct span text, size_t depth)
{
    bool negative = text.at[0] == '-';
    const char *point;
    unsigned digits;

    if (depth) {
        depth += negative;
        depth--;
        if (depth == text.len)
            return negative ? LAST_END : END;
        return negative ? 256u - (unsigned char)text.at[depth] : 1u + (unsigned char)text.at[depth];
    }
    point = memchr(text.at, '.', text.len);
    digits = (unsigned)((point ? (size_t)(point - text.at) : text.len) - negative);
    return negative ? 127u - digits : 128u + digits;
}

static unsigned letter_at(const struct attr *value, size_t depth)
{
    if (value->type == ATTR_N)
        return letter_of_number(value->bytes, depth);
    return depth == value->bytes.len ? END : 1u + (unsigned char)value->bytes.at[depth];
}

/* Letters that are read at once. They are kept in the member that lists use for their size, so that
 * the values themselves are seldom read. */
#define LETTERS     3
#define LETTER_BITS 9

static uint32_t letters_from(const struct attr *value, size_t depth)
{
    uint32_t letters = 0;
    unsigned letter = 1;

    for (size_t i = 0; i < LETTERS; i++) {
        if (letter != END && letter != LAST_END)
            letter = letter_at(value, depth + i);
        letters = letters << LETTER_BITS | letter;
    }
    return letters;
}

static unsigned letter_of(const struct attr *value, size_t depth)
{
    return value->size >> (LETTERS - 1 - depth % LETTERS) * LETTER_BITS & ((1u << LETTER_BITS) - 1);
}

/* Compares values whose letters before the kept ones are the same. */
static bool is_before(const struct attr *a, const struct attr *b)
{
    return a->size != b->size ? a->size < b->size : attr_compare(a, b) < 0;
}

/* Values that share the same first letters, dealt into buckets. */
struct deal {
    size_t from[BUCKETS + 1];
    size_t next[BUCKETS];
};

/* Computes where each bucket begins; returns the largest bucket. */
static unsigned count_buckets(struct deal *d, const struct attr *at, size_t len, size_t depth)
{
    unsigned largest = 0;

    memset(d->from, 0, sizeof d->from);
    for (size_t i = 0; i < len; i++)
        d->from[1 + letter_of(&at[i], depth)]++;
    for (unsigned b = 0; b < BUCKETS; b++)
        if (d->from[b + 1] > d->from[largest + 1])
            largest = b;
    for (unsigned b = 0; b < BUCKETS; b++) {
        d->next[b] = d->from[b];
        d->from[b + 1] += d->from[b];
    }
    return largest;
}

static void swap_into_buckets(struct deal *d, struct attr *at, size_t depth)
{
    for (unsigned b = 0; b < BUCKETS; b++)
        while (d->next[b] < d->from[b + 1]) {
            struct attr *here = &at[d->next[b]], value = *here;
            unsigned to = letter_of(here, depth);

            *here = at[d->next[to]];
            at[d->next[to]++] = value;
        }
}

#define STEPS_OF_DEALING 3 /* a member per letter, with its share of the small buckets */

/* The loop itself sorts the largest bucket, so the recursion is only logarithmically deep. */
static void sort_members(struct arena *a, struct attr *at, size_t len, size_t depth)
{
    struct deal d;

    for (;; depth++) {
        unsigned largest;

        if (len <= FEW)
            break;
        for (size_t i = 0; depth % LETTERS == 0 && i < len; i++)
            at[i].size = letters_from(&at[i], depth);
        arena_charge(a, len * STEPS_OF_DEALING);
        largest = count_buckets(&d, at, len, depth);
        if (d.from[largest + 1] - d.from[largest] < len)
            swap_into_buckets(&d, at, depth);
        for (unsigned b = 1; b < LAST_END; b++)
            if (b != largest && d.from[b + 1] > d.from[b])
                sort_members(a, at + d.from[b], d.from[b + 1] - d.from[b], depth + 1);
        if (largest == END || largest == LAST_END)
            return; /* all values are equal */
        at += d.from[largest];
        len = d.from[largest + 1] - d.from[largest];
    }
    for (size_t i = 1; i < len; i++) {
        struct attr value = at[i];
        size_t to = i;

        for (; to && is_before(&value, &at[to - 1]); to--)
            at[to] = at[to - 1];
        at[to] = value;
    }
}

/* --- sets ------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    return attr_compare(a, b);
}

/* Whether the members are in order; *distinct says whether no two neighbours are equal. */
static bool in_order(const struct attr_list *list, bool *distinct)
{
    *distinct = true;
    for (size_t i = 1; i < list->len; i++) {
        int order = attr_compare(&list->at[i - 1], &list->at[i]);

        if (order > 0)
            return false;
        if (order == 0)
            *distinct = false;
    }
    return true;
}

bool attr_set_normalize(struct arena *a, struct attr *set)
{
    bool distinct;

    assert(attr_is_set(set->type));
    if (in_order(&set->list, &distinct))
        return distinct;
    for (size_t i = 0; i < set->list.len; i++)
        set->list.at[i].size = 0;
    sort_members(a, set->list.at, set->list.len, 0);
    for (size_t i = 0; i < set->list.len; i++)
        set->list.at[i].size = 0;
    in_order(&set->list, &distinct);
    return distinct;
}

bool attr_set_contains(const struct attr *set, const struct attr *element)
{
    if (!set->list.len || element->type != attr_element_type(set->type))
        return false;
    return bsearch(element, set->list.at, set->list.len, sizeof *element, by_value) != NULL;
}
