#include "model/attr.h"

#include <assert.h>
#include <stdlib.h>

/* Maps with at most this many fields are always searched from end to end. */
#define SMALL_MAP ((size_t)32)

static const struct {
    struct span code;
    const char *name;
} attr_types[ATTR_TYPE_COUNT] = {
    [ATTR_S] = {SPAN_LIT_INIT("S"), "STRING"},
    [ATTR_N] = {SPAN_LIT_INIT("N"), "NUMBER"},
    [ATTR_B] = {SPAN_LIT_INIT("B"), "BINARY"},
    [ATTR_SS] = {SPAN_LIT_INIT("SS"), "STRING_SET"},
    [ATTR_NS] = {SPAN_LIT_INIT("NS"), "NUMBER_SET"},
    [ATTR_BS] = {SPAN_LIT_INIT("BS"), "BINARY_SET"},
    [ATTR_BOOL] = {SPAN_LIT_INIT("BOOL"), "BOOLEAN"},
    [ATTR_NULL] = {SPAN_LIT_INIT("NULL"), "NULL"},
    [ATTR_L] = {SPAN_LIT_INIT("L"), "LIST"},
    [ATTR_M] = {SPAN_LIT_INIT("M"), "MAP"},
};

const char *attr_type_code(enum attr_type type)
{
    return attr_types[type].code.at;
}

const char *attr_type_name(enum attr_type type)
{
    return attr_types[type].name;
}

static bool type_of_letter(char letter, enum attr_type *out)
{
    switch (letter) {
    case 'S':
        *out = ATTR_S;
        return true;
    case 'N':
        *out = ATTR_N;
        return true;
    case 'M':
        *out = ATTR_M;
        return true;
    case 'L':
        *out = ATTR_L;
        return true;
    case 'B':
        *out = ATTR_B;
        return true;
    default:
        return false;
    }
}

bool attr_type_of_code(struct span code, enum attr_type *out)
{
    if (code.len == 1)
        return type_of_letter(code.at[0], out);
    for (size_t i = 0; i < ATTR_TYPE_COUNT; i++)
        if (span_equal(attr_types[i].code, code)) {
            *out = (enum attr_type)i;
            return true;
        }
    return false;
}

enum attr_type attr_element_type(enum attr_type set_type)
{
    assert(attr_is_set(set_type));
    return set_type == ATTR_SS ? ATTR_S : set_type == ATTR_NS ? ATTR_N : ATTR_B;
}

/* Compares two canonical numbers without signs: first the lengths before the point, then bytes. */
static int compare_digits(struct span a, struct span b)
{
    const char *point_a = memchr(a.at, '.', a.len), *point_b = memchr(b.at, '.', b.len);
    size_t whole_a = point_a ? (size_t)(point_a - a.at) : a.len;
    size_t whole_b = point_b ? (size_t)(point_b - b.at) : b.len;

    if (whole_a != whole_b)
        return whole_a < whole_b ? -1 : 1;
    return span_compare(a, b);
}

static int compare_numbers(struct span a, struct span b)
{
    bool negative_a = a.at[0] == '-', negative_b = b.at[0] == '-';

    if (negative_a != negative_b)
        return negative_a ? -1 : 1;
    return negative_a ? compare_digits(span_from(b, 1), span_from(a, 1)) : compare_digits(a, b);
}

int attr_compare(const struct attr *a, const struct attr *b)
{
    assert(a->type == b->type && a->type <= ATTR_B);
    return a->type == ATTR_N ? compare_numbers(a->bytes, b->bytes)
                             : span_compare(a->bytes, b->bytes);
}

int attr_compare_scalars(const struct attr *a, const struct attr *b)
{
    return a->type != b->type ? (a->type > b->type) - (a->type < b->type) : attr_compare(a, b);
}

bool attr_equal(const struct attr *a, const struct attr *b)
{
    if (a->type != b->type)
        return false;
    switch (a->type) {
    case ATTR_S:
    case ATTR_N: /* canonical: equal values have equal texts */
    case ATTR_B:
        return span_equal(a->bytes, b->bytes);
    case ATTR_BOOL:
        return a->boolean == b->boolean;
    case ATTR_SS: /* sorted: equal sets have equal members in equal order */
    case ATTR_NS:
    case ATTR_BS:
    case ATTR_L:
        if (a->list.len != b->list.len)
            return false;
        for (size_t i = 0; i < a->list.len; i++)
            if (!attr_equal(&a->list.at[i], &b->list.at[i]))
                return false;
        return true;
    case ATTR_M:
        return item_equal(&a->map, &b->map);
    case ATTR_NULL:
    case ATTR_TYPE_COUNT:
        break;
    }
    return true;
}

