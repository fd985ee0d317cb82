/* wire_body.h: a request's JSON body as a tree, and what an operation demands of it.
 *
 * The only user of cJSON together with its neighbours in wire/. Everything lives in the arena.
 * JSON null counts as absent; of repeated names the last one counts; unknown members are ignored;
 * text may hold NUL (\u0000) and must be valid UTF-8. Source: docs/behaviour/wire.md. */
#ifndef WIRE_WIRE_BODY_H
#define WIRE_WIRE_BODY_H

#include "model/error.h"

/* A node of the parsed body; its inside is nobody else's business. */
typedef struct cJSON wire_node;

/* Any JSON value, or an object only for a request: anything else is a SerializationException
 * without a message. */
MUST_CHECK const struct error *wire_parse(struct arena *a, struct span text, const wire_node **out);

/* --- reading --------------------------------------------------------------------------------- */

/* The member or NULL (absent, null, or object is NULL). Names are case-sensitive. */
const wire_node *wire_get(const wire_node *object, const char *name);
const wire_node *wire_get_span(const wire_node *object, struct span name);
struct span wire_text(const wire_node *node);          /* a string; {NULL, 0} for NULL */
bool wire_bool(const wire_node *node, bool otherwise); /* `otherwise` for NULL */
int64_t wire_integer(const wire_node *node, int64_t otherwise);
double wire_double(const wire_node *node, double otherwise);
size_t wire_count(const wire_node *node);           /* elements or members; 0 for NULL */
const wire_node *wire_first(const wire_node *node); /* first element or member, or NULL */
const wire_node *wire_next(const wire_node *node);  /* its next sibling, or NULL */
struct span wire_name(const wire_node *node);       /* the name of a member */

/* --- shapes ---------------------------------------------------------------------------------- */

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
    WIRE_ATTR /* an AttributeValue: checked for JSON types here, for values by wire_attr */
};

struct wire_shape;

enum wire_flags {
    WIRE_REQUIRED = 1,   /* "Member must not be null" */
    WIRE_NEW_LENGTH = 2, /* a length error is told as "Value at 'TableName' …", alone */
    WIRE_NEW_ENUM = 4,   /* an enum error is told without value and path */
    WIRE_ALONE = 8,      /* an error of this member is the only one reported */
    WIRE_UNCHECKED = 16  /* JSON types only: constraints are told by the operation itself */
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
    int64_t min, max;       /* length of strings, lists and maps; value of numbers */
    const char *pattern;    /* the name pattern as messages print it, or NULL */
    const char *values;     /* enum: "[A, B]", as messages print it, or NULL */
    const char *new_values; /* what WIRE_NEW_ENUM prints, where it differs */
    bool map_keys_named;    /* MAP: keys are table names, told as "Map keys must …" */
};

/* JSON types over the whole body: the first mismatch as SerializationException. */
MUST_CHECK const struct error *wire_check_types(struct arena *a, const struct wire_member *members,
                                                const wire_node *body);

/* Constraints, collected: "N validation errors detected: …". */
MUST_CHECK const struct error *
wire_check_members(struct arena *a, const struct wire_member *members, const wire_node *body);

/* Bounds and sets that several operations share. */
extern const struct wire_shape wire_string; /* any string */
extern const struct wire_shape wire_boolean;
extern const struct wire_shape wire_data_table_name;   /* 1..255, pattern; ARNs pass */
extern const struct wire_shape wire_table_name;        /* 3..255, pattern; ARNs pass */
extern const struct wire_shape wire_index_name;        /* 3..255, pattern */
extern const struct wire_shape wire_attr_map;          /* map of AttributeValue */
extern const struct wire_shape wire_attr_list;         /* list of AttributeValue */
extern const struct wire_shape wire_name_map;          /* ExpressionAttributeNames */
extern const struct wire_shape wire_name_list;         /* AttributesToGet: list 1.. of string */
extern const struct wire_shape wire_return_capacity;   /* [INDEXES, TOTAL, NONE] */
extern const struct wire_shape wire_return_metrics;    /* [SIZE, NONE] */
extern const struct wire_shape wire_return_values;     /* all five, both print orders */
extern const struct wire_shape wire_return_on_failure; /* [ALL_OLD, NONE] */
extern const struct wire_shape wire_logical_operator;  /* ConditionalOperator */
extern const struct wire_shape wire_expected;          /* map of ExpectedAttributeValue */
extern const struct wire_shape wire_condition_map;     /* KeyConditions, QueryFilter, ScanFilter */

#endif
