/* GET and DELETE /_mockddb/journal: what was asked of a world. */
#include "admin/admin_verb.h"
#include "base/date.h"
#include "journal/journal_show.h"

#include <stdlib.h>

/* What a reader has come to. Its texts are copies in an arena of its own. */
struct reading {
    struct arena *arena;
    struct span world;
    struct journal_filter filter;
    uint64_t seen; /* the last entry that it was shown, or that it does not want */
    bool follows;
    bool whole;      /* with requests as they were sent */
    bool tells_lost; /* entries that had to go before it came to them */
};

/* --- lines ------------------------------------------------------------------------------------ */

static void put_lost(struct buf *line, uint64_t count)
{
    buf_printf(line, "{\"dropped\":%llu}", (unsigned long long)count);
}

/* Entries that are gone since the last line. */
static bool skip_lost(struct reading *r, const struct journal *j, struct buf *line)
{
    uint64_t first = journal_first(j), lost;

    if (r->seen > journal_last(j)) /* another world of that name */
        r->seen = 0;
    if (r->seen + 1 >= first)
        return false;
    lost = first - 1 - r->seen;
    r->seen = first - 1;
    if (!r->tells_lost || !journal_dropped(j))
        return false;
    put_lost(line, lost < journal_dropped(j) ? lost : journal_dropped(j));
    return true;
}

static enum admin_more next(struct admin_stream *s, struct arena *a, struct buf *line)
{
    struct reading *r = s->state;
    const struct world *w = worlds_find(s->worlds, r->world);
    const struct journal_entry *e;

    if (!w)
        return ADMIN_ALL;
    if (skip_lost(r, world_journal(w), line))
        return ADMIN_LINE;
    while ((e = journal_find(world_journal(w), r->seen + 1))) {
        r->seen++;
        if (!journal_show_takes(a, &r->filter, e))
            continue;
        journal_show(a, world_journal(w), r->world, e, r->whole, line);
        return ADMIN_LINE;
    }
    return r->follows ? ADMIN_NOTHING_YET : ADMIN_ALL;
}

static void end(struct admin_stream *s)
{
    struct reading *r = s->state;

    arena_free(r->arena);
    free(r);
}

/* --- filters ---------------------------------------------------------------------------------- */

static const struct admin_fault *read_number(struct admin_call *c, const char *name, double *out)
{
    struct span text = admin_filter(c, name);
    char *past;

    if (!text.at)
        return NULL;
    *out = strtod(arena_text(c->arena, text), &past);
    if (text.len && !*past && *out >= 0 && *out <= 1e18)
        return NULL;
    return admin_refuse(c, 400, "%s is no number from 0 on", name);
}

static const struct admin_fault *read_since(struct admin_call *c, int64_t *ms)
{
    struct span text = admin_filter(c, "since");

    if (!text.at || date_read_extended(text, ms))
        return NULL;
    return admin_refuse(c, 400, "since is no moment such as 2026-01-01T00:00:00Z");
}

static const struct admin_fault *read_bool(struct admin_call *c, const char *name, bool *out)
{
    struct span text = admin_filter(c, name);

    *out = text.at && (!text.len || span_is(text, "true"));
    if (!text.at || *out || span_is(text, "false"))
        return NULL;
    return admin_refuse(c, 400, "%s is neither true nor false", name);
}

/* Only the newest so many that the filter takes. */
static void skip_to(struct admin_call *c, struct reading *r, const struct journal *j, double limit)
{
    uint64_t id = journal_last(j);
    double taken = 0;

    for (; id >= journal_first(j) && taken < limit; id--)
        taken += journal_show_takes(c->arena, &r->filter, journal_find(j, id));
    r->seen = id;
    r->tells_lost = r->follows;
}

static const struct admin_fault *read_filters(struct admin_call *c, struct reading *r)
{
    const struct journal *j = world_journal(c->world);
    const struct admin_fault *f;
    double after = 0, limit = -1;

    r->filter.operation = arena_span(r->arena, admin_filter(c, "operation"));
    r->filter.table = arena_span(r->arena, admin_filter(c, "table"));
    r->filter.error = arena_span(r->arena, admin_filter(c, "error"));
    if ((f = read_since(c, &r->filter.since_ms)) ||
        (f = read_number(c, "min_units", &r->filter.min_units)) ||
        (f = read_number(c, "after", &after)) || (f = read_number(c, "limit", &limit)) ||
        (f = read_bool(c, "follow", &r->follows)) || (f = read_bool(c, "requests", &r->whole)))
        return f;
    r->tells_lost = true;
    r->seen = (uint64_t)after < journal_last(j) ? (uint64_t)after : journal_last(j);
    if (limit >= 0)
        skip_to(c, r, j, limit);
    return NULL;
}

static const struct admin_fault *show(struct admin_call *c)
{
    struct reading *r = calloc(1, sizeof *r);
    const struct admin_fault *f;
    struct admin_stream *s;

    if (!r)
        process_out_of_memory();
    r->arena = arena_new();
    r->world = arena_span(r->arena, world_name(c->world));
    r->filter.since_ms = INT64_MIN;
    s = admin_begin_stream(c);
    s->state = r;
    s->next = next;
    s->end = end;
    if (!(f = read_filters(c, r)))
        return NULL;
    admin_stream_end(s);
    c->stream = NULL;
    return f;
}

static const struct admin_fault *clear(struct admin_call *c)
{
    journal_clear(world_journal(c->world));
    return NULL;
}

static const char *const filters[] = {"operation", "table", "error",  "since",    "min_units",
                                      "after",     "limit", "follow", "requests", NULL};

const struct admin_verb verb_journal_get = {
    .method = "GET", .path = "journal", .filters = filters, .run = show};

const struct admin_verb verb_journal_clear = {
    .method = "DELETE", .path = "journal", .flags = ADMIN_CHANGES, .run = clear};
