#include "masking/mask_left.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "base/one_more.h"

#define SHORTEST   4
#define LONGEST    1024
#define UNMARKED   8 /* from this length on, a text is found within words as well */
#define MAX_BYTES  ((size_t)64 << 20)
#define MAX_PLACES 1000 /* a map's names may be data */
#define MAX_SHOWN  20
#define BASE       0x100000001B3 /* of the hashes: polynomials modulo 2 to the power of 64 */

/* A hash table; several slots may have one hash. */
struct left_slot {
    uint64_t hash;
    size_t len;     /* of a text; 0: the slot is empty */
    const char *at; /* the text, in lower case; NULL in `starts` */
};

struct left_slots {
    struct left_slot *at;
    size_t room, count; /* the room is a power of two */
};

struct left_place {
    struct span table, path;
    size_t items;
    size_t last; /* the number of the item that was counted last */
};

/* A text of length n is found by its start, the first 2^k bytes with 2^k <= n: each start lists the
 * lengths of its texts, and the hash of that many bytes finds the text. */
struct mask_left {
    struct arena *arena;
    struct left_slots texts, starts;
    bool starts_of[11]; /* for each k: whether a start of 2^k bytes is stored */
    uint64_t powers[LONGEST + 1];
    size_t bytes;
    bool is_full; /* further texts were not remembered */
    struct left_place *places;
    size_t place_count, looked; /* places found, items looked at */
};

struct mask_left *mask_left_new(struct arena *a)
{
    struct mask_left *left = arena_alloc(a, sizeof *left);

    left->arena = a;
    left->powers[0] = 1;
    for (size_t i = 1; i <= LONGEST; i++)
        left->powers[i] = left->powers[i - 1] * BASE;
    return left;
}

/* --- hashes ----------------------------------------------------------------------------------- */

/* The next used slot with the hash, from *at on, which begins as the hash; NULL at the end. */
static const struct left_slot *next_slot(const struct left_slots *s, uint64_t hash, size_t *at)
{
    while (s->room) {
        const struct left_slot *slot = &s->at[(*at)++ & (s->room - 1)];

        if (!slot->len)
            return NULL;
        if (slot->hash == hash)
            return slot;
    }
    return NULL;
}

static void put_slot(struct left_slots *s, struct left_slot slot)
{
    size_t at = slot.hash;

    while (s->at[at & (s->room - 1)].len)
        at++;
    s->at[at & (s->room - 1)] = slot;
    s->count++;
}

static void add_slot(struct arena *a, struct left_slots *s, struct left_slot slot)
{
    if (2 * s->count >= s->room) {
        const struct left_slots old = *s;

        *s = (struct left_slots){.room = old.room ? 2 * old.room : 1024};
        s->at = arena_array(a, s->room, sizeof *s->at);
        for (size_t i = 0; i < old.room; i++)
            if (old.at[i].len)
                put_slot(s, old.at[i]);
    }
    put_slot(s, slot);
}

/* Hashes of all prefixes of the text, which is in lower case: sums[n] is of its first n bytes. */
static void hash_prefixes(struct span text, uint64_t *sums)
{
    sums[0] = 0;
    for (size_t i = 0; i < text.len; i++)
        sums[i + 1] = sums[i] * BASE + (unsigned char)text.at[i] + 1;
}

static uint64_t hash_between(const struct mask_left *left, const uint64_t *sums, size_t from,
                             size_t len)
{
    uint64_t hash = sums[from + len] - sums[from] * left->powers[len];

    return hash ^ hash >> 29; /* the low bits choose the slot */
}

/* --- remembering ------------------------------------------------------------------------------ */

static const struct left_slot *find_text(const struct mask_left *left, struct span text,
                                         uint64_t hash)
{
    const struct left_slot *slot;
    size_t at = hash;

    while ((slot = next_slot(&left->texts, hash, &at)))
        if (slot->len == text.len && memcmp(slot->at, text.at, text.len) == 0)
            return slot;
    return NULL;
}

