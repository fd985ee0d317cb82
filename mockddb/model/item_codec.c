#include "model/item_codec.h"

#include "base/ascii.h"
#include "base/base64.h"
#include "base/one_more.h"
#include "base/plain.h"

#include <stdlib.h>

/* Deeper than any item that the service accepts; keeps damaged text from exhausting the stack. */
#define MAX_DEPTH 128

/* --- encoding ------------------------------------------------------------------------------ */

static void encode_scalar(struct buf *out, enum attr_type type, struct span bytes)
{
    if (type == ATTR_S) {
        buf_add_json_string(out, bytes);
        return;
    }
    buf_add_char(out, '"');
    if (type == ATTR_N)
        buf_add_span(out, bytes);
    else
        base64_encode(out, bytes);
    buf_add_char(out, '"');
}

static void encode_list(struct buf *out, const struct attr_list *list, bool is_set)
{
    buf_add_char(out, '[');
    for (size_t i = 0; i < list->len; i++) {
        if (i)
            buf_add_char(out, ',');
        if (is_set)
            encode_scalar(out, list->at[i].type, list->at[i].bytes);
        else
            attr_encode(out, &list->at[i]);
    }
    buf_add_char(out, ']');
}

/* The text before the value itself. */
static const struct span openings[ATTR_TYPE_COUNT] = {
    [ATTR_S] = SPAN_LIT_INIT("{\"S\":"),       [ATTR_N] = SPAN_LIT_INIT("{\"N\":"),
    [ATTR_B] = SPAN_LIT_INIT("{\"B\":"),       [ATTR_SS] = SPAN_LIT_INIT("{\"SS\":"),
    [ATTR_NS] = SPAN_LIT_INIT("{\"NS\":"),     [ATTR_BS] = SPAN_LIT_INIT("{\"BS\":"),
    [ATTR_BOOL] = SPAN_LIT_INIT("{\"BOOL\":"), [ATTR_NULL] = SPAN_LIT_INIT("{\"NULL\":"),
    [ATTR_L] = SPAN_LIT_INIT("{\"L\":"),       [ATTR_M] = SPAN_LIT_INIT("{\"M\":"),
};

void attr_encode(struct buf *out, const struct attr *value)
{
    buf_add_span(out, openings[value->type]);
    switch (value->type) {
    case ATTR_S:
    case ATTR_N:
    case ATTR_B:
        encode_scalar(out, value->type, value->bytes);
        break;
    case ATTR_SS:
    case ATTR_NS:
    case ATTR_BS:
    case ATTR_L:
        encode_list(out, &value->list, value->type != ATTR_L);
        break;
    case ATTR_M:
        item_encode(out, &value->map);
        break;
    case ATTR_BOOL:
        buf_add_text(out, value->boolean ? "true" : "false");
        break;
    case ATTR_NULL:
    case ATTR_TYPE_COUNT:
        buf_add_text(out, "true");
        break;
    }
    buf_add_char(out, '}');
}

void item_encode(struct buf *out, const struct item *it)
{
    buf_add_char(out, '{');
    for (size_t i = 0; i < it->len; i++) {
        if (i)
            buf_add_char(out, ',');
        buf_add_json_string(out, it->at[i].name);
        buf_add_char(out, ':');
        attr_encode(out, &it->at[i].value);
    }
    buf_add_char(out, '}');
}

/* --- decoding ------------------------------------------------------------------------------ */

#define FIRST_PENDING 64
#define CHUNK         1024 /* fields; an arena keeps blocks of that size for reuse */

/* Members of containers that are still being read are stacked in chunks, so that they never move; a
 * finished container pops its members into an array of exactly their number. */
struct decoder {
    const char *at, *end;
    struct arena *arena;
    struct field *first; /* FIRST_PENDING */
    struct field **chunks;
    size_t used, chunk_count;
    int depth;
    bool broken;
};

#define STEPS_OF_MEMBER 3  /* and its memory */
#define SKIPPED_AT_STEP 16 /* bytes that are skipped without decoding */
#define READ_AT_STEP    64

/* … and names that are looked up among many */
#define LOOKED_UP_AT_STEP 4

static struct decoder decoder_of(struct arena *a, struct span text, struct field *room)
{
    return (struct decoder){
        .at = text.at,
        .end = span_end(text),
        .arena = a,
        .first = room,
    };
}

/* Every reader stops at the end of the text, so an error moves the position there. */
static void give_up(struct decoder *d)
{
    d->broken = true;
    d->at = d->end;
}

