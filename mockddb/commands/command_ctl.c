/* ctl: calls the verbs of a running server. */
#include "base/terminal.h"
#include "client/client_aws.h"
#include "commands/command.h"
#include "commands/ctl_verbs.h"
#include "commands/endpoint_options.h"
#include "wire/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct ctl_options {
    struct client_aws_options at;
    bool json, lines;
    char *const *words;
};

static const struct option rows[] = {
    {"--json", NULL, option_flag, offsetof(struct ctl_options, json),
     "print the JSON of the answer, also on a terminal", NULL},
    {"--lines", NULL, option_flag, offsetof(struct ctl_options, lines),
     "print a line for each value, also into a pipe", NULL},
    {.name = NULL},
};

static const struct ctl_options defaults = {.json = false};

/* --- printing --------------------------------------------------------------------------------- */

/* Adds a line for each value, such as "rules.0.hits: 3". */
static void add_lines(struct buf *out, const char *name, const wire_node *node)
{
    struct arena *a = out->arena;
    size_t i = 0;

    if (json_kind(node) != JSON_OBJECT && json_kind(node) != JSON_ARRAY) {
        buf_printf(out, "%s%s", name, *name ? ": " : "");
        if (json_kind(node) == JSON_STRING)
            buf_add_span(out, wire_text(node));
        else
            json_write(out, node);
        buf_add_char(out, '\n');
        return;
    }
    for (const wire_node *n = wire_first(node); n; n = wire_next(n), i++)
        add_lines(out,
                  json_kind(node) == JSON_OBJECT
                      ? arena_printf(a, "%s%s%.*s", name, *name ? "." : "", SPAN_ARG(wire_name(n)))
                      : arena_printf(a, "%s%s%zu", name, *name ? "." : "", i),
                  n);
}

static int write_out(struct span text)
{
    if (!terminal_write(stdout, text) ||
        (text.len && text.at[text.len - 1] != '\n' && putchar('\n') == EOF) || fflush(stdout))
        return command_fail("standard output cannot be written", EXIT_FAILURE);
    return EXIT_SUCCESS;
}

static int show_answer(struct arena *a, const struct ctl_options *o, struct span body)
{
    bool lines = o->lines || (!o->json && isatty(STDOUT_FILENO));
    struct buf out = buf_in(a);
    const wire_node *node;

    if (!lines || !json_parse(a, body, &node))
        return write_out(body);
    add_lines(&out, "", node);
    return write_out(buf_span(&out));
}

/* Each reply of mockddb has a request id; a reply without one is from another server. */
static bool is_ours(const struct client_reply *reply)
{
    return reply->request_id != NULL;
}

/* Prints a refusal's message. A refusal that carries a report is printed whole. */
static int show_refusal(struct arena *a, const struct ctl_options *o,
                        const struct client_reply *reply)
{
    const wire_node *body;
    struct span message;

    if (!json_parse(a, reply->body, &body))
        return command_fail(arena_printf(a, "the server answers %d", reply->status), EXIT_FAILURE);
    message = wire_text(wire_get(body, "message"));
    if (message.len && wire_count(body) == 1)
        return command_fail(arena_text(a, message), EXIT_FAILURE);
    (void)show_answer(a, o, reply->body);
    return EXIT_FAILURE;
}

/* For an answer without an end: it is printed as it arrives; a refusal is kept until it is
 * complete. */
struct ctl_following {
    struct buf refusal;
};

static void print_bytes(void *context, const struct client_reply *head, struct span bytes)
{
    struct ctl_following *f = context;

    if (head->status != 200 || !is_ours(head))
        buf_add_span(&f->refusal, bytes);
    else if (!terminal_write(stdout, bytes) || fflush(stdout))
        exit(EXIT_FAILURE); /* the reader of our output has gone */
}

/* --- asking ----------------------------------------------------------------------------------- */

static int ask_server(struct client *client, struct arena *a, const struct ctl_options *o,
                      const struct ctl_request *request)
{
    struct ctl_following following = {.refusal = buf_in(a)};
    const struct client_aws_request out = {request->method,
                                           request->path,
                                           request->query,
                                           request->body,
                                           request->follows ? print_bytes : NULL,
                                           &following,
                                           NULL,
                                           0};
    struct client_reply reply;
    const char *problem = client_aws_ask(client, a, &out, &reply);

    if (problem)
        return command_fail(problem, EXIT_FAILURE);
    if (!is_ours(&reply))
        return command_fail(arena_printf(a, "%s is not mockddb: another server answers %d",
                                         client->name, reply.status),
                            EXIT_FAILURE);
    if (request->follows && reply.status == 200)
        return EXIT_SUCCESS;
    if (request->follows)
        reply.body = buf_span(&following.refusal);
    return reply.status == 200 ? show_answer(a, o, reply.body) : show_refusal(a, o, &reply);
}

static int ctl(struct arena *a, const void *given)
{
    const struct ctl_options *o = given;
    struct ctl_request request;
    struct client *client;
    const char *problem;
    int status;

    if (!o->words || !*o->words)
        return command_fail("ctl needs a verb; `mockddb ctl help` lists them", EXIT_USAGE);
    if (strcmp(*o->words, "help") == 0) {
        struct buf out = buf_in(a);
        const char *words, *text;

        buf_add_text(&out, "usage: mockddb ctl [--endpoint URL] [--world NAME] VERB …\n\n");
        for (size_t i = 0; (words = ctl_verbs_row(a, i, &text)); i++)
            buf_printf(&out, "  %-36s%s\n", words, text);
        return write_out(buf_span(&out));
    }
    if ((problem = ctl_verbs_read(a, o->words, &request)))
        return command_fail(problem, EXIT_USAGE);
    if ((problem = endpoint_options_open(a, &o->at, !request.only_asks, &client)))
        return command_fail(problem, EXIT_FAILURE);
    status = ask_server(client, a, o, &request);
    client_free(client);
    return status;
}

static const char *check_options(struct arena *a, void *given)
{
    const struct ctl_options *o = given;

    (void)a;
    return o->json && o->lines ? "--json and --lines cannot both be given" : NULL;
}

const struct command command_ctl = {
    .name = "ctl",
    .summary = "call a verb of a running server; `ctl help` lists them",
    .words = "VERB …",
    .words_at = offsetof(struct ctl_options, words),
    .verb = ctl_verbs_row,
    .options = OPTION_GROUPS({"With ctl", endpoint_options_rows, 0}, {NULL, rows, 0}),
    .defaults = &defaults,
    .size = sizeof defaults,
    .check = check_options,
    .run = ctl,
};
