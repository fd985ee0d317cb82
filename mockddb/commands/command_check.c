/* check: looks for data and indexes of a running server that are probably wrong. */
#include "base/terminal.h"
#include "client/client_aws.h"
#include "commands/command.h"
#include "commands/endpoint_options.h"
#include "model/names.h"
#include "wire/json.h"

#include <stdio.h>
#include <stdlib.h>

#define EXIT_FOUND 1

struct check_options {
    struct client_aws_options at;
    const char *table; /* NULL: all tables */
    int64_t items;     /* 0: as the server has it */
    bool json;
};

static const struct option rows[] = {
    {"--table", "NAME", option_text, offsetof(struct check_options, table), "only this table",
     NULL},
    {"--items", "N", option_number, offsetof(struct check_options, items),
     "read at most N whole items of each table, spread over it (10000)",
     OPTION_RANGE(1, 1000000, "a number from 1 to 1000000")},
    {"--json", NULL, option_flag, offsetof(struct check_options, json), "print the server's answer",
     NULL},
    {.name = NULL},
};

static const struct check_options defaults = {.json = false};

static void add_finding(struct buf *out, const wire_node *finding)
{
    struct span table = wire_text(wire_get(finding, "table"));
    struct span index = wire_text(wire_get(finding, "index"));
    const wire_node *key = wire_get(finding, "key");

    buf_printf(out, "%.*s%s%.*s: %.*s", SPAN_ARG(table), index.len ? "." : "", SPAN_ARG(index),
               SPAN_ARG(wire_text(wire_get(finding, "text"))));
    if (key) {
        buf_add_text(out, ": ");
        json_write(out, key);
    }
    buf_add_char(out, '\n');
}

static long long number_of(const wire_node *object, const char *name)
{
    return (long long)wire_integer(wire_get(object, name), 0);
}

static void add_count(struct buf *out, long long count, const char *what)
{
    buf_printf(out, "%lld %s%s", count, what, count == 1 ? "" : "s");
}

/* What was looked at. A check that did not see everything says so. */
static void add_looked(struct buf *out, const wire_node *answer)
{
    const wire_node *tables = wire_get(answer, "tables");

    buf_add_text(out, "mockddb: ");
    add_count(out, (long long)wire_count(wire_get(answer, "findings")) + number_of(answer, "more"),
              "finding");
    buf_add_text(out, "; looked at ");
    add_count(out, (long long)wire_count(tables), "table");
    buf_add_text(out, " and ");
    add_count(out, number_of(answer, "requests"), "request");
    buf_add_char(out, '\n');
    for (const wire_node *n = wire_first(tables); n; n = wire_next(n)) {
        long long items = number_of(n, "items"), read = number_of(n, "items_read");

        if (read < items)
            buf_printf(out, "mockddb: of %.*s at %lld of %lld items, and %lld keys\n",
                       SPAN_ARG(wire_text(wire_get(n, "table"))), read, items,
                       number_of(n, "keys_read"));
    }
    if (number_of(answer, "dropped"))
        buf_printf(out, "mockddb: %lld earlier requests are not in the journal any more\n",
                   number_of(answer, "dropped"));
}

static void add_filter(struct buf *query, const char *name, const char *value)
{
    buf_printf(query, "%s%s=%s", query->len ? "&" : "", name, value);
}

static int ask_server(struct client *client, struct arena *a, const struct check_options *o)
{
    struct buf query = buf_in(a);
    struct client_reply reply;
    const wire_node *body;
    const char *problem;

    if (o->table)
        add_filter(&query, "table", o->table);
    if (o->items)
        add_filter(&query, "items", arena_printf(a, "%lld", (long long)o->items));
    problem = client_aws_ask(client, a,
                             &(struct client_aws_request){.method = "GET",
                                                          .path = "/_mockddb/check",
                                                          .query = buf_text(&query)},
                             &reply);
    if (problem)
        return command_fail(problem, EXIT_USAGE);
    if (reply.status == 200) {
        struct buf out = buf_in(a), looked = buf_in(a);
        const wire_node *answer;

        if (!json_parse(a, reply.body, &answer) || !wire_get(answer, "findings"))
            return command_fail("the server answers with something else", EXIT_USAGE);
        for (const wire_node *n = wire_first(wire_get(answer, "findings")); n; n = wire_next(n))
            add_finding(&out, n);
        add_looked(&looked, answer);
        if (!terminal_write(stdout, o->json ? reply.body : buf_span(&out)) || fflush(stdout))
            return command_fail("standard output cannot be written", EXIT_USAGE);
        if (!o->json)
            terminal_say("%s", buf_text(&looked));
        return wire_count(wire_get(answer, "findings")) ? EXIT_FOUND : EXIT_SUCCESS;
    }
    if (reply.request_id && json_parse(a, reply.body, &body))
        return command_fail(arena_text(a, wire_text(wire_get(body, "message"))), EXIT_USAGE);
    return command_fail(
        arena_printf(a, "%s is not mockddb: another server answers %d", client->name, reply.status),
        EXIT_USAGE);
}

static int check(struct arena *a, const void *given)
{
    const struct check_options *o = given;
    struct client *client;
    const char *problem = endpoint_options_open(a, &o->at, false, &client);
    int status;

    if (problem)
        return command_fail(problem, EXIT_USAGE);
    status = ask_server(client, a, o);
    client_free(client);
    return status;
}

static const char *check_options(struct arena *a, void *given)
{
    const struct check_options *o = given;

    if (o->table && !names_is_name(span_of(o->table)))
        return arena_printf(a, "no table can be called %s", o->table);
    return NULL;
}

const struct command command_check = {
    .name = "check",
    .summary = "look for data and indexes that are probably wrong: exit 1 if there are some",
    .options = OPTION_GROUPS({"With check", endpoint_options_rows, 0}, {NULL, rows, 0}),
    .defaults = &defaults,
    .size = sizeof defaults,
    .check = check_options,
    .run = check,
};
