#include "explain/explain_parts.h"

#include "explain/explain_near.h"
#include "explain/explain_trial.h"
#include "model/key.h"
#include "model/limits.h"

#define WALKED 1000 /* entries that are compared */
#define SHOWN  3    /* values that are listed */

/* An attribute of the key, and what entries have there whose other ones are as asked. */
struct part {
    struct span name;
    const struct expr_key_clause *clause;
    const struct attr *asked; /* its value, or the lower one */
    struct attr there[SHOWN];
    size_t len;
    bool more;
    const struct attr *alike; /* one of them that looks the same as what was asked for */
};

struct search {
    struct inquiry *q;
    const struct rows *r;
    struct part parts[2 * LIMIT_KEY_PARTS]; /* of the partition, then of the order */
    size_t count, hash_count;
    bool there; /* there is such a partition */
};

static const struct expr_key_clause *asked_for(const struct expr_key *key, struct span name)
{
    for (size_t i = 0; i < key->len; i++)
        if (span_equal(key->at[i].attribute, name))
            return &key->at[i];
    return NULL;
}

static void keep(struct search *s, struct part *part, const struct attr *value)
{
    for (size_t i = 0; i < part->len; i++)
        if (attr_equal(&part->there[i], value))
            return;
    if (part->len == SHOWN) {
        part->more = true;
        return;
    }
    part->there[part->len] = attr_copy(s->q->arena, value);
    if (!part->alike && value->type == ATTR_S && part->asked->type == ATTR_S &&
        explain_near_same(value->bytes, part->asked->bytes))
        part->alike = &part->there[part->len];
    part->len++;
}

/* An entry in which all attributes but one are as asked. */
static void look(struct search *s, const struct item *entry)
{
    struct part *other = NULL;
    const struct attr *value = NULL;

    for (size_t i = 0; i < s->count; i++) {
        const struct attr *there = item_find(entry, s->parts[i].name);

        if (!there || (!explain_rows_fits(s->parts[i].clause, there) && other))
            return;
        if (!explain_rows_fits(s->parts[i].clause, there)) {
            other = &s->parts[i];
            value = there;
        }
    }
    if (other)
        keep(s, other, value);
}

/* The partition that was asked for, or, where it is not there, all of them. */
static struct store_range range_of(struct search *s, bool whole)
{
    const struct attr *hash[LIMIT_KEY_PARTS];
    struct buf low = buf_in(s->q->arena), high = buf_in(s->q->arena);

    for (size_t i = 0; i < s->hash_count; i++)
        hash[i] = s->parts[i].asked;
    if (whole) {
        key_of_space(&low, explain_rows_space(s->r));
        key_of_space(&high, explain_rows_space(s->r) + 1);
    } else {
        key_of_partition(&low, explain_rows_space(s->r), hash, s->hash_count);
        buf_add_span(&high, buf_span(&low));
        key_next(&high);
    }
    return (struct store_range){.low = buf_span(&low), .high = buf_span(&high), .keys_only = true};
}

static bool is_there(struct search *s)
{
    struct store_range range = range_of(s, false);
    struct cursor *cursor;
    struct store_row row;
    bool found;

    if (!inquiry_may_read(s->q) || cursor_open(s->q->call.unit, &range, &cursor))
        return false;
    found = !cursor_next(cursor, &row) && row.found;
    cursor_close(cursor);
    return found;
}

static void walk(struct search *s)
{
    struct inquiry *q = s->q;
    struct store_range range = range_of(s, !s->there);
    struct cursor *cursor;
    struct store_row row;
    size_t left = WALKED;

    if (cursor_open(q->call.unit, &range, &cursor))
        return;
    while (left-- && inquiry_may_read(q) && !cursor_next(cursor, &row) && row.found) {
        struct item entry = key_read(q->arena, s->r->table, s->r->index,
                                     arena_span(q->arena, row.key));

        look(s, &entry);
    }
    cursor_close(cursor);
}

/* --- saying it -------------------------------------------------------------------------------- */

