#include "base/base64.h"
#include "model/attr.h"
#include "model/limits.h"
#include "wire/wire_glance.h"
#include "wire/wire_node.h"
#include "wire/wire_shape.h"

#include <assert.h>

#define PACKAGE "com.amazonaws.dynamodb.v20120810."
#define TYPE_VARIABLE                                                                             \
    "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class " \
    "java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and "          \
    "java.lang.Class are in module java.base of loader 'bootstrap')"

/* The place of a value: the same mismatch has another message in each place. */
enum type_place { AS_MEMBER, IN_COLLECTION };

/* A value of the wrong type. A request may contain any number of them, and the last one may win, so
 * the message is made only for the one that is reported. */
struct misfit {
    const char *at;
    const struct wire_shape *shape;
    enum type_place place;
    struct span name;        /* of the value, or of the nearest named one around it … */
    bool in_list;            /* … which is a list that has it as an element */
    const char *code;        /* of the attribute value that it is in: "N"; NULL: it is in none */
    struct misfits **unused; /* where those are that no structure uses any more */
};

#define MAX_MEMBERS 64 /* of a structure */

/* The mismatches of a structure's members. */
struct misfits {
    struct misfits *next;
    struct misfit of[MAX_MEMBERS];
};

static const struct error *mismatch_error(struct arena *a, const char *text)
{
    return error_of(a, ERROR_SERIALIZATION, span_of(text));
}

static const struct error *structure_found(struct arena *a)
{
    return mismatch_error(a, "Start of structure or map found where not expected");
}

/* --- scalars --------------------------------------------------------------------------------- */

/* Names of a scalar type: as a conversion target, and its Java class. */
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

static bool is_number(const char *at)
{
    return *at == '-' || ascii_is_digit(*at);
}

/* The parser's name of a scalar token. */
static const char *token_name(const char *at)
{
    if (*at == '"')
        return "STRING_VALUE";
    if (is_number(at))
        return wire_is_whole(at) ? "NUMBER_VALUE" : "DECIMAL_VALUE";
    return *at == 't' ? "TRUE_VALUE" : "FALSE_VALUE";
}

/* *past is the end of a scalar. */
static bool scalar_fits(const struct wire_source *s, enum wire_type type, const char *at,
                        const char **past)
{
    struct span text;

    if (*at == '[' || *at == '{')
        return false;
    if (*at == '"') {
        bool value;

        *past = wire_read_string(s, at, &text);
        if (type == WIRE_BLOB)
            return base64_is_valid(text);
        return type == WIRE_STRING || (type == WIRE_BOOLEAN && wire_text_is_bool(text, &value));
    }
    *past = wire_past_value(s, at);
    return is_number(at) ? type != WIRE_BOOLEAN && type != WIRE_STRING && type != WIRE_BLOB
                         : type == WIRE_BOOLEAN;
}

static const struct error *scalar_error(struct arena *a, const struct wire_source *s,
                                        enum wire_type type, const char *at)
{
    struct span text = {NULL, 0};

