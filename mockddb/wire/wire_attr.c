#include "wire/wire_attr.h"

#include "base/base64.h"
#include "model/attr_set.h"
#include "model/limits.h"
#include "wire/wire_glance.h"
#include "wire/wire_node.h"

/* Values are read directly from the text, without a tree. */
struct attr_reader {
    struct arena *arena;
    const struct wire_source *source;
    enum wire_layer layer;
    const char *at;
    size_t levels; /* how many more lists and maps may be nested in the value at r->at */
};

/* Reads the value at r->at, which then points behind it; after an error, r->at is undefined. */
static const struct error *read_value(struct attr_reader *r, struct attr *out);

/* --- numbers --------------------------------------------------------------------------------- */

/* Whether the text is a whole number in canonical form, as most numbers are. */
static bool is_plain_number(struct span text)
{
    size_t first = text.len && text.at[0] == '-';

    if (text.len - first > NUM_MAX_DIGITS || text.len == first || text.at[first] == '0')
        return text.len == 1 && text.at[0] == '0';
    for (size_t i = first; i < text.len; i++)
        if (!ascii_is_digit(text.at[i]))
            return false;
    return true;
}

static const struct error *read_number(const struct attr_reader *r, struct span text,
                                       struct attr *out)
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
        return error_because(
            r->arena,
            error_unprefixed(r->arena, error_of(r->arena, ERROR_VALIDATION,
                                                num_message(r->arena, status, text, older))),
            num_why(status, text));
    num_format(&canonical, &n);
    out->bytes = buf_span(&canonical);
    return NULL;
}

/* --- sets ------------------------------------------------------------------------------------ */

static struct span member_at(const void *members, size_t i)
{
    return ((const struct attr *)members)[i].bytes;
}

/* The position of the first member that repeats an earlier one. */
static size_t first_repeat(const struct attr_reader *r, const struct attr_list *members)
{
    struct siphash_table seen = siphash_table_new(r->arena, &r->source->key, members->len);
    size_t first = 0;

    for (; first < members->len; first++) {
        uint32_t *slot = siphash_table_slot(&seen, members->at[first].bytes, member_at,
                                            members->at);

        if (*slot)
            break;
        *slot = (uint32_t)first + 1;
    }
    return first;
}

static const struct error *repeated_member(const struct attr_reader *r, struct attr *set)
{
    bool binary = set->type == ATTR_BS, older = r->layer == WIRE_LAYER_OLDER;
    struct buf list = buf_in(r->arena);

    if (set->type == ATTR_NS)
        return older ? error_validation(r->arena, "Input collection contains duplicates")
                     : error_parameter(r->arena, "Input collection contains duplicates.");
    if (!older) {
        struct attr before = *set;

        /* Orders the members as the message lists them: the newer layer has sorted those before the
         * repeat when it notices it. */
        before.list.len = first_repeat(r, &set->list);
        (void)attr_set_normalize(r->arena, &before);
    }
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

static const struct error *empty_set(const struct attr_reader *r, enum attr_type type)
{
    if (type == ATTR_BS)
        return error_parameter(r->arena, "Binary sets should not be empty");
    return error_parameter(r->arena, "An %s set  may not be empty",
                           type == ATTR_SS ? "string" : "number");
}

/* Reads a string. Returns no text for another kind of value, which an ignored member may have. */
static struct span read_text(struct attr_reader *r)
{
    struct span text = {"", 0};

    r->at = *r->at == '"' ? wire_read_string(r->source, r->at, &text)
                          : wire_past_value(r->source, r->at);
    return text;
}

static const struct error *read_scalar(struct attr_reader *r, enum attr_type type, struct attr *out)
{
    if (type == ATTR_N)
        return read_number(r, read_text(r), out);
    if (type == ATTR_B) {
        out->type = ATTR_B;
        if (base64_decode(r->arena, read_text(r), &out->bytes))
            return NULL;
        return error_new(r->arena, ERROR_SERIALIZATION,
                         "Invalid last non-pad Base64 character dectected");
    }
    *out = (struct attr){.type = ATTR_S, .bytes = read_text(r)};
    return NULL;
}

static const struct error *null_member(const struct attr_reader *r, enum attr_type type)
{
    const char *kind = type == ATTR_SS ? "string" : type == ATTR_NS ? "number" : "binary";

    return error_caused(r->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_NULL_ELEMENT),
                        ERROR_PARAMETER "An %s set may not have a null %s as a member", kind, kind);
}

/* --- lists and sets --------------------------------------------------------------------------- */

static const struct error *read_element(struct attr_reader *r, enum attr_type type,
                                        struct attr *out)
{
    if (type == ATTR_L)
        return read_value(r, out);
    return *r->at == 'n' ? null_member(r, type) : read_scalar(r, attr_element_type(type), out);
}

