/* schema_members.h: tables of the members of the structs in schema.h.
 *
 * The code that encodes, decodes and copies tables reads these: a listed member is stored, upgraded
 * and copied. scripts/check-schema finds members that are not listed. */
#pragma once

#include "model/attr.h"

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

/* What requests do with a member that has a name in them (`wire`). */
enum schema_use {
    SCHEMA_CREATE = 1,   /* CreateTable has it */
    SCHEMA_UPDATE = 2,   /* UpdateTable has it, as the only change of the request */
    SCHEMA_RESTORE = 4,  /* restored tables have their source's, or the request's <name>Override */
    SCHEMA_REPLICATE = 8 /* new replicas have their source's, and changes reach all replicas */
};

struct schema_shape;

struct schema_member {
    enum schema_kind kind;
    const char *name; /* both in the struct and in the catalog form */
    size_t offset;
    const char *wire;    /* of a table: its name in requests and descriptions; NULL: only stored */
    unsigned uses;       /* with `wire`: enum schema_use */
    const char *summary; /* with `wire`: descriptions have it in this object; NULL: at the top */
    const char *const *words;         /* of an ENUM, ends with NULL */
    const struct schema_shape *shape; /* of a STRUCT, or of an array's elements */
    size_t count_offset;              /* of an array: the offset of its length, a size_t */
};

struct schema_shape {
    size_t size;
    const struct schema_member *members; /* ends with a NULL name */
};

/* All members of struct table except its arena. Not const, so that a test can add a member. */
extern struct schema_shape schema_members_table;

/* The next member of a table, after `m` (NULL: the first), that requests name and that has one of
 * the uses; NULL after the last. */
const struct schema_member *schema_members_next(const struct schema_member *m, unsigned uses);

/* The member's name in requests that have it for this use. */
const char *schema_members_wire(struct arena *a, const struct schema_member *m,
                                enum schema_use use);

/* Writes such a struct as a JSON text, and reads it back; absent members keep their value in *to.
 * False for text that is not such a struct. */
struct span schema_members_write(struct arena *a, const struct schema_shape *shape,
                                 const void *from);
bool schema_members_read(struct arena *a, const struct schema_shape *shape, struct span text,
                         void *to);

/* The member's value in the struct at `from`; and the reverse, which copies the value into the
 * arena and returns false for a value of another type. */
struct attr schema_members_get(struct arena *a, const struct schema_member *m, const void *from);
bool schema_members_set(struct arena *a, const struct schema_member *m, const struct attr *value,
                        void *to);
struct attr schema_members_number(struct arena *a, int64_t value);

/* The elements of an array member of the struct at `from`, and their number. */
const char *schema_members_elements(const struct schema_member *m, const char *from, size_t *count);
