#include "base/quoted.h"

#include <ctype.h>

static bool consists_of(struct span text, const char *more)
{
    size_t i;

    for (i = 0; i < text.len; i++) {
        if (!isalnum((unsigned char)text.at[i]) && !strchr(more, text.at[i]))
            return false;
    }
    return text.len > 0;
}

static bool has_any(struct span text, const char *set)
{
    size_t i;

    for (i = 0; i < text.len; i++) {
        if (strchr(set, text.at[i]))
            return true;
    }
    return false;
}

void quoted_add_single(struct buf *out, struct span text)
{
    size_t i;

    buf_add_char(out, '\'');
    for (i = 0; i < text.len; i++) {
        if (text.at[i] == '\'')
            buf_add_text(out, "'\\''");
        else
            buf_add_char(out, text.at[i]);
    }
    buf_add_char(out, '\'');
}

void quoted_add(struct buf *out, struct span text)
{
    if (consists_of(text, "_./:=@%+,-")) {
        buf_add_span(out, text);
    } else if (has_any(text, "\"$`\\!")) {
        quoted_add_single(out, text);
    } else {
        buf_add_char(out, '"');
        buf_add_span(out, text);
        buf_add_char(out, '"');
    }
}
