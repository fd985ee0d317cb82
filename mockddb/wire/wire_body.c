#include "wire/wire_body.h"

#include "base/utf8.h"
#include "wire/wire_node.h"

#include <math.h>
#include <stdlib.h>
#include <strings.h>

#define FEW_MEMBERS    16 /* up to this many members are compared in pairs, more by hash */
#define STEPS_PER_NAME 12 /* its hash, and its slot in a table that is in no cache */
#define NAMES_PER_STEP 8  /* comparisons of names */
#define NAMES_AT_ONCE  64 /* whose comparisons cost nothing */

/* --- parsing --------------------------------------------------------------------------------- */

const struct error *wire_parse_keyed(struct arena *a, struct span text,
                                     const struct siphash_key *key, const wire_node **out)
{
    struct wire_source *source = arena_alloc(a, sizeof *source);
    struct wire_node *root;
    const char *stop;

    arena_charge(a, text.len / WIRE_BYTES_PER_STEP);
    source->arena = a;
    source->key = *key;
    if (!wire_scan(text, source, &stop))
        return error_of(a, ERROR_SERIALIZATION, (struct span){NULL, 0});
    arena_charge(a, source->container_count * WIRE_STEPS_PER_CONTAINER);
    root = arena_alloc(a, sizeof *root);
    root->source = source;
    root->at = source->root;
    root->last = true;
    *out = root;
    return NULL;
}

const struct error *wire_parse(struct arena *a, struct span text, const wire_node **out)
{
    return wire_parse_keyed(a, text, siphash_own_key(), out);
}

const char *wire_error_at(struct arena *a, struct span text)
{
    struct wire_source source = {.arena = a};
    const char *stop = NULL;

    if (!wire_scan(text, &source, &stop) && !stop && !utf8_valid(text))
        stop = utf8_valid_end(text);
    return stop;
}

struct text_place wire_error_place(struct arena *a, struct span text)
{
    const char *stop = wire_error_at(a, text);

    return text_place_of(text, stop ? stop : text.at);
}

const struct problem *wire_problem(struct arena *a, struct span text, const char *file)
{
    struct problem *p = arena_alloc(a, sizeof *p);

    *p = (struct problem){
        .text = "not a JSON object", .file = file, .place = wire_error_place(a, text)};
    return p;
}

/* --- children -------------------------------------------------------------------------------- */

const char *wire_node_fill(struct wire_node *node, const struct wire_source *s,
                           const struct wire_place *p)
{
    const char *past;

    *node = (struct wire_node){
        .source = s,
        .at = p->at,
        .name = p->name.at,
        .name_len = (uint32_t)p->name.len,
    };
    if (*p->at == '"')
        return wire_read_string(s, p->at, &node->text);
    past = wire_past_value(s, p->at);
    if (wire_is_number(node))
        node->text = (struct span){p->at, (size_t)(past - p->at)};
    return past;
}

static struct span member_at(const void *members, size_t i)
{
    return wire_name((const struct wire_node *)members + i);
}

/* Marks each member whose name is repeated later by removing its place. */
static void mark_repeated_few(struct wire_node *members, size_t count)
{
    for (size_t late = 1; late < count; late++)
        for (size_t early = 0; early < late; early++)
            if (members[early].at &&
                span_equal(member_at(members, early), member_at(members, late)))
                members[early].at = NULL;
}

static void mark_repeated_many(struct wire_node *members, size_t count)
{
    const struct wire_source *s = members->source;
    struct siphash_table seen = siphash_table_new(s->arena, &s->key, count);

    arena_charge(s->arena, count * STEPS_PER_NAME);
    for (size_t i = 0; i < count; i++) {
        uint32_t *slot = siphash_table_slot(&seen, member_at(members, i), member_at, members);

        if (*slot)
            members[*slot - 1].at = NULL;
        *slot = (uint32_t)i + 1;
    }
}

/* Reads the children into an array of exactly their number; small containers are scanned once. */
static void open_node(struct wire_node *node)
{
    const struct wire_source *s = node->source;
    struct wire_node few[FEW_MEMBERS], *all;
    struct wire_place p;
    size_t count = 0;
    bool more = wire_enter(s, node->at, &p);

    for (; more && count < FEW_MEMBERS; count++)
        more = wire_step(s, &p, wire_node_fill(&few[count], s, &p));
    all = arena_alloc_raw(s->arena, (more ? wire_count_in(s, node->at) : count) * sizeof *all);
    if (count)
        memcpy(all, few, count * sizeof *all);
    for (; more; count++)
        more = wire_step(s, &p, wire_node_fill(&all[count], s, &p));
    if (p.named && count > 1) {
        size_t kept = 0;

        /* The last of repeated names counts. Returns how many members are left. */
        if (count > FEW_MEMBERS)
            mark_repeated_many(all, count);
        else
            mark_repeated_few(all, count);
        for (size_t i = 0; i < count; i++)
            if (all[i].at)
                all[kept++] = all[i];
        count = kept;
    }
    if (count)
        all[count - 1].last = true;
    node->children.at = all;
    node->children.len = count;
    node->opened = node->counted = true;
}

/* For changes that a reader of the node cannot see. */
static struct wire_node *changeable_node(const wire_node *node)
{
    return (struct wire_node *)(uintptr_t)node;
}

static void open_once(const wire_node *node)
{
    if (!node->opened)
        open_node(changeable_node(node));
}

