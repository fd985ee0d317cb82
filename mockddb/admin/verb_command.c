/* POST /_mockddb/command: turns an AWS CLI command into the request that it sends. Does not run
 * it. */
#include "admin/admin_verb.h"

#include "awscli/awscli_command.h"
#include "awscli/awscli_shell.h"
#include "wire/json.h"

static const struct problem *read_command(struct admin_call *c)
{
    struct awscli_command command;
    const struct problem *refusal;
    const wire_node *given = wire_get(c->body, "command");
    struct awscli_lines lines;
    const char *problem;

    if (!given || json_kind(given) != JSON_STRING)
        return problem_invalid(c->arena, "command is needed: aws dynamodb …");
    if ((problem = awscli_shell_read(c->arena, wire_text(given), NULL, &lines)))
        return problem_invalid(c->arena, "%s", problem);
    if (lines.len != 1)
        return problem_invalid(c->arena, "this takes one command, not %zu", lines.len);
    if ((refusal = awscli_command_read(c->arena, lines.at[0], AWSCLI_NO_FILES, &command)))
        return problem_invalid(c->arena, "%s", refusal->hint ? refusal->hint : refusal->text);
    if (command.wait != AWSCLI_NO_WAIT)
        return problem_invalid(c->arena, "wait is not a single request");
    wire_put_member_text(&c->out, "operation", span_of(command.op->name));
    wire_put_member_raw(&c->out, "request", command.request);
    return NULL;
}

const struct admin_verb verb_command[] = {
    {"POST", "command", ADMIN_NO_WORLD, "command", NULL, read_command},
    {0},
};
