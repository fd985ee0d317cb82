#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "config.h"
#include "fixtures/fixtures.h"
#include "http/http_handler.h"
#include "http/http_health.h"
#include "http/http_server.h"
#include "worlds/worlds.h"

#define EXIT_USAGE 2

/* What lives as long as the server. */
struct program {
    struct arena *arena;
    struct config config;
    struct clock *clock; /* the real time */
    struct worlds *worlds;
    const struct http_keys *keys; /* NULL: signatures are not verified */
    struct http_tls *tls;         /* NULL: plain HTTP */
    struct http_handler *handler;
    struct http_server *server;
};

/* Memory that was given back would have to be fetched again for the next request. What a rare
 * request needs beyond that goes back. */
static void keep_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 256 * 1024 * 1024);
    mallopt(M_TRIM_THRESHOLD, 64 * 1024 * 1024);
    mallopt(M_TOP_PAD, 16 * 1024 * 1024);
}

/* What is printed goes nowhere where standard output or error is closed: the next file or
 * connection would get their number, and the text. */
static void keep_descriptors(void)
{
    int fd = open("/dev/null", O_RDWR);

    while (fd >= 0 && fd <= STDERR_FILENO)
        fd = open("/dev/null", O_RDWR);
    if (fd >= 0)
        close(fd);
}

static int fail(const char *problem, int status)
{
    (void)fprintf(stderr, "mockddb: %s\n", problem);
    return status;
}

static const char *open_worlds(struct program *p)
{
    const struct config *config = &p->config;
    struct world_options first = {
        .store = {.path = config->db, .sync = config->sync, .compact = config->compact},
        .settings = {.region = span_of(config->region),
                     .account = span_of(config->account),
                     .transition_ms = config->transition_ms,
                     .ttl_sweep_ms = config->ttl_sweep_ms,
                     .stream_shards = config->stream_shards,
                     .read_only = config->read_only},
    };
    const char *problem = NULL;

    p->worlds = worlds_new(p->arena, &first, &problem);
    return problem;
}

static const char *load_keys(struct program *p)
{
    const char *problem = NULL;

    if (p->config.keys)
        p->keys = http_keys_load(p->arena, p->config.keys, &problem);
    return problem;
}

static const char *load_certificate(struct program *p)
{
    struct http_tls_files files = {p->config.tls_certificate, p->config.tls_key};
    const char *problem = NULL;

    if (files.certificate)
        p->tls = http_tls_new(p->arena, &files, &problem);
    return problem;
}

/* Listens before it loads, so that a port in use is told before anything is changed. */
static const char *start_listening(struct program *p)
{
    struct http_handler_options handling = {.region = span_of(p->config.region),
                                            .cors_origins = p->config.cors_origins,
                                            .host = p->config.host,
                                            .keys = p->keys};
    struct http_server_options listening = {
        .host = p->config.host, .port = p->config.port, .tls = p->tls};
    const char *problem = NULL;

    p->handler = http_handler_new(p->worlds, p->clock, &handling);
    p->server = http_server_new(p->arena, &listening, p->worlds, p->handler, &problem);
    return problem;
}

static const char *load_fixtures(struct program *p)
{
    struct world *w = worlds_first(p->worlds);
    const char *problem = fixtures_load(p->arena, world_dispatcher(w), world_settings(w),
                                        p->config.fixtures, p->config.fixture_count,
                                        p->config.table_prefix);

    if (!problem && !world_flush(w))
        problem = "the fixtures could not be saved";
    return problem;
}

static const char *start(struct program *p)
{
    const char *problem;

    p->clock = clock_new_system();
    if ((problem = load_keys(p)) || (problem = load_certificate(p)) || (problem = open_worlds(p)) ||
        (problem = start_listening(p)))
        return problem;
    return load_fixtures(p);
}

static void stop(struct program *p)
{
    http_server_free(p->server);
    http_tls_free(p->tls);
    http_handler_free(p->handler);
    worlds_free(p->worlds);
    clock_free(p->clock);
}

static int serve(struct program *p)
{
    const char *problem = start(p);

    if (!problem) {
        printf("mockddb listening on %s\n", http_server_url(p->server));
        (void)fflush(stdout);
        http_server_run(p->server);
    }
    stop(p);
    return problem ? fail(problem, EXIT_FAILURE) : EXIT_SUCCESS;
}

static int print(const char *text)
{
    if (fputs(text, stdout) == EOF || fflush(stdout) == EOF)
        return fail("standard output cannot be written", EXIT_FAILURE);
    return EXIT_SUCCESS;
}

static int run(struct program *p, int argc, char **argv)
{
    const char *problem = config_parse(p->arena, argc, argv, &p->config);

    if (problem)
        return fail(problem, EXIT_USAGE);
    switch (p->config.command) {
    case CONFIG_HELP:
        return print(config_help(p->arena));
    case CONFIG_VERSION:
        return print("mockddb " MOCKDDB_VERSION "\n");
    case CONFIG_HEALTHCHECK:
        problem = http_ask_health(p->arena, p->config.endpoint);
        return problem ? fail(problem, EXIT_FAILURE) : EXIT_SUCCESS;
    case CONFIG_SERVE:
        break;
    }
    return serve(p);
}

int main(int argc, char **argv)
{
    struct program p = {0};
    int status;

    keep_descriptors();
    keep_memory();
    p.arena = arena_new();
    status = run(&p, argc, argv);
    arena_free(p.arena);
    return status;
}