void wire_open_with(const wire_node *object, const struct wire_place *members, size_t count)
{
    const struct wire_source *s = object->source;
    struct wire_node *node = changeable_node(object);

    node->children.at = arena_array(s->arena, count, sizeof *node->children.at);
    node->children.len = count;
    for (size_t i = 0; i < count; i++)
        wire_node_fill(&node->children.at[i], s, &members[i]);
    if (count)
        node->children.at[count - 1].last = true;
    node->opened = node->counted = true;
}

static bool is_container(const wire_node *node)
{
    return node && (wire_is_object(node) || wire_is_list(node));
}

static int by_place(const void *at, const void *member)
{
    const char *wanted = at, *given = ((const struct wire_node *)member)->at;

    return (wanted > given) - (wanted < given);
}

bool wire_is_counted(const wire_node *object, const char *member)
{
    open_once(object);
    return bsearch(member, object->children.at, object->children.len, sizeof *object, by_place);
}

/* --- reading --------------------------------------------------------------------------------- */

const wire_node *wire_get_span(const wire_node *object, struct span name)
{
    const wire_node *member, *end;

    if (!object || !wire_is_object(object))
        return NULL;
    open_once(object);
    member = object->children.at;
    end = member + object->children.len;
    while (member < end && !span_equal(wire_name(member), name))
        member++;
    if (object->children.len > NAMES_AT_ONCE)
        arena_charge(object->source->arena,
                     (size_t)(member - object->children.at) / NAMES_PER_STEP);
    return member == end || wire_is_null(member) ? NULL : member;
}

const wire_node *wire_get(const wire_node *object, const char *name)
{
    return wire_get_span(object, span_of(name));
}

struct span wire_raw(const wire_node *node)
{
    return (struct span){node->at, (size_t)(wire_past_value(node->source, node->at) - node->at)};
}

struct span wire_text(const wire_node *node)
{
    if (!node || !wire_is_string(node))
        return (struct span){NULL, 0};
    return node->text;
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
    return *node->at == 't';
}

bool wire_is_whole(const char *number)
{
    number += *number == '-';
    while (ascii_is_digit(*number))
        number++;
    return *number != '.' && *number != 'e' && *number != 'E';
}

int64_t wire_integer(const wire_node *node, int64_t otherwise)
{
    double value;

    if (!node || !wire_is_number(node))
        return otherwise;
    if (wire_is_whole(node->at))
        return strtoll(node->at, NULL, 10); /* saturates */
    value = floor(wire_double(node, 0));
    if (value >= 9223372036854775808.0)
        return INT64_MAX;
    return value <= -9223372036854775808.0 ? INT64_MIN : (int64_t)value;
}

double wire_double(const wire_node *node, double otherwise)
{
    return node && wire_is_number(node) ? strtod(node->at, NULL) : otherwise;
}

/* The latest time accepted: the difference of two such times in milliseconds still fits. */
#define FARTHEST_MS (INT64_MAX / 4)

int64_t wire_time(const wire_node *node, int64_t otherwise)
{
    double ms;

    if (!node)
        return otherwise;
    ms = round(wire_double(node, 0) * 1000);
    if (ms >= (double)FARTHEST_MS)
        return FARTHEST_MS;
    return ms <= -(double)FARTHEST_MS ? -FARTHEST_MS : (int64_t)ms;
}

size_t wire_count(const wire_node *node)
{
    if (!is_container(node))
        return 0;
    if (wire_is_object(node)) {
        open_once(node);
    } else if (!node->counted) {
        struct wire_node *list = changeable_node(node);

        list->children.len = wire_count_in(list->source, list->at);
        list->counted = true;
    }
    return node->children.len;
}

bool wire_has_text(const wire_node *list, struct span text)
{
    const wire_node *n = wire_first(list);

    while (n && !span_equal(wire_text(n), text))
        n = wire_next(n);
    return n;
}

size_t wire_count_sent(const wire_node *node)
{
    return is_container(node) ? wire_count_in(node->source, node->at) : 0;
}

struct span wire_repeated(const wire_node *object)
{
    const struct wire_source *s = object->source;
    struct wire_place p;
    bool more = wire_is_object(object) && wire_enter(s, object->at, &p);

    for (; more; more = wire_step(s, &p, wire_past_value(s, p.at)))
        if (!wire_is_counted(object, p.at))
            return p.name;
    return (struct span){NULL, 0};
}

const wire_node *wire_first(const wire_node *node)
{
    if (!is_container(node))
        return NULL;
    open_once(node);
    return node->children.len ? node->children.at : NULL;
}

const wire_node *wire_next(const wire_node *node)
{
    return node->last ? NULL : node + 1;
}

struct span wire_name(const wire_node *node)
{
    return (struct span){node->name, node->name_len};
}

const wire_node *wire_walk_first(struct wire_walk *w, const wire_node *collection)
{
    const struct wire_source *s = collection->source;

    if (!wire_is_list(collection) || collection->opened)
        return wire_first(collection);
    if (!wire_enter(s, collection->at, &w->place))
        return NULL;
    w->past = wire_node_fill(&w->element, s, &w->place);
    return &w->element;
}

const wire_node *wire_walk_next(struct wire_walk *w, const wire_node *child)
{
    const struct wire_source *s = child->source;

    if (child != &w->element)
        return wire_next(child);
    if (!wire_step(s, &w->place, w->past))
        return NULL;
    w->past = wire_node_fill(&w->element, s, &w->place);
    return child;
}
