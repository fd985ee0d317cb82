#include "ops/transfer/transfer_frame.h"

#include "base/plain.h"

enum { BEFORE, INSIDE, IN_STRING, AFTER_BACKSLASH };

enum transfer_framing transfer_frame_wrong(struct transfer_frame *f, const char *problem)
{
    f->problem = problem;
    return TRANSFER_FRAME_WRONG;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Inside of an object, outside of its strings: true where it ends. */
static bool step(struct transfer_frame *f, char c)
{
    if (c == '"')
        f->state = IN_STRING;
    else if (c == '{' || c == '[')
        f->depth++;
    else if (c == '}' || c == ']')
        return --f->depth == 0;
    return false;
}

/* What is in a string is skipped in words. False at the end of a line: one quote that is missing
 * must not take all that follows for a string. */
static bool step_string(struct transfer_frame *f, struct span text)
{
    const char *end = text.at + text.len, *at = plain_end(text.at + f->at, end);

    f->at = (size_t)(at - text.at);
    if (at == end)
        return true;
    if (*at == '\n')
        return false;
    if (*at == '"')
        f->state = INSIDE;
    else if (*at == '\\')
        f->state = AFTER_BACKSLASH;
    f->at++;
    return true;
}

static enum transfer_framing inside(struct transfer_frame *f, struct span text)
{
    while (f->at < text.len) {
        if (f->state == IN_STRING) {
            if (!step_string(f, text))
                return transfer_frame_wrong(f, "a string ends on its line");
        } else if (f->state == AFTER_BACKSLASH) {
            f->state = IN_STRING;
            f->at++;
        } else if (step(f, text.at[f->at++])) {
            return TRANSFER_FRAME_WHOLE;
        }
    }
    return TRANSFER_FRAME_MORE;
}

enum transfer_framing transfer_frame_json(struct transfer_frame *f,
                                          const struct transfer_options *options, struct span text,
                                          bool last)
{
    (void)options;
    (void)last;
    if (f->state == BEFORE) {
        while (f->at < text.len && is_blank(text.at[f->at]))
            f->at++;
        f->begin = f->at;
        if (f->at == text.len)
            return TRANSFER_FRAME_MORE;
        if (text.at[f->at] != '{')
            return transfer_frame_wrong(f, "a JSON object begins with {");
        f->state = INSIDE;
    }
    return inside(f, text);
}
