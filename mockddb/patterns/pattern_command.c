#include "patterns/pattern_command.h"

#include "base/dashed.h"
#include "wire/json.h"

#include <ctype.h>

#define NEXT_LINE " \\\n    "

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

static void add_single_quoted(struct buf *out, struct span text)
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

static void add_quoted(struct buf *out, struct span text)
{
    if (consists_of(text, "_./:=@%+,-")) {
        buf_add_span(out, text);
    } else if (has_any(text, "\"$`\\!")) {
        add_single_quoted(out, text);
    } else {
        buf_add_char(out, '"');
        buf_add_span(out, text);
        buf_add_char(out, '"');
    }
}

static void add_option(struct buf *out, const wire_node *member)
{
    struct buf json = buf_in(out->arena);
    bool is_no = json_kind(member) == JSON_BOOL && !wire_bool(member, true);

    buf_add_text(out, is_no ? NEXT_LINE "--no-" : NEXT_LINE "--");
    dashed_add(out, wire_name(member));
    if (json_kind(member) == JSON_BOOL)
        return;
    buf_add_char(out, ' ');
    if (json_kind(member) == JSON_STRING) {
        add_quoted(out, wire_text(member));
        return;
    }
    json_write(&json, member);
    if (json_kind(member) == JSON_NUMBER)
        buf_add_span(out, buf_span(&json));
    else
        add_single_quoted(out, buf_span(&json));
}

void pattern_command_write(struct buf *out, const struct pattern_step *step,
                           const wire_node *request, const wire_node *cli)
{
    const wire_node *node;

    buf_add_text(out, "aws dynamodb ");
    dashed_add(out, span_of(step->operation));
    for (node = wire_first(request); node; node = wire_next(node))
        add_option(out, node);
    if (step->max_items)
        buf_printf(out, NEXT_LINE "--max-items %zu", step->max_items);
    for (node = wire_first(cli); node; node = wire_next(node)) {
        buf_add_text(out, node == wire_first(cli) ? NEXT_LINE : " ");
        add_quoted(out, wire_text(node));
    }
    buf_add_char(out, '\n');
}
