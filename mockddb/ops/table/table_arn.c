#include "ops/table/table_arn.h"

#include "base/ascii.h"

#define TIME_DIGITS   14
#define SUFFIX_DIGITS TABLE_ARN_SUFFIX_DIGITS

/* Cuts the text before the next ':' off the front of *from; false without a ':'. */
static bool cut_part(struct span *from, struct span *part)
{
    const char *colon = span_find(*from, ':');

    if (!colon)
        return false;
    *part = (struct span){from->at, (size_t)(colon - from->at)};
    *from = span_from(*from, part->len + 1);
    return true;
}

bool table_arn_parse(struct span text, struct arn *out)
{
    struct span scheme, name;
    const char *slash;

    if (!cut_part(&text, &scheme) || !span_is(scheme, "arn") || !cut_part(&text, &out->partition) ||
        !cut_part(&text, &out->service) || !cut_part(&text, &out->region) ||
        !cut_part(&text, &out->account))
        return false;
    out->table = out->rest = (struct span){NULL, 0};
    if (!span_starts_with(text, SPAN_LIT("table/")))
        return true;
    name = span_from(text, sizeof "table/" - 1);
    slash = span_find(name, '/');
    out->table = (struct span){name.at, slash ? (size_t)(slash - name.at) : name.len};
    out->rest = span_from(name, out->table.len);
    return true;
}

struct span table_arn(const struct call *c, struct span name, const char *kind, struct span rest)
{
    return span_of(arena_printf(c->arena, "arn:aws:dynamodb:%.*s:%.*s:table/%.*s%s%.*s",
                                SPAN_ARG(op_region(c)), SPAN_ARG(c->settings->account),
                                SPAN_ARG(name), kind, SPAN_ARG(rest)));
}

struct span table_arn_moment(const struct call *c, int64_t created_ms, struct span suffix)
{
    return span_of(arena_printf(c->arena, "%0*lld-%.*s", TIME_DIGITS, (long long)created_ms,
                                SPAN_ARG(suffix)));
}

bool table_arn_parse_moment(struct span text, int64_t *created_ms, struct span *suffix)
{
    int64_t ms = 0;

    if (text.len != TIME_DIGITS + 1 + SUFFIX_DIGITS || text.at[TIME_DIGITS] != '-')
        return false;
    for (size_t i = 0; i < TIME_DIGITS; i++) {
        if (!ascii_is_digit(text.at[i]))
            return false;
        ms = ms * 10 + (text.at[i] - '0');
    }
    for (size_t i = TIME_DIGITS + 1; i < text.len; i++)
        if (!ascii_is_digit(text.at[i]) && (text.at[i] < 'a' || text.at[i] > 'f'))
            return false;
    *created_ms = ms;
    *suffix = span_from(text, TIME_DIGITS + 1);
    return true;
}
