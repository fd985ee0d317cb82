#include "base/buf.h"
#include "wire/wire_node.h"
#include "wire/wire_shape.h"

#define PACKAGE "com.amazonaws.dynamodb.v20120810."
#define TYPE_VARIABLE                                                                             \
    "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class " \
    "java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and "          \
    "java.lang.Class are in module java.base of loader 'bootstrap')"

/* Where a value stands: the same mismatch is told differently in each place. */
enum place { AS_MEMBER, IN_COLLECTION };

static const struct error *check_value(struct arena *a, const struct wire_shape *shape,
                                       const wire_node *node, enum place place);

static const struct error *mismatch(struct arena *a, const char *text)
{
    return error_of(a, ERROR_SERIALIZATION, span_of(text));
}

static const struct error *structure_found(struct arena *a)
{
    return mismatch(a, "Start of structure or map found where not expected");
}

/* --- scalars --------------------------------------------------------------------------------- */

/* Names of a scalar type: as conversion target, and its Java class. */
struct scalar {
    const char *target;
    const char *class;
};

static const struct scalar scalars[] = {
    [WIRE_STRING] = {"String", "java.lang.String"},
    [WIRE_BOOLEAN] = {"Boolean", "java.lang.Boolean"},
    [WIRE_INTEGER] = {"Integer", "java.lang.Integer"},
    [WIRE_LONG] = {"Long", "java.lang.Long"},
    [WIRE_DOUBLE] = {"Double", "java.lang.Double"},
    [WIRE_TIMESTAMP] = {"Date", "java.util.Date"},
    [WIRE_BLOB] = {"ByteBuffer", "java.nio.ByteBuffer"},
};

/* The parser's name of a scalar token. */
static const char *token_name(const wire_node *node)
{
    if (wire_is_string(node))
        return "STRING_VALUE";
    if (wire_is_number(node))
        return wire_is_whole(node) ? "NUMBER_VALUE" : "DECIMAL_VALUE";
    return wire_bool(node, false) ? "TRUE_VALUE" : "FALSE_VALUE";
}

static bool is_base64_digit(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '/';
}

/* Bits that a last digit before `padding` signs must leave zero. */
static bool spare_bits_set(char last, size_t padding)
{
    static const char two[] = "AEIMQUYcgkosw048", four[] = "AQgw";

    return padding && !strchr(padding == 1 ? two : four, last);
}

static const struct error *check_base64(struct arena *a, struct span text)
{
    size_t padding = 0, i;

    if (text.len % 4)
        return error_new(a, ERROR_SERIALIZATION,
                         "Base64 encoded length is expected a multiple of 4 bytes but found: %zu",
                         text.len);
    while (padding < 2 && padding < text.len && text.at[text.len - 1 - padding] == '=')
        padding++;
    for (i = 0; i < text.len - padding && is_base64_digit(text.at[i]); i++)
        ;
    if (i < text.len - padding || (i && spare_bits_set(text.at[i - 1], padding)))
        return mismatch(a, "Invalid last non-pad Base64 character dectected");
    return NULL;
}

static const struct error *check_scalar(struct arena *a, enum wire_type type, const wire_node *node)
{
    bool value;

    if (wire_is_list(node))
        return error_new(a, ERROR_SERIALIZATION, "Unrecognized collection type class %s",
                         scalars[type].class);
    if (wire_is_object(node))
        return structure_found(a);
    if (wire_is_string(node)) {
        if (type == WIRE_STRING)
            return NULL;
        if (type == WIRE_BLOB)
            return check_base64(a, wire_text(node));
        if (type == WIRE_BOOLEAN)
            return wire_text_is_bool(wire_text(node), &value)
                       ? NULL
                       : mismatch(a, "Unexpected token received from parser");
    } else if (type == WIRE_BLOB) {
        return mismatch(a, "only base-64-encoded strings are convertible to bytes");
    } else if (wire_is_boolean(node) ? type == WIRE_BOOLEAN
                                     : type != WIRE_BOOLEAN && type != WIRE_STRING) {
        return NULL;
    }
    return error_new(a, ERROR_SERIALIZATION, "%s cannot be converted to %s", token_name(node),
                     scalars[type].target);
}

/* --- collections ----------------------------------------------------------------------------- */

