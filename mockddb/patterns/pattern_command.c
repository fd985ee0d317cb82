#include "patterns/pattern_command.h"

#include "base/dashed.h"
#include "base/quoted.h"
#include "wire/json.h"

#define NEXT_LINE " \\\n    "

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
        quoted_add(out, wire_text(member));
        return;
    }
    json_write(&json, member);
    if (json_kind(member) == JSON_NUMBER)
        buf_add_span(out, buf_span(&json));
    else
        quoted_add_single(out, buf_span(&json));
}

void pattern_command_write(struct buf *out, const struct pattern_step *step,
                           const wire_node *request, const wire_node *cli)
{
    buf_printf(out, "aws %s ", step->op->service == OP_STREAMS ? "dynamodbstreams" : "dynamodb");
    dashed_add(out, span_of(step->op->name));
    for (const wire_node *node = wire_first(request); node; node = wire_next(node))
        add_option(out, node);
    if (step->max_items)
        buf_printf(out, NEXT_LINE "--max-items %zu", step->max_items);
    for (const wire_node *node = wire_first(cli); node; node = wire_next(node)) {
        buf_add_text(out, node == wire_first(cli) ? NEXT_LINE : " ");
        quoted_add(out, wire_text(node));
    }
    buf_add_char(out, '\n');
}
