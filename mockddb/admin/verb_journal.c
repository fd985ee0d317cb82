/* GET and DELETE /_mockddb/journal: the requests to a world. */
#include "admin/admin_verb.h"
#include "base/date.h"
#include "journal/journal_show.h"

#include <stdlib.h>

/* The state of a reader. Its texts are copies in its own arena. */
struct journal_reading {
    struct arena *arena;
    struct span world;
    struct journal_filter filter;
    uint64_t seen; /* the last entry that it was shown, or that its filters left out */
    bool follows;
    bool whole;      /* show requests as they were sent */
    bool tells_lost; /* also report entries that were dropped before they were shown */
};

/* --- lines ------------------------------------------------------------------------------------ */

/* Counts the entries that were dropped since the last line. */
static bool skip_lost(struct journal_reading *r, const struct journal *j, struct buf *line)
{
    uint64_t first = journal_first(j), lost;

    if (r->seen > journal_last(j)) /* another world with this name */
        r->seen = 0;
    if (r->seen + 1 >= first)
        return false;
    lost = first - 1 - r->seen;
    r->seen = first - 1;
    if (!r->tells_lost || !journal_dropped(j))
        return false;
    buf_printf(line, "{\"dropped\":%llu}",
               (unsigned long long)(lost < journal_dropped(j) ? lost : journal_dropped(j)));
    return true;
}

static enum admin_more next_line(struct admin_stream *s, struct arena *a, struct buf *line)
{
    struct journal_reading *r = s->state;
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

static void end_reading(struct admin_stream *s)
{
    struct journal_reading *r = s->state;

    arena_free(r->arena);
    free(r);
}

/* --- filters ---------------------------------------------------------------------------------- */

static const struct problem *read_units(struct admin_call *c, double *out)
{
    struct span text = admin_filter(c, "min_units");
    const char *units = arena_text(c->arena, text);

    if (!text.at)
        return NULL;
    *out = strtod(units, NULL);
    if (text.len && text.len == strspn(units, "0123456789.") && strcmp(units, ".") != 0 &&
        strchr(units, '.') == strrchr(units, '.'))
        return NULL;
    return problem_invalid(c->arena, "min_units is not a number from 0 on");
}

static const struct problem *read_count(struct admin_call *c, const char *name, uint64_t *out)
{
    struct span text = admin_filter(c, name);

    if (!text.at || (text.len && admin_read_number(text, out)))
        return NULL;
    return problem_invalid(c->arena, "%s is not a whole number from 0 on", name);
}

/* Whether a service has this operation. */
static bool is_operation(struct span name)
{
    for (int service = 0; service < OP_SERVICE_COUNT; service++)
        if (op_find((enum op_service)service, name))
            return true;
    return false;
}

static const struct problem *read_since(struct admin_call *c, int64_t *ms)
{
    struct span text = admin_filter(c, "since");

    uint64_t number;

    if (!text.at || date_read_extended(text, ms))
        return NULL;
    if (text.len && admin_read_number(text, &number) && number <= CLOCK_LAST_MS) {
        *ms = (int64_t)number;
        return NULL;
    }
    return problem_invalid(
        c->arena, "since is not a time such as 2026-01-01T00:00:00Z, or milliseconds since 1970");
}

static const struct problem *read_filters(struct admin_call *c, struct journal_reading *r)
{
    const struct journal *j = world_journal(c->world);
    const struct problem *p;
    uint64_t after = 0, limit = UINT64_MAX;
    struct span operation = admin_filter(c, "operation"), error = admin_filter(c, "error"), table;

    /* Refuses unknown names: an empty answer would look as if there had been no such requests. */
    if ((p = admin_read_table(c, &table)))
        return p;
    if (operation.at && !is_operation(operation))
        return problem_invalid(c->arena, "operation: %.*s does not exist", SPAN_ARG(operation));
    if (error.at && !journal_show_is_error(error))
        return problem_invalid(c->arena, "error: %.*s does not exist", SPAN_ARG(error));
    r->filter.operation = arena_span(r->arena, operation);
    r->filter.table = arena_span(r->arena, table);
    r->filter.error = arena_span(r->arena, error);
    if ((p = read_since(c, &r->filter.since_ms)) || (p = read_units(c, &r->filter.min_units)) ||
        (p = read_count(c, "after", &after)) || (p = read_count(c, "limit", &limit)) ||
        (p = admin_read_bool(c, "follow", &r->follows)) ||
        (p = admin_read_bool(c, "requests", &r->whole)))
        return p;
    r->tells_lost = true;
    r->seen = after < journal_last(j) ? after : journal_last(j);
    if (admin_filter(c, "limit").at) {
        uint64_t id = journal_last(j), taken = 0;

        /* Skips to the newest `limit` matching entries. */
        for (; id >= journal_first(j) && taken < limit; id--)
            taken += journal_show_takes(c->arena, &r->filter, journal_find(j, id));
        r->seen = id;
        r->tells_lost = r->follows;
    }
    return NULL;
}

static const struct problem *show_journal(struct admin_call *c)
{
    struct journal_reading *r = process_zeroed(sizeof *r);
    const struct problem *p;
    struct admin_stream *s;

    r->arena = arena_new();
    r->world = arena_span(r->arena, world_name(c->world));
    r->filter.since_ms = INT64_MIN;
    s = admin_begin_stream(c);
    s->state = r;
    s->next = next_line;
    s->end = end_reading;
    if (!(p = read_filters(c, r)))
        return NULL;
    admin_stream_end(s);
    c->stream = NULL;
    return p;
}

static const struct problem *clear_journal(struct admin_call *c)
{
    journal_clear(world_journal(c->world));
    return NULL;
}

const struct admin_verb verb_journal[] = {
    {"GET", "journal", ADMIN_OWN, NULL,
     "operation table error since min_units after limit follow requests", show_journal},
    {"DELETE", "journal", ADMIN_OWN | ADMIN_CHANGES, NULL, NULL, clear_journal},
    {0},
};
