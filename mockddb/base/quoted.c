#include "base/quoted.h"

#include "base/ascii.h"

/* Whether text consists of letters, digits and characters of `more`. */
static bool consists_of(struct span text, struct span more)
{
    for (size_t i = 0; i < text.len; i++)
        if (!ascii_is_letter(text.at[i]) && !ascii_is_digit(text.at[i]) &&
            !span_has(more, text.at[i]))
            return false;
    return text.len > 0;
}

static bool has_any(struct span text, struct span set)
{
    for (size_t i = 0; i < text.len; i++)
        if (span_has(set, text.at[i]))
            return true;
    return false;
}

void quoted_add_single(struct buf *out, struct span text)
{
    buf_add_char(out, '\'');
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '\'')
            buf_add_text(out, "'\\''");
        else
            buf_add_char(out, text.at[i]);
    }
    buf_add_char(out, '\'');
}

void quoted_add(struct buf *out, struct span text)
{
    if (consists_of(text, SPAN_LIT("_./:=@%+,-"))) {
        buf_add_span(out, text);
    } else if (has_any(text, SPAN_LIT("\"$`\\!"))) {
        quoted_add_single(out, text);
    } else {
        buf_add_char(out, '"');
        buf_add_span(out, text);
        buf_add_char(out, '"');
    }
}
