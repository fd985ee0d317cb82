#include "wire/wire_body.h"

#include "base/hash.h"
#include "wire/wire_node.h"
#include "wire/wire_scan.h"

#include <math.h>
#include <stdlib.h>
#include <strings.h>

#define FEW_MEMBERS 16 /* up to here members are compared pair by pair, beyond by hash */

/* --- parsing --------------------------------------------------------------------------------- */

/* cJSON's hooks know no context: the arena of the parse under way. */
static struct arena *parsing;

static void *allocate(size_t size)
{
    return arena_alloc_raw(parsing, size == sizeof(cJSON) ? sizeof(struct wire_leaf) : size);
}

static void release(void *block)
{
    (void)block; /* the arena's */
}

static cJSON *parse_tree(struct arena *a, struct span text, const char **end)
{
    cJSON_Hooks hooks = {allocate, release};
    cJSON *tree;

    parsing = a;
    cJSON_InitHooks(&hooks);
    tree = cJSON_ParseWithLengthOpts(text.at, text.len, end, false);
    cJSON_InitHooks(NULL);
    parsing = NULL;
    return tree;
}

/* Length of a string that cJSON made; hidden NULs are put back. */
static uint32_t settle_text(char *text, bool hides_nuls)
{
    char *to = text;

    if (!hides_nuls)
        return (uint32_t)strlen(text);
    for (const char *at = text; *at; at++) {
        if ((unsigned char)*at == 0xC0) {
            *to++ = '\0';
            at++;
        } else {
            *to++ = *at;
        }
    }
    *to = '\0';
    return (uint32_t)(to - text);
}

static struct wire_leaf *leaf_of(cJSON *node)
{
    return (struct wire_leaf *)node;
}

static bool same_name(const cJSON *a, const cJSON *b)
{
    return span_equal(wire_name(a), wire_name(b));
}

static void drop(cJSON *object, cJSON *member)
{
    cJSON_DetachItemViaPointer(object, member);
    leaf_of(object)->count--;
}

static void drop_repeated_few(cJSON *object)
{
    for (cJSON *late = object->child ? object->child->next : NULL; late; late = late->next) {
        for (cJSON *early = object->child; early != late; early = early->next) {
            if (same_name(early, late)) {
                drop(object, early);
                break;
            }
        }
    }
}

static void drop_repeated_many(struct arena *a, cJSON *object)
{
    size_t size = 64;
    cJSON **slots;

    while (size < 2 * (size_t)leaf_of(object)->count)
        size *= 2;
    slots = arena_array(a, size, sizeof *slots);
    for (cJSON *member = object->child; member; member = member->next) {
        size_t slot = hash_bytes(wire_name(member)) & (size - 1);

        while (slots[slot] && !same_name(slots[slot], member))
            slot = (slot + 1) & (size - 1);
        if (slots[slot])
            drop(object, slots[slot]);
        slots[slot] = member;
    }
}

struct settling {
    struct arena *arena;
    const struct span *number; /* of the next number in the text */
    bool hides_nuls;
};

/* Fills in what cJSON does not keep, in the order of the text, and drops repeated names. */
static void settle(struct settling *s, cJSON *node)
{
    struct wire_leaf *leaf = leaf_of(node);
    uint32_t highest = 0;

    leaf->count = 0;
    leaf->text_len = 0;
    if (wire_is_string(node)) {
        leaf->text_len = settle_text(node->valuestring, s->hides_nuls);
    } else if (wire_is_number(node)) {
        node->valuestring = (char *)(uintptr_t)s->number->at;
        leaf->text_len = (uint32_t)s->number->len;
        s->number++;
    }
    for (cJSON *child = node->child; child; child = child->next) {
        leaf_of(child)->name_len = 0;
        if (child->string)
            leaf_of(child)->name_len = settle_text(child->string, s->hides_nuls);
        settle(s, child);
        leaf->count++;
        if (leaf_of(child)->height > highest)
            highest = leaf_of(child)->height;
    }
    leaf->height = highest + 1;
    if (wire_is_object(node) && leaf->count > FEW_MEMBERS)
        drop_repeated_many(s->arena, node);
    else if (wire_is_object(node))
        drop_repeated_few(node);
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && (unsigned char)*at <= ' ')
        at++;
    return at;
}

