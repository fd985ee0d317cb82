/* schema_members.h: tables of the members of the structs in schema.h.
 *
 * The code that encodes, decodes, copies and compares tables reads these: a listed member is
 * stored, upgraded, copied and compared. scripts/check-schema finds members that are not listed. */
#ifndef MODEL_SCHEMA_MEMBERS_H
#define MODEL_SCHEMA_MEMBERS_H

#include "base/arena.h"

#include <stddef.h>

enum schema_kind {
    SCHEMA_TEXT,   /* struct span of UTF-8 */
    SCHEMA_BYTES,  /* struct span of any bytes */
    SCHEMA_INT,    /* int64_t */
    SCHEMA_WORD,   /* uint32_t */
    SCHEMA_FLAG,   /* bool */
    SCHEMA_ENUM,   /* an enum; `words` has a text for each value */
    SCHEMA_TYPE,   /* enum attr_type of a key: S, N or B */
    SCHEMA_STRUCT, /* a struct in place */
    SCHEMA_FIXED,  /* an array in place of up to LIMIT_KEY_PARTS structs */
    SCHEMA_ARRAY   /* a pointer to an array of structs */
};

struct schema_shape;

struct schema_member {
    enum schema_kind kind;
    const char *name; /* both in the struct and in the catalog form */
    size_t offset;
    const char *const *words;         /* of an ENUM, ends with NULL */
    const struct schema_shape *shape; /* of a STRUCT, or of an array's elements */
    size_t count_offset;              /* of an array: the offset of its length, a size_t */
};

struct schema_shape {
    size_t size;
    const struct schema_member *members; /* ends with a NULL name */
};

/* All members of struct table except its arena. */
extern const struct schema_shape schema_members_table;

/* Writes such a struct as a JSON text, and reads it back; absent members keep their value in *to.
 * False for text that is not such a struct. */
struct span schema_members_write(struct arena *a, const struct schema_shape *shape,
                                 const void *from);
bool schema_members_read(struct arena *a, const struct schema_shape *shape, struct span text,
                         void *to);

/* The number of bytes that the member takes in its struct. */
size_t schema_members_size(const struct schema_member *m);

/* The elements of an array member of the struct at `from`, and their number. */
const char *schema_members_elements(const struct schema_member *m, const char *from, size_t *count);

#endif
