/* Members of bodies that several verbs have. */
#include "admin/admin_verb.h"

#include "base/date.h"

#define DAY_MS    ((int64_t)24 * 3600 * 1000)
#define LAST_MS   253402300799999 /* 9999-12-31T23:59:59.999Z */
#define MAX_LEAPS (100 * 366 * DAY_MS)

static const struct {
    const char *name;
    int64_t ms;
} units[] = {
    {"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}, {"d", DAY_MS}, {"w", 7 * DAY_MS},
};

/* "90s" */
static bool read_duration(struct span text, int64_t *ms)
{
    bool negative = text.len && text.at[0] == '-';
    int64_t count = 0;
    size_t at = negative;

    for (; at < text.len && text.at[at] >= '0' && text.at[at] <= '9'; at++)
        if (count <= MAX_LEAPS)
            count = count * 10 + (text.at[at] - '0');
    if (at == (size_t)negative)
        return false;
    for (size_t i = 0; i < COUNT(units); i++) {
        if (!span_is(span_from(text, at), units[i].name))
            continue;
        if (count > MAX_LEAPS / units[i].ms)
            return false;
        *ms = (negative ? -count : count) * units[i].ms;
        return true;
    }
    return false;
}

const struct admin_fault *admin_read_duration(struct admin_call *c, const char *member, int64_t *ms)
{
    const wire_node *node = wire_get(c->body, member);
    struct span text = wire_text(node);
    int64_t number = wire_integer(node, INT64_MIN);

    if (text.at && read_duration(text, ms))
        return NULL;
    if (!text.at && number >= -MAX_LEAPS && number <= MAX_LEAPS) {
        *ms = number;
        return NULL;
    }
    return admin_refuse(
        c, 400,
        "%s is no duration up to a hundred years: \"36h\", \"90s\", \"250ms\", or a "
        "number of milliseconds",
        member);
}

const struct admin_fault *admin_read_moment(struct admin_call *c, const char *member, int64_t *ms)
{
    const wire_node *node = wire_get(c->body, member);
    struct span text = wire_text(node);
    int64_t number = wire_integer(node, -1);

    if (text.at && date_read_extended(text, ms) && *ms >= 0)
        return NULL;
    if (!text.at && number >= 0 && number <= LAST_MS) {
        *ms = number;
        return NULL;
    }
    return admin_refuse(c, 400,
                        "%s is no moment from 1970 on: \"2026-01-01T00:00:00Z\", or milliseconds "
                        "since 1970",
                        member);
}