/* --- finding fields by name ------------------------------------------------------------------- */

/* Names are looked up by hash, and maps are compared in the order of their names. One array serves
 * both: in a map that was compared, names are looked up by binary search. */
struct item_order {
    size_t looked_at; /* fields examined so far */
    size_t mask;      /* number of slots less 1; the number is a power of two */
    enum { NAMES_LOOSE, NAMES_HASHED, NAMES_SORTED } state;
    /* SORTED: positions of the fields, ordered by name. HASHED: position plus 1, at the slot of the
     * name's hash or after it; 0 in free slots. */
    uint32_t at[];
};

/* For each field: the linear searches, and the hashing or sorting that may follow. */
#define STEPS_TO_ORDER 4

/* The number of linear searches that together cost less than hashing all names. The names of a wide
 * map are not in the processor's caches: there, reading a name costs almost as much as its hash. */
#define WIDE_MAP            1024
#define CHEAP_SEARCHES(len) ((len) > WIDE_MAP ? 2 : 16)

/* The number of slots for that many names; at least a quarter of them stays free. */
static size_t places_for(size_t names)
{
    size_t places = 2 * SMALL_MAP;

    while (places - places / 4 < names)
        places *= 2;
    return places;
}

void item_make_findable(struct arena *a, struct item *it)
{
    struct item_order *order;
    size_t places;

    it->order = NULL;
    if (it->len <= SMALL_MAP || it->len > UINT32_MAX)
        return;
    places = places_for(it->len);
    order = arena_alloc_raw(a, sizeof *order + places * sizeof *order->at);
    arena_charge(a, it->len * STEPS_TO_ORDER);
    order->looked_at = 0;
    order->mask = places - 1;
    order->state = NAMES_LOOSE;
    it->order = order;
}

/* The hash has a key, so clients cannot choose names that collide. */
static size_t place_of(const struct item_order *order, struct span name)
{
    return (size_t)siphash(siphash_own_key(), name) & order->mask;
}

/* If a damaged item has a name twice, the first field is found, as by a linear search. */
static void hash_names(const struct item *it)
{
    struct item_order *order = it->order;

    memset(order->at, 0, (order->mask + 1) * sizeof *order->at);
    for (size_t i = 0; i < it->len; i++) {
        size_t place = place_of(order, it->at[i].name);

        while (order->at[place])
            place = (place + 1) & order->mask;
        order->at[place] = (uint32_t)i + 1;
    }
    order->state = NAMES_HASHED;
}

static struct field *find_by_hash(const struct item *it, struct span name)
{
    const struct item_order *order = it->order;

    for (size_t place = place_of(order, name); order->at[place];
         place = (place + 1) & order->mask) {
        struct field *f = &it->at[order->at[place] - 1];

        if (span_equal(f->name, name))
            return f;
    }
    return NULL;
}

/* A field with the first bytes of its name, so that most comparisons read nothing else. */
struct sorting {
    uint64_t head;
    struct span name;
    uint32_t position;
};

/* The first eight bytes as a number that keeps their order. */
static uint64_t head_of(struct span name)
{
    uint64_t head = 0;

    for (size_t i = 0; i < 8; i++)
        head = head << 8 | (i < name.len ? (unsigned char)name.at[i] : 0);
    return head;
}

static int by_name(const void *a, const void *b)
{
    const struct sorting *one = a, *two = b;

    if (one->head != two->head)
        return one->head < two->head ? -1 : 1;
    return span_compare(one->name, two->name);
}

/* NULL if there is no memory: then the caller does without an order. */
static struct sorting *sort_names(const struct item *it)
{
    struct sorting *sorted = malloc(it->len * sizeof *sorted);

    if (!sorted)
        return NULL;
    for (size_t i = 0; i < it->len; i++)
        sorted[i] = (struct sorting){head_of(it->at[i].name), it->at[i].name, (uint32_t)i};
    qsort(sorted, it->len, sizeof *sorted, by_name);
    return sorted;
}

static struct field *find_in_order(const struct item *it, struct span name)
{
    size_t low = 0, high = it->len;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        struct field *f = &it->at[it->order->at[middle]];
        int order = span_compare(f->name, name);