static bool take_char(struct decoder *d, char c)
{
    if (d->at == d->end || *d->at != c)
        return false;
    d->at++;
    return true;
}

static void expect_char(struct decoder *d, char c)
{
    if (!take_char(d, c))
        give_up(d);
}

/* After a member: true if another one follows, false if the container ends. */
static bool has_more(struct decoder *d, char close)
{
    if (take_char(d, ','))
        return true;
    expect_char(d, close);
    return false;
}

/* The text between the quotes with its escapes; *escaped says whether there are any. */
static struct span raw_string(struct decoder *d, bool *escaped)
{
    const char *start, *quote;

    *escaped = false;
    if (!take_char(d, '"')) {
        give_up(d);
        return (struct span){"", 0};
    }
    start = d->at;
    quote = plain_end(start, d->end);
    while (d->end - quote >= 2 && *quote == '\\') {
        *escaped = true;
        quote = plain_end(quote + 2, d->end);
    }
    if (quote == d->end || *quote != '"') {
        give_up(d);
        return (struct span){"", 0};
    }
    d->at = quote + 1;
    return (struct span){start, (size_t)(quote - start)};
}

/* The character of the escape at *at (after the backslash); moves *at past it. */
static char unescape_one(struct decoder *d, const char **at, const char *end)
{
    static const char codes[] = "\"\\nrtbf", chars[] = "\"\\\n\r\t\b\f";
    const char *p = *at;
    const char *code = *p ? strchr(codes, *p) : NULL;

    if (code) {
        (*at)++;
        return chars[code - codes];
    }
    /* only control characters are written as \u00XX */
    if (end - p < 5 || memcmp(p, "u00", 3) != 0 || (unsigned)ascii_hex(p[3]) > 1 ||
        ascii_hex(p[4]) < 0) {
        give_up(d);
        *at = end;
        return 0;
    }
    *at += 5;
    return (char)(ascii_hex(p[3]) * 16 + ascii_hex(p[4]));
}

static struct span unescape_string(struct decoder *d, struct span raw)
{
    char *bytes = arena_alloc_raw(d->arena, raw.len), *to = bytes;
    const char *at = raw.at, *end = span_end(raw);

    while (at < end) {
        const char *slash = memchr(at, '\\', (size_t)(end - at));
        size_t plain = (size_t)((slash ? slash : end) - at);

        memcpy(to, at, plain);
        to += plain;
        at += plain;
        if (slash) {
            at++;
            *to++ = unescape_one(d, &at, end);
        }
    }
    return (struct span){bytes, (size_t)(to - bytes)};
}

static struct span read_string(struct decoder *d)
{
    bool escaped;
    struct span raw = raw_string(d, &escaped);

    return escaped ? unescape_string(d, raw) : raw;
}

static struct attr read_scalar(struct decoder *d, enum attr_type type)
{
    bool escaped;
    struct attr value = {.type = type};

    if (type == ATTR_S)
        value.bytes = read_string(d);
    else if (type == ATTR_N)
        value.bytes = raw_string(d, &escaped);
    else {
        struct span bytes = {"", 0};

        if (!base64_decode(d->arena, raw_string(d, &escaped), &bytes))
            give_up(d);
        value.bytes = bytes;
    }
    return value;
}

static struct field *pending_at(const struct decoder *d, size_t i)
{
    if (i < FIRST_PENDING)
        return &d->first[i];
    i -= FIRST_PENDING;
    return &d->chunks[i / CHUNK][i % CHUNK];
}

static void push_member(struct decoder *d, struct span name, struct attr value)
{
    if (d->used == FIRST_PENDING + d->chunk_count * CHUNK) {
        d->chunks = one_more(d->arena, d->chunks, d->chunk_count, sizeof(struct field *));
        d->chunks[d->chunk_count++] = arena_alloc_raw(d->arena, CHUNK * sizeof(struct field));
    }
    *pending_at(d, d->used++) = (struct field){name, value};
}

static struct item pop_fields(struct decoder *d, size_t from)
{
    struct item it = {.len = d->used - from};

    arena_charge(d->arena, it.len * STEPS_OF_MEMBER);
    it.at = arena_alloc_raw(d->arena, it.len * sizeof *it.at);
    for (size_t i = 0; i < it.len; i++)
        it.at[i] = *pending_at(d, from + i);
    item_make_findable(d->arena, &it);
    d->used = from;
    return it;
}

