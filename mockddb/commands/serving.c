#include "commands/serving.h"

#include "base/cut.h"
#include "base/file.h"
#include "base/log.h"
#include "base/terminal.h"
#include "client/client_kinesis.h"
#include "commands/command.h"
#include "http/http_handler.h"
#include "journal/coverage.h"
#include "ops/kinesis/kinesis_sink.h"
#include "setup/setup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Reads the journal's entries for --fail-on and the report of run. */
struct watching {
    struct journal_reader reader;  /* first */
    struct assertions *assertions; /* NULL: none */
    struct run_report *report;     /* NULL: no report is needed */
};

/* Sends the records of all worlds to a Kinesis endpoint. */
struct kinesis_sender {
    struct kinesis_sink sink; /* first */
    struct client_kinesis *client;
};

/* Everything that lives as long as the server. */
struct serving {
    struct arena *arena;
    const struct serve_options *options;
    const struct serving_role *role; /* NULL: it is the only process */
    struct clock *clock;             /* the real time */
    struct kinesis_sender *kinesis;  /* shared by all worlds; NULL: records go elsewhere */
    struct setup *setup;
    const struct http_keys *keys; /* NULL: signatures are not verified */
    struct http_tls *tls;         /* NULL: plain HTTP */
    const char *mcp_token;        /* NULL: no tools for agents over HTTP */
    struct watching watching;
    struct http_handler *handler;
    struct http_server *server;
};

static bool does_jobs(const struct serving *s)
{
    return !s->role || s->role->does_jobs;
}

/* The assertions of --fail-on and the report of run cover all worlds together. */
static void take_entry(struct journal_reader *self, struct span world,
                       const struct journal_entry *e)
{
    struct watching *w = (struct watching *)self;

    if (w->assertions)
        assertions_take(w->assertions, world, e);
    if (w->report)
        run_report_take(w->report, e);
}

static const struct problem *load_keys(struct serving *s)
{
    const char *problem = NULL;

    if (s->options->keys)
        s->keys = http_keys_load(s->arena, s->options->keys, &problem);
    return problem_of(s->arena, PROBLEM_FAILED, problem);
}

static const struct problem *load_certificate(struct serving *s)
{
    struct http_tls_files files = {s->options->tls_certificate, s->options->tls_key};
    const char *problem = NULL;

    if (files.certificate)
        s->tls = http_tls_new(s->arena, &files, &problem);
    return problem_of(s->arena, PROBLEM_FAILED, problem);
}

#define TOKEN_BYTES 24 /* random ones of a new token */
#define TOKEN_LEAST 16 /* characters of a token */

static bool is_in_token(char c)
{
    return c > ' ' && c < '\x7f';
}

/* Reads the token from the first line of the file, or makes the file, for this user alone. */
static const struct problem *load_token(struct serving *s)
{
    const char *path = s->options->mcp_token;
    unsigned char bytes[TOKEN_BYTES];
    struct buf made = buf_in(s->arena);
    struct span text;
    int fd;

    if (!path)
        return NULL;
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0) {
        clock_random(s->clock, bytes, sizeof bytes);
        buf_add_hex(&made, bytes, sizeof bytes);
        buf_add_char(&made, '\n');
        if (!file_write(fd, buf_span(&made)) || close(fd))
            return problem_new(s->arena, PROBLEM_FAILED, "--mcp %s: %s", path, strerror(errno));
    }
    if (!file_read(s->arena, path, &text))
        return problem_new(s->arena, PROBLEM_FAILED, "--mcp %s: %s", path, strerror(errno));
    text = cut_part(&text, '\n');
    if (text.len && text.at[text.len - 1] == '\r')
        text.len--;
    if (text.len < TOKEN_LEAST || !span_is_all(text, is_in_token))
        return problem_new(s->arena, PROBLEM_FAILED,
                           "--mcp %s: its first line is no token: %d or more characters without "
                           "blanks",
                           path, TOKEN_LEAST);
    s->mcp_token = arena_text(s->arena, text);
    return NULL;
}

/* The console uses the verbs, and its requests are not signed. */
static unsigned left_out(const struct serve_options *o)
{
    return (o->no_admin ? (unsigned)HTTP_ADMIN : 0) |
           (o->no_admin || o->no_console || o->keys ? (unsigned)HTTP_CONSOLE : 0) |
           (o->mcp_token ? 0 : (unsigned)HTTP_AGENTS);
}

/* The sockets that the process inherits, or new ones. */
static const char *find_sockets(const struct serving *s, struct http_sockets *out)
{
    const struct serve_options *o = s->options;
    const char *problem;

    if (s->role) {
        *out = s->role->sockets;
        return NULL;
    }
    if ((problem = http_sockets_inherit(s->arena, out)))
        return problem;
    if (!out->count)
        return http_sockets_open(s->arena, o->host, o->port, out);
    return o->host || o->has_port ? "--host and --port do not go with sockets that another program "
                                    "passes (LISTEN_FDS)"
                                  : NULL;
}

/* Listens at the sockets that the process inherits, else where the options say; before it loads, so
 * that a port in use is reported before anything is changed. */
static const struct problem *start_listening(struct serving *s)
{
    struct http_sockets sockets;
    const char *problem = find_sockets(s, &sockets);
    struct http_handler_options handling = {.region = s->options->setup.service.region,
                                            .door = {sockets.host, s->options->allowed_hosts.at,
                                                     s->options->allowed_hosts.count,
                                                     s->options->cors_origins},
                                            .keys = s->keys,
                                            .patterns = setup_patterns(s->setup),
                                            .mcp = &s->options->mcp,
                                            .mcp_token = s->mcp_token,
                                            .worlds_by_key = s->options->setup.worlds_by_key,
                                            .local_mode = s->options->as_local,
                                            .without = left_out(s->options)};

    if (problem)
        return problem_new(s->arena, PROBLEM_FAILED, "%s", problem);
    s->handler = http_handler_new(setup_worlds(s->setup), s->clock, &handling);
    s->server = http_server_new(
        &(struct http_server_options){.sockets = sockets,
                                      .share = s->role ? s->role->share : (struct http_share){0},
                                      .tls = s->tls},
        setup_worlds(s->setup), s->handler);
    return NULL;
}

