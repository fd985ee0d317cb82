#include "awscli/awscli_why_json.h"

#include "model/attr.h"
#include "wire/json.h"

#define DEPTH 40 /* nested lists and maps: more than the service accepts */

/* --- invalid JSON ----------------------------------------------------------------------------- */

/* Web pages and chats use them as blanks. */
static bool has_no_break_space(const char *text)
{
    bool in_string = false;

    for (; *text; text++) {
        if (*text == '"')
            in_string = !in_string;
        else if (in_string && *text == '\\' && text[1])
            text++;
        else if (!in_string && strncmp(text, "\u00a0", 2) == 0)
            return true;
    }
    return false;
}

static const char *about_text(const char *text)
{
    if (strstr(text, "\\\""))
        return "the backslashes came through: within single quotes a \" needs none";
    if (!strchr(text, '"') && strchr(text, '\''))
        return "JSON takes double quotes only: that is how Python or JavaScript print it";
    if (!strchr(text, '"') && strchr(text, ':'))
        return "the shell removed the double quotes of the JSON: put it in "
               "single quotes, or into a file, file://values.json";
    if (strstr(text, ": True") || strstr(text, ": False") || strstr(text, ": None"))
        return "JSON writes true, false and null: that is how Python prints it";
    if (has_no_break_space(text))
        return "a no-break space (U+00A0) is between the parts of the JSON: type a plain one in "
               "its "
               "place";
    for (const char *c = text; *c; c++)
        if (*c == ',') {
            const char *next = c + 1 + strspn(c + 1, " \t\r\n");

            if (*next == '}' || *next == ']')
                return "JSON has no comma before } or ]";
        }
    return NULL;
}

/* --- values without types --------------------------------------------------------------------- */

static const char *code_of(const wire_node *node)
{
    switch (json_kind(node)) {
    case JSON_NUMBER:
        return "N";
    case JSON_BOOL:
        return "BOOL";
    case JSON_ARRAY:
        return "L";
    default:
        return "S";
    }
}

/* The node as it would be with its type. */
static const char *typed_value(struct arena *a, const wire_node *node)
{
    struct buf out = buf_in(a);
    bool number = json_kind(node) == JSON_NUMBER;

    if (json_kind(node) == JSON_NULL)
        return "{\"NULL\": true}";
    if (json_kind(node) == JSON_ARRAY)
        return "{\"L\": […]}, with a type for each element";
    buf_printf(&out, "{\"%s\": %s", code_of(node), number ? "\"" : "");
    json_write(&out, node);
    buf_add_text(&out, number ? "\"}" : "}");
    return buf_text(&out);
}

static const char *about_value(struct arena *a, const char *name, const wire_node *value,
                               int depth);

static const char *about_members(struct arena *a, const char *name, const wire_node *inner,
                                 bool is_map, int depth)
{
    const char *why = NULL;

    for (const wire_node *n = wire_first(inner); n && !why; n = wire_next(n))
        why = about_value(a, is_map ? arena_printf(a, "%.*s", SPAN_ARG(wire_name(n))) : name, n,
                          depth + 1);
    return why;
}

static const char *about_value(struct arena *a, const char *name, const wire_node *value, int depth)
{
    const wire_node *inner = wire_first(value);
    enum attr_type type;
    enum json_kind kind;

    if (depth == DEPTH)
        return NULL;
    if (json_kind(value) != JSON_OBJECT)
        return arena_printf(a, "%s has no type: write %s", name, typed_value(a, value));
    if (!inner || wire_next(inner))
        return NULL;
    if (!attr_type_of_code(wire_name(inner), &type))
        return arena_printf(
            a,
            "%s: %.*s is not a type: the types are S, N, B, BOOL, NULL, L, M, SS, NS and "
            "BS",
            name, SPAN_ARG(wire_name(inner)));
    /* Checks the value after the type. */
    kind = json_kind(inner);
    if (type == ATTR_N && kind == JSON_NUMBER)
        return arena_printf(a, "%s: numbers are written in quotes, %s", name,
                            typed_value(a, inner));
    if ((type == ATTR_S || type == ATTR_B) && kind != JSON_STRING)
        return arena_printf(a, "%s: %s takes a text in quotes", name, attr_type_code(type));
    if (type == ATTR_BOOL && kind != JSON_BOOL)
        return arena_printf(a, "%s: BOOL takes true or false, without quotes", name);
    if (type == ATTR_NULL && kind != JSON_BOOL)
        return arena_printf(a, "%s: NULL is written {\"NULL\": true}", name);
    if ((attr_is_set(type) || type == ATTR_L) && kind != JSON_ARRAY)
        return arena_printf(a, "%s: %s takes a list, [ … ]", name, attr_type_code(type));
    return type == ATTR_L || type == ATTR_M ? about_members(a, name, inner, type == ATTR_M, depth)
                                            : NULL;
}

/* Options whose value is a map of attribute values. */
static bool has_values(const char *option)
{
    static const char *const names[] = {"key", "item", "expression-attribute-values",
                                        "exclusive-start-key"};

    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(option, names[i]) == 0)
            return true;
    return false;
}

const char *awscli_why_json(struct arena *a, const char *option, const char *text)
{
    const wire_node *node;

    if (!json_parse(a, span_of(text), &node))
        return about_text(text);
    return has_values(option) && json_kind(node) == JSON_OBJECT
               ? about_members(a, option, node, true, 0)
               : NULL;
}
