#include "ops/transfer/transfer_frame.h"

#include "base/ascii.h"
#include "base/plain.h"

enum { BEFORE, INSIDE, IN_STRING, AFTER_BACKSLASH };

enum transfer_framing transfer_frame_wrong(struct transfer_frame *f, const char *problem)
{
    f->problem = problem;
    return TRANSFER_FRAME_WRONG;
}

enum transfer_framing transfer_frame_unclosed(struct transfer_frame *f)
{
    f->unclosed = true;
    return transfer_frame_wrong(f, "a } is missing");
}

/* The most open brackets in a record that could be valid. */
#define DEPTH_MAX 128

#define OUTERMOST ((uint64_t)1 << 63) /* a bracket beyond the 64 known ones counts as a list's */

/* Whether a line with a brace begins another record within this one, which then lacks its end: no
 * value may begin there. */
static bool begins_next(const struct transfer_frame *f, struct span text)
{
    const bool in_list = f->lists & 1;

    if (!f->depth || text.at[f->at] != '{' || text.at[f->at - 1] != '\n')
        return false;
    return f->before != ':' && !(in_list && (f->before == '[' || f->before == ','));
}

/* Takes a character of an object, outside of strings; true at its end. */
static bool step_object(struct transfer_frame *f, char c)
{
    if (ascii_is_blank(c)) {
        f->blanks++;
        return false;
    }
    f->before = c;
    if (c == '"') {
        f->state = IN_STRING;
    } else if (c == '{' || c == '[') {
        f->depth++;
        f->lists = f->lists << 1 | (c == '[');
    } else if (c == '}' || c == ']') {
        f->lists = f->lists >> 1 | OUTERMOST;
        return --f->depth == 0;
    }
    return false;
}

/* Takes a step in a string, many characters at once. False at the end of a line, so that a missing
 * quote does not turn the rest of the text into a string. */
static bool step_string(struct transfer_frame *f, struct span text)
{
    const char *end = span_end(text), *at = plain_end(text.at + f->at, end);

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

enum transfer_framing transfer_frame_json(struct transfer_frame *f,
                                          const struct transfer_options *options, struct span text,
                                          bool last)
{
    (void)last;
    if (f->state == BEFORE) {
        while (f->at < text.len && ascii_is_blank(text.at[f->at]))
            f->at++;
        f->begin = f->at;
        if (f->at == text.len)
            return TRANSFER_FRAME_MORE;
        if (text.at[f->at] != '{')
            return transfer_frame_wrong(f, "a JSON object must begin with {");
        f->state = INSIDE;
    }
    while (f->at < text.len) {
        if (f->state == IN_STRING) {
            if (!step_string(f, text))
                return transfer_frame_wrong(f, "a string must end on its line");
        } else if (f->state == AFTER_BACKSLASH) {
            f->state = IN_STRING;
            f->at++;
        } else if (options->by_lines && begins_next(f, text)) {
            return transfer_frame_unclosed(f);
        } else if (options->by_lines && f->depth > DEPTH_MAX) {
            return transfer_frame_wrong(f, "it is nested too deeply");
        } else if (step_object(f, text.at[f->at++])) {
            return TRANSFER_FRAME_WHOLE;
        }
    }
    return TRANSFER_FRAME_MORE;
}

/* --- lists ------------------------------------------------------------------------------------ */

bool transfer_frame_step(int *place, char c)
{
    switch ((enum transfer_frame_place) * place) {
    case TRANSFER_FRAME_NO_LIST:
        *place = c == '[' ? TRANSFER_FRAME_FIRST : TRANSFER_FRAME_NO_LIST;
        return c == '[';
    case TRANSFER_FRAME_FIRST:
        *place = c == ']' ? TRANSFER_FRAME_NO_LIST : TRANSFER_FRAME_FIRST;
        return c == ']';
    case TRANSFER_FRAME_BEHIND:
        *place = c == ',' ? TRANSFER_FRAME_NEXT : c == ']' ? TRANSFER_FRAME_NO_LIST : *place;
        return c == ',' || c == ']';
    case TRANSFER_FRAME_NEXT:
        break;
    }
    return false;
}

enum transfer_framing transfer_frame_listed(struct transfer_frame *f,
                                            const struct transfer_options *options,
                                            struct span text, bool last)
{
    enum transfer_framing found;

    for (; f->state == BEFORE; f->at++) {
        while (f->at < text.len && ascii_is_blank(text.at[f->at]))
            f->at++;
        if (f->at == text.len && last && f->list)
            return transfer_frame_wrong(f, TRANSFER_FRAME_OPEN);
        if (f->at == text.len)
            return TRANSFER_FRAME_MORE;
        if (!transfer_frame_step(&f->list, text.at[f->at]))
            break;
    }
    if (f->list == TRANSFER_FRAME_BEHIND)
        return transfer_frame_wrong(f, TRANSFER_FRAME_NO_COMMA);
    found = transfer_frame_json(f, options, text, last);
    if (found == TRANSFER_FRAME_WHOLE && f->list)
        f->list = TRANSFER_FRAME_BEHIND;
    return found;
}
