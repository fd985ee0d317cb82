/* The catalog form of a table: an item whose attributes are the members of the structs in
 * schema.h, as the tables below list them. Members that are zero or empty are left out, and
 * read so when they are absent: a file of an older version has fewer. Words, not numbers, stand
 * for enumerations, so that their order may change. */
#include "model/item_codec.h"
#include "model/limits.h"
#include "model/names.h"
#include "model/schema.h"

enum member_kind {
    MEMBER_TEXT,   /* struct span of UTF-8 */
    MEMBER_BYTES,  /* struct span of any bytes */
    MEMBER_INT,    /* int64_t */
    MEMBER_WORD,   /* uint32_t */
    MEMBER_FLAG,   /* bool */
    MEMBER_ENUM,   /* an enum; `words` has a text for each value */
    MEMBER_TYPE,   /* enum attr_type of a key: S, N or B */
    MEMBER_STRUCT, /* a struct in place */
    MEMBER_FIXED,  /* an array in place of up to LIMIT_KEY_PARTS structs */
    MEMBER_ARRAY   /* a pointer to an array of structs */
};

struct shape;

struct member {
    enum member_kind kind;
    const char *name;
    size_t offset;
    const char *const *words;  /* of an ENUM, ends with NULL */
    const struct shape *shape; /* of a STRUCT, or of an array's elements */
    size_t count_offset;       /* of an array: where its length stands */
};

struct shape {
    size_t size;
    const struct member *members; /* ends with a NULL name */
};

#define AT(st, member)      .name = #member, .offset = offsetof(struct st, member)
#define COUNTED(st, member) .count_offset = offsetof(struct st, member)

static const struct member part_members[] = {
    {.kind = MEMBER_TEXT, AT(key_part, name)},
    {.kind = MEMBER_TYPE, AT(key_part, type)},
    {.name = NULL},
};
static const struct shape part_shape = {sizeof(struct key_part), part_members};

static const struct member keys_members[] = {
    {.kind = MEMBER_FIXED,
     AT(key_schema, hash),
     .shape = &part_shape,
     COUNTED(key_schema, hash_count)},
    {.kind = MEMBER_FIXED,
     AT(key_schema, range),
     .shape = &part_shape,
     COUNTED(key_schema, range_count)},
    {.name = NULL},
};
static const struct shape keys_shape = {sizeof(struct key_schema), keys_members};

static const struct member throughput_members[] = {
    {.kind = MEMBER_INT, AT(throughput, read)},
    {.kind = MEMBER_INT, AT(throughput, write)},
    {.kind = MEMBER_INT, AT(throughput, last_increase_ms)},
    {.kind = MEMBER_INT, AT(throughput, last_decrease_ms)},
    {.kind = MEMBER_INT, AT(throughput, decreases_today)},
    {.kind = MEMBER_INT, AT(throughput, decreases_day)},
    {.name = NULL},
};
static const struct shape throughput_shape = {sizeof(struct throughput), throughput_members};

static const struct member units_members[] = {
    {.kind = MEMBER_INT, AT(unit_pair, read)},
    {.kind = MEMBER_INT, AT(unit_pair, write)},
    {.name = NULL},
};
static const struct shape units_shape = {sizeof(struct unit_pair), units_members};

static const struct member name_members[] = {
    {.kind = MEMBER_TEXT, .name = "name"},
    {.name = NULL},
};
static const struct shape name_shape = {sizeof(struct span), name_members};

static const struct member index_members[] = {
    {.kind = MEMBER_TEXT, AT(index, name)},
    {.kind = MEMBER_WORD, AT(index, space)},
    {.kind = MEMBER_FLAG, AT(index, global)},
    {.kind = MEMBER_STRUCT, AT(index, keys), .shape = &keys_shape},
    {.kind = MEMBER_ENUM, AT(index, projection), .words = names_projections},
    {.kind = MEMBER_ARRAY, AT(index, include), .shape = &name_shape, COUNTED(index, include_count)},
    {.kind = MEMBER_ENUM, AT(index, status), .words = names_statuses},
    {.kind = MEMBER_FLAG, AT(index, backfilling)},
    {.kind = MEMBER_BYTES, AT(index, backfill_position)},
    {.kind = MEMBER_FLAG, AT(index, backfilled)},
    {.kind = MEMBER_STRUCT, AT(index, throughput), .shape = &throughput_shape},
    {.kind = MEMBER_STRUCT, AT(index, on_demand), .shape = &units_shape},
    {.kind = MEMBER_STRUCT, AT(index, warm), .shape = &units_shape},
    {.kind = MEMBER_INT, AT(index, transition_until_ms)},
    {.kind = MEMBER_STRUCT, AT(index, next_throughput), .shape = &throughput_shape},
    {.kind = MEMBER_STRUCT, AT(index, next_warm), .shape = &units_shape},
    {.name = NULL},
};
static const struct shape index_shape = {sizeof(struct index), index_members};

