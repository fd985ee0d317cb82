#include "admin/collect_kinds.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "base/one_more.h"

#include <stdlib.h>

#define CHAINS        256 /* a power of two */
#define MAX_KINDS     200 /* keys may have any form */
#define MAX_NAMES     100 /* attributes of a kind; names may be data */
#define MAX_VALUES    8   /* of an attribute that could name the kind */
#define LONG_WORD     32  /* bytes; longer parts of keys and texts are values */
#define LONG_NAME     255 /* bytes; attributes with longer names are not listed */
#define EACH_AT_FIRST 8   /* items of a kind that are read whole, then fewer … */

/* Attributes that often name the kind of an item. */
static const char *const type_names[] = {
    "type",   "entityType", "entity_type", "EntityType", "Type",      "_type", "__typename",
    "entity", "itemType",   "item_type",   "kind",       "__edb_e__", "_et"};

struct attribute {
    struct span name;
    uint64_t items;
    unsigned types; /* a bit for each enum attr_type */
};

struct named {
    struct span attribute, value;
    uint64_t items;
};

struct collect_kind {
    struct collect_kind *next;   /* of its chain */
    struct span partition, sort; /* forms */
    uint64_t items, bytes, read, next_read;
    struct attribute *attributes;
    size_t attribute_count;
    struct named *names;
    size_t name_count;
    struct item key; /* of an example */
};

struct collect_kinds {
    struct arena *arena;
    char hash_separator, sort_separator;
    struct collect_kind *chains[CHAINS];
    size_t count;
    uint64_t others;
    struct buf form;
};

struct collect_kinds *collect_kinds_new(struct arena *a, char hash_separator, char sort_separator)
{
    struct collect_kinds *k = arena_alloc(a, sizeof *k);

    k->arena = a;
    k->hash_separator = hash_separator;
    k->sort_separator = sort_separator;
    k->form = buf_in(a);
    return k;
}

/* --- forms of keys ---------------------------------------------------------------------------- */

static bool is_lower(struct span part)
{
    for (size_t i = 0; i < part.len; i++)
        if (ascii_upper(part.at[i]) != part.at[i])
            return true;
    return false;
}

static bool may_be_word(char c)
{
    return ascii_is_letter(c) || ascii_is_one_of(c, "_-. ");
}

static void add_form(struct buf *out, struct span key, char separator)
{
    bool lower = false; /* whether words may have lower-case letters */

    for (size_t place = 0;; place++) {
        const char *end = separator ? span_find(key, separator) : NULL;
        struct span part = {key.at, end ? (size_t)(end - key.at) : key.len};

        lower |= place == 0 && end && is_lower(part);
        if (place % 2 == 0 && part.len <= LONG_WORD && span_is_all(part, may_be_word) &&
            (lower || !is_lower(part)))
            buf_add_span(out, part);
        else if (part.len)
            buf_add_text(out, "…");
        if (!end)
            return;
        buf_add_char(out, separator);
        key = span_from(key, part.len + 1);
    }
}

static struct collect_kind *find_kind(struct collect_kinds *k, struct span partition,
                                      struct span sort)
{
    struct collect_kind **chain, *x;

    chain = &k->chains[(hash_bytes(partition) ^ hash_bytes(sort) * 31) & (CHAINS - 1)];
    for (x = *chain; x; x = x->next)
        if (span_equal(x->partition, partition) && span_equal(x->sort, sort))
            return x;
    if (k->count == MAX_KINDS)
        return NULL;
    x = arena_alloc(k->arena, sizeof *x);
    *x = (struct collect_kind){.next = *chain,
                               .partition = arena_span(k->arena, partition),
                               .sort = arena_span(k->arena, sort),
                               .next_read = 1};
    *chain = x;
    k->count++;
    return x;
}

struct collect_kind *collect_kinds_take(struct collect_kinds *k, struct span partition,
                                        struct span sort, size_t size)
{
    struct collect_kind *kind;
    size_t partition_len;

    k->form.len = 0;
    add_form(&k->form, partition, k->hash_separator);
    partition_len = k->form.len;
    add_form(&k->form, sort, k->sort_separator);
    kind = find_kind(k, (struct span){k->form.at, partition_len},
                     span_from(buf_span(&k->form), partition_len));
    if (!kind) {
        k->others++;
        return NULL;
    }
    kind->items++;
    kind->bytes += size;
    if (kind->items < kind->next_read)
        return NULL;
    /* Those that are read are further apart the more there are. */
    kind->next_read = kind->items + 1 + kind->items / EACH_AT_FIRST;
    return kind;
}

/* --- attributes ------------------------------------------------------------------------------- */