static void remember_text(struct mask_left *left, struct span text)
{
    uint64_t sums[LONGEST + 1], hash;
    char lower[LONGEST];
    size_t k = 0, at;
    const struct left_slot *slot;

    if (text.len < SHORTEST)
        return;
    if (text.len > LONGEST)
        text.len = LONGEST;
    for (size_t i = 0; i < text.len; i++)
        lower[i] = ascii_lower(text.at[i]);
    text.at = lower;
    hash_prefixes(text, sums);
    hash = hash_between(left, sums, 0, text.len);
    if (find_text(left, text, hash))
        return;
    left->is_full |= left->bytes + text.len > MAX_BYTES;
    if (left->is_full)
        return;
    left->bytes += text.len;
    add_slot(left->arena, &left->texts,
             (struct left_slot){hash, text.len, arena_text(left->arena, text)});
    while ((size_t)2 << k <= text.len)
        k++;
    left->starts_of[k] = true;
    at = hash = hash_between(left, sums, 0, (size_t)1 << k);
    while ((slot = next_slot(&left->starts, hash, &at)))
        if (slot->len == text.len)
            return;
    add_slot(left->arena, &left->starts, (struct left_slot){hash, text.len, NULL});
}

void mask_left_remember(struct mask_left *left, const struct attr *value)
{
    switch (value->type) {
    case ATTR_S:
    case ATTR_N:
        remember_text(left, value->bytes);
        break;
    case ATTR_M:
        for (size_t i = 0; i < value->map.len; i++)
            mask_left_remember(left, &value->map.at[i].value);
        break;
    case ATTR_L:
    case ATTR_SS:
    case ATTR_NS:
        for (size_t i = 0; i < value->list.len; i++)
            mask_left_remember(left, &value->list.at[i]);
        break;
    default: /* binary values are no texts */
        break;
    }
}

/* --- looking ---------------------------------------------------------------------------------- */

static bool is_in_word(struct span text, size_t at)
{
    char c = at < text.len ? text.at[at] : ' ';

    return ascii_is_letter(c) || ascii_is_digit(c) || (unsigned char)c >= 0x80;
}

/* Whether the bytes of the text from `from` on are a word of their own, or need not be one. */
static bool has_edges(struct span text, size_t from, size_t len)
{
    size_t digits = 0;

    while (digits < len && ascii_is_digit(text.at[from + digits]))
        digits++;
    if (len >= UNMARKED && digits < len)
        return true;
    return !(is_in_word(text, from) && from && is_in_word(text, from - 1)) &&
           !(is_in_word(text, from + len - 1) && is_in_word(text, from + len));
}

/* Whether one of the remembered texts is in the text at a place. */
static bool is_text_at(const struct mask_left *left, struct span text, const uint64_t *sums,
                       size_t from)
{
    for (size_t k = 0; k < COUNT(left->starts_of) && from + ((size_t)1 << k) <= text.len; k++) {
        const struct left_slot *start;
        uint64_t hash;
        size_t at;

        if (!left->starts_of[k])
            continue;
        at = hash = hash_between(left, sums, from, (size_t)1 << k);
        while ((start = next_slot(&left->starts, hash, &at)))
            if (start->len <= text.len - from && has_edges(text, from, start->len) &&
                find_text(left, (struct span){text.at + from, start->len},
                          hash_between(left, sums, from, start->len)))
                return true;
    }
    return false;
}

static bool has_text(const struct mask_left *left, struct arena *a, struct span text)
{
    struct arena_mark mark = arena_mark(a);
    uint64_t *sums;
    bool found = false;
    char *lower;

    if (text.len < SHORTEST)
        return false;
    sums = arena_alloc_raw(a, (text.len + 1) * sizeof *sums);
    lower = arena_text(a, text);
    for (size_t i = 0; i < text.len; i++)
        lower[i] = ascii_lower(lower[i]);
    text = (struct span){lower, text.len};
    hash_prefixes(text, sums);
    for (size_t i = 0; i + SHORTEST <= text.len && !found; i++)
        found = is_text_at(left, text, sums, i);
    arena_release(a, mark);
    return found;
}