static const struct member definition_members[] = {
    {.kind = MEMBER_TEXT, AT(definition, name)},
    {.kind = MEMBER_TYPE, AT(definition, type)},
    {.name = NULL},
};
static const struct shape definition_shape = {sizeof(struct definition), definition_members};

static const struct member tag_members[] = {
    {.kind = MEMBER_TEXT, AT(tag, key)},
    {.kind = MEMBER_TEXT, AT(tag, value)},
    {.name = NULL},
};
static const struct shape tag_shape = {sizeof(struct tag), tag_members};

static const struct member table_members[] = {
    {.kind = MEMBER_TEXT, AT(table, name)},
    {.kind = MEMBER_TEXT, AT(table, uuid)},
    {.kind = MEMBER_WORD, AT(table, space)},
    {.kind = MEMBER_STRUCT, AT(table, keys), .shape = &keys_shape},
    {.kind = MEMBER_ARRAY,
     AT(table, definitions),
     .shape = &definition_shape,
     COUNTED(table, definition_count)},
    {.kind = MEMBER_ARRAY, AT(table, indexes), .shape = &index_shape, COUNTED(table, index_count)},
    {.kind = MEMBER_ENUM, AT(table, status), .words = names_statuses},
    {.kind = MEMBER_INT, AT(table, created_ms)},
    {.kind = MEMBER_INT, AT(table, due_ms)},
    {.kind = MEMBER_ENUM, AT(table, change), .words = names_changes},
    {.kind = MEMBER_INT, AT(table, transition_until_ms)},
    {.kind = MEMBER_FLAG, AT(table, on_demand)},
    {.kind = MEMBER_FLAG, AT(table, was_on_demand)},
    {.kind = MEMBER_INT, AT(table, on_demand_since_ms)},
    {.kind = MEMBER_STRUCT, AT(table, throughput), .shape = &throughput_shape},
    {.kind = MEMBER_STRUCT, AT(table, next_throughput), .shape = &throughput_shape},
    {.kind = MEMBER_STRUCT, AT(table, on_demand_limits), .shape = &units_shape},
    {.kind = MEMBER_STRUCT, AT(table, warm), .shape = &units_shape},
    {.kind = MEMBER_STRUCT, AT(table, next_warm), .shape = &units_shape},
    {.kind = MEMBER_INT, AT(table, warm_until_ms)},
    {.kind = MEMBER_FLAG, AT(table, deletion_protection)},
    {.kind = MEMBER_TEXT, AT(table, table_class)},
    {.kind = MEMBER_TEXT, AT(table, next_table_class)},
    {.kind = MEMBER_INT, AT(table, table_class_ms)},
    {.kind = MEMBER_INT, AT(table, table_class_before_ms)},
    {.kind = MEMBER_FLAG, AT(table, sse)},
    {.kind = MEMBER_INT, AT(table, sse_until_ms)},
    {.kind = MEMBER_TEXT, AT(table, kms_key_arn)},
    {.kind = MEMBER_TEXT, AT(table, next_kms_key_arn)},
    {.kind = MEMBER_INT, AT(table, sse_window_ms)},
    {.kind = MEMBER_INT, AT(table, sse_changes)},
    {.kind = MEMBER_INT, AT(table, sse_changed_ms)},
    {.kind = MEMBER_TEXT, AT(table, resource_policy)},
    {.kind = MEMBER_ARRAY, AT(table, tags), .shape = &tag_shape, COUNTED(table, tag_count)},
    {.kind = MEMBER_TEXT, AT(table, ttl_attribute)},
    {.kind = MEMBER_FLAG, AT(table, stream_enabled)},
    {.kind = MEMBER_ENUM, AT(table, stream_view), .words = names_views},
    {.kind = MEMBER_TEXT, AT(table, stream_label)},
    {.kind = MEMBER_WORD, AT(table, stream_space)},
    {.kind = MEMBER_WORD, AT(table, stream_shards)},
    {.name = NULL},
};
static const struct shape table_shape = {sizeof(struct table), table_members};

/* Where the elements of an array member begin, and how many there are. */
static const char *elements(const struct member *m, const char *from, size_t *count)
{
    const char *at = from + m->offset;

    memcpy(count, from + m->count_offset, sizeof *count);
    if (m->kind == MEMBER_ARRAY)
        memcpy(&at, from + m->offset, sizeof at);
    return at;
}

/* --- encoding ------------------------------------------------------------------------------ */

static struct item write_struct(struct arena *a, const struct shape *shape, const char *from);

static struct attr text_of(const char *text)
{
    return (struct attr){.type = ATTR_S, .bytes = span_of(text)};
}

