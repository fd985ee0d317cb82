#include "awscli/awscli_shape.h"

static const struct wire_shape blob = {.type = WIRE_BLOB};
static const struct wire_shape strings = {.type = WIRE_LIST, .element = &wire_string};

static const struct wire_member attr_members[] = {
    {"S", &wire_string, 0},
    {"N", &wire_string, 0},
    {"B", &blob, 0},
    {"SS", &strings, 0},
    {"NS", &strings, 0},
    {"BS", WIRE_SHAPE(WIRE_LIST, .element = &blob), 0},
    {"M", &wire_attr_map, 0},
    {"L", &wire_attr_list, 0},
    {"NULL", &wire_boolean, 0},
    {"BOOL", &wire_boolean, 0},
    {NULL, NULL, 0},
};

const struct wire_member *awscli_shape_members(const struct wire_shape *shape)
{
    return shape->type == WIRE_ATTR ? attr_members : shape->members;
}

const struct wire_member *awscli_shape_member(const struct wire_member *members, struct span name)
{
    for (; members && members->name; members++)
        if (span_is(name, members->name))
            return members;
    return NULL;
}

/* Some operations report a missing name of their subject themselves. */
bool awscli_shape_requires(const struct op *op, const struct wire_member *member)
{
    if ((member->flags & WIRE_REQUIRED) || !op)
        return (member->flags & WIRE_REQUIRED) && !member->shape->client_fills;
    return strcmp(member->name, "ResourceArn") == 0 ||
           (strcmp(member->name, "TableName") == 0 && !(member->flags & WIRE_OPTIONAL));
}

static bool is_collection(const struct wire_shape *shape)
{
    return shape->type == WIRE_STRUCT || shape->type == WIRE_MAP || shape->type == WIRE_LIST ||
           shape->type == WIRE_ATTR;
}

bool awscli_shape_is_complex(const struct wire_shape *shape)
{
    return is_collection(shape) && (shape->type != WIRE_LIST || is_collection(shape->element));
}