        if (!order)
            return f;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static struct field *find_by_search(const struct item *it, struct span name)
{
    struct field *f = it->at;

    for (size_t left = it->len; left; left--, f++)
        if (span_equal(f->name, name))
            return f;
    return NULL;
}

NO_INLINE static struct field *find_in_large(const struct item *it, struct span name)
{
    struct item_order *order = it->order;
    struct field *f;

    if (order->state == NAMES_LOOSE && order->looked_at / CHEAP_SEARCHES(it->len) >= it->len)
        hash_names(it);
    if (order->state == NAMES_HASHED)
        return find_by_hash(it, name);
    if (order->state == NAMES_SORTED)
        return find_in_order(it, name);
    f = find_by_search(it, name);
    order->looked_at += f ? (size_t)(f - it->at) : it->len;
    return f;
}

static struct field *find_field(const struct item *it, struct span name)
{
    return it->order ? find_in_large(it, name) : find_by_search(it, name);
}

/* --- equality -------------------------------------------------------------------------------- */

/* The fields of an item by name: in its stored order, or in one made for this comparison. */
struct by_name {
    const struct item *it;
    struct sorting *made;
};

static bool order_for_once(struct by_name *o, const struct item *it)
{
    *o = (struct by_name){.it = it};
    if (it->order && it->order->state != NAMES_SORTED) {
        struct sorting *sorted = sort_names(it);

        if (sorted) {
            for (size_t i = 0; i < it->len; i++)
                it->order->at[i] = sorted[i].position;
            it->order->state = NAMES_SORTED;
            free(sorted);
        }
    }
    if (!it->order || it->order->state != NAMES_SORTED)
        o->made = sort_names(it);
    return o->made || (it->order && it->order->state == NAMES_SORTED);
}

static const struct field *field_by_name(const struct by_name *o, size_t i)
{
    return &o->it->at[o->made ? o->made[i].position : o->it->order->at[i]];
}

static bool equal_by_search(const struct item *a, size_t from, const struct item *b)
{
    for (size_t i = from; i < a->len; i++) {
        const struct attr *other = item_find(b, a->at[i].name);

        if (!other || !attr_equal(&a->at[i].value, other))
            return false;
    }
    return true;
}

static bool large_equal(const struct item *a, const struct item *b)
{
    struct by_name one, two;
    bool one_ordered = order_for_once(&one, a), two_ordered = order_for_once(&two, b);
    bool ordered = one_ordered && two_ordered, equal = true;

    for (size_t i = 0; ordered && equal && i < a->len; i++) {
        const struct field *left = field_by_name(&one, i), *right = field_by_name(&two, i);

        equal = span_equal(left->name, right->name) && attr_equal(&left->value, &right->value);
    }
    free(one.made);
    free(two.made);
    return ordered ? equal : equal_by_search(a, 0, b);
}

bool item_equal(const struct item *a, const struct item *b)
{
    size_t i = 0;

    if (!a || !b)
        return a == b;
    if (a->len != b->len)
        return false;
    for (; i < a->len && span_equal(a->at[i].name, b->at[i].name); i++)
        if (!attr_equal(&a->at[i].value, &b->at[i].value))
            return false;
    if (a->len - i > SMALL_MAP)
        return large_equal(a, b);
    return equal_by_search(a, i, b);
}

/* At least one of the two must be unpredictable without the key. */
static uint64_t hash_pair(const struct siphash_key *key, uint64_t one, uint64_t two)
{
    uint64_t mixed = ((one ^ key->word[0]) << 1 | 1) * ((two ^ key->word[1]) << 1 | 1);

    return (mixed ^ mixed >> 32) * UINT64_C(0x9E3779B97F4A7C15);
}

static uint64_t hash_value(const struct siphash_key *key, const struct attr *value)
{
    uint64_t hash = (uint64_t)value->type;

    switch (value->type) {
    case ATTR_S:
    case ATTR_N:
    case ATTR_B:
        return hash_pair(key, hash, siphash(key, value->bytes));
    case ATTR_SS:
    case ATTR_NS:
    case ATTR_BS:
    case ATTR_L:
        for (size_t i = 0; i < value->list.len; i++)
            hash = hash_pair(key, hash, hash_value(key, &value->list.at[i]));
        return hash;
    case ATTR_M:
        return hash_pair(key, hash, item_hash(key, &value->map));
    case ATTR_BOOL:
        return hash_pair(key, hash, value->boolean);
    case ATTR_NULL:
    case ATTR_TYPE_COUNT:
        break;
    }
    return hash;
}

/* A sum, since fields have no order. */
uint64_t item_hash(const struct siphash_key *key, const struct item *it)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < it->len; i++)
        sum += hash_pair(key, siphash(key, it->at[i].name), hash_value(key, &it->at[i].value));
    return sum;
}