/* score after 5 */
static const char *clause_words(struct inquiry *q, const struct part *part)
{
    static const char *const words[] = {
        [EXPR_EQ] = "",
        [EXPR_LT] = "before ",
        [EXPR_LE] = "up to ",
        [EXPR_GT] = "after ",
        [EXPR_GE] = "from ",
        [EXPR_BETWEEN] = "from ",
        [EXPR_BEGINS_WITH] = "beginning with ",
    };
    const struct expr_key_clause *c = part->clause;
    const char *to = c->op == EXPR_BETWEEN
                         ? arena_printf(q->arena, " to %s", inquiry_value(q, &c->high))
                         : "";

    return arena_printf(q->arena, "%.*s %s%s%s", SPAN_ARG(part->name), words[c->op],
                        inquiry_value(q, part->asked), to);
}

/* tournament "A" and region "B", but for one of them. */
static const char *asked_words(const struct search *s, const struct part *but)
{
    struct buf out = buf_in(s->q->arena);

    for (size_t i = 0; i < s->count; i++)
        if (&s->parts[i] != but)
            buf_printf(&out, "%s%s", out.len ? " and " : "", clause_words(s->q, &s->parts[i]));
    return buf_text(&out);
}

/* The part that is wrong, if the others are right. */
static const struct part *wrong_part(const struct search *s)
{
    const struct part *found = NULL;

    for (size_t i = 0; i < s->count; i++) {
        if (s->parts[i].alike)
            return &s->parts[i];
        if (!found && s->parts[i].len)
            found = &s->parts[i];
    }
    return found;
}

static void say(const struct search *s)
{
    struct inquiry *q = s->q;
    const struct part *wrong = wrong_part(s);
    const char *nothing = arena_printf(q->arena, "no item of %s has %s",
                                       inquiry_place(q, s->r->table, s->r->index),
                                       asked_words(s, NULL));
    const struct attr *instead;

    if (!wrong) {
        inquiry_reason(q, "%s", nothing);
        return;
    }
    inquiry_reason(q, "%s; with %s, %.*s is %s", nothing, asked_words(s, wrong),
                   SPAN_ARG(wrong->name),
                   wrong->alike ? inquiry_value(q, wrong->alike)
                                : inquiry_values(q, wrong->there, wrong->len, " or ", wrong->more));
    instead = wrong->alike ? wrong->alike : wrong->len == 1 && !wrong->more ? wrong->there : NULL;
    if (instead && wrong->clause->op == EXPR_EQ)
        explain_trial_propose_value(q, wrong->asked, instead);
}

/* Two attributes have each other's value. */
static bool are_swapped(struct search *s)
{
    struct inquiry *q = s->q;

    for (size_t i = 0; i < s->hash_count; i++)
        for (size_t k = 0; k < i; k++) {
            const struct attr *a = s->parts[i].asked, *b = s->parts[k].asked;
            bool found;

            s->parts[i].asked = b;
            s->parts[k].asked = a;
            found = a->type == b->type && !attr_equal(a, b) && is_there(s);
            s->parts[i].asked = a;
            s->parts[k].asked = b;
            if (!found)
                continue;
            inquiry_reason(q, "%.*s and %.*s are swapped: there are items with %.*s %s and %.*s %s",
                           SPAN_ARG(s->parts[k].name), SPAN_ARG(s->parts[i].name),
                           SPAN_ARG(s->parts[k].name), inquiry_value(q, a),
                           SPAN_ARG(s->parts[i].name), inquiry_value(q, b));
            return true;
        }
    return false;
}

static bool add_part(struct search *s, const struct expr_key *key, struct span name)
{
    const struct expr_key_clause *asked = asked_for(key, name);

    if (asked && asked->op <= EXPR_BEGINS_WITH && asked->op != EXPR_NE)
        s->parts[s->count++] = (struct part){.name = name, .clause = asked, .asked = &asked->low};
    return asked != NULL;
}

void explain_parts(struct inquiry *q, const struct rows *r, const struct expr_key *key)
{
    const struct key_schema *keys = explain_rows_keys(r);
    struct search s = {.q = q, .r = r};

    for (size_t i = 0; i < keys->hash_count; i++)
        if (!add_part(&s, key, keys->hash[i].name))
            return;
    s.hash_count = s.count;
    s.there = is_there(&s);
    if (!s.there && are_swapped(&s))
        return;
    for (size_t i = 0; s.there && i < keys->range_count; i++)
        (void)add_part(&s, key, keys->range[i].name);
    walk(&s);
    while (s.there && !wrong_part(&s) && s.count > s.hash_count + 1) { /* two differ: the first */
        s.count--;
        walk(&s);
    }
    say(&s);
}
