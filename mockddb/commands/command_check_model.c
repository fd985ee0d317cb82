/* check-model: checks a data model with its access patterns, in this process: docs/mcp.md. */
#include "admin/admin.h"
#include "base/file.h"
#include "base/terminal.h"
#include "commands/command.h"
#include "mcp/mcp_tool.h"
#include "mcp/mcp_tools.h"
#include "wire/json.h"

#include <stdio.h>
#include <stdlib.h>

#define EXIT_FOUND 1

struct check_model_options {
    bool json;
    char *const *words;
};

static const struct option rows[] = {
    {"--json", NULL, option_flag, offsetof(struct check_model_options, json),
     "print the findings as JSON", NULL},
    {.name = NULL},
};

static const struct check_model_options defaults = {.json = false};

/* --- the check -------------------------------------------------------------------------------- */

/* Makes the request that the call waits for. */
static void ask_worlds(struct mcp_call *call, struct worlds *worlds, struct admin *admin)
{
    const struct mcp_request *asked = &call->pending;
    struct arena *a = arena_new();
    struct admin_request request = {.method = asked->method,
                                    .path = span_of(asked->path),
                                    .query = span_of(asked->query),
                                    .body = asked->uploads ? (struct span){"", 0} : asked->body,
                                    .world = asked->world};
    struct admin_reply reply;

    if (asked->uploads && !(request.file = worlds_temporary(a, worlds, asked->body))) {
        mcp_call_take(call, NULL, "there is no room for a temporary file");
    } else {
        admin_ask(admin, &request, &reply);
        mcp_call_take(call, &(struct mcp_answer){reply.status, reply.body}, NULL);
    }
    if (request.file)
        (void)remove(request.file);
    arena_free(a);
}

static const struct problem *run_tool(struct mcp_call *call)
{
    struct worlds_options options = {
        .first.settings = {.region = SPAN_LIT(WORLD_REGION), .account = SPAN_LIT(WORLD_ACCOUNT)}};
    const struct problem *p;
    struct worlds *worlds;
    struct admin *admin;

    if ((p = worlds_new(call->kept, &options, &worlds)))
        return p;
    admin = admin_new(worlds, NULL);
    for (;;) {
        if (!(p = mcp_call_begin(call)))
            p = call->tool->run(call);
        if (!p || p->kind != PROBLEM_WAITS)
            break;
        ask_worlds(call, worlds, admin);
    }
    admin_free(admin);
    worlds_free(worlds);
    return p;
}

/* --- the command ------------------------------------------------------------------------------ */

/* Adds the file's JSON as a member. Returns NULL, or what is wrong with it. */
static const char *add_file(struct wire_writer *w, struct arena *a, const char *member,
                            const char *path)
{
    const wire_node *node;
    struct span text;

    if (!file_read(a, path, &text))
        return file_error(a, path);
    if (wire_parse(a, text, &node))
        return problem_text(a, wire_problem(a, text, path));
    wire_put_member_raw(w, member, wire_raw(node));
    return NULL;
}

static int report(const struct mcp_call *call, bool json)
{
    const struct mcp_result *r = &call->result;
    struct buf out = buf_in(call->arena);

    if (json) {
        buf_add_span(&out, r->data);
        buf_add_char(&out, '\n');
    } else {
        buf_add_span(&out, r->about);
        buf_printf(&out, "%s\n", r->reason);
    }
    if (!terminal_write(stdout, buf_span(&out)) || fflush(stdout))
        return command_fail("standard output cannot be written", EXIT_FAILURE);
    return r->is_wrong ? EXIT_FOUND : EXIT_SUCCESS;
}

static int check_model(struct arena *a, const void *given)
{
    const struct check_model_options *o = given;
    const struct mcp_options options = {.tools = "rehearse,tests,data"};
    struct buf text = buf_in(a);
    struct wire_writer w = {&text, false};
    struct mcp_call call = {.kept = a, .options = &options, .number = 1};
    const struct problem *p;
    const char *problem;
    int status;

    if (!o->words || !o->words[0] || !o->words[1] || o->words[2])
        return command_fail("check-model takes two files: MODEL.json PATTERNS.json", EXIT_USAGE);
    wire_open(&w, '{');
    if ((problem = add_file(&w, a, "model", o->words[0])) ||
        (problem = add_file(&w, a, "patterns", o->words[1])))
        return command_fail(problem, EXIT_USAGE);
    wire_close(&w, '}');
    if (!json_parse(a, buf_span(&text), &call.arguments))
        return command_fail("the files cannot be read together", EXIT_USAGE);
    call.arena = arena_new();
    call.tool = mcp_tools_find(&options, SPAN_LIT("check_model"));
    p = run_tool(&call);
    status = p ? command_fail(p->text, EXIT_USAGE) : report(&call, o->json);
    arena_free(call.arena);
    return status;
}

const struct command command_check_model = {
    .name = "check-model",
    .summary = "check a data model with its access patterns, without a server",
    .words = "MODEL PATTERNS",
    .words_at = offsetof(struct check_model_options, words),
    .words_are_its = true,
    .options = OPTION_GROUPS({"With check-model", rows, 0}),
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = check_model,
};
