/* The catalog form of a table: an item whose attributes are the members listed in schema_members.h.
 * Members that are zero or empty are left out, and absent members are read as zero: a file of an
 * older version has fewer. Enumerations are stored as words, so that their order may change. */
#include "base/utf8.h"
#include "model/item_codec.h"
#include "model/names.h"
#include "model/schema.h"
#include "model/schema_members.h"

/* --- encoding ------------------------------------------------------------------------------ */

static struct item write_struct(struct arena *a, const struct schema_shape *shape,
                                const char *from);

static struct attr text_of(const char *text)
{
    return (struct attr){.type = ATTR_S, .bytes = span_of(text)};
}

struct attr schema_members_number(struct arena *a, int64_t value)
{
    return (struct attr){.type = ATTR_N,
                         .bytes = span_of(arena_printf(a, "%lld", (long long)value))};
}

static struct attr write_array(struct arena *a, const struct schema_member *m, const char *from)
{
    struct attr value = {.type = ATTR_L};
    const char *at = schema_members_elements(m, from, &value.list.len);

    value.list.at = arena_array(a, value.list.len, sizeof *value.list.at);
    for (size_t i = 0; i < value.list.len; i++, at += m->shape->size)
        value.list.at[i] = (struct attr){.type = ATTR_M, .map = write_struct(a, m->shape, at)};
    return value;
}

struct attr schema_members_get(struct arena *a, const struct schema_member *m, const void *owner)
{
    const char *from = owner;
    struct attr value = {0};
    enum attr_type type;
    uint32_t word;
    int64_t number;
    int ordinal;

    switch (m->kind) {
    case SCHEMA_TEXT:
    case SCHEMA_BYTES:
        value.type = m->kind == SCHEMA_TEXT ? ATTR_S : ATTR_B;
        memcpy(&value.bytes, from + m->offset, sizeof value.bytes);
        break;
    case SCHEMA_INT:
        memcpy(&number, from + m->offset, sizeof number);
        return schema_members_number(a, number);
    case SCHEMA_WORD:
        memcpy(&word, from + m->offset, sizeof word);
        return schema_members_number(a, word);
    case SCHEMA_FLAG:
        value.type = ATTR_BOOL;
        memcpy(&value.boolean, from + m->offset, sizeof value.boolean);
        break;
    case SCHEMA_ENUM:
        memcpy(&ordinal, from + m->offset, sizeof ordinal);
        return text_of(m->words[ordinal]);
    case SCHEMA_TYPE:
        memcpy(&type, from + m->offset, sizeof type);
        return text_of(attr_type_code(type));
    case SCHEMA_STRUCT:
        value = (struct attr){.type = ATTR_M};
        value.map = write_struct(a, m->shape, from + m->offset);
        break;
    case SCHEMA_FIXED:
    case SCHEMA_ARRAY:
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
    default: /* all other kinds are written as a map */
        return value->map.len == 0;
    }
}

static struct item write_struct(struct arena *a, const struct schema_shape *shape, const char *from)
{
    struct item it = {0};

    for (const struct schema_member *m = shape->members; m->name; m++) {
        struct attr value = schema_members_get(a, m, from);

        if (!is_empty(&value))
            item_set(a, &it, span_of(m->name), value);
    }
    return it;
}

struct span schema_members_write(struct arena *a, const struct schema_shape *shape,
                                 const void *from)
{
    struct item it = write_struct(a, shape, from);
    struct buf out = buf_in(a);

    item_encode(&out, &it);
    return buf_span(&out);
}

struct span schema_encode(struct arena *a, const struct table *t)
{
    return schema_members_write(a, &schema_members_table, t);
}

/* --- decoding ------------------------------------------------------------------------------ */

