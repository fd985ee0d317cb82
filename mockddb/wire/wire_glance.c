#include "wire/wire_glance.h"

#include "base/plain.h"

#define GLANCE_MAX 64 /* bytes of text; longer values take the normal path */

const char *wire_glance(const char *at, const char *end, struct span *text)
{
    const char *from, *quote;

    if (end - at < (ptrdiff_t)strlen("{\"S\":\"\"}") || at[0] != '{' || at[1] != '"' ||
        plain_is_special(at[2]) || at[3] != '"' || at[4] != ':' || at[5] != '"')
        return NULL;
    from = at + strlen("{\"S\":\"");
    quote = plain_end(from, end - from > GLANCE_MAX ? from + GLANCE_MAX : end);
    if (end - quote < 2 || quote[0] != '"' || quote[1] != '}')
        return NULL;
    *text = (struct span){from, (size_t)(quote - from)};
    return quote + 2;
}

const char *wire_glance_null(const char *at, const char *end)
{
    static const char null[] = "{\"NULL\":true}";
    const size_t len = sizeof null - 1;

    return (size_t)(end - at) >= len && memcmp(at, null, len) == 0 ? at + len : NULL;
}
