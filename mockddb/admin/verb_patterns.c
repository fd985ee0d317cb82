/* GET /_mockddb/patterns: which access patterns were used, which requests match none, and the files
 * as they were loaded. */
#include "admin/admin_verb.h"
#include "journal/coverage.h"

/* Of the request's world, or with worlds=all of all worlds. */
static const struct problem *show_coverage(struct admin_call *c)
{
    const struct journal *j = world_journal(c->world);
    const struct coverage *v = journal_coverage(j);
    struct span worlds = admin_filter(c, "worlds");

    if (worlds.at && !span_is(worlds, "all"))
        return problem_invalid(c->arena, "worlds can only be all");
    if (worlds.at)
        v = journal_options_of(j)->total;
    if (!v)
        return problem_new(c->arena, PROBLEM_MISSING,
                           "the server has no access patterns; --patterns FILE gives it some");
    coverage_show(v, c->arena, journal_options_of(j), &c->out);
    return NULL;
}

static const struct problem *show_files(struct admin_call *c)
{
    const struct admin_patterns *p = c->patterns;

    wire_put_member_text(&c->out, "prefix", span_of(p && p->prefix ? p->prefix : ""));
    wire_open_member(&c->out, "files", '[');
    for (size_t i = 0; p && i < p->count; i++)
        wire_put_raw(&c->out, p->files[i].text);
    wire_close(&c->out, ']');
    return NULL;
}

const struct admin_verb verb_patterns[] = {
    {"GET", "patterns", ADMIN_OWN, NULL, "worlds", show_coverage},
    {"GET", "patterns/files", ADMIN_NO_WORLD, NULL, NULL, show_files},
    {0},
};
