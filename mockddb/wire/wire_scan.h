/* wire_scan.h: whether bytes are JSON, settled in one pass that builds no tree.
 *
 * What passes is one object in strict JSON and valid UTF-8, at most 1000 levels deep, and may be
 * walked without further checks (wire_cursor.h). The pass notes where large containers end, so
 * that walking can step over them, and how many members they have; that is far less than the text
 * itself takes. */
#ifndef WIRE_WIRE_SCAN_H
#define WIRE_WIRE_SCAN_H

#include "base/arena.h"
#include "base/siphash.h"

/* Containers of fewer bytes, or inside of more others, are not noted. */
#define WIRE_EXTENT_MIN   256
#define WIRE_EXTENT_DEPTH 64

/* What going through the text once costs, in steps of a budget. */
#define WIRE_BYTES_PER_STEP      4
#define WIRE_STEPS_PER_CONTAINER 3 /* except for values that are seen at a glance */

/* A container: offsets of its opening bracket and of what comes after the closing one, and how many
 * members or elements it has, repeated ones included. */
struct wire_extent {
    uint32_t from, to, count;
};

/* A text that passed. */
struct wire_source {
    struct arena *arena; /* for what is made of the text */
    struct siphash_key key;
    struct span text;
    const char *root;            /* the object's bracket */
    struct wire_extent *extents; /* by `from` */
    size_t extent_count;
    size_t container_count; /* except for values that are seen at a glance */
    bool odd_names;         /* whether a name may be empty, or longer than LIMIT_ATTRIBUTE_NAME */
    size_t height; /* 1 for an empty object, else 1 + the highest child's; scalars have 1 */
};

/* What another pass costs. */
static inline size_t wire_steps_of_pass(const struct wire_source *s)
{
    return s->text.len / WIRE_BYTES_PER_STEP + s->container_count * WIRE_STEPS_PER_CONTAINER;
}

/* False where the text is no such object; *stop is then where it stops being one, or NULL. `arena`
 * and `key` of *out are the caller's to set before; the text is borrowed. */
bool wire_scan(struct span text, struct wire_source *out, const char **stop);

#endif
