/* wire_scan.h: checks in one pass whether bytes are JSON, without building a tree.
 *
 * Accepts one object in strict JSON and valid UTF-8, at most 1000 levels deep; accepted text can be
 * walked without further checks (wire_cursor.h). The pass records where large containers end, so
 * that walking can skip them, and their numbers of members; this takes far less memory than the
 * text. */
#pragma once

#include "base/arena.h"
#include "base/siphash.h"

/* Containers with fewer bytes, or nested deeper, are not recorded. */
#define WIRE_EXTENT_MIN   256
#define WIRE_EXTENT_DEPTH 64

/* The cost of one pass through the text, in steps of a budget. */
#define WIRE_BYTES_PER_STEP      4
#define WIRE_STEPS_PER_CONTAINER 3 /* except for values that wire_glance reads */

/* A container: the offsets of its opening bracket and of its end, and its number of members or
 * elements, repeated ones included. */
struct wire_extent {
    uint32_t from, to, count;
};

/* A text that was accepted. */
struct wire_source {
    struct arena *arena; /* for data made from the text */
    struct siphash_key key;
    struct span text;
    const char *root;            /* the object's bracket */
    struct wire_extent *extents; /* sorted by `from` */
    size_t extent_count;
    size_t container_count; /* except for values that wire_glance reads */
    bool odd_names;         /* whether a name is empty, or longer than LIMIT_ATTRIBUTE_NAME */
    size_t height; /* 1 for an empty object, else 1 + the highest child's; scalars have 1 */
};

/* The cost of another pass. */
static inline size_t wire_steps_of_pass(const struct wire_source *s)
{
    return s->text.len / WIRE_BYTES_PER_STEP + s->container_count * WIRE_STEPS_PER_CONTAINER;
}

/* False if the text is not such an object; *stop is then where it stops being one, or NULL. The
 * caller sets `arena` and `key` of *out before; the text is borrowed. */
bool wire_scan(struct span text, struct wire_source *out, const char **stop);
