/* wire_node.h: what the files of wire/, and what writes JSON for clients, know about a node beyond
 * wire_body.h. */
#ifndef WIRE_WIRE_NODE_H
#define WIRE_WIRE_NODE_H

#include <cjson/cJSON.h>

#include "wire/wire_body.h"

/* A cJSON node with what cJSON does not keep. Every node of a parsed tree is one. */
struct wire_leaf {
    cJSON node;
    uint32_t name_len;
    uint32_t text_len; /* of a string; of the digits of a number, which valuestring points to */
    uint32_t count;    /* elements or members */
    uint32_t height;   /* 1 for scalars and empty collections, else 1 + the highest child's */
};

static inline const struct wire_leaf *wire_leaf_of(const wire_node *node)
{
    return (const struct wire_leaf *)node;
}

static inline bool wire_is_null(const wire_node *node)
{
    return (node->type & 0xFF) == cJSON_NULL;
}

static inline bool wire_is_object(const wire_node *node)
{
    return (node->type & 0xFF) == cJSON_Object;
}

static inline bool wire_is_list(const wire_node *node)
{
    return (node->type & 0xFF) == cJSON_Array;
}

static inline bool wire_is_string(const wire_node *node)
{
    return (node->type & 0xFF) == cJSON_String;
}

static inline bool wire_is_number(const wire_node *node)
{
    return (node->type & 0xFF) == cJSON_Number;
}

static inline bool wire_is_boolean(const wire_node *node)
{
    return (node->type & (cJSON_True | cJSON_False)) != 0;
}

/* The digits of a number as they were sent. */
static inline struct span wire_digits(const wire_node *node)
{
    return (struct span){node->valuestring, wire_leaf_of(node)->text_len};
}

/* Whether the number was sent as an integer. */
static inline bool wire_is_whole(const wire_node *number)
{
    struct span digits = wire_digits(number);

    for (size_t i = 0; i < digits.len; i++)
        if (digits.at[i] == '.' || digits.at[i] == 'e' || digits.at[i] == 'E')
            return false;
    return true;
}

/* Whether a string stands for a boolean (true, false, 1, 0, yes, no in any case). */
bool wire_text_is_bool(struct span text, bool *value);

#endif
