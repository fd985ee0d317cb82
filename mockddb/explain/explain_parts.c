#include "explain/explain_parts.h"

#include "explain/explain_near.h"
#include "explain/explain_trial.h"
#include "model/key.h"
#include "model/limits.h"

#define WALKED 1000 /* entries that are compared */
#define SHOWN  3    /* values that are listed */

/* An attribute of the partition key, and what entries have there whose other ones are as asked. */
struct part {
    struct span name;
    const struct attr *asked;
    struct attr there[SHOWN];
    size_t len;
    bool more;
    const struct attr *alike; /* one of them that looks the same as what was asked for */
};

struct search {
    struct inquiry *q;
    const struct rows *r;
    struct part parts[LIMIT_KEY_PARTS];
    size_t count;
};

static const struct attr *asked_for(const struct expr_key *key, struct span name)
{
    for (size_t i = 0; i < key->len; i++)
        if (span_equal(key->at[i].attribute, name))
            return &key->at[i].low;
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

        if (!there || (!attr_equal(there, s->parts[i].asked) && other))
            return;
        if (!attr_equal(there, s->parts[i].asked)) {
            other = &s->parts[i];
            value = there;
        }
    }
    if (other)
        keep(s, other, value);
}

static void walk(struct search *s)
{
    struct inquiry *q = s->q;
    struct buf low = buf_in(q->arena), high = buf_in(q->arena);
    struct store_range range = {.keys_only = true};
    struct cursor *cursor;
    struct store_row row;
    size_t left = WALKED;

    key_of_space(&low, explain_rows_space(s->r));
    key_of_space(&high, explain_rows_space(s->r) + 1);
    range.low = buf_span(&low);
    range.high = buf_span(&high);
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

/* tournament "A" and region "B", but for one of them. */
static const char *asked_words(const struct search *s, const struct part *but)
{
    struct buf out = buf_in(s->q->arena);

    for (size_t i = 0; i < s->count; i++)
        if (&s->parts[i] != but)
            buf_printf(&out, "%s%.*s %s", out.len ? " and " : "", SPAN_ARG(s->parts[i].name),
                       inquiry_value(s->q, s->parts[i].asked));
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
    if (instead)
        (void)explain_trial_propose(
            q, q->call.op->name, explain_trial_with_value(q, wrong->asked, instead), &q->proposal);
}

void explain_parts(struct inquiry *q, const struct rows *r, const struct expr_key *key)
{
    const struct key_schema *keys = explain_rows_keys(r);
    struct search s = {.q = q, .r = r};

    for (size_t i = 0; i < keys->hash_count; i++) {
        const struct attr *asked = asked_for(key, keys->hash[i].name);

        if (!asked)
            return;
        s.parts[s.count++] = (struct part){.name = keys->hash[i].name, .asked = asked};
    }
    walk(&s);
    say(&s);
}
