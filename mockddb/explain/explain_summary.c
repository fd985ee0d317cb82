#include "explain/explain_summary.h"

#include <stdlib.h>

#define MAX_GROUPS     200
#define EXPLAINED_EACH 3    /* requests of a group */
#define MAX_SHAPE      1000 /* bytes of a shape's text that are kept */
#define MUCH           25 /* read units of one request: it is listed even if no cheaper way is known */

enum outcome { CAME_BACK, CAME_EMPTY, ENDED, REFUSED };

struct summary_group {
    uint64_t hash; /* of the whole shape */
    char *shape;
    enum outcome outcome;
    enum error_kind error; /* of REFUSED */
    uint64_t requests;
    unsigned explained;
    double most_units; /* of one request */
    char *why,
        *try_lines; /* of the first request with a reason or a hint; NULL: nothing was found */
};

struct explain_summary {
    struct summary_group groups[MAX_GROUPS];
    size_t len;
    uint64_t more;               /* requests of further groups */
    struct summary_group *group; /* of the request that was counted last */
};

struct explain_summary *explain_summary_new(void)
{
    return process_zeroed(sizeof(struct explain_summary));
}

void explain_summary_free(struct explain_summary *s)
{
    for (size_t i = 0; s && i < s->len; i++) {
        free(s->groups[i].shape);
        free(s->groups[i].why);
        free(s->groups[i].try_lines);
    }
    free(s);
}

/* --- counting --------------------------------------------------------------------------------- */

static enum outcome outcome_of(const struct call_record *record, double *units)
{
    struct inquiry_use use = inquiry_used(record);
    bool reads = record->accounts != NULL;

    for (const struct capacity *used = record->accounts; used; used = used->next)
        reads = reads && !used->writes;
    *units = reads ? use.units : 0;
    if (record->error)
        return REFUSED;
    if (!reads || use.returned)
        return CAME_BACK;
    /* The last page of a read may be empty. */
    return inquiry_continues(record->body) ? ENDED : CAME_EMPTY;
}

static struct span shape_of(struct arena *a, const struct call_record *record)
{
    if (!record->op)
        return SPAN_LIT("a request without a known operation");
    if (!record->body || (record->error && error_is_at_the_door(record->error->kind)))
        return span_of(record->op->name);
    return catalogue_shape_of(a, record->op, record->body).text;
}

static char *kept_text(struct span text)
{
    char *copy = strndup(span_printable(text), text.len);

    if (!copy)
        process_out_of_memory();
    return copy;
}

bool explain_summary_count(struct explain_summary *s, struct arena *a,
                           const struct call_record *record)
{
    static const struct siphash_key key = {{0, 0}};
    struct span shape = shape_of(a, record);
    struct summary_group wanted = {.hash = siphash(&key, shape),
                                   .error = record->error ? record->error->kind : ERROR_NONE};
    struct summary_group *group = s->groups;
    double units;

    wanted.outcome = outcome_of(record, &units);
    while (group < s->groups + s->len &&
           (group->hash != wanted.hash || group->outcome != wanted.outcome ||
            group->error != wanted.error))
        group++;
    s->group = NULL;
    if (group == s->groups + MAX_GROUPS) {
        s->more++;
        return false;
    }
    if (group == s->groups + s->len) {
        s->len++;
        if (shape.len > MAX_SHAPE)
            shape.len = MAX_SHAPE;
        wanted.shape = kept_text(shape);
        *group = wanted;
    }
    group->requests++;
    if (units > group->most_units)
        group->most_units = units;
    s->group = group;
    return group->outcome != ENDED && group->explained < EXPLAINED_EACH;
}

/* --- what was found --------------------------------------------------------------------------- */

void explain_summary_take(struct explain_summary *s, const struct inquiry *q)
{
    const struct hint *hint = NULL;
    const struct proposal *proposal;
    struct buf tries = buf_in(q->arena);

    if (!s->group)
        return;
    for (size_t i = q->hint_count; i > 0 && !q->reason.len; i--)
        hint = q->hints[i - 1].weight == ADVICE_HINT ? &q->hints[i - 1] : hint;
    proposal = hint ? &hint->proposal : &q->proposal;
    s->group->explained++;
    if (s->group->why || (!q->reason.len && !hint))
        return;
    s->group->why = kept_text(hint ? hint->text : q->reason);
    if (proposal->command.len)
        buf_printf(&tries, "mockddb:     try: %.*s\n", SPAN_ARG(proposal->command));
    if (proposal->command.len && proposal->gives.len)
        buf_printf(&tries, "mockddb:          %.*s\n", SPAN_ARG(proposal->gives));
    s->group->try_lines = kept_text(buf_span(&tries));
}

/* --- printing --------------------------------------------------------------------------------- */

static bool is_listed(const struct summary_group *g)
{
    return g->outcome == CAME_EMPTY || g->outcome == REFUSED || g->why || g->most_units >= MUCH;
}

static void print_group(const struct summary_group *g, uint64_t all, struct buf *out)
{
    buf_printf(out, "mockddb:     %llu of %llu ", (unsigned long long)g->requests,
               (unsigned long long)all);
    if (g->outcome == REFUSED)
        buf_printf(out, "%s (%s)", error_is_refusal(g->error) ? "refused" : "failed",
                   error_name(g->error));
    else if (g->outcome == CAME_EMPTY)
        buf_add_text(out, "empty");
    else if (g->most_units > 0)
        buf_printf(out, "up to %.15g read units", g->most_units);
    else
        buf_add_text(out, "done");
    buf_printf(out, "%s%s\n%s", g->why ? ": " : "", g->why ? g->why : "",
               g->why ? g->try_lines : "");
}

/* The groups of one shape, from the first that is listed on. */
static void print_shape(const struct explain_summary *s, size_t first, struct buf *out)
{
    const struct summary_group *of = &s->groups[first];
    uint64_t all = 0;

    for (size_t i = 0; i < s->len; i++) {
        if (s->groups[i].hash != of->hash)
            continue;
        if (i < first && is_listed(&s->groups[i]))
            return; /* it was printed */
        all += s->groups[i].requests;
    }
    buf_printf(out, "mockddb:   %s\n", of->shape);
    for (size_t i = first; i < s->len; i++)
        if (s->groups[i].hash == of->hash && is_listed(&s->groups[i]))
            print_group(&s->groups[i], all, out);
}

void explain_summary_print(const struct explain_summary *s, struct buf *out)
{
    size_t listed = 0;

    for (size_t i = 0; i < s->len; i++)
        listed += is_listed(&s->groups[i]);
    buf_add_text(out, listed
                          ? "mockddb: refused, empty or expensive, by the shape of the request:\n"
                          : "mockddb: nothing was refused, empty or expensive\n");
    for (size_t i = 0; i < s->len; i++)
        if (is_listed(&s->groups[i]))
            print_shape(s, i, out);
    if (s->more)
        buf_printf(out, "mockddb:   %llu requests of other shapes were not looked at\n",
                   (unsigned long long)s->more);
}