/* The Java type of a shape, as Map<String, …> prints it. */
static void add_java_type(struct buf *out, const struct wire_shape *shape)
{
    switch (shape->type) {
    case WIRE_LIST:
        buf_add_text(out, "java.util.List<");
        add_java_type(out, shape->element);
        buf_add_char(out, '>');
        return;
    case WIRE_MAP:
        buf_add_text(out, "java.util.Map<java.lang.String, ");
        add_java_type(out, shape->element);
        buf_add_char(out, '>');
        return;
    case WIRE_STRUCT:
        buf_printf(out, PACKAGE "%s", shape->name);
        return;
    case WIRE_ATTR:
        buf_add_text(out, PACKAGE "AttributeValue");
        return;
    default:
        buf_add_text(out, scalars[shape->type].class);
    }
}

static const struct error *unrecognized_map(struct arena *a, const struct wire_shape *map)
{
    struct buf text = buf_in(a);

    buf_add_text(&text, "Unrecognized collection type ");
    add_java_type(&text, map);
    return error_of(a, ERROR_SERIALIZATION, buf_span(&text));
}

static const struct error *check_elements(struct arena *a, const struct wire_shape *element,
                                          const wire_node *node)
{
    const struct error *e;

    for (const wire_node *child = node->child; child; child = child->next)
        if ((e = check_value(a, element, child, IN_COLLECTION)))
            return e;
    return NULL;
}

static const struct error *scalar_for_collection(struct arena *a, enum place place)
{
    return mismatch(a, place == AS_MEMBER ? "Unexpected field type" : TYPE_VARIABLE);
}

static const struct error *check_list(struct arena *a, const struct wire_shape *shape,
                                      const wire_node *node, enum place place)
{
    if (wire_is_list(node))
        return check_elements(a, shape->element, node);
    if (wire_is_object(node))
        return structure_found(a);
    return scalar_for_collection(a, place);
}

static const struct error *check_map(struct arena *a, const struct wire_shape *shape,
                                     const wire_node *node, enum place place)
{
    if (wire_is_object(node))
        return check_elements(a, shape->element, node);
    if (wire_is_list(node))
        return unrecognized_map(a, shape);
    return scalar_for_collection(a, place);
}

/* --- structures ------------------------------------------------------------------------------ */

/* What is wrong with a structure that is no JSON object. */
static const struct error *no_structure(struct arena *a, const char *name, const wire_node *node,
                                        enum place place)
{
    if (wire_is_list(node))
        return error_new(a, ERROR_SERIALIZATION, "Unrecognized collection type class " PACKAGE "%s",
                         name);
    return mismatch(a, place == AS_MEMBER ? "Unexpected field type"
                                          : "Unexpected value type in payload");
}

static const struct wire_shape blob = {.type = WIRE_BLOB};
static const struct wire_shape string_list = {.type = WIRE_LIST, .element = &wire_string};
static const struct wire_shape blob_list = {.type = WIRE_LIST, .element = &blob};

static const struct wire_member attr_members[] = {
    {"S", &wire_string, 0},
    {"B", &blob, 0},
    {"N", &wire_string, 0},
    {"BOOL", &wire_boolean, 0},
    {"NULL", &wire_boolean, 0},
    {"BS", &blob_list, 0},
    {"L", &wire_attr_list, 0},
    {"M", &wire_attr_map, 0},
    {"NS", &string_list, 0},
    {"SS", &string_list, 0},
    {NULL, NULL, 0},
};

static const struct error *check_attr(struct arena *a, const wire_node *node, enum place place)
{
    const wire_node *only = node->child;

    if (!wire_is_object(node))
        return no_structure(a, "AttributeValue", node, place);
    if (!only || only->next)
        return wire_check_types(a, attr_members, node);
    for (const struct wire_member *m = attr_members; m->name; m++)
        if (span_is(wire_name(only), m->name))
            return check_value(a, m->shape, only, AS_MEMBER);
    return NULL;
}

static const struct error *check_value(struct arena *a, const struct wire_shape *shape,
                                       const wire_node *node, enum place place)
{
    if (wire_is_null(node))
        return NULL;
    switch (shape->type) {
    case WIRE_LIST:
        return check_list(a, shape, node, place);
    case WIRE_MAP:
        return check_map(a, shape, node, place);
    case WIRE_STRUCT:
        if (!wire_is_object(node))
            return no_structure(a, shape->name, node, place);
        return wire_check_types(a, shape->members, node);
    case WIRE_ATTR:
        return check_attr(a, node, place);
    default:
        return check_scalar(a, shape->type, node);
    }
}

const struct error *wire_check_types(struct arena *a, const struct wire_member *members,
                                     const wire_node *body)
{
    const struct error *e;

    for (const struct wire_member *m = members; m->name; m++) {
        const wire_node *node = wire_get(body, m->name);

        if (node && (e = check_value(a, m->shape, node, AS_MEMBER)))
            return e;
    }
    return NULL;
}