static struct attr_list pop_values(struct decoder *d, size_t from)
{
    struct attr_list list = {.len = d->used - from};

    arena_charge(d->arena, list.len * STEPS_OF_MEMBER);
    list.at = arena_alloc_raw(d->arena, list.len * sizeof *list.at);
    for (size_t i = 0; i < list.len; i++)
        list.at[i] = pending_at(d, from + i)->value;
    d->used = from;
    return list;
}

/* Reads `{"S":` and similar. The shortest value has 8 bytes: {"S":""}. */
static enum attr_type read_type(struct decoder *d)
{
    const char *p = d->at;
    enum attr_type type;
    size_t len;

    if (d->end - p < 8 || p[0] != '{' || p[1] != '"') {
        give_up(d);
        return ATTR_NULL;
    }
    len = p[3] == '"' ? 1 : p[4] == '"' ? 2 : 4;
    if (p[2 + len] != '"' || p[3 + len] != ':' ||
        !attr_type_of_code((struct span){p + 2, len}, &type)) {
        give_up(d);
        return ATTR_NULL;
    }
    d->at = p + len + 4;
    return type;
}

static bool read_literal(struct decoder *d, const char *text)
{
    size_t len = strlen(text);

    if ((size_t)(d->end - d->at) < len || memcmp(d->at, text, len) != 0)
        return false;
    d->at += len;
    return true;
}

static bool read_boolean(struct decoder *d)
{
    if (read_literal(d, "true"))
        return true;
    if (!read_literal(d, "false"))
        give_up(d);
    return false;
}

static struct attr read_value(struct decoder *d);

static struct attr_list read_list(struct decoder *d, enum attr_type type)
{
    size_t from = d->used;

    expect_char(d, '[');
    if (!take_char(d, ']')) {
        do {
            struct attr value = attr_is_set(type) ? read_scalar(d, attr_element_type(type))
                                                  : read_value(d);

            push_member(d, (struct span){NULL, 0}, value);
        } while (has_more(d, ']'));
    }
    return pop_values(d, from);
}

static struct item read_map(struct decoder *d)
{
    size_t from = d->used;

    expect_char(d, '{');
    if (!take_char(d, '}')) {
        do {
            struct span name = read_string(d);

            expect_char(d, ':');
            push_member(d, name, read_value(d));
        } while (has_more(d, '}'));
    }
    return pop_fields(d, from);
}

static struct attr read_value(struct decoder *d)
{
    struct attr value = {.type = ATTR_NULL, .boolean = true};

    if (read_literal(d, "{\"NULL\":true}"))
        return value;
    value.type = read_type(d);
    if (++d->depth > MAX_DEPTH)
        give_up(d);
    switch (value.type) {
    case ATTR_S:
    case ATTR_N:
    case ATTR_B:
        value = read_scalar(d, value.type);
        break;
    case ATTR_SS:
    case ATTR_NS:
    case ATTR_BS:
    case ATTR_L:
        value.list = read_list(d, value.type);
        break;
    case ATTR_M:
        value.map = read_map(d);
        break;
    case ATTR_BOOL:
    case ATTR_NULL:
    case ATTR_TYPE_COUNT:
        value.boolean = read_boolean(d);
        break;
    }
    expect_char(d, '}');
    d->depth--;
    return value;
}

struct item item_decode(struct arena *a, struct span text)
{
    struct field room[FIRST_PENDING];
    struct decoder d = decoder_of(a, text, room);

    arena_charge(a, text.len / READ_AT_STEP);
    return read_map(&d);
}

/* --- checked ------------------------------------------------------------------------------- */

/* The decoder does not check numbers and sets, and other code relies on their canonical form. */
static bool is_canonical(struct buf *scratch, struct span number)
{
    struct num n;

    if (num_parse(number, false, &n) != NUM_OK)
        return false;
    scratch->len = 0;
    num_format(scratch, &n);
    return span_equal(buf_span(scratch), number);
}

static bool is_sound_item(struct buf *scratch, const struct item *it);

static bool is_sound(struct buf *scratch, const struct attr *value)
{
    const struct attr_list *list = &value->list;

    if (value->type == ATTR_N)
        return is_canonical(scratch, value->bytes);
    if (value->type == ATTR_M)
        return is_sound_item(scratch, &value->map);
    if (value->type != ATTR_L && !attr_is_set(value->type))
        return true;
    for (size_t i = 0; i < list->len; i++)
        if (!is_sound(scratch, &list->at[i]) ||
            (i && value->type != ATTR_L && attr_compare(&list->at[i - 1], &list->at[i]) >= 0))
            return false;
    return true;
}