static bool read_struct(struct arena *a, const struct schema_shape *shape, const struct item *it,
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

static bool read_array(struct arena *a, const struct schema_member *m, const struct attr_list *list,
                       char *to)
{
    char *at = to + m->offset;

    if (m->kind == SCHEMA_ARRAY) {
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

bool schema_members_set(struct arena *a, const struct schema_member *m, const struct attr *value,
                        void *owner)
{
    static const enum attr_type types[] = {
        [SCHEMA_TEXT] = ATTR_S,  [SCHEMA_BYTES] = ATTR_B,   [SCHEMA_INT] = ATTR_N,
        [SCHEMA_WORD] = ATTR_N,  [SCHEMA_FLAG] = ATTR_BOOL, [SCHEMA_ENUM] = ATTR_S,
        [SCHEMA_TYPE] = ATTR_S,  [SCHEMA_STRUCT] = ATTR_M,  [SCHEMA_FIXED] = ATTR_L,
        [SCHEMA_ARRAY] = ATTR_L,
    };
    struct span text;
    int64_t number;
    char *to = owner;

    if (value->type != types[m->kind])
        return false;
    switch (m->kind) {
    case SCHEMA_TEXT:
    case SCHEMA_BYTES:
        if (m->kind == SCHEMA_TEXT && !utf8_valid(value->bytes))
            return false;
        text = arena_span(a, value->bytes);
        memcpy(to + m->offset, &text, sizeof text);
        return true;
    case SCHEMA_INT:
        if (!read_number(value->bytes, &number))
            return false;
        memcpy(to + m->offset, &number, sizeof number);
        return true;
    case SCHEMA_WORD:
        return read_word(value->bytes, to + m->offset);
    case SCHEMA_FLAG:
        memcpy(to + m->offset, &value->boolean, sizeof value->boolean);
        return true;
    case SCHEMA_ENUM:
        return read_enum(m->words, value->bytes, to + m->offset);
    case SCHEMA_TYPE:
        return read_type(value->bytes, to + m->offset);
    case SCHEMA_STRUCT:
        return read_struct(a, m->shape, &value->map, to + m->offset);
    case SCHEMA_FIXED:
    case SCHEMA_ARRAY:
        break;
    }
    return read_array(a, m, &value->list, to);
}

/* Members that the item lacks keep the value in *to: zero. */
static bool read_struct(struct arena *a, const struct schema_shape *shape, const struct item *it,
                        char *to)
{
    for (const struct schema_member *m = shape->members; m->name; m++) {
        const struct attr *value = item_find(it, span_of(m->name));

        if (value && !schema_members_set(a, m, value, to))
            return false;
    }
    return true;
}

/* Checks what other code relies on: required members and maximum counts. */
static bool is_whole_index(const struct index *ix)
{
    size_t filters = 0;

    for (size_t i = 0; i < ix->vector.part_count; i++)
        filters += !ix->vector.parts[i].hash;
    return ix->name.len && (ix->keys.hash_count || ix->vector.dimensions) &&
           filters <= LIMIT_INLINE_FILTERS;
}

/* Like is_whole_index, for a table. */
static bool is_whole(const struct table *t)
{
    if (!t->name.len || !t->keys.hash_count || schema_count_kind(t, KIND_LOCAL) > LIMIT_LOCALS ||
        schema_count_kind(t, KIND_GLOBAL) > LIMIT_GLOBALS ||
        schema_count_kind(t, KIND_VECTOR) > LIMIT_VECTORS)
        return false;
    for (size_t i = 0; i < t->index_count; i++)
        if (!is_whole_index(&t->indexes[i]))
            return false;
    return true;
}

/* Twice what a table has with all that the service's limits allow. Each value may take a kilobyte
 * of memory, and a text from a file may have any number of them. */
#define VALUES_MOST 60000

/* Whether the text has so few members and elements that it can be decoded. */
static bool is_moderate(struct span text)
{
    const char *at = text.at, *end = span_end(text);
    size_t values = 0;
    bool quoted = false;

    for (; at < end && values <= VALUES_MOST; at++) {
        if (*at == '"')
            quoted = !quoted;
        else if (quoted)
            at += *at == '\\';
        else
            values += *at == ',' || *at == '{';
    }
    return values <= VALUES_MOST;
}

bool schema_members_read(struct arena *a, const struct schema_shape *shape, struct span text,
                         void *to)
{
    struct arena *scratch = arena_new_in(a);
    struct item it;
    bool sound = is_moderate(text) && item_decode_checked(scratch, text, &it) &&
                 read_struct(a, shape, &it, to);

    arena_free(scratch);
    return sound;
}

struct table *schema_decode(struct arena *owner, struct span text)
{
    struct table *t = schema_new(owner);

    if (schema_members_read(t->arena, &schema_members_table, text, t) && is_whole(t))
        return t;
    schema_free(t);
    return NULL;
}

/* --- making and copying -------------------------------------------------------------------- */

/* Gives the struct at `to`, which is a shallow copy, its own texts and arrays. */
static void own_struct(struct arena *a, const struct schema_shape *shape, char *to)
{
    for (const struct schema_member *m = shape->members; m->name; m++) {
        struct span text;
        size_t count;
        const char *from;
        char *at;

        switch (m->kind) {
        case SCHEMA_TEXT:
        case SCHEMA_BYTES:
            memcpy(&text, to + m->offset, sizeof text);
            text = arena_span(a, text);
            memcpy(to + m->offset, &text, sizeof text);
            break;
        case SCHEMA_STRUCT:
            own_struct(a, m->shape, to + m->offset);
            break;
        case SCHEMA_FIXED:
        case SCHEMA_ARRAY:
            from = schema_members_elements(m, to, &count);
            at = to + m->offset;
            if (m->kind == SCHEMA_ARRAY) {
                at = arena_array(a, count, m->shape->size);
                if (count)
                    memcpy(at, from, count * m->shape->size);
                memcpy(to + m->offset, &at, sizeof at);
            }
            for (size_t i = 0; i < count; i++)
                own_struct(a, m->shape, at + i * m->shape->size);
            break;
        case SCHEMA_INT:
        case SCHEMA_WORD:
        case SCHEMA_FLAG:
        case SCHEMA_ENUM:
        case SCHEMA_TYPE:
            break;
        }
    }
}

struct table *schema_new(struct arena *owner)
{
    struct arena *a = arena_new_in(owner);
    struct table *t;

    arena_stay_small(a);
    t = arena_alloc(a, schema_members_table.size);
    t->arena = a;
    return t;
}

struct table *schema_copy(struct arena *owner, const struct table *t)
{
    struct table *copy = schema_new(owner);
    struct arena *a = copy->arena;

    memcpy(copy, t, schema_members_table.size);
    copy->arena = a;
    own_struct(a, &schema_members_table, (char *)copy);
    return copy;
}
