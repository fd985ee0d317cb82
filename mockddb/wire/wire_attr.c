#include "wire/wire_attr.h"

#include "base/base64.h"
#include "model/limits.h"
#include "wire/wire_node.h"

#include <stdlib.h>

/* Values are read straight from the text; no tree of them is ever made. */
struct reader {
    struct arena *arena;
    const struct wire_source *source;
    enum wire_layer layer;
    const char *at;
};

/* Reads the value at r->at, which then is what comes after it; where there is an error, it may be
 * anywhere. */
static const struct error *read_value(struct reader *r, struct attr *out);

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
    for (size_t i = 0; i < set->list.len && list.len <= LIMIT_ERROR_MESSAGE; i++) {
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

/* A string. Where there is another value, which a member that does not count may have, none. */
static struct span read_text(struct reader *r)
{
    struct span text = {"", 0};

    r->at = *r->at == '"' ? wire_read_string(r->source, r->at, &text)
                          : wire_past_value(r->source, r->at);
    return text;
}

static const struct error *read_bytes(struct reader *r, struct attr *out)
{
    out->type = ATTR_B;
    if (base64_decode(r->arena, read_text(r), &out->bytes))
        return NULL;
    return error_new(r->arena, ERROR_SERIALIZATION,
                     "Invalid last non-pad Base64 character dectected");
}

static const struct error *read_scalar(struct reader *r, enum attr_type type, struct attr *out)
{
    if (type == ATTR_N)
        return read_number(r, read_text(r), out);
    if (type == ATTR_B)
        return read_bytes(r, out);
    *out = (struct attr){.type = ATTR_S, .bytes = read_text(r)};
    return NULL;
}

static const struct error *null_member(const struct reader *r, enum attr_type type)
{
    const char *kind = type == ATTR_SS ? "string" : type == ATTR_NS ? "number" : "binary";

    return error_parameter(r->arena, "An %s set may not have a null %s as a member", kind, kind);
}

/* --- lists and sets --------------------------------------------------------------------------- */

static const struct error *read_element(struct reader *r, enum attr_type type, struct attr *out)
{
    if (type == ATTR_L)
        return read_value(r, out);
    return *r->at == 'n' ? null_member(r, type) : read_scalar(r, attr_element_type(type), out);
}

#define FEW_ELEMENTS    8
#define STEPS_OF_MEMBER 4 /* of a list, set or map: reading it, and finding what comes again */

/* Room for exactly the elements; short lists are gone through once. */
static const struct error *read_elements(struct reader *r, enum attr_type type, struct attr *out)
{
    struct attr few[FEW_ELEMENTS], *all = few;
    const struct error *e;
    struct wire_place p;
    size_t len = 0;

    for (bool more = wire_enter(r->source, r->at, &p); more;
         more = wire_step(r->source, &p, r->at)) {
        if (len == FEW_ELEMENTS) {
            all = arena_alloc_raw(r->arena, (len + wire_count_from(r->source, p)) * sizeof *all);
            memcpy(all, few, sizeof few);
        }
        r->at = p.at;
        if ((e = read_element(r, type, &all[len++])))
            return e;
    }
    r->at = p.at;
    arena_charge(r->arena, len * STEPS_OF_MEMBER);
    *out = (struct attr){.type = type, .list.len = len};
    out->list.at = all;
    if (all == few) {
        out->list.at = arena_alloc_raw(r->arena, len * sizeof *all);
        if (len)
            memcpy(out->list.at, few, len * sizeof *all);
    }
    return NULL;
}

static const struct error *read_set(struct reader *r, enum attr_type type, struct attr *out)
{
    struct reader again = *r;
    const struct error *e;

    if ((e = read_elements(r, type, out)))
        return e;
    if (!out->list.len)
        return empty_set(r, type);
    if (attr_set_normalize(out))
        return NULL;
    e = read_elements(&again, type, out);
    return e ? e : error_unprefixed(r->arena, repeated_member(r, out));
}

static const struct error *read_collection(struct reader *r, enum attr_type type, struct attr *out)
{
    if (*r->at == '[')
        return type == ATTR_L ? read_elements(r, type, out) : read_set(r, type, out);
    *out = (struct attr){.type = type};
    r->at = wire_past_value(r->source, r->at);
    return type == ATTR_L ? NULL : empty_set(r, type);
}

/* --- maps ------------------------------------------------------------------------------------ */

const struct error *wire_check_name(struct arena *a, struct span name)
{
    if (!name.len)
        return error_validation(a, "Empty attribute name");
    if (name.len > LIMIT_ATTRIBUTE_NAME)
        return error_validation(a, "Attribute name is too large, must be less than 65536 bytes");
    return NULL;
}

#define FEW_FIELDS 16 /* up to here names are compared pair by pair, beyond by hash */

static bool same_name(const struct field *a, const struct field *b)
{
    return span_equal(a->name, b->name);
}

/* Marks, by taking its name away, each field whose name comes again; says whether there are any. */
static bool mark_repeated_few(struct item *it)
{
    bool any = false;

    for (size_t late = 1; late < it->len; late++)
        for (size_t early = 0; early < late; early++)
            if (same_name(&it->at[early], &it->at[late])) {
                it->at[early].name = (struct span){NULL, 0};
                any = true;
            }
    return any;
}

static bool mark_repeated_many(const struct reader *r, struct item *it)
{
    size_t size = 64;
    uint32_t *slots; /* numbers of fields, from 1 */
    bool any = false;

    while (size < 2 * it->len)
        size *= 2;
    slots = arena_array(r->arena, size, sizeof *slots);
    for (size_t i = 0; i < it->len; i++) {
        size_t slot = siphash(&r->source->key, it->at[i].name) & (size - 1);

        while (slots[slot] && !same_name(&it->at[slots[slot] - 1], &it->at[i]))
            slot = (slot + 1) & (size - 1);
        if (slots[slot]) {
            it->at[slots[slot] - 1].name = (struct span){NULL, 0};
            any = true;
        }
        slots[slot] = (uint32_t)i + 1;
    }
    return any;
}

/* Of repeated names the last one counts. No name that is left is empty. */
static void drop_repeated(const struct reader *r, struct item *it)
{
    size_t kept = 0;

    if (!(it->len > FEW_FIELDS ? mark_repeated_many(r, it) : mark_repeated_few(it)))
        return;
    for (size_t i = 0; i < it->len; i++)
        if (it->at[i].name.at)
            it->at[kept++] = it->at[i];
    it->len = kept;
}

static const struct error *read_field(struct reader *r, const struct wire_place *p,
                                      struct field *out)
{
    const struct error *e = wire_check_name(r->arena, p->name);

    out->name = p->name;
    r->at = p->at;
    return e ? e : read_value(r, &out->value);
}

/* As read_elements. A fault counts unless its name comes again. */
static const struct error *read_fields(struct reader *r, struct item *out)
{
    struct wire_node whole = {.source = r->source, .at = r->at};
    struct field few[FEW_FIELDS], *all = few;
    const struct error *e;
    struct wire_place p;
    size_t len = 0;

    for (bool more = wire_enter(r->source, r->at, &p); more;
         more = wire_step(r->source, &p, r->at)) {
        if (len == FEW_FIELDS && all == few) {
            all = arena_alloc_raw(r->arena, (len + wire_count_from(r->source, p)) * sizeof *all);
            memcpy(all, few, sizeof few);
        }
        if (!(e = read_field(r, &p, &all[len]))) {
            len++;
            continue;
        }
        if (wire_is_counted(&whole, p.at))
            return e;
        r->at = wire_past_value(r->source, p.at);
    }
    r->at = p.at;
    arena_charge(r->arena, len * STEPS_OF_MEMBER);
    out->len = len;
    out->at = all;
    drop_repeated(r, out);
    if (all == few) {
        out->at = arena_alloc_raw(r->arena, out->len * sizeof *all);
        if (out->len)
            memcpy(out->at, few, out->len * sizeof *all);
    }
    item_make_findable(r->arena, out);
    return NULL;
}

static const struct error *read_map(struct reader *r, struct item *out)
{
    if (*r->at == '{')
        return read_fields(r, out);
    *out = (struct item){.len = 0};
    r->at = wire_past_value(r->source, r->at);
    return NULL;
}

/* --- values ---------------------------------------------------------------------------------- */

static bool read_boolean(struct reader *r)
{
    struct wire_node node;

    r->at = wire_node_fill(&node, r->source, &(struct wire_place){.at = r->at});
    return wire_bool(&node, false);
}

static const struct error *read_typed(struct reader *r, enum attr_type type, struct attr *out)
{
    switch (type) {
    case ATTR_S:
    case ATTR_N:
    case ATTR_B:
        return read_scalar(r, type, out);
    case ATTR_BOOL:
        *out = (struct attr){.type = ATTR_BOOL, .boolean = read_boolean(r)};
        return NULL;
    case ATTR_NULL:
        *out = (struct attr){.type = ATTR_NULL, .boolean = true};
        return read_boolean(r)
                   ? NULL
                   : error_parameter(r->arena,
                                     "Null attribute value types must have the value of true");
    case ATTR_M:
        *out = (struct attr){.type = ATTR_M};
        return read_map(r, &out->map);
    default:
        return read_collection(r, type, out);
    }
}

/* Where the value of each type is in a value's object; NULL for those that are not there. */
struct members {
    const char *at[ATTR_TYPE_COUNT];
    size_t count;
    enum attr_type type; /* of one of them */
};

static void find_members(const struct reader *r, struct members *out)
{
    struct wire_place p;
    enum attr_type type;

    *out = (struct members){.count = 0};
    for (bool more = wire_enter(r->source, r->at, &p); more;
         more = wire_step(r->source, &p, wire_past_value(r->source, p.at)))
        if (attr_type_of_code(p.name, &type))
            out->at[type] = *p.at == 'n' ? NULL : p.at;
    for (size_t i = 0; i < ATTR_TYPE_COUNT; i++)
        if (out->at[i]) {
            out->count++;
            out->type = (enum attr_type)i;
        }
}

/* A value with several types: the first fault of one of them, else that there are several. */
static const struct error *refuse_several(struct reader *r, const struct members *m)
{
    static const enum attr_type order[] = {ATTR_N,  ATTR_NULL, ATTR_SS, ATTR_NS,
                                           ATTR_BS, ATTR_L,    ATTR_M};
    const struct error *e;
    struct attr ignored;

    for (size_t i = 0; i < COUNT(order); i++) {
        r->at = m->at[order[i]];
        if (r->at && (e = read_typed(r, order[i], &ignored)))
            return e;
    }
    e = error_validation(r->arena, "Supplied AttributeValue has more than one datatypes set, must "
                                   "contain exactly one of the supported datatypes");
    return error_bare(r->arena, e);
}

static const struct error *no_type(const struct reader *r)
{
    const struct error *e;

    e = error_validation(r->arena, "Supplied AttributeValue is empty, must contain exactly one of "
                                   "the supported datatypes");
    return error_bare(r->arena, e);
}

/* A value as it may be: with unknown members, repeated ones, several types or none. */
static const struct error *read_any(struct reader *r, struct attr *out)
{
    const char *past = wire_past_value(r->source, r->at);
    const struct error *e;
    struct members m;

    find_members(r, &m);
    if (m.count > 1)
        return refuse_several(r, &m);
    if (!m.count)
        return no_type(r);
    r->at = m.at[m.type];
    e = read_typed(r, m.type, out);
    r->at = past;
    return e;
}

/* A value as it should be, one string under its type; false, and nothing is read, where it is
 * another. */
static bool read_string_value(struct reader *r, enum attr_type *type, struct span *text)
{
    struct wire_place p;

    if (!wire_enter(r->source, r->at, &p) || p.name.len != 1 || *p.at != '"')
        return false;
    *type = p.name.at[0] == 'S' ? ATTR_S : ATTR_N;
    if (*type == ATTR_N && p.name.at[0] != 'N')
        return false;
    if (wire_step(r->source, &p, wire_read_string(r->source, p.at, text)))
        return false;
    r->at = p.at;
    return true;
}

static const struct error *read_value(struct reader *r, struct attr *out)
{
    enum attr_type type;
    struct span text;

    if (*r->at != '{')
        return no_type(r);
    if (!read_string_value(r, &type, &text))
        return read_any(r, out);
    if (type == ATTR_N)
        return read_number(r, text, out);
    *out = (struct attr){.type = ATTR_S, .bytes = text};
    return NULL;
}

/* --- nesting --------------------------------------------------------------------------------- */

static bool is_deeper(const struct wire_source *s, const char *at, size_t limit, const char **past);

static bool is_any_deeper(const struct wire_source *s, const char *at, size_t limit,
                          const char **past)
{
    struct wire_node whole = {.source = s, .at = at};
    struct wire_place p;

    *past = wire_past_value(s, at);
    if (*at != '[' && *at != '{')
        return false;
    for (bool more = wire_enter(s, at, &p); more; more = wire_step(s, &p, *past)) {
        if (!is_deeper(s, p.at, limit, past))
            continue;
        if (!p.named || wire_is_counted(&whole, p.at))
            return true;
        *past = wire_past_value(s, p.at);
    }
    *past = p.at;
    return false;
}

/* A value of the text; *past is what comes after it, where it is not deeper. */
static bool is_deeper(const struct wire_source *s, const char *at, size_t limit, const char **past)
{
    struct wire_node whole = {.source = s, .at = at};
    struct wire_place p;

    *past = wire_past_value(s, at);
    if (*at != '{')
        return false;
    for (bool more = wire_enter(s, at, &p); more; more = wire_step(s, &p, *past)) {
        bool nests = span_is(p.name, "L") || span_is(p.name, "M");

        if (nests && limit && !is_any_deeper(s, p.at, limit - 1, past))
            continue;
        if (nests && wire_is_counted(&whole, p.at))
            return true;
        *past = wire_past_value(s, p.at);
    }
    *past = p.at;
    return false;
}

bool wire_is_deeper(const wire_node *attr, size_t limit)
{
    const char *past;

    /* Each list or map is two levels of JSON, empty ones too. */
    if (attr->source->height < 2 * (limit + 1))
        return false;
    return is_deeper(attr->source, attr->at, limit, &past);
}

const struct error *wire_nesting_error(struct arena *a)
{
    return error_validation(a, "Nesting Levels have exceeded supported limits: Attributes in the "
                               "item have nested levels beyond supported limit");
}

static struct reader reader_of(struct arena *a, const wire_node *node, enum wire_layer layer)
{
    return (struct reader){a, node->source, layer, node->at};
}

const struct error *wire_read_attr(struct arena *a, const wire_node *node, enum wire_layer layer,
                                   struct attr *out)
{
    struct reader r = reader_of(a, node, layer);

    return read_value(&r, out);
}

/* The first fault of a name. */
static const struct error *check_names(const struct reader *r)
{
    const struct error *e;
    struct wire_place p;

    for (bool more = wire_enter(r->source, r->at, &p); more;
         more = wire_step(r->source, &p, wire_past_value(r->source, p.at)))
        if ((e = wire_check_name(r->arena, p.name)))
            return e;
    return NULL;
}

const struct error *wire_read_item(struct arena *a, const wire_node *node, enum wire_layer layer,
                                   struct item *out)
{
    struct reader r = reader_of(a, node, layer);
    const struct error *e;
    const char *past;

    if (*r.at != '{')
        return read_map(&r, out);
    if (r.source->odd_names && (e = check_names(&r)))
        return e;
    if (r.source->height >= 2 * (LIMIT_NESTING + 1) &&
        is_any_deeper(r.source, r.at, LIMIT_NESTING, &past))
        return wire_nesting_error(a);
    return read_fields(&r, out);
}