static bool is_sound_item(struct buf *scratch, const struct item *it)
{
    for (size_t i = 0; i < it->len; i++)
        if (!is_sound(scratch, &it->at[i].value))
            return false;
    return true;
}

bool item_decode_checked(struct arena *a, struct span text, struct item *out)
{
    struct field room[FIRST_PENDING];
    struct decoder d = decoder_of(a, text, room);
    struct item it = read_map(&d);
    struct buf scratch = buf_in(a);

    if (d.broken || d.at != d.end || !is_sound_item(&scratch, &it))
        return false;
    *out = it;
    return true;
}

/* --- in part ------------------------------------------------------------------------------- */

static void skip_value(struct decoder *d);

static void skip_members(struct decoder *d, enum attr_type type)
{
    char close = type == ATTR_M ? '}' : ']';
    bool escaped;

    expect_char(d, type == ATTR_M ? '{' : '[');
    if (take_char(d, close))
        return;
    do {
        if (type == ATTR_M || attr_is_set(type))
            raw_string(d, &escaped);
        if (type == ATTR_M)
            expect_char(d, ':');
        if (!attr_is_set(type))
            skip_value(d);
    } while (has_more(d, close));
}

static void skip_value(struct decoder *d)
{
    enum attr_type type = read_type(d);
    bool escaped;

    if (++d->depth > MAX_DEPTH)
        give_up(d);
    if (type <= ATTR_B)
        raw_string(d, &escaped);
    else if (type == ATTR_BOOL || type == ATTR_NULL)
        read_boolean(d);
    else
        skip_members(d, type);
    expect_char(d, '}');
    d->depth--;
}

#define FEW_NAMES 8 /* names are compared one after another; more are sorted first */

static int by_bytes(const void *a, const void *b)
{
    return span_compare(*(const struct span *)a, *(const struct span *)b);
}

static const struct span *in_order(struct arena *a, const struct span *names, size_t count)
{
    struct span *sorted;

    if (count <= FEW_NAMES)
        return names;
    sorted = arena_alloc_raw(a, count * sizeof *sorted);
    memcpy(sorted, names, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_bytes);
    return sorted;
}

static bool is_among(struct span name, const struct span *names, size_t count)
{
    if (count > FEW_NAMES)
        return bsearch(&name, names, count, sizeof *names, by_bytes) != NULL;
    for (size_t i = 0; i < count; i++)
        if (span_equal(name, names[i]))
            return true;
    return false;
}

static struct attr text_of_value(struct decoder *d)
{
    const char *start = d->at;

    skip_value(d);
    return (struct attr){.type = ATTR_S, .bytes = {start, (size_t)(d->at - start)}};
}

static struct item read_only(struct arena *a, struct span text, const struct span *names,
                             size_t count, struct attr (*read)(struct decoder *))
{
    struct field room[FIRST_PENDING];
    struct decoder d = decoder_of(a, text, room);

    arena_charge(a, text.len / SKIPPED_AT_STEP);
    if (count > FEW_NAMES)
        arena_charge(a, text.len / LOOKED_UP_AT_STEP);
    expect_char(&d, '{');
    if (take_char(&d, '}'))
        return (struct item){.len = 0};
    names = in_order(a, names, count);
    do {
        struct span name = read_string(&d);

        expect_char(&d, ':');
        if (is_among(name, names, count))
            push_member(&d, name, read(&d));
        else
            skip_value(&d);
    } while (d.used < count && has_more(&d, '}'));
    return pop_fields(&d, 0);
}

struct item item_decode_only(struct arena *a, struct span text, const struct span *names,
                             size_t count)
{
    return read_only(a, text, names, count, read_value);
}

struct item item_texts(struct arena *a, struct span text)
{
    struct field room[FIRST_PENDING];
    struct decoder d = decoder_of(a, text, room);

    arena_charge(a, text.len / SKIPPED_AT_STEP);
    expect_char(&d, '{');
    if (take_char(&d, '}'))
        return (struct item){.len = 0};
    do {
        struct span name = read_string(&d);

        expect_char(&d, ':');
        push_member(&d, name, text_of_value(&d));
    } while (has_more(&d, '}'));
    return pop_fields(&d, 0);
}

struct item item_find_texts(struct arena *a, struct span text, const struct span *names,
                            size_t count)
{
    return read_only(a, text, names, count, text_of_value);
}
