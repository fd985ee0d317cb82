#include "wire/wire_attr.h"

#include "base/base64.h"
#include "model/limits.h"
#include "wire/wire_node.h"

#include <stdlib.h>

struct reader {
    struct arena *arena;
    enum wire_layer layer;
};

static const struct error *read_value(const struct reader *r, const wire_node *node,
                                      struct attr *out);

/* --- numbers --------------------------------------------------------------------------------- */

/* Whether the text is a whole number in canonical form, as most numbers are. */
static bool is_plain_number(struct span text)
{
    size_t first = text.len && text.at[0] == '-';

    if (text.len - first > NUM_MAX_DIGITS || text.len == first || text.at[first] == '0')
        return text.len == 1 && text.at[0] == '0';
    for (size_t i = first; i < text.len; i++)
        if (text.at[i] < '0' || text.at[i] > '9')
            return false;
    return true;
}

static const struct error *read_number(const struct reader *r, struct span text, struct attr *out)
{
    struct buf canonical = buf_in(r->arena);
    bool older = r->layer == WIRE_LAYER_OLDER;
    enum num_status status;
    struct num n;

    out->type = ATTR_N;
    out->bytes = text;
    if (is_plain_number(text))
        return NULL;
    if ((status = num_parse(text, older, &n)) != NUM_OK)
        return error_unprefixed(
            r->arena, error_validation(r->arena, "%s", num_message(r->arena, status, text, older)));
    num_format(&canonical, &n);
    out->bytes = buf_span(&canonical);
    return NULL;
}

/* --- sets ------------------------------------------------------------------------------------ */

/* Equal members in the order in which they were sent. */
static int by_value_and_place(const void *a, const void *b)
{
    const struct attr *one = *(const struct attr *const *)a;
    const struct attr *two = *(const struct attr *const *)b;
    int order = attr_compare(one, two);

    return order ? order : (one > two) - (one < two);
}

/* Position of the first member that repeats an earlier one. */
static size_t first_repeat(struct arena *a, const struct attr_list *members)
{
    const struct attr **sorted = arena_array(a, members->len, sizeof(const struct attr *));
    size_t first = members->len;

    for (size_t i = 0; i < members->len; i++)
        sorted[i] = &members->at[i];
    qsort(sorted, members->len, sizeof(const struct attr *), by_value_and_place);
    for (size_t i = 1; i < members->len; i++) {
        size_t place = (size_t)(sorted[i] - members->at);

        if (place < first && attr_compare(sorted[i - 1], sorted[i]) == 0)
            first = place;
    }
    return first;
}

/* The members as the message lists them: the newer layer has put those before the repeat in
 * order when it notices. */
static void order_as_noticed(struct arena *a, struct attr *set)
{
    struct attr before = *set;

    before.list.len = first_repeat(a, &set->list);
    (void)attr_set_normalize(&before);
}

static const struct error *repeated_member(const struct reader *r, struct attr *set)
{
    bool binary = set->type == ATTR_BS, older = r->layer == WIRE_LAYER_OLDER;
    struct buf list = buf_in(r->arena);

    if (set->type == ATTR_NS)
        return older ? error_validation(r->arena, "Input collection contains duplicates")
                     : error_parameter(r->arena, "Input collection contains duplicates.");
    if (!older)
        order_as_noticed(r->arena, set);
    buf_add_text(&list, "One or more parameter values were invalid: Input collection [");
    for (size_t i = 0; i < set->list.len; i++) {
        if (i)
            buf_add_text(&list, binary && !older ? "," : ", ");
        if (!older)
            buf_add_char(&list, '"');
        if (binary)
            base64_encode(&list, set->list.at[i].bytes);
        else
            buf_add_span(&list, set->list.at[i].bytes);
        if (!older)
            buf_add_char(&list, '"');
    }
    buf_add_text(&list, binary ? "]of type BS contains duplicates." : "] contains duplicates.");
    return error_of(r->arena, ERROR_VALIDATION, buf_span(&list));
}

