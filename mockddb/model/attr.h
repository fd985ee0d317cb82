/* attr.h: attribute values and items, decoded.
 *
 * A tagged union tree in an arena. Numbers are kept in canonical text (see num.h); sets are
 * sorted (S and B bytewise, N by value) and free of duplicates; binaries are raw bytes. Source:
 * API reference AttributeValue; docs/behaviour/values.md. */
#pragma once

#include "base/siphash.h"
#include "model/num.h"

enum attr_type {
    ATTR_S,
    ATTR_N,
    ATTR_B,
    ATTR_SS,
    ATTR_NS,
    ATTR_BS,
    ATTR_BOOL,
    ATTR_NULL,
    ATTR_L,
    ATTR_M,
    ATTR_TYPE_COUNT
};

struct attr;
struct field;

struct attr_list { /* L, and the members of a set (each of the element type) */
    struct attr *at;
    size_t len;
};

/* Memory for the positions of a large map's names; filled in when many of them are looked up or the
 * map is compared. Copies share it, so their positions and names must be the same. */
struct item_order;

struct item { /* M, and whole items; names are unique */
    struct field *at;
    size_t len;
    struct item_order *order; /* NULL: no order; see item_make_findable */
};

struct attr {
    enum attr_type type;
    uint32_t size; /* of a list, map or set: the result of attr_size after its first call; else 0 */
    union {
        struct span bytes; /* S (UTF-8), N (canonical text), B (raw) */
        bool boolean;      /* BOOL */
        struct attr_list list;
        struct item map;
    };
};

struct field {
    struct span name;
    struct attr value;
};

/* "S", "N", … */
const char *attr_type_code(enum attr_type type);
/* "STRING", "NUMBER_SET", …: the names used in the operand messages of ADD and DELETE. */
const char *attr_type_name(enum attr_type type);
/* Sets *out and returns true when code is "S", "SS", … */
bool attr_type_of_code(struct span code, enum attr_type *out);

static inline bool attr_is_set(enum attr_type type)
{
    return type == ATTR_SS || type == ATTR_NS || type == ATTR_BS;
}
/* ATTR_SS → ATTR_S and so on; type must be a set type. */
enum attr_type attr_element_type(enum attr_type set_type);

/* Deep equality, as `=` defines it: numbers by value, sets and maps in any order. */
bool attr_equal(const struct attr *a, const struct attr *b);

/* Compares two S, N or B values of the same type: < 0, 0, > 0. */
int attr_compare(const struct attr *a, const struct attr *b);

/* A total order over all S, N and B values; values of a type are contiguous. */
int attr_compare_scalars(const struct attr *a, const struct attr *b);

/* The size of a value, or of a whole item (names and values), as the service counts it, in bytes. A
 * container is measured once; copies keep the size. */
size_t attr_size(const struct attr *value);
size_t item_size(const struct item *it);

/* Whether a value is nested in more than `limit` lists and maps. */
bool attr_is_deeper(const struct attr *value, size_t limit);

/* Makes many look-ups in a large map cheap, and comparisons with it. Call this after a map is made,
 * and again after fields are added or removed. */
void item_make_findable(struct arena *a, struct item *it);

/* The attribute's value or NULL; the item may be NULL. */
const struct attr *item_find(const struct item *it, struct span name);

/* Like item_find, for changes in place: the item is then measured again. */
struct attr *item_slot(struct item *it, struct span name);

/* Sets or replaces an attribute in place; grows the field array in the arena. */
void item_set(struct arena *a, struct item *it, struct span name, struct attr value);

/* A copy whose containers (lists, maps) may be changed without touching the original; the
 * bytes are shared. */
struct attr attr_copy(struct arena *a, const struct attr *value);
struct item item_copy(struct arena *a, const struct item *it);

/* Whether both have the same attributes with equal values, in any order; each may be NULL. */
bool item_equal(const struct item *a, const struct item *b);

/* A hash for telling many items apart: equal for equal items. Collisions cannot be constructed
 * without the key. */
uint64_t item_hash(const struct siphash_key *key, const struct item *it);