static void count_attribute(struct collect_kinds *k, struct collect_kind *kind,
                            const struct field *f)
{
    struct attribute *x = kind->attributes, *end = x + kind->attribute_count;

    while (x < end && !span_equal(x->name, f->name))
        x++;
    if (x == end) {
        if (kind->attribute_count == MAX_NAMES || f->name.len > LONG_NAME)
            return;
        kind->attributes = one_more(k->arena, kind->attributes, kind->attribute_count, sizeof *x);
        x = &kind->attributes[kind->attribute_count++];
        *x = (struct attribute){.name = arena_span(k->arena, f->name)};
    }
    x->items++;
    x->types |= 1U << f->value.type;
}

static bool may_name_kind(const struct field *f)
{
    if (f->value.type != ATTR_S || f->value.bytes.len > LONG_WORD)
        return false;
    for (size_t i = 0; i < sizeof type_names / sizeof *type_names; i++)
        if (span_is(f->name, type_names[i]))
            return true;
    return false;
}

static void count_name(struct collect_kinds *k, struct collect_kind *kind, const struct field *f)
{
    struct named *x = kind->names, *end = x + kind->name_count;

    while (x < end && !(span_equal(x->attribute, f->name) && span_equal(x->value, f->value.bytes)))
        x++;
    if (x == end) {
        if (kind->name_count > MAX_VALUES) /* one more than are shown says that they are data */
            return;
        kind->names = one_more(k->arena, kind->names, kind->name_count, sizeof *x);
        x = &kind->names[kind->name_count++];
        *x = (struct named){arena_span(k->arena, f->name), arena_span(k->arena, f->value.bytes), 0};
    }
    x->items++;
}

void collect_kinds_read(struct collect_kinds *k, struct collect_kind *kind, const struct item *it,
                        const struct item *key)
{
    if (!kind->read++)
        for (size_t i = 0; i < key->len; i++) {
            struct attr value = key->at[i].value;

            value.bytes = arena_span(k->arena, value.bytes);
            item_set(k->arena, &kind->key, arena_span(k->arena, key->at[i].name), value);
        }
    for (size_t i = 0; i < it->len; i++) {
        count_attribute(k, kind, &it->at[i]);
        if (may_name_kind(&it->at[i]))
            count_name(k, kind, &it->at[i]);
    }
}

/* --- what was found --------------------------------------------------------------------------- */

static int by_items_down(const void *one, const void *two)
{
    const struct collect_kind *a = *(struct collect_kind *const *)one;
    const struct collect_kind *b = *(struct collect_kind *const *)two;
    int order = (a->items < b->items) - (a->items > b->items);

    if (!order)
        order = span_compare(a->partition, b->partition);
    return order ? order : span_compare(a->sort, b->sort);
}

static void put_names(struct wire_writer *w, const struct collect_kind *x)
{
    wire_open_member(w, "names", '[');
    for (size_t i = 0; x->name_count <= MAX_VALUES && i < x->name_count; i++) {
        wire_open(w, '{');
        wire_put_member_text(w, "attribute", x->names[i].attribute);
        wire_put_member_text(w, "value", x->names[i].value);
        wire_put_member_integer(w, "items", (int64_t)x->names[i].items);
        wire_close(w, '}');
    }
    wire_close(w, ']');
}

static void put_attributes(struct wire_writer *w, const struct collect_kind *x)
{
    wire_open_member(w, "attributes", '[');
    for (size_t i = 0; i < x->attribute_count; i++) {
        wire_open(w, '{');
        wire_put_member_text(w, "name", x->attributes[i].name);
        wire_put_member_integer(w, "items", (int64_t)x->attributes[i].items);
        wire_open_member(w, "types", '[');
        for (int type = 0; type < ATTR_TYPE_COUNT; type++)
            if (x->attributes[i].types & 1U << type)
                wire_put_text(w, span_of(attr_type_code((enum attr_type)type)));
        wire_close(w, ']');
        wire_close(w, '}');
    }
    wire_close(w, ']');
}

void collect_kinds_show(struct collect_kinds *k, struct wire_writer *w)
{
    struct collect_kind **all = arena_array(k->arena, k->count + 1, sizeof(struct collect_kind *));
    size_t count = 0;

    for (size_t i = 0; i < CHAINS; i++)
        for (struct collect_kind *x = k->chains[i]; x; x = x->next)
            all[count++] = x;
    qsort(all, count, sizeof *all, by_items_down);
    wire_open_member(w, "kinds", '[');
    for (size_t i = 0; i < count; i++) {
        wire_open(w, '{');
        wire_put_member_text(w, "partition", all[i]->partition);
        wire_put_member_text(w, "sort", all[i]->sort);
        wire_put_member_integer(w, "items", (int64_t)all[i]->items);
        wire_put_member_integer(w, "bytes", (int64_t)all[i]->bytes);
        wire_put_member_integer(w, "read", (int64_t)all[i]->read);
        put_names(w, all[i]);
        put_attributes(w, all[i]);
        wire_key(w, "key");
        wire_put_item(w, &all[i]->key);
        wire_close(w, '}');
    }
    wire_close(w, ']');
    wire_put_member_integer(w, "other_kinds", (int64_t)k->others);
}
