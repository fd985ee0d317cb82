#include "explain/explain_parts.h"

#include "explain/explain_candidate.h"
#include "explain/explain_trial.h"
#include "model/key.h"
#include "model/limits.h"

#define WALKED 1000 /* entries that are compared */
#define KEPT   200  /* their values of an attribute */
#define SHOWN  3    /* values that are listed */

/* An attribute of the key, and what entries have there whose other ones are as asked. */
struct part {
    struct span name;
    const struct expr_key_clause *clause;
    const struct attr *asked; /* its value, or the lower one */
    struct values there;
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

/* An entry in which all attributes but one are as asked. */
static void look(struct search *s, const struct item *entry)
{
    struct part *other = NULL;
    const struct attr *value = NULL;

    for (size_t i = 0; i < s->count; i++) {
        const struct attr *there = item_find(entry, s->parts[i].name);

        if (!there || (!explain_rows_fits_clause(s->parts[i].clause, there) && other))
            return;
        if (!explain_rows_fits_clause(s->parts[i].clause, there)) {
            other = &s->parts[i];
            value = there;
        }
    }
    if (other)
        explain_rows_note(s->q, &other->there, KEPT, value);
}

/* The partition that was asked for, or, where it is not there, all of them. */
static struct store_range range_of(struct search *s, bool whole)
{
    struct store_range range = explain_rows_all(s->q, s->r);
    const struct attr *hash[LIMIT_KEY_PARTS];
    struct buf low = buf_in(s->q->arena), high = buf_in(s->q->arena);

    for (size_t i = 0; i < s->hash_count; i++)
        hash[i] = s->parts[i].asked;
    if (!whole) {
        key_of_partition(&low, explain_rows_space(s->r), hash, s->hash_count);
        buf_add_span(&high, buf_span(&low));
        key_next(&high);
        range.low = buf_span(&low);
        range.high = buf_span(&high);
    }
    return range;
}

static bool is_there(struct search *s)
{
    struct store_range range = range_of(s, false);

    return explain_rows_count_range(s->q, &range, 1);
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

/* The part that is wrong, if the others are right: the one of which another value is near, or else
 * the first. */
static const struct part *wrong_part(const struct search *s, struct position *p,
                                     struct candidate *c)
{
    const struct part *found = NULL;

    for (size_t i = 0; i < s->count; i++) {
        const struct part *part = &s->parts[i];

        *p = (struct position){.q = s->q,
                               .op = part->clause->op,
                               .asked = {*part->asked, part->clause->high},
                               .name = part->name,
                               .there = part->there,
                               .find = explain_candidate_among};
        if (explain_candidate_any(p, c))
            return part;
        if (!found && part->there.len)
            found = part;
    }
    return found;
}

static void say(const struct search *s)
{
    struct inquiry *q = s->q;
    struct position p;
    struct candidate c;
    const struct part *wrong = wrong_part(s, &p, &c);
    const char *nothing = arena_printf(q->arena, "no item of %s has %s",
                                       inquiry_place(q, s->r->table, s->r->index),
                                       asked_words(s, NULL));
    bool more;

    if (!wrong) {
        inquiry_reason(q, "%s", nothing);
        return;
    }
    if (c.count || c.is_sure) {
        inquiry_reason(q, "%s; with %s, %.*s %s", nothing, asked_words(s, wrong),
                       SPAN_ARG(wrong->name),
                       c.is_sure ? arena_printf(q->arena, "differs: %s", c.why)
                                 : arena_printf(q->arena, "is %s%s%s", inquiry_value(q, &c.found),
                                                c.why ? ": " : "", c.why ? c.why : ""));
        explain_candidate_propose(&p, &c);
        return;
    }
    more = wrong->there.len > SHOWN;
    inquiry_reason(
        q, "%s; with %s, %.*s is %s", nothing, asked_words(s, wrong), SPAN_ARG(wrong->name),
        inquiry_values(q, wrong->there.at, more ? SHOWN : wrong->there.len, " or ", more));
    if (wrong->there.len == 1 && wrong->clause->op == EXPR_EQ)
        explain_trial_propose_value(q, wrong->asked, wrong->there.at);
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

/* Whether some entry differs in one attribute only. */
static bool has_entries(const struct search *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->parts[i].there.len)
            return true;
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
    while (s.there && !has_entries(&s) && s.count > s.hash_count + 1) { /* two differ: the first */
        s.count--;
        walk(&s);
    }
    say(&s);
}