#define FEW_ELEMENTS    8
#define STEPS_OF_MEMBER 4 /* of a list or map: reading it, and finding repeated names */
#define STEPS_OF_OBJECT 3 /* of a value that wire_glance does not read */

/* Allocates room for exactly the elements; short lists are scanned once. */
static const struct error *read_elements(struct attr_reader *r, enum attr_type type,
                                         struct attr *out)
{
    struct attr few[FEW_ELEMENTS], *all = few;
    const char *from = r->at;
    const struct error *e;
    struct wire_place p;
    size_t len = 0;

    for (bool more = wire_enter(r->source, r->at, &p); more;
         more = wire_step(r->source, &p, r->at)) {
        if (len == FEW_ELEMENTS) {
            all = arena_alloc_raw(r->arena, wire_count_in(r->source, from) * sizeof *all);
            memcpy(all, few, sizeof few);
        }
        r->at = p.at;
        if ((e = read_element(r, type, &all[len++])))
            return e;
    }
    r->at = p.at;
    arena_charge(r->arena, type == ATTR_L ? len * STEPS_OF_MEMBER : len);
    *out = (struct attr){.type = type, .list.len = len};
    out->list.at = all;
    if (all == few) {
        out->list.at = arena_alloc_raw(r->arena, len * sizeof *all);
        if (len)
            memcpy(out->list.at, few, len * sizeof *all);
    }
    return NULL;
}

static const struct error *read_set(struct attr_reader *r, enum attr_type type, struct attr *out)
{
    struct attr_reader again = *r;
    const struct error *e;
    struct span repeat;

    if ((e = read_elements(r, type, out)))
        return e;
    if (!out->list.len)
        return error_because(r->arena, empty_set(r, type), ERROR_WHY(CAUSE_EMPTY_SET));
    if (attr_set_normalize(r->arena, out))
        return NULL;
    if ((e = read_elements(&again, type, out)))
        return e;
    repeat = out->list.at[first_repeat(r, &out->list)].bytes;
    return error_because(r->arena, error_unprefixed(r->arena, repeated_member(r, out)),
                         ERROR_WHY(CAUSE_REPEATED, .operand = repeat));
}

static const struct error *read_collection(struct attr_reader *r, enum attr_type type,
                                           struct attr *out)
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
        return error_caused(a, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_EMPTY_NAME, .operand = SPAN_LIT("an attribute")),
                            "Empty attribute name");
    if (name.len > LIMIT_ATTRIBUTE_NAME)
        return error_validation(a, ERROR_NAME_SIZE);
    return NULL;
}

#define FEW_FIELDS 16 /* up to this many names are compared in pairs, more by hash */

static struct span field_at(const void *fields, size_t i)
{
    return ((const struct field *)fields)[i].name;
}

/* Marks each field whose name is repeated later by removing its name; returns whether any is. */
static bool mark_repeated_few(struct item *it)
{
    bool any = false;

    for (size_t late = 1; late < it->len; late++)
        for (size_t early = 0; early < late; early++)
            if (span_equal(it->at[early].name, it->at[late].name)) {
                it->at[early].name = (struct span){NULL, 0};
                any = true;
            }
    return any;
}

static bool mark_repeated_many(const struct attr_reader *r, struct item *it)
{
    struct siphash_table seen = siphash_table_new(r->arena, &r->source->key, it->len);
    bool any = false;

    for (size_t i = 0; i < it->len; i++) {
        uint32_t *slot = siphash_table_slot(&seen, it->at[i].name, field_at, it->at);

        if (*slot) {
            it->at[*slot - 1].name = (struct span){NULL, 0};
            any = true;
        }
        *slot = (uint32_t)i + 1;
    }
    return any;
}

/* The last of repeated names counts. Names that are left are not empty. */
static void drop_repeated(const struct attr_reader *r, struct item *it)
{
    size_t kept = 0;

    if (!(it->len > FEW_FIELDS ? mark_repeated_many(r, it) : mark_repeated_few(it)))
        return;
    for (size_t i = 0; i < it->len; i++)
        if (it->at[i].name.at)
            it->at[kept++] = it->at[i];
    it->len = kept;
}

static const struct error *read_field(struct attr_reader *r, const struct wire_place *p,
                                      struct field *out)
{
    const struct error *e = wire_check_name(r->arena, p->name);

    out->name = p->name;
    r->at = p->at;
    return e ? e : read_value(r, &out->value);
}

