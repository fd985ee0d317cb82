#include "base/duration.h"

#include "base/ascii.h"
#include "base/attributes.h"

#define DAY_MS ((int64_t)24 * 3600 * 1000)

static const struct {
    const char *name;
    int64_t ms;
} units[] = {
    {"ms", 1}, {"s", 1000}, {"m", 60000}, {"h", 3600000}, {"d", DAY_MS}, {"w", 7 * DAY_MS},
};

bool duration_read(struct span text, int64_t *ms)
{
    bool negative = text.len && text.at[0] == '-';
    int64_t count = 0;
    size_t at = negative;

    for (; at < text.len && ascii_is_digit(text.at[at]); at++)
        if (count <= DURATION_MAX_MS)
            count = count * 10 + (text.at[at] - '0');
    if (at == (size_t)negative)
        return false;
    for (size_t i = 0; i < COUNT(units); i++) {
        if (!span_is(span_from(text, at), units[i].name))
            continue;
        if (count > DURATION_MAX_MS / units[i].ms)
            return false;
        *ms = (negative ? -count : count) * units[i].ms;
        return true;
    }
    return false;
}