static void put_record(struct kinesis_sink *self, const struct kinesis_record *record)
{
    const struct kinesis_sender *s = (const struct kinesis_sender *)self;

    client_kinesis_put(s->client, &(struct client_kinesis_record){
                                      .region = record->region,
                                      .stream = record->stream,
                                      .partition_key = record->partition_key,
                                      .data = record->json,
                                  });
}

/* Records are kept from the first request, and sent once the event loop runs. */
static void open_kinesis(struct serving *s)
{
    const char *out = s->options->setup.service.kinesis_out;

    if (!does_jobs(s) || !out ||
        (strncmp(out, "http://", 7) != 0 && strncmp(out, "https://", 8) != 0))
        return;
    s->kinesis = arena_alloc(s->arena, sizeof *s->kinesis);
    *s->kinesis = (struct kinesis_sender){{put_record}, client_kinesis_new()};
}

static const struct problem *start_kinesis(struct serving *s)
{
    const char *problem = NULL;

    if (s->kinesis)
        problem = client_kinesis_start(s->kinesis->client, s->arena,
                                       s->options->setup.service.kinesis_out,
                                       http_server_base(s->server));
    return problem ? problem_new(s->arena, PROBLEM_FAILED, "--kinesis-out: %s", problem) : NULL;
}

/* Reports tables in files of DynamoDB Local: they are not served, and the file is not changed. */
static void warn_about_local_files(const struct serving *s)
{
    const char *slash = strrchr(s->options->setup.db, '/');
    const char *folder = slash ? arena_text(s->arena,
                                            (struct span){s->options->setup.db,
                                                          (size_t)(slash - s->options->setup.db)})
                               : ".";
    DIR *entries = opendir(*folder ? folder : "/");
    const struct dirent *entry;

    while (entries && (entry = readdir(entries))) {
        const char *path = arena_printf(s->arena, "%s/%s", folder, entry->d_name);

        if (store_is_of_local(path))
            log_error("%s is not served: " STORE_OF_LOCAL, entry->d_name);
    }
    if (entries)
        (void)closedir(entries);
}

static const struct problem *set_up(struct serving *s)
{
    const struct setup_parts parts = {
        .no_jobs = !does_jobs(s),
        .reader = s->watching.assertions || s->watching.report ? &s->watching.reader : NULL,
        .kinesis = s->kinesis ? &s->kinesis->sink : NULL,
        .terminal = isatty(STDERR_FILENO) ? stderr : NULL,
    };

    return setup_new(s->arena, &s->options->setup, &parts, &s->setup);
}

static const struct problem *start_parts(struct serving *s)
{
    const struct problem *p;

    s->watching.reader.read = take_entry;
    s->watching.assertions = s->options->setup.fail_on;
    s->clock = clock_new_system();
    open_kinesis(s);
    if ((p = load_keys(s)) || (p = load_token(s)) || (p = load_certificate(s)) || (p = set_up(s)) ||
        (p = start_listening(s)) || (p = start_kinesis(s)) || (p = setup_fill(s->setup)))
        return p;
    if (s->options->keeps_as_local)
        log_error("everything is kept in %s of the working folder, as DynamoDB Local keeps a file "
                  "there; with -inMemory nothing is kept",
                  s->options->setup.db);
    if (s->options->as_local && s->options->setup.db)
        warn_about_local_files(s);
    if (s->options->opens_to_all)
        log_error(
            "pages of every origin may use this server, as they may use DynamoDB Local, since "
            "an option with one dash was given; --cors ORIGINS lets in fewer");
    return NULL;
}

void serving_stop(struct serving *s)
{
    if (!s)
        return;
    if (s->kinesis)
        client_kinesis_free(s->kinesis->client);
    http_server_free(s->server);
    http_tls_free(s->tls);
    http_handler_free(s->handler);
    setup_free(s->setup);
    clock_free(s->clock);
}

struct serving *serving_start(struct arena *a, const struct serve_options *options,
                              const struct serving_role *role, struct run_report *report,
                              int *status)
{
    struct serving *s = arena_alloc(a, sizeof *s);
    const struct problem *p;

    s->arena = a;
    s->options = options;
    s->role = role;
    s->watching.report = report;
    if (!(p = start_parts(s)))
        return s;
    *status = command_problem(a, p);
    serving_stop(s);
    return NULL;
}

struct http_server *serving_server(const struct serving *s)
{
    return s->server;
}

const struct coverage *serving_coverage(const struct serving *s)
{
    return setup_coverage(s->setup);
}

const struct explain_summary *serving_summary(const struct serving *s)
{
    return setup_summary(s->setup);
}

int serving_report(struct arena *a, const struct serve_options *options)
{
    struct buf out = buf_in(a);

    if (!options->setup.fail_on)
        return EXIT_SUCCESS;
    if (!assertions_requests(options->setup.fail_on) && !options->setup.allow_none) {
        terminal_say("mockddb: --fail-on: no request came, so nothing was checked; --allow-none "
                     "allows that\n");
        return EXIT_ASSERTION;
    }
    assertions_print(options->setup.fail_on, &out);
    terminal_say("%s", buf_text(&out));
    return assertions_hold(options->setup.fail_on) ? EXIT_SUCCESS : EXIT_ASSERTION;
}
