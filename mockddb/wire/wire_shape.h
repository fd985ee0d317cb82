/* wire_shape.h: tables of the types and constraints that an operation requires of its request.
 *
 * An operation lists its members; dispatch runs the two checks over them before the operation. Both
 * allocate nothing as long as the request is valid. Messages, and which form belongs to which
 * operation: docs/behaviour/wire.md. */
#pragma once

#include "model/names.h"
#include "wire/wire_body.h"

enum wire_type {
    WIRE_STRING,
    WIRE_BOOLEAN,
    WIRE_INTEGER,
    WIRE_LONG,
    WIRE_DOUBLE,
    WIRE_TIMESTAMP,
    WIRE_BLOB,
    WIRE_LIST,
    WIRE_MAP,
    WIRE_STRUCT,
    WIRE_ATTR /* an AttributeValue: its JSON types are checked here, its values by wire_attr */
};

struct wire_shape;

/* Quirks of a member. The classic form of an error is "Value 'v' at 'path' failed to satisfy
 * constraint: …"; several are joined, at most ten, after "N validation errors detected: ". */
enum wire_flags {
    WIRE_REQUIRED = 1,   /* "Member must not be null" */
    WIRE_NEW_LENGTH = 2, /* an error of its bounds is reported as "Value at 'TableName' …", alone;
                          * the maximum of a string stays classic */
    WIRE_NEW_ENUM = 4,   /* an enum error is reported without value and path */
    WIRE_ALONE = 8,      /* an error of this member is the only one reported */
    WIRE_UNCHECKED = 16, /* JSON types only: constraints are reported by the operation itself */
    WIRE_BARE = 32,      /* with ALONE: without "1 validation error detected: " */
    WIRE_LAST = 64,      /* reported only if no other member has an error */
    /* If the member is absent, all errors of the request have the classic form. */
    WIRE_CLASSIC_WITHOUT = 128,
    /* If values are nested too deeply, all errors of the request have the classic form: for the
     * Item or Key of single-item writes. */
    WIRE_CLASSIC_DEEP = 256,
    WIRE_OPTIONAL = 512 /* TableName: optional, also in the service's model */
};

/* A member of a structure. The order of a table is the order in which errors are listed. */
struct wire_member {
    const char *name; /* NULL ends the table */
    const struct wire_shape *shape;
    unsigned flags;
};

struct wire_shape {
    enum wire_type type;
    const char *name;                  /* STRUCT: its name in messages, "KeySchemaElement" */
    const struct wire_member *members; /* STRUCT */
    const struct wire_shape *element;  /* LIST, MAP */
    bool has_min, has_max;
    int64_t min, max;                /* length of strings, lists and maps; value of numbers */
    bool is_name;                    /* matches names_pattern */
    const char *pattern;             /* another pattern, as messages print it … */
    bool (*keeps)(struct span text); /* … and whether a text matches it */
    const char *const *values; /* enum: its words as messages list them (model/names.h), or NULL */
    const char *const *new_values; /* the list of WIRE_NEW_ENUM, if it differs */
    const struct wire_shape *key;  /* MAP: of its keys, reported as "Map keys must …"; or NULL */
    bool map_values_named; /* MAP of lists: their lengths are reported as "Map value must …" */
    bool arn_allowed;      /* a string that begins "arn:", of up to 1024 bytes, is accepted */
    bool length_first;     /* a string's length is reported before its pattern, not after it */
    bool printed_as_json;  /* a MAP's value is printed as the JSON of the request */
    const struct wire_member *printed; /* STRUCT: its members in the order of an echo, if that is
                                        * not the order of errors */
    const char *printed_more;          /* STRUCT: printed after the last member in an echo */
    /* WIRE_NEW_ENUM applies only if one of these other members (ends with NULL) has two entries or
     * more. */
    const char *const *counted;
    bool client_fills;         /* a token: clients send a new UUID if the caller gives none */
    const char *optional_with; /* WIRE_REQUIRED does not apply if the request has this member */
};

/* The shape of a single member, beside the member's name:
 * {"Limit", WIRE_SHAPE(WIRE_INTEGER, WIRE_AT_LEAST(1)), 0}. */
