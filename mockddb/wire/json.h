/* json.h: JSON trees of any shape: kinds, writing, pointers, equality. */
#pragma once

#include "base/buf.h"
#include "wire/wire_body.h"

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

enum json_kind json_kind(const wire_node *node);

/* "a string", "an object", … for messages. */
const char *json_kind_name(enum json_kind kind);

/* Parses any JSON value (wire_parse accepts only objects); false if the text is not JSON. */
bool json_parse(struct arena *a, struct span text, const wire_node **out);

/* Appends the node as JSON on one line, with a blank after each comma and colon. */
void json_write(struct buf *out, const wire_node *node);

/* A string, number or boolean as JSON; like json_write, for scalars only. */
void json_write_scalar(struct buf *out, const wire_node *node);

/* The node at a JSON Pointer (RFC 6901), or NULL. */
const wire_node *json_at(const wire_node *root, struct span pointer);

/* The member of an object, also if it is null (wire_get returns NULL for that); NULL if there is no
 * such member, or if it is not an object. */
const wire_node *json_member(const wire_node *object, struct span name);

/* Whether both are the same JSON value: members in any order, elements in order. */
bool json_equal(const wire_node *a, const wire_node *b);