struct left_look {
    struct mask_left *left;
    struct arena *arena;
    struct span table;
};

static void count_place(const struct left_look *l, const char *path)
{
    struct mask_left *left = l->left;
    struct left_place *p = left->places, *end = p + left->place_count;

    while (p < end && (!span_equal(p->table, l->table) || !span_is(p->path, path)))
        p++;
    if (p == end && left->place_count == MAX_PLACES)
        return;
    if (p == end) {
        left->places = one_more(left->arena, left->places, left->place_count, sizeof *p);
        p = &left->places[left->place_count++];
        *p = (struct left_place){arena_span(left->arena, l->table),
                                 arena_span(left->arena, span_of(path)), 0, 0};
    }
    p->items += p->last != left->looked;
    p->last = left->looked;
}

static void look_at_map(const struct left_look *l, const struct item *map, const char *path);

static void look_at_value(const struct left_look *l, const struct attr *value, const char *path)
{
    switch (value->type) {
    case ATTR_S:
    case ATTR_N:
    case ATTR_B:
        if (has_text(l->left, l->arena, value->bytes))
            count_place(l, path);
        break;
    case ATTR_M:
        look_at_map(l, &value->map, path);
        break;
    case ATTR_BOOL:
    case ATTR_NULL:
        break;
    default:
        for (size_t i = 0; i < value->list.len; i++)
            look_at_value(l, &value->list.at[i], path);
    }
}

/* Whether the name is data, such as an id or an address. A word is not: "title" is a name of an
 * attribute, and may be a value of another one. */
static bool is_data(struct span name)
{
    size_t i = 0;

    while (i < name.len && (ascii_is_letter(name.at[i]) || name.at[i] == '_'))
        i++;
    return i < name.len;
}

/* Names with such a text in them belong to the map's place, so that they are not shown. */
static void look_at_map(const struct left_look *l, const struct item *map, const char *path)
{
    for (size_t i = 0; i < map->len; i++) {
        const struct field *f = &map->at[i];
        const char *inside = arena_printf(l->arena, "%s%s%.*s", path, *path ? "." : "",
                                          SPAN_ARG(f->name));

        if (is_data(f->name) && has_text(l->left, l->arena, f->name)) {
            inside = *path ? path : "the names of attributes";
            count_place(l, inside);
        }
        look_at_value(l, &f->value, inside);
    }
}

void mask_left_look(struct mask_left *left, struct arena *a, struct span table,
                    const struct item *it)
{
    const struct left_look l = {left, a, table};

    left->looked++;
    look_at_map(&l, it, "");
}

const char *mask_left_say(const struct mask_left *left, struct arena *a)
{
    size_t shown = left->place_count < MAX_SHOWN ? left->place_count : MAX_SHOWN;
    struct buf out = buf_in(a);

    if (!left->place_count && !left->is_full)
        return NULL;
    if (left->is_full)
        buf_printf(&out, "looked only for the first %zu texts that were replaced%s",
                   left->texts.count, shown ? "; " : "");
    if (shown)
        buf_add_text(&out, "texts that were replaced are still in");
    for (size_t i = 0; i < shown; i++) {
        const struct left_place *p = &left->places[i];

        buf_printf(&out, "%s %.*s of %.*s (%zu item%s)", i ? "," : "", SPAN_ARG(p->path),
                   SPAN_ARG(p->table), p->items, p->items == 1 ? "" : "s");
    }
    if (shown < left->place_count)
        buf_printf(&out, ", and %zu more attributes", left->place_count - shown);
    return buf_text(&out);
}