static struct attr number_of(struct arena *a, int64_t value)
{
    return (struct attr){.type = ATTR_N,
                         .bytes = span_of(arena_printf(a, "%lld", (long long)value))};
}

static struct attr write_array(struct arena *a, const struct member *m, const char *from)
{
    struct attr value = {.type = ATTR_L};
    const char *at = elements(m, from, &value.list.len);

    value.list.at = arena_array(a, value.list.len, sizeof *value.list.at);
    for (size_t i = 0; i < value.list.len; i++, at += m->shape->size)
        value.list.at[i] = (struct attr){.type = ATTR_M, .map = write_struct(a, m->shape, at)};
    return value;
}

static struct attr write_member(struct arena *a, const struct member *m, const char *from)
{
    struct attr value = {0};
    enum attr_type type;
    uint32_t word;
    int64_t number;
    int ordinal;

    switch (m->kind) {
    case MEMBER_TEXT:
    case MEMBER_BYTES:
        value.type = m->kind == MEMBER_TEXT ? ATTR_S : ATTR_B;
        memcpy(&value.bytes, from + m->offset, sizeof value.bytes);
        break;
    case MEMBER_INT:
        memcpy(&number, from + m->offset, sizeof number);
        return number_of(a, number);
    case MEMBER_WORD:
        memcpy(&word, from + m->offset, sizeof word);
        return number_of(a, word);
    case MEMBER_FLAG:
        value.type = ATTR_BOOL;
        memcpy(&value.boolean, from + m->offset, sizeof value.boolean);
        break;
    case MEMBER_ENUM:
        memcpy(&ordinal, from + m->offset, sizeof ordinal);
        return text_of(m->words[ordinal]);
    case MEMBER_TYPE:
        memcpy(&type, from + m->offset, sizeof type);
        return text_of(attr_type_code(type));
    case MEMBER_STRUCT:
        value.type = ATTR_M;
        value.map = write_struct(a, m->shape, from + m->offset);
        break;
    case MEMBER_FIXED:
    case MEMBER_ARRAY:
        return write_array(a, m, from);
    }
    return value;
}

static bool is_empty(const struct attr *value)
{
    switch (value->type) {
    case ATTR_S:
    case ATTR_B:
        return value->bytes.len == 0;
    case ATTR_N:
        return span_is(value->bytes, "0");
    case ATTR_BOOL:
        return !value->boolean;
    case ATTR_L:
        return value->list.len == 0;
    default: /* all that is written besides is a map */
        return value->map.len == 0;
    }
}

static struct item write_struct(struct arena *a, const struct shape *shape, const char *from)
{
    struct item it = {0};

    for (const struct member *m = shape->members; m->name; m++) {
        struct attr value = write_member(a, m, from);

        if (!is_empty(&value))
            item_set(a, &it, span_of(m->name), value);
    }
    return it;
}

struct span schema_encode(struct arena *a, const struct table *t)
{
    struct item it = write_struct(a, &table_shape, (const char *)t);
    struct buf out = buf_in(a);

    item_encode(&out, &it);
    return buf_span(&out);
}

/* --- decoding ------------------------------------------------------------------------------ */

static bool read_struct(struct arena *a, const struct shape *shape, const struct item *it,
                        char *to);