/* Like read_elements. An error in a field counts unless the field's name is repeated later. */
static const struct error *read_fields(struct attr_reader *r, struct item *out)
{
    struct wire_node whole = {.source = r->source, .at = r->at};
    struct field few[FEW_FIELDS], *all = few;
    const char *from = r->at;
    const struct error *e;
    struct wire_place p;
    size_t len = 0;

    for (bool more = wire_enter(r->source, r->at, &p); more;
         more = wire_step(r->source, &p, r->at)) {
        if (len == FEW_FIELDS && all == few) {
            all = arena_alloc_raw(r->arena, wire_count_in(r->source, from) * sizeof *all);
            memcpy(all, few, sizeof few);
        }
        if (!(e = read_field(r, &p, &all[len]))) {
            len++;
            continue;
        }
        if (wire_is_counted(&whole, p.at))
            return error_about(r->arena, e, p.name);
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

static const struct error *read_map(struct attr_reader *r, struct item *out)
{
    if (*r->at == '{')
        return read_fields(r, out);
    *out = (struct item){.len = 0};
    r->at = wire_past_value(r->source, r->at);
    return NULL;
}

/* --- values ---------------------------------------------------------------------------------- */

static bool read_boolean(struct attr_reader *r)
{
    struct wire_node node;

    r->at = wire_node_fill(&node, r->source, &(struct wire_place){.at = r->at});
    return wire_bool(&node, false);
}

/* A list or map. */
static const struct error *read_nest(struct attr_reader *r, enum attr_type type, struct attr *out)
{
    const struct error *e;

    if (!r->levels)
        return wire_nesting_error(r->arena);
    r->levels--;
    *out = (struct attr){.type = type};
    e = type == ATTR_M ? read_map(r, &out->map) : read_collection(r, type, out);
    r->levels++;
    return e;
}

static const struct error *read_typed(struct attr_reader *r, enum attr_type type, struct attr *out)
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
        if (read_boolean(r))
            return NULL;
        return error_caused(r->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_NULL_FALSE),
                            ERROR_PARAMETER
                            "Null attribute value types must have the value of true");
    case ATTR_L:
    case ATTR_M:
        return read_nest(r, type, out);
    default:
        return read_collection(r, type, out);
    }
}

/* The members of a value's object by type, with the result of reading each. */
struct members {
    bool there[ATTR_TYPE_COUNT];
    const struct error *fault[ATTR_TYPE_COUNT]; /* of the members that are present */
    struct attr value[ATTR_TYPE_COUNT];         /* if there is no error */
};

/* Skips a value that is wrong and may not count; charges for it. */
static const char *step_over(const struct attr_reader *r, const char *at)
{
    const char *past = wire_past_value(r->source, at);

    arena_charge(r->arena, (size_t)(past - at) / WIRE_BYTES_PER_STEP);
    return past;
}

/* Reads the member at its place: skipping it first would go through the innermost value as often as
 * it is nested. The last of repeated members counts. */
static void read_member(struct attr_reader *r, const struct wire_place *p, struct members *m)
{
    bool there = *p->at != 'n';
    enum attr_type type;

    r->at = p->at;
    if (!attr_type_of_code(p->name, &type)) {
        r->at = step_over(r, p->at);
        return;
    }
    m->there[type] = there;
    if (!there || (m->fault[type] = read_typed(r, type, &m->value[type])))
        r->at = step_over(r, p->at);
}

/* The error for a value with several types: the first in one of them, or that there are several. */
static const struct error *refuse_several(const struct attr_reader *r, const struct members *m)
{
    static const enum attr_type order[] = {ATTR_N,  ATTR_NULL, ATTR_SS, ATTR_NS,
                                           ATTR_BS, ATTR_L,    ATTR_M};
    const struct error *e;

    for (size_t i = 0; i < COUNT(order); i++)
        if (m->there[order[i]] && m->fault[order[i]])
            return m->fault[order[i]];
    e = error_validation(r->arena, "Supplied AttributeValue has more than one datatypes set, must "
                                   "contain exactly one of the supported datatypes");
    return error_because(r->arena, error_bare(r->arena, e), ERROR_WHY(CAUSE_SEVERAL_TYPES));
}

static const struct error *no_type(const struct attr_reader *r)
{
    const struct error *e;

    e = error_validation(r->arena, "Supplied AttributeValue is empty, must contain exactly one of "
                                   "the supported datatypes");
    return error_because(r->arena, error_bare(r->arena, e), ERROR_WHY(CAUSE_NO_TYPE));
}

/* Reads a value of any shape: with unknown members, repeated ones, several types or none. The
 * members before `p` were read, the member at `p` was not. */
static const struct error *read_any(struct attr_reader *r, struct wire_place *p, struct members *m,
                                    struct attr *out)
{
    size_t count = 0, type = 0;

    do
        read_member(r, p, m);
    while (wire_step(r->source, p, r->at));
    r->at = p->at;
    for (size_t i = 0; i < ATTR_TYPE_COUNT; i++)
        if (m->there[i]) {
            count++;
            type = i;
        }
    if (count > 1)
        return refuse_several(r, m);
    if (!count)
        return no_type(r);
    *out = m->value[type];
    return m->fault[type];
}

