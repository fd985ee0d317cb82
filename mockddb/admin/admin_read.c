/* What several verbs read of their requests. */
#include "admin/admin_verb.h"

#include "base/ascii.h"
#include "base/date.h"
#include "base/duration.h"
#include "model/limits.h"
#include "model/names.h"
#include "wire/wire_node.h"

bool admin_read_number(struct span text, uint64_t *out)
{
    uint64_t number = 0;

    for (size_t i = 0; i < text.len; i++) {
        if (!ascii_is_digit(text.at[i]) || number > UINT64_MAX / 10 - 1)
            return false;
        number = number * 10 + (uint64_t)(text.at[i] - '0');
    }
    *out = number;
    return true;
}

const struct problem *admin_read_bool(struct admin_call *c, const char *name, bool *out)
{
    struct span text = admin_filter(c, name);

    *out = text.at && (!text.len || span_is(text, "true"));
    if (!text.at || *out || span_is(text, "false"))
        return NULL;
    return problem_invalid(c->arena, "%s is neither true nor false", name);
}

const struct problem *admin_read_count(struct admin_call *c, const char *name, uint64_t most,
                                       uint64_t *out)
{
    struct span text = admin_filter(c, name);

    if (text.at && (!text.len || !admin_read_number(text, out) || *out < 1 || *out > most))
        return problem_invalid(c->arena, "%s is not a whole number from 1 to %llu", name,
                               (unsigned long long)most);
    return NULL;
}

/* Reads a whole number, or returns `otherwise`. */
static int64_t whole(const wire_node *node, int64_t otherwise)
{
    return node && wire_is_number(node) && wire_is_whole(node->at) ? wire_integer(node, otherwise)
                                                                   : otherwise;
}

const struct problem *admin_read_duration(struct admin_call *c, const char *member, int64_t *ms)
{
    const wire_node *node = wire_get(c->body, member);
    struct span text = wire_text(node);
    int64_t number = whole(node, INT64_MIN);

    if (text.at && duration_read(text, ms))
        return NULL;
    if (!text.at && number >= -DURATION_MAX_MS && number <= DURATION_MAX_MS) {
        *ms = number;
        return NULL;
    }
    return problem_invalid(
        c->arena,
        "%s is not a duration up to a hundred years: \"36h\", \"90s\", \"250ms\", or a "
        "number of milliseconds",
        member);
}

const struct problem *admin_read_moment(struct admin_call *c, const char *member, int64_t *ms)
{
    const wire_node *node = wire_get(c->body, member);
    struct span text = wire_text(node);
    int64_t number = whole(node, -1);

    if (text.at && date_read_extended(text, ms) && *ms >= 0)
        return NULL;
    if (!text.at && number >= 0 && number <= CLOCK_LAST_MS) {
        *ms = number;
        return NULL;
    }
    return problem_invalid(
        c->arena,
        "%s is not a time from 1970 on: \"2026-01-01T00:00:00Z\", or milliseconds "
        "since 1970",
        member);
}

const struct problem *admin_read_table(struct admin_call *c, struct span *out)
{
    *out = admin_filter(c, "table");
    if (!out->at)
        return NULL;
    if (!out->len)
        return problem_invalid(c->arena, "table is empty");
    if (!names_match_pattern(*out) || out->len > LIMIT_NAME)
        return problem_invalid(c->arena, "table is %.*s, and there is no such table",
                               SPAN_ARG(*out));
    return NULL;
}

const struct problem *admin_no_table(struct admin_call *c, struct span table)
{
    return problem_new(c->arena, PROBLEM_MISSING, "table %.*s does not exist", SPAN_ARG(table));
}

const struct problem *admin_check_clock(struct admin_call *c)
{
    return world_is_advancing(c->world)
               ? problem_new(c->arena, PROBLEM_CONFLICT, "this world's clock is being advanced")
               : NULL;
}