    if (*at == '[')
        return error_new(a, ERROR_SERIALIZATION, "Unrecognized collection type class %s",
                         scalars[type].class);
    if (*at == '{')
        return structure_found(a);
    if (*at == '"')
        wire_read_string(s, at, &text);
    if (type == WIRE_BLOB && *at != '"')
        return mismatch_error(a, "only base-64-encoded strings are convertible to bytes");
    if (type == WIRE_BLOB && text.len % 4)
        return error_new(a, ERROR_SERIALIZATION,
                         "Base64 encoded length is expected a multiple of 4 bytes but found: %zu",
                         text.len);
    if (type == WIRE_BLOB)
        return mismatch_error(a, "Invalid last non-pad Base64 character dectected");
    if (type == WIRE_BOOLEAN && *at == '"')
        return mismatch_error(a, "Unexpected token received from parser");
    return error_new(a, ERROR_SERIALIZATION, "%s cannot be converted to %s", token_name(at),
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

static const struct error *collection_error(struct arena *a, const struct misfit *m)
{
    if (*m->at == '{')
        return structure_found(a);
    if (*m->at == '[') {
        struct buf text = buf_in(a);

        buf_add_text(&text, "Unrecognized collection type ");
        add_java_type(&text, m->shape);
        return error_of(a, ERROR_SERIALIZATION, buf_span(&text));
    }
    return mismatch_error(a, m->place == AS_MEMBER ? "Unexpected field type" : TYPE_VARIABLE);
}

/* --- structures ------------------------------------------------------------------------------ */

static const struct error *structure_error(struct arena *a, const struct misfit *m)
{
    const char *name = m->shape->type == WIRE_ATTR ? "AttributeValue" : m->shape->name;

    if (*m->at == '[')
        return error_new(a, ERROR_SERIALIZATION, "Unrecognized collection type class " PACKAGE "%s",
                         name);
    return mismatch_error(a, m->place == AS_MEMBER ? "Unexpected field type"
                                                   : "Unexpected value type in payload");
}

static const struct wire_shape blob = {.type = WIRE_BLOB};
static const struct wire_shape string_list = {.type = WIRE_LIST, .element = &wire_string};

static const struct wire_member attr_members[] = {
    {"S", &wire_string, 0},
    {"B", &blob, 0},
    {"N", &wire_string, 0},
    {"BOOL", &wire_boolean, 0},
    {"NULL", &wire_boolean, 0},
    {"BS", WIRE_SHAPE(WIRE_LIST, .element = &blob), 0},
    {"L", &wire_attr_list, 0},
    {"M", &wire_attr_map, 0},
    {"NS", &string_list, 0},
    {"SS", &string_list, 0},
    {NULL, NULL, 0},
};

/* --- the walk --------------------------------------------------------------------------------- */

/* Sets *past to the end of a value that fits, or *out to the mismatch. */
static bool value_fits(const struct wire_source *s, const struct wire_shape *shape, const char *at,
                       enum type_place place, const char **past, struct misfit *out);

/* A mismatch counts unless the element's name is repeated later. */
static bool elements_fit(const struct wire_source *s, const struct wire_shape *element,
                         const char *at, const char **past, struct misfit *out)
{
    struct wire_node whole = {.source = s, .at = at};
    struct wire_place p;
    const char *next;

    for (bool more = wire_enter(s, at, &p); more; more = wire_step(s, &p, next)) {
        if (value_fits(s, element, p.at, IN_COLLECTION, &next, out))
            continue;
        if (p.named && !out->name.at)
            out->name = p.name;
        out->in_list = out->in_list || (!p.named && out->at == p.at);
        if (!p.named || wire_is_counted(&whole, p.at))
            return false;
        next = wire_past_value(s, p.at);
        arena_charge(s->arena, (size_t)(next - p.at) / WIRE_BYTES_PER_STEP);
    }
    *past = p.at;
    return true;
}

/* The member's index in the table, or the index of the table's end. */
static size_t find_member(const struct wire_member *members, struct span name)
{
    size_t i = 0;

    while (members[i].name && (members[i].name[0] != name.at[0] || !span_is(name, members[i].name)))
        i++;
    return i;
}

static struct misfits *take_misfits(struct arena *a, struct misfits **unused)
{
    struct misfits *taken = *unused;

    if (!taken)
        return arena_alloc_raw(a, sizeof *taken);
    *unused = taken->next;
    return taken;
}

/* Members come in any order, and may be repeated: the mismatch of each member that counts is kept,
 * and the first in the order of the table is reported. Values may be nested hundreds of levels
 * deep, so the stack has no room for all mismatches of each. */
static bool members_fit(const struct wire_source *s, const struct wire_member *members,
                        const char *at, const char **past, struct misfit *out)
{
    struct misfit m = {.unused = out->unused}; /* of the newest value that does not fit */
    struct misfits *found = NULL;
    struct wire_place p;
    const char *next;
    size_t used = 0, first = 0;

    for (bool more = wire_enter(s, at, &p); more; more = wire_step(s, &p, next)) {
        size_t i = find_member(members, p.name);
        bool fits = true;

        assert(i < MAX_MEMBERS);
        if (members[i].name)
            fits = value_fits(s, members[i].shape, p.at, AS_MEMBER, &next, &m);
        if (!fits && members == attr_members && !m.code)
            m.code = members[i].name;
        else if (!fits && members != attr_members && !m.name.at)
            m.name = span_of(members[i].name);
        if (!members[i].name || !fits) {
            next = wire_past_value(s, p.at);
            arena_charge(s->arena, (size_t)(next - p.at) / WIRE_BYTES_PER_STEP);
        }
        if (!fits && !found)
            found = take_misfits(s->arena, out->unused);
        while (!fits && used <= i)
            found->of[used++].at = NULL;
        if (i < used)
            found->of[i].at = NULL;
        if (!fits)
            found->of[i] = m;
    }
    *past = p.at;
    while (first < used && !found->of[first].at)
        first++;
    if (first < used)
        *out = found->of[first];
    if (found) {
        found->next = *out->unused;
        *out->unused = found;
    }
    return first == used;
}

/* The most frequent form of a value. */
static bool fits_at_a_glance(const struct wire_source *s, const char *at, const char **past)
{
    const char *end = wire_end(s);
    struct span text;

    if (*at != '{')
        return false;
    if (at[2] == 'S' || (at[2] == 'N' && at[3] == '"'))
        *past = wire_glance(at, end, &text);
    else
        *past = wire_glance_null(at, end);
    return *past != NULL;
}

static bool value_fits(const struct wire_source *s, const struct wire_shape *shape, const char *at,
                       enum type_place place, const char **past, struct misfit *out)
{
    enum wire_type type = shape->type;

    if (type == WIRE_ATTR && fits_at_a_glance(s, at, past))
        return true;
    if (*at == 'n') {
        *past = at + strlen("null");
        return true;
    }
    if (type == WIRE_LIST && *at == '[')
        return elements_fit(s, shape->element, at, past, out);
    if (type == WIRE_MAP && *at == '{')
        return elements_fit(s, shape->element, at, past, out);
    if (type == WIRE_STRUCT && *at == '{')
        return members_fit(s, shape->members, at, past, out);
    if (type == WIRE_ATTR && *at == '{')
        return members_fit(s, attr_members, at, past, out);
    if (type < WIRE_LIST && scalar_fits(s, type, at, past))
        return true;
    *out = (struct misfit){.at = at, .shape = shape, .place = place, .unused = out->unused};
    return false;
}

#define LARGE_BODY (64 * LIMIT_KB) /* in smaller ones it costs more than it saves */

void wire_forget_unknown(const wire_node *body, const struct wire_member *members)
{
    const struct wire_source *s = body->source;
    struct wire_place last[MAX_MEMBERS], p;
    size_t used = 0, count = 0;

    if (body->opened || s->text.len <= LARGE_BODY || !wire_is_object(body))
        return;
    arena_charge(s->arena, wire_steps_of_pass(s));
    for (bool more = wire_enter(s, body->at, &p); more;
         more = wire_step(s, &p, wire_past_value(s, p.at))) {
        size_t i = find_member(members, p.name);

        if (!members[i].name)
            continue;
        while (used <= i)
            last[used++].at = NULL;
        last[i] = p;
    }
    for (size_t i = 0; i < used; i++)
        if (last[i].at)
            last[count++] = last[i];
    wire_open_with(body, last, count);
}

const struct error *wire_check_types(struct arena *a, const struct wire_member *members,
                                     const wire_node *body)
{
    static const char *const taken[] = {
        [WIRE_STRING] = "a text",
        [WIRE_BOOLEAN] = "true or false",
        [WIRE_INTEGER] = "a number",
        [WIRE_LONG] = "a number",
        [WIRE_DOUBLE] = "a number",
        [WIRE_TIMESTAMP] = "a number of seconds",
        [WIRE_BLOB] = "a text in base64",
        [WIRE_LIST] = "a list, [...]",
        [WIRE_MAP] = "a map, {...}",
        [WIRE_STRUCT] = "a structure, {...}",
        [WIRE_ATTR] = "a value with its type, such as {\"S\": ...}",
    };
    const struct error *e;
    const char *past;
    struct misfits *unused = NULL;
    struct misfit m = {.unused = &unused};

    arena_charge(a, wire_steps_of_pass(body->source));
    if (members_fit(body->source, members, body->at, &past, &m))
        return NULL;
    switch (m.shape->type) {
    case WIRE_LIST:
    case WIRE_MAP:
        e = collection_error(a, &m);
        break;
    case WIRE_STRUCT:
    case WIRE_ATTR:
        e = structure_error(a, &m);
        break;
    default:
        e = scalar_error(a, body->source, m.shape->type, m.at);
    }
    past = wire_past_value(body->source, m.at);
    if (m.code && m.shape->type != WIRE_ATTR)
        m.name = span_of(arena_printf(a, "%s of %.*s", m.code, SPAN_ARG(m.name)));
    if (m.in_list)
        m.name = span_of(arena_printf(a, "a value in %.*s", SPAN_ARG(m.name)));
    return error_because(a, e,
                         ERROR_WHY(CAUSE_MEMBER_TYPE, .operand = m.name,
                                   .place = {m.at, (size_t)(past - m.at)},
                                   .wanted = m.code && strcmp(m.code, "N") == 0 ? ATTR_N : ATTR_S,
                                   .beside = span_of(taken[m.shape->type])));
}