static const struct error *empty_set(const struct reader *r, enum attr_type type)
{
    if (type == ATTR_BS)
        return error_parameter(r->arena, "Binary sets should not be empty");
    return error_parameter(r->arena, "An %s set  may not be empty",
                           type == ATTR_SS ? "string" : "number");
}

static const struct error *read_bytes(const struct reader *r, const wire_node *node,
                                      struct attr *out)
{
    out->type = ATTR_B;
    if (base64_decode(r->arena, wire_text(node), &out->bytes))
        return NULL;
    return error_new(r->arena, ERROR_SERIALIZATION,
                     "Invalid last non-pad Base64 character dectected");
}

static const struct error *read_member(const struct reader *r, enum attr_type type,
                                       const wire_node *node, struct attr *out)
{
    if (type == ATTR_N)
        return read_number(r, wire_text(node), out);
    if (type == ATTR_B)
        return read_bytes(r, node, out);
    *out = (struct attr){.type = ATTR_S, .bytes = wire_text(node)};
    return NULL;
}

static const struct error *null_member(const struct reader *r, enum attr_type type)
{
    const char *kind = type == ATTR_SS ? "string" : type == ATTR_NS ? "number" : "binary";

    return error_parameter(r->arena, "An %s set may not have a null %s as a member", kind, kind);
}

static const struct error *read_members(const struct reader *r, enum attr_type type,
                                        const wire_node *node, struct attr *out)
{
    struct attr set = {.type = type, .list.len = wire_count(node)};
    const struct error *e;
    struct attr *to;

    to = set.list.at = arena_array(r->arena, set.list.len, sizeof *to);
    for (const wire_node *child = wire_first(node); child; child = wire_next(child)) {
        if (wire_is_null(child))
            return null_member(r, type);
        if ((e = read_member(r, attr_element_type(type), child, to++)))
            return e;
    }
    *out = set;
    return NULL;
}

static const struct error *read_set(const struct reader *r, enum attr_type type,
                                    const wire_node *node, struct attr *out)
{
    struct attr as_sent;
    const struct error *e;

    if (!wire_count(node))
        return empty_set(r, type);
    if ((e = read_members(r, type, node, out)) || attr_set_normalize(out))
        return e;
    e = read_members(r, type, node, &as_sent);
    return e ? e : error_unprefixed(r->arena, repeated_member(r, &as_sent));
}

/* --- values ---------------------------------------------------------------------------------- */

static const struct error *read_list(const struct reader *r, const wire_node *node,
                                     struct attr *out)
{
    struct attr list = {.type = ATTR_L, .list.len = wire_count(node)};
    const struct error *e;
    struct attr *to;

    to = list.list.at = arena_array(r->arena, list.list.len, sizeof *to);
    for (const wire_node *child = wire_first(node); child; child = wire_next(child))
        if ((e = read_value(r, child, to++)))
            return e;
    *out = list;
    return NULL;
}

const struct error *wire_check_name(struct arena *a, struct span name)
{
    if (!name.len)
        return error_validation(a, "Empty attribute name");
    if (name.len > LIMIT_ATTRIBUTE_NAME)
        return error_validation(a, "Attribute name is too large, must be less than 65536 bytes");
    return NULL;
}

static const struct error *read_map(const struct reader *r, const wire_node *node, struct item *out)
{
    struct item map = {.len = wire_count(node)};
    const struct error *e;
    struct field *to;

    to = map.at = arena_array(r->arena, map.len, sizeof *to);
    for (const wire_node *child = wire_first(node); child; child = wire_next(child), to++) {
        to->name = wire_name(child);
        if ((e = wire_check_name(r->arena, to->name)) || (e = read_value(r, child, &to->value)))
            return e;
    }
    *out = map;
    return NULL;
}