const struct error *wire_parse(struct arena *a, struct span text, const wire_node **out)
{
    struct wire_scan scan;
    const char *end;
    cJSON *tree;

    if (!wire_scan(a, text, &scan))
        return error_of(a, ERROR_SERIALIZATION, (struct span){NULL, 0});
    if (scan.nul_count)
        text = wire_hide_nuls(a, text);
    tree = parse_tree(a, text, &end);
    if (!tree || !wire_is_object(tree) || skip_blanks(end, text.at + text.len) < text.at + text.len)
        return error_of(a, ERROR_SERIALIZATION, (struct span){NULL, 0});
    leaf_of(tree)->name_len = 0;
    settle(&(struct settling){a, scan.numbers, scan.nul_count > 0}, tree);
    *out = tree;
    return NULL;
}

size_t wire_error_line(struct arena *a, struct span text)
{
    const char *stop = NULL;
    size_t line = 1;

    if (parse_tree(a, text, &stop)) {
        stop = skip_blanks(stop, text.at + text.len);
        if (stop == text.at + text.len)
            return 1; /* refused for what cJSON lets pass */
    }
    for (const char *at = text.at; stop && at < stop; at++)
        line += *at == '\n';
    return line;
}

/* --- reading --------------------------------------------------------------------------------- */

const wire_node *wire_get_span(const wire_node *object, struct span name)
{
    if (!object || !wire_is_object(object))
        return NULL;
    for (const wire_node *member = object->child; member; member = member->next)
        if (wire_leaf_of(member)->name_len == name.len &&
            memcmp(member->string, name.at, name.len) == 0)
            return wire_is_null(member) ? NULL : member;
    return NULL;
}

const wire_node *wire_get(const wire_node *object, const char *name)
{
    if (!object || !wire_is_object(object))
        return NULL;
    for (const wire_node *member = object->child; member; member = member->next)
        if (member->string[0] == name[0] && strcmp(member->string, name) == 0 &&
            wire_leaf_of(member)->name_len == strlen(name))
            return wire_is_null(member) ? NULL : member;
    return NULL;
}

struct span wire_text(const wire_node *node)
{
    if (!node || !wire_is_string(node))
        return (struct span){NULL, 0};
    return (struct span){node->valuestring, wire_leaf_of(node)->text_len};
}

bool wire_text_is_bool(struct span text, bool *value)
{
    static const struct {
        const char *word;
        bool value;
    } words[] = {{"true", true}, {"false", false}, {"1", true},
                 {"0", false},   {"yes", true},    {"no", false}};

    for (size_t i = 0; i < COUNT(words); i++) {
        if (strlen(words[i].word) == text.len &&
            strncasecmp(words[i].word, text.at, text.len) == 0) {
            *value = words[i].value;
            return true;
        }
    }
    return false;
}

bool wire_bool(const wire_node *node, bool otherwise)
{
    bool value = otherwise;

    if (!node || wire_is_null(node))
        return otherwise;
    if (wire_is_string(node) && wire_text_is_bool(wire_text(node), &value))
        return value;
    return (node->type & cJSON_True) != 0;
}

int64_t wire_integer(const wire_node *node, int64_t otherwise)
{
    double value;

    if (!node || !wire_is_number(node))
        return otherwise;
    if (wire_is_whole(node))
        return strtoll(node->valuestring, NULL, 10); /* saturates */
    value = floor(node->valuedouble);
    if (value >= 9223372036854775808.0)
        return INT64_MAX;
    return value <= -9223372036854775808.0 ? INT64_MIN : (int64_t)value;
}

double wire_double(const wire_node *node, double otherwise)
{
    return node && wire_is_number(node) ? node->valuedouble : otherwise;
}

size_t wire_count(const wire_node *node)
{
    return node ? wire_leaf_of(node)->count : 0;
}

const wire_node *wire_first(const wire_node *node)
{
    return node ? node->child : NULL;
}

const wire_node *wire_next(const wire_node *node)
{
    return node->next;
}

struct span wire_name(const wire_node *node)
{
    return (struct span){node->string, node->string ? wire_leaf_of(node)->name_len : 0};
}