static const struct error *read_on(struct attr_reader *r, struct wire_place *p, enum attr_type type,
                                   const struct attr *value, const struct error *fault,
                                   struct attr *out)
{
    struct members m = {.there = {false}};

    m.there[type] = true;
    m.fault[type] = fault;
    if (!fault)
        m.value[type] = *value;
    return read_any(r, p, &m, out);
}

/* Reads a value; a correct one has one member. */
static const struct error *read_object(struct attr_reader *r, struct attr *out)
{
    const struct error *e;
    enum attr_type type;
    struct wire_place p;
    struct attr value;

    arena_charge(r->arena, STEPS_OF_OBJECT);
    if (!wire_enter(r->source, r->at, &p)) {
        r->at = p.at;
        return no_type(r);
    }
    if (*p.at == 'n' || !attr_type_of_code(p.name, &type))
        return read_any(r, &p, &(struct members){.there = {false}}, out);
    r->at = p.at;
    if ((e = read_typed(r, type, &value)))
        r->at = step_over(r, p.at);
    if (wire_step(r->source, &p, r->at))
        return read_on(r, &p, type, &value, e, out);
    r->at = p.at;
    if (!e)
        *out = value;
    return e;
}

/* Reads a correct value with a single string; on any other value it returns false and reads
 * nothing. */
static bool read_string_value(struct attr_reader *r, char *letter, struct span *text)
{
    struct wire_place p;
    const char *past = wire_glance(r->at, wire_end(r->source), text);

    *letter = r->at[2];
    if (!past) {
        if (!wire_enter(r->source, r->at, &p) || p.name.len != 1 || *p.at != '"')
            return false;
        *letter = p.name.at[0];
        if (wire_step(r->source, &p, wire_read_string(r->source, p.at, text)))
            return false;
        past = p.at;
    }
    if (*letter != 'S' && *letter != 'N')
        return false;
    r->at = past;
    return true;
}

static const struct error *read_value(struct attr_reader *r, struct attr *out)
{
    const char *past;
    struct span text;
    char letter;

    if (*r->at != '{')
        return no_type(r);
    if ((past = wire_glance_null(r->at, wire_end(r->source)))) {
        *out = (struct attr){.type = ATTR_NULL, .boolean = true};
        r->at = past;
        return NULL;
    }
    if (!read_string_value(r, &letter, &text))
        return read_object(r, out);
    if (letter == 'N')
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

    if (*at != '[' && *at != '{') {
        *past = wire_past_value(s, at);
        return false;
    }
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

/* Examines a value in the text; *past is the end of the value if it is not deeper. */
static bool is_deeper(const struct wire_source *s, const char *at, size_t limit, const char **past)
{
    struct wire_node whole = {.source = s, .at = at};
    struct wire_place p;

    if (*at != '{') {
        *past = wire_past_value(s, at);
        return false;
    }
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

    /* Each list or map is two levels of JSON, also an empty one. */
    if (attr->source->height < 2 * (limit + 1))
        return false;
    return is_deeper(attr->source, attr->at, limit, &past);
}

const struct error *wire_nesting_error(struct arena *a)
{
    return error_caused(a, ERROR_VALIDATION, ERROR_WHY(CAUSE_NESTED),
                        "Nesting Levels have exceeded supported limits: "
                        "Attributes in the item have nested levels beyond "
                        "supported limit");
}

static struct attr_reader reader_of(struct arena *a, const wire_node *node, enum wire_layer layer)
{
    return (struct attr_reader){a, node->source, layer, node->at, SIZE_MAX};
}

const struct error *wire_read_attr(struct arena *a, const wire_node *node, enum wire_layer layer,
                                   struct attr *out)
{
    struct attr_reader r = reader_of(a, node, layer);

    return read_value(&r, out);
}

const struct error *wire_read_attr_within(struct arena *a, const wire_node *node,
                                          enum wire_layer layer, size_t limit, struct attr *out)
{
    struct attr_reader r = reader_of(a, node, layer);

    r.levels = limit;
    return read_value(&r, out);
}

/* The first error in a name. */
static const struct error *check_names(const struct attr_reader *r)
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
    struct attr_reader r = reader_of(a, node, layer);
    const struct error *e;
    const char *past;

    if (*r.at != '{')
        return read_map(&r, out);
    if (r.source->odd_names && (e = check_names(&r)))
        return e;
    if (r.source->height >= (size_t)2 * (LIMIT_NESTING + 1) &&
        is_any_deeper(r.source, r.at, LIMIT_NESTING, &past))
        return wire_nesting_error(a);
    return read_fields(&r, out);
}