static const struct error *read_typed(const struct reader *r, enum attr_type type,
                                      const wire_node *node, struct attr *out)
{
    switch (type) {
    case ATTR_S:
        *out = (struct attr){.type = ATTR_S, .bytes = wire_text(node)};
        return NULL;
    case ATTR_N:
        return read_number(r, wire_text(node), out);
    case ATTR_B:
        return read_bytes(r, node, out);
    case ATTR_BOOL:
        *out = (struct attr){.type = ATTR_BOOL, .boolean = wire_bool(node, false)};
        return NULL;
    case ATTR_NULL:
        *out = (struct attr){.type = ATTR_NULL, .boolean = true};
        return wire_bool(node, false)
                   ? NULL
                   : error_parameter(r->arena,
                                     "Null attribute value types must have the value of true");
    case ATTR_L:
        return read_list(r, node, out);
    case ATTR_M:
        out->type = ATTR_M;
        return read_map(r, node, &out->map);
    default:
        return read_set(r, type, node, out);
    }
}

/* A value with several types: the first fault of one of them, else that there are several. */
static const struct error *refuse_several(const struct reader *r, const wire_node *node)
{
    static const enum attr_type order[] = {ATTR_N,  ATTR_NULL, ATTR_SS, ATTR_NS,
                                           ATTR_BS, ATTR_L,    ATTR_M};
    const struct error *e;
    struct attr ignored;

    for (size_t i = 0; i < COUNT(order); i++) {
        const wire_node *member = wire_get(node, attr_type_code(order[i]));

        if (member && (e = read_typed(r, order[i], member, &ignored)))
            return e;
    }
    e = error_validation(r->arena, "Supplied AttributeValue has more than one datatypes set, must "
                                   "contain exactly one of the supported datatypes");
    return error_bare(r->arena, e);
}

static const struct error *read_value(const struct reader *r, const wire_node *node,
                                      struct attr *out)
{
    const wire_node *value = NULL;
    enum attr_type type = ATTR_S, each;
    const struct error *e;

    for (const wire_node *child = wire_first(node); child; child = wire_next(child)) {
        if (wire_is_null(child) || !attr_type_of_code(wire_name(child), &each))
            continue;
        if (value)
            return refuse_several(r, node);
        value = child;
        type = each;
    }
    if (value)
        return read_typed(r, type, value, out);
    e = error_validation(r->arena, "Supplied AttributeValue is empty, must contain exactly one of "
                                   "the supported datatypes");
    return error_bare(r->arena, e);
}

/* --- nesting --------------------------------------------------------------------------------- */

bool wire_is_deeper(const wire_node *attr, size_t limit)
{
    /* Each list or map is two levels of JSON, empty ones too. */
    if (wire_leaf_of(attr)->height < 2 * (limit + 1))
        return false;
    for (const wire_node *value = wire_first(attr); value; value = wire_next(value)) {
        if (!span_is(wire_name(value), "L") && !span_is(wire_name(value), "M"))
            continue;
        if (!limit)
            return true;
        for (const wire_node *child = wire_first(value); child; child = wire_next(child))
            if (wire_is_deeper(child, limit - 1))
                return true;
    }
    return false;
}

const struct error *wire_nesting_error(struct arena *a)
{
    return error_validation(a, "Nesting Levels have exceeded supported limits: Attributes in the "
                               "item have nested levels beyond supported limit");
}

const struct error *wire_read_attr(struct arena *a, const wire_node *node, enum wire_layer layer,
                                   struct attr *out)
{
    return read_value(&(struct reader){a, layer}, node, out);
}

const struct error *wire_read_item(struct arena *a, const wire_node *node, enum wire_layer layer,
                                   struct item *out)
{
    struct reader r = {a, layer};
    const struct error *e;

    for (const wire_node *child = wire_first(node); child; child = wire_next(child))
        if ((e = wire_check_name(r.arena, wire_name(child))))
            return e;
    for (const wire_node *child = wire_first(node); child; child = wire_next(child))
        if (wire_is_deeper(child, LIMIT_NESTING))
            return wire_nesting_error(a);
    return read_map(&r, node, out);
}
