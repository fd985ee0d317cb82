/* plain_json.h: makes DynamoDB's JSON of JSON without types: "a" becomes {"S":"a"}. */
#pragma once

#include "wire/json.h"
#include "wire/wire_node.h"

struct plain_json {
    struct buf *out;
    /* Writes each member or element with its type; plain_json_put, or a function that knows types
     * of some values. */
    void (*put)(struct plain_json *p, const wire_node *value);
    bool guessed; /* a value got the type that it has in JSON, or a number became a text */
};

/* Writes a value with the type that it has in JSON. */
void plain_json_put(struct plain_json *p, const wire_node *value);

/* Whether this is a string or a number, which plain_json_scalar writes as a string. */
bool plain_json_is_scalar(const wire_node *node);
void plain_json_scalar(struct plain_json *p, const wire_node *node);

/* These write a set's elements, which have no types of their own, a list, and a map. */
void plain_json_set(struct plain_json *p, const wire_node *array);
void plain_json_list(struct plain_json *p, const wire_node *array);
void plain_json_map(struct plain_json *p, const wire_node *object);
