/* ddb-stream-lambda: follows a table's stream, shard by shard, and passes its records to a local
 * function, like a Lambda event source mapping. */
#include "base/one_more.h"
#include "common/program.h"
#include "stream_lambda/lambda_command.h"
#include "stream_lambda/lambda_invoke.h"
#include "stream_lambda/lambda_shard.h"

#include <event2/event.h>
#include <signal.h>
#include <stdlib.h>

struct follower {
    struct lambda_run run; /* Must be first: the run's callbacks get a pointer to it. */
    struct arena *arena;
    struct lambda_shard **shards;
    size_t count;
    struct event *signals[2];
};

/* --- shards ----------------------------------------------------------------------------------- */

static struct lambda_shard *find_shard(const struct follower *f, struct span id)
{
    for (size_t i = 0; i < f->count; i++)
        if (span_equal(lambda_shard_id(f->shards[i]), id))
            return f->shards[i];
    return NULL;
}

/* Starts each shard whose parent was read to its end. */
static void start_shards(struct follower *f)
{
    for (size_t i = 0; i < f->count; i++) {
        const struct lambda_shard *parent = find_shard(f, lambda_shard_parent(f->shards[i]));

        if (!parent || lambda_shard_has_ended(parent))
            lambda_shard_start(f->shards[i]);
    }
}

/* Adds new shards. At the start from LATEST, closed shards are skipped. */
static const char *look_for_shards(struct follower *f, struct arena *a, const char *start)
{
    bool passes_closed = strcmp(start, "LATEST") == 0;
    struct lambda_source_shard *shards;
    struct lambda_source_error error;
    size_t count;

    error = lambda_source_shards(&f->run.source, a, &shards, &count);
    for (size_t i = 0; i < count && !error.text; i++) {
        const struct lambda_shard_options options = {
            .id = shards[i].id,
            .parent = shards[i].parent,
            .start = passes_closed && shards[i].closed ? NULL : start};

        if (find_shard(f, options.id))
            continue;
        f->shards = one_more(f->arena, f->shards, f->count, sizeof *f->shards);
        f->shards[f->count++] = lambda_shard_new(&f->run, &options);
    }
    return error.text;
}

/* The shard's children start when it ends. */
static bool shard_ended(struct lambda_run *run)
{
    struct follower *f = (struct follower *)run;
    struct arena *a = arena_new();
    const char *problem = look_for_shards(f, a, "TRIM_HORIZON");

    if (problem && run->options->once)
        lambda_run_fail(run, problem);
    arena_free(a);
    return !problem;
}

/* --- the end ---------------------------------------------------------------------------------- */

static bool all_shards(const struct follower *f, bool (*test)(const struct lambda_shard *))
{
    size_t i = 0;

    while (i < f->count && test(f->shards[i]))
        i++;
    return i == f->count;
}

static bool is_not_calling(const struct lambda_shard *s)
{
    return !lambda_shard_is_calling(s);
}

static bool has_ended(struct follower *f)
{
    const struct lambda_options *o = f->run.options;
    int64_t idle_ms = clock_now_ms(f->run.clock) - f->run.last_record_ms;

    if (f->run.stopping)
        return all_shards(f, is_not_calling);
    start_shards(f);
    if (all_shards(f, lambda_shard_has_ended)) {
        lambda_run_say("the stream is closed and read to its end");
        return true;
    }
    return (o->once || (o->idle_exit >= 0 && idle_ms >= o->idle_exit * INT64_C(1000))) &&
           all_shards(f, lambda_shard_is_idle);
}

static void on_change(struct lambda_run *run)
{
    if (has_ended((struct follower *)run))
        (void)event_base_loopbreak(run->base);
}

/* The first signal lets the function finish, the second does not. */
static void on_signal(evutil_socket_t number, short what, void *context)
{
    struct follower *f = context;

    (void)number, (void)what;
    if (f->run.stopping)
        (void)event_base_loopbreak(f->run.base);
    f->run.stopping = true;
    on_change(&f->run);
}