static size_t list_size(const struct attr_list *list, size_t each)
{
    size_t size = 0;

    for (size_t i = 0; i < list->len; i++)
        size += each + attr_size(&list->at[i]);
    return size;
}

static size_t fields_size(const struct item *it, size_t each)
{
    size_t size = 0;

    for (size_t i = 0; i < it->len; i++)
        size += each + it->at[i].name.len + attr_size(&it->at[i].value);
    return size;
}

static size_t container_size(const struct attr *value)
{
    if (value->type == ATTR_M)
        return 3 + fields_size(&value->map, 1);
    return value->type == ATTR_L ? 3 + list_size(&value->list, 1) : list_size(&value->list, 0);
}

/* Measures the value once; storing the size is not visible as a change. */
static size_t carried_size(const struct attr *value)
{
    size_t size;

    if (value->size)
        return value->size;
    size = container_size(value);
    if (size <= UINT32_MAX)
        ((struct attr *)(uintptr_t)value)->size = (uint32_t)size;
    return size;
}

size_t attr_size(const struct attr *value)
{
    switch (value->type) {
    case ATTR_S:
    case ATTR_B:
        return value->bytes.len;
    case ATTR_N:
        return num_size_of(value->bytes);
    case ATTR_SS:
    case ATTR_NS:
    case ATTR_BS:
    case ATTR_L:
    case ATTR_M:
        return carried_size(value);
    case ATTR_BOOL:
    case ATTR_NULL:
    case ATTR_TYPE_COUNT:
        break;
    }
    return 1;
}

size_t item_size(const struct item *it)
{
    return fields_size(it, 0);
}

bool attr_is_deeper(const struct attr *value, size_t limit)
{
    if (value->type != ATTR_L && value->type != ATTR_M)
        return false;
    if (limit == 0)
        return true;
    if (value->type == ATTR_L) {
        for (size_t i = 0; i < value->list.len; i++)
            if (attr_is_deeper(&value->list.at[i], limit - 1))
                return true;
        return false;
    }
    for (size_t i = 0; i < value->map.len; i++)
        if (attr_is_deeper(&value->map.at[i].value, limit - 1))
            return true;
    return false;
}

const struct attr *item_find(const struct item *it, struct span name)
{
    const struct field *f = it ? find_field(it, name) : NULL;

    return f ? &f->value : NULL;
}

struct attr *item_slot(struct item *it, struct span name)
{
    struct field *f = find_field(it, name);

    return f ? &f->value : NULL;
}

void item_set(struct arena *a, struct item *it, struct span name, struct attr value)
{
    struct field *f = find_field(it, name);

    if (!f) {
        it->at = arena_grow(a, it->at, it->len * sizeof *f, (it->len + 1) * sizeof *f);
        f = &it->at[it->len++];
        f->name = name;
        it->order = NULL;
    }
    f->value = value;
}

#define STEPS_TO_COPY 3 /* one element, which is then measured again */

static struct attr_list list_copy(struct arena *a, const struct attr_list *list)
{
    struct attr_list copy = {arena_alloc_raw(a, list->len * sizeof *copy.at), list->len};

    arena_charge(a, list->len * STEPS_TO_COPY);
    for (size_t i = 0; i < list->len; i++)
        copy.at[i] = attr_copy(a, &list->at[i]);
    return copy;
}

struct attr attr_copy(struct arena *a, const struct attr *value)
{
    struct attr copy = *value;

    copy.size = 0; /* the contents may change */
    if (value->type == ATTR_M)
        copy.map = item_copy(a, &value->map);
    else if (value->type == ATTR_L || attr_is_set(value->type))
        copy.list = list_copy(a, &value->list);
    return copy;
}

struct item item_copy(struct arena *a, const struct item *it)
{
    struct item copy = *it;

    arena_charge(a, it->len * STEPS_TO_COPY);
    copy.at = arena_alloc_raw(a, it->len * sizeof *copy.at);
    for (size_t i = 0; i < it->len; i++) {
        copy.at[i].name = it->at[i].name;
        copy.at[i].value = attr_copy(a, &it->at[i].value);
    }
    return copy;
}