#define WIRE_SHAPE(kind, ...) (&(const struct wire_shape){.type = (kind), __VA_ARGS__})

/* A table of members; each argument is a row of struct wire_member. */
#define WIRE_MEMBERS(...)        \
    (const struct wire_member[]) \
    {                            \
        __VA_ARGS__,             \
        {                        \
            NULL, NULL, 0        \
        }                        \
    }

/* The shape of a structure that messages call by the name: with these members, or with a table that
 * other shapes have as well. */
#define WIRE_STRUCT_OF(java_name, ...) WIRE_STRUCT_FROM(java_name, WIRE_MEMBERS(__VA_ARGS__))
#define WIRE_STRUCT_FROM(java_name, table)                           \
    {                                                                \
        .type = WIRE_STRUCT, .name = (java_name), .members = (table) \
    }

/* Like WIRE_STRUCT_FROM, beside a member's name. */
#define WIRE_STRUCT(java_name, table) (&(const struct wire_shape)WIRE_STRUCT_FROM(java_name, table))

/* For rows of shapes: sets `min` and `max`, and that they exist. */
#define WIRE_AT_LEAST(low)     .has_min = true, .min = (low)
#define WIRE_AT_MOST(high)     .has_max = true, .max = (high)
#define WIRE_BOUNDS(low, high) WIRE_AT_LEAST(low), WIRE_AT_MOST(high)

extern const struct wire_member wire_no_members[]; /* an empty table */

/* Removes unlisted members from a large body that was not read yet: they are ignored, and there may
 * be a million. */
void wire_forget_unknown(const wire_node *body, const struct wire_member *members);

/* Checks JSON types in the whole body: the first mismatch is a SerializationException. */
MUST_CHECK const struct error *wire_check_types(struct arena *a, const struct wire_member *members,
                                                const wire_node *body);

/* Checks constraints; errors are collected: "N validation errors detected: …". */
MUST_CHECK const struct error *
wire_check_members(struct arena *a, const struct wire_member *members, const wire_node *body);

/* Whether errors of the request have the classic form (WIRE_CLASSIC_WITHOUT, …_DEEP). Errors of the
 * operation's own request checks then also come without "1 validation error detected: ". */
bool wire_is_classic(const struct wire_member *members, const wire_node *body);

/* Bounds and sets that several operations share. */
extern const struct wire_shape wire_string; /* any string */
extern const struct wire_shape wire_boolean, wire_timestamp;
extern const struct wire_shape wire_any_integer, wire_any_long, wire_any_double;
extern const struct wire_shape wire_positive;          /* a long of 1 or more */
extern const struct wire_shape wire_data_table_name;   /* 1..255, pattern; ARNs are accepted */
extern const struct wire_shape wire_table_name;        /* 3..255, pattern; ARNs are accepted */
extern const struct wire_shape wire_index_name;        /* 3..255, pattern */
extern const struct wire_shape wire_attr;              /* one AttributeValue */
extern const struct wire_shape wire_attr_map;          /* map of AttributeValue */
extern const struct wire_shape wire_attr_list;         /* list of AttributeValue */
extern const struct wire_shape wire_name_map;          /* ExpressionAttributeNames */
extern const struct wire_shape wire_free_name_map;     /* … whose length the operation checks */
extern const struct wire_shape wire_name_list;         /* AttributesToGet: list 1.. of string */
extern const struct wire_shape wire_return_capacity;   /* [INDEXES, TOTAL, NONE] */
extern const struct wire_shape wire_return_metrics;    /* [SIZE, NONE] */
extern const struct wire_shape wire_return_values;     /* all five, both print orders */
extern const struct wire_shape wire_return_on_failure; /* [ALL_OLD, NONE] */
extern const struct wire_shape wire_logical_operator;  /* ConditionalOperator */
extern const struct wire_shape wire_expected;          /* map of ExpectedAttributeValue */
extern const struct wire_shape wire_condition_map;     /* KeyConditions, QueryFilter, ScanFilter */
extern const struct wire_shape wire_attr_updates;      /* AttributeUpdates */