static bool read_number(struct span text, int64_t *out)
{
    bool negative = text.len && text.at[0] == '-';
    int64_t value = 0;

    for (size_t i = negative; i < text.len; i++) {
        int digit = text.at[i] - '0';

        if (digit < 0 || digit > 9 || value > (INT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = negative ? -value : value;
    return text.len > negative;
}

static bool read_word(struct span text, char *to)
{
    int64_t number;
    uint32_t word;

    if (!read_number(text, &number) || number < 0 || number > UINT32_MAX)
        return false;
    word = (uint32_t)number;
    memcpy(to, &word, sizeof word);
    return true;
}

static bool read_enum(const char *const *words, struct span text, char *to)
{
    int ordinal = names_find(words, text, -1);

    memcpy(to, &ordinal, sizeof ordinal);
    return ordinal >= 0;
}

static bool read_type(struct span text, char *to)
{
    enum attr_type type;

    if (!attr_type_of_code(text, &type) || type > ATTR_B)
        return false;
    memcpy(to, &type, sizeof type);
    return true;
}

static bool read_array(struct arena *a, const struct member *m, const struct attr_list *list,
                       char *to)
{
    char *at = to + m->offset;

    if (m->kind == MEMBER_ARRAY) {
        at = arena_array(a, list->len, m->shape->size);
        memcpy(to + m->offset, &at, sizeof at);
    } else if (list->len > LIMIT_KEY_PARTS) {
        return false;
    }
    memcpy(to + m->count_offset, &list->len, sizeof list->len);
    for (size_t i = 0; i < list->len; i++, at += m->shape->size)
        if (list->at[i].type != ATTR_M || !read_struct(a, m->shape, &list->at[i].map, at))
            return false;
    return true;
}

static bool read_member(struct arena *a, const struct member *m, const struct attr *value, char *to)
{
    static const enum attr_type types[] = {
        [MEMBER_TEXT] = ATTR_S,  [MEMBER_BYTES] = ATTR_B,   [MEMBER_INT] = ATTR_N,
        [MEMBER_WORD] = ATTR_N,  [MEMBER_FLAG] = ATTR_BOOL, [MEMBER_ENUM] = ATTR_S,
        [MEMBER_TYPE] = ATTR_S,  [MEMBER_STRUCT] = ATTR_M,  [MEMBER_FIXED] = ATTR_L,
        [MEMBER_ARRAY] = ATTR_L,
    };
    struct span text;
    int64_t number;

    if (value->type != types[m->kind])
        return false;
    switch (m->kind) {
    case MEMBER_TEXT:
    case MEMBER_BYTES:
        text = arena_span(a, value->bytes);
        memcpy(to + m->offset, &text, sizeof text);
        return true;
    case MEMBER_INT:
        if (!read_number(value->bytes, &number))
            return false;
        memcpy(to + m->offset, &number, sizeof number);
        return true;
    case MEMBER_WORD:
        return read_word(value->bytes, to + m->offset);
    case MEMBER_FLAG:
        memcpy(to + m->offset, &value->boolean, sizeof value->boolean);
        return true;
    case MEMBER_ENUM:
        return read_enum(m->words, value->bytes, to + m->offset);
    case MEMBER_TYPE:
        return read_type(value->bytes, to + m->offset);
    case MEMBER_STRUCT:
        return read_struct(a, m->shape, &value->map, to + m->offset);
    case MEMBER_FIXED:
    case MEMBER_ARRAY:
        break;
    }
    return read_array(a, m, &value->list, to);
}

/* Members that the item lacks keep what *to holds: zeros. */
static bool read_struct(struct arena *a, const struct shape *shape, const struct item *it, char *to)
{
    for (const struct member *m = shape->members; m->name; m++) {
        const struct attr *value = item_find(it, span_of(m->name));

        if (value && !read_member(a, m, value, to))
            return false;
    }
    return true;
}

/* What no table can be without. */
static bool is_whole(const struct table *t)
{
    if (!t->name.len || !t->keys.hash_count)
        return false;
    for (size_t i = 0; i < t->index_count; i++)
        if (!t->indexes[i].name.len || !t->indexes[i].keys.hash_count)
            return false;
    return true;
}

struct table *schema_decode(struct arena *owner, struct span text)
{
    struct arena *scratch = arena_new();
    struct table *t = schema_new(owner);
    struct item it;

    if (!item_decode_checked(scratch, text, &it) ||
        !read_struct(t->arena, &table_shape, &it, (char *)t) || !is_whole(t)) {
        schema_free(t);
        t = NULL;
    }
    arena_free(scratch);
    return t;
}

/* --- copying ------------------------------------------------------------------------------- */

/* Gives the struct at `to`, so far a copy byte for byte, texts and arrays of its own. */
static void own_struct(struct arena *a, const struct shape *shape, char *to)
{
    for (const struct member *m = shape->members; m->name; m++) {
        struct span text;
        size_t count;
        const char *from;
        char *at;

        switch (m->kind) {
        case MEMBER_TEXT:
        case MEMBER_BYTES:
            memcpy(&text, to + m->offset, sizeof text);
            text = arena_span(a, text);
            memcpy(to + m->offset, &text, sizeof text);
            break;
        case MEMBER_STRUCT:
            own_struct(a, m->shape, to + m->offset);
            break;
        case MEMBER_FIXED:
        case MEMBER_ARRAY:
            from = elements(m, to, &count);
            at = to + m->offset;
            if (m->kind == MEMBER_ARRAY) {
                at = arena_array(a, count, m->shape->size);
                if (count)
                    memcpy(at, from, count * m->shape->size);
                memcpy(to + m->offset, &at, sizeof at);
            }
            for (size_t i = 0; i < count; i++)
                own_struct(a, m->shape, at + i * m->shape->size);
            break;
        case MEMBER_INT:
        case MEMBER_WORD:
        case MEMBER_FLAG:
        case MEMBER_ENUM:
        case MEMBER_TYPE:
            break;
        }
    }
}

struct table *schema_copy(struct arena *owner, const struct table *t)
{
    struct table *copy = schema_new(owner);
    struct arena *a = copy->arena;

    *copy = *t;
    copy->arena = a;
    own_struct(a, &table_shape, (char *)copy);
    return copy;
}