static void watch_signals(struct follower *f)
{
    static const int numbers[COUNT(f->signals)] = {SIGTERM, SIGINT};

    for (size_t i = 0; i < COUNT(numbers); i++) {
        f->signals[i] = evsignal_new(f->run.base, numbers[i], on_signal, f);
        if (!f->signals[i] || event_add(f->signals[i], NULL))
            process_out_of_memory();
    }
}

/* --- the beginning ---------------------------------------------------------------------------- */

static const char *begin_following(struct follower *f)
{
    const struct lambda_options *o = f->run.options;
    const struct client_endpoint_question which = {.streams = true};
    const char *problem;

    f->run.source.arn = o->stream_arn ? span_of(o->stream_arn) : (struct span){"", 0};
    if (o->command)
        f->run.function = lambda_command_new(f->arena, f->run.base, o);
    if ((problem = client_options_open(f->arena, "ddb-stream-lambda", &o->at, which,
                                       &f->run.source.client)) ||
        (o->table &&
         (problem = lambda_source_find(f->run.source.client, f->arena, o->table, &f->run.source.arn)
                        .text)) ||
        (o->url && (problem = lambda_invoke_new(f->arena, f->run.base, o, &f->run.function))) ||
        (problem = lambda_failure_open(f->arena, o->failure_file, f->run.source.arn,
                                       &f->run.failures)))
        return problem;
    problem = look_for_shards(f, f->arena, o->latest ? "LATEST" : "TRIM_HORIZON");
    for (size_t i = 0; i < f->count && !problem; i++)
        problem = lambda_shard_locate(f->shards[i]);
    return problem;
}

static void end_following(struct follower *f)
{
    if (f->run.function)
        f->run.function->free(f->run.function); /* running calls use memory of the shards */
    for (size_t i = 0; i < f->count; i++)
        lambda_shard_free(f->shards[i]);
    lambda_failure_close(f->run.failures);
    client_free(f->run.source.client);
    for (size_t i = 0; i < COUNT(f->signals); i++)
        event_free(f->signals[i]);
    clock_free(f->run.clock);
    event_base_free(f->run.base);
}

/* The service accepts such a pattern, and never calls the function. */
static void say_doubts(struct arena *a, const struct lambda_options *options)
{
    for (size_t i = 0; i < options->filter_count; i++) {
        const char *doubt = lambda_filter_doubt(a, &options->filters[i]);

        if (doubt)
            lambda_run_say("filter %zu matches no record: %s", i + 1, doubt);
    }
}

/* Runs until an option, a signal or the stream ends the run; logs to standard error. */
static int follow_stream(struct arena *a, const void *given)
{
    const struct lambda_options *options = given;
    struct follower f = {
        .run = {.options = options, .changed = on_change, .shard_ended = shard_ended},
        .arena = a,
    };
    int status = COMMAND_LINE_WRONG;
    const char *problem;

    f.run.base = event_base_new();
    if (!f.run.base)
        process_out_of_memory();
    f.run.clock = clock_new_system();
    f.run.last_record_ms = clock_now_ms(f.run.clock);
    watch_signals(&f);
    if ((problem = begin_following(&f))) {
        lambda_run_say("%s", problem);
    } else {
        lambda_run_say("following %.*s", SPAN_ARG(f.run.source.arn));
        say_doubts(a, options);
        if (!has_ended(&f))
            (void)event_base_dispatch(f.run.base);
        lambda_run_say("%zu record(s) in %zu call(s); %zu filtered out, %zu given up",
                       f.run.totals.delivered, f.run.totals.calls, f.run.totals.filtered,
                       f.run.totals.given_up);
        status = f.run.failed || f.run.totals.given_up ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    end_following(&f);
    return status;
}

const struct command program_stream_lambda = {
    .name = "ddb-stream-lambda",
    .summary = "Follows a table's stream and hands batches of records to a function, as a Lambda\n"
               "event source mapping does. Needs --table or --stream-arn, and --command or\n"
               "--invoke. Exit status: 0 ended as asked, 1 batches were given up or the stream\n"
               "could not be followed any more, 2 it could not begin.",
    .options = lambda_options_groups,
    .defaults = &lambda_options_default,
    .size = sizeof lambda_options_default,
    .check = lambda_options_check,
    .run = follow_stream,
};
