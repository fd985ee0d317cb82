/* What worlds cost: making, dropping, resetting and forking them, and what idle ones do.
 *
 *     bench_worlds            medians of processor time
 *     bench_worlds --check    fails where a figure is beyond what docs/performance.md promises
 *
 * Needs fixtures/ecommerce in the current folder. */
#include "moving/moving_fixtures.h"
#include "support/worlds_at_once.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define RUNS        41
#define FORKS       5
#define ITEMS       100000
#define WRITES      100
#define IDLE_WORLDS 1000
#define IDLE_S      3

static struct arena *arena;
static struct worlds *worlds;
static bool failed;

static double cpu_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void report(const char *what, double figure, double most, const char *unit)
{
    printf("%-46s %9.3f %s (at most %g)\n", what, figure, unit, most);
    if (figure > most)
        failed = true;
}

static void must(const struct problem *p)
{
    if (!p)
        return;
    (void)fprintf(stderr, "%s\n", p->text);
    exit(EXIT_FAILURE);
}

static const struct problem *fill(void *data, struct arena *a, struct world *w)
{
    const char *name = "ecommerce";

    (void)data;
    return problem_of(
        a, PROBLEM_FAILED,
        moving_fixtures_load(a, world_dispatcher(w), world_settings(w),
                             &(struct moving_fixtures){.names = {&name, 1}, .table_prefix = ""}));
}

static void open_worlds(bool filled)
{
    const struct worlds_options options = {
        .first.settings = {.region = SPAN_LIT_INIT("us-east-1"),
                           .account = SPAN_LIT_INIT("123456789012")},
        .fill = filled ? fill : NULL,
        .max_count = IDLE_WORLDS + 1,
    };

    must(worlds_new(arena, &options, &worlds));
}

static void call(struct world *w, const char *operation, const char *body)
{
    struct request request = {
        .target = span_of(arena_printf(arena, "DynamoDB_20120810.%s", operation)),
        .body = span_of(body),
    };
    struct reply reply;

    dispatch(world_dispatcher(w), &request, &reply);
    if (reply.status == 200)
        return;
    (void)fprintf(stderr, "%s answered %.*s\n", operation, SPAN_ARG(reply.body));
    exit(EXIT_FAILURE);
}

#define TABLE                                                                       \
    "{\"TableName\":\"Bench\",\"BillingMode\":\"PAY_PER_REQUEST\",\"KeySchema\":"   \
    "[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"}],\"AttributeDefinitions\":[{" \
    "\"AttributeName\":\"pk\",\"AttributeType\":\"S\"}]}"

static void write_items(struct world *w, int count)
{
    call(w, "CreateTable", TABLE);
    for (int i = 0; i < count; i++) {
        call(w, "PutItem",
             arena_printf(arena,
                          "{\"TableName\":\"Bench\",\"Item\":{\"pk\":{\"S\":\"%08d\"},\"v\":"
                          "{\"S\":\"%0960d\"}}}",
                          i, i));
        arena_reset(arena);
    }
}

static void turn(void)
{
    worlds_flush(worlds);
    while (worlds_idle(worlds))
        continue;
    worlds_flush(worlds);
    worlds_flush(worlds); /* what was dropped is gone */
    arena_reset(arena);
}

static double median(double (*run)(void), int runs)
{
    double took[RUNS] = {0};

    (void)run();
    for (int i = 0; i < runs; i++) {
        took[i] = run();
        turn();
    }
    qsort(took, (size_t)runs, sizeof *took, by_size);
    return took[runs / 2];
}

static double make_and_drop(void)
{
    double began = cpu_ms(), took;
    struct world *w;

    must(worlds_at_once_use(arena, worlds, SPAN_LIT("w"), &w));
    took = cpu_ms() - began;
    must(worlds_drop(arena, worlds, world_name(w)));
    return worlds_count(worlds) == 1 ? took : 0;
}

static double make_drop_and_free(void)
{
    double began = cpu_ms();

    (void)make_and_drop();
    return cpu_ms() - began;
}

static double reset(void)
{
    struct world *w;
    double began;

    must(worlds_at_once_use(arena, worlds, SPAN_LIT("reset"), &w));
    write_items(w, WRITES);
    began = cpu_ms();
    must(worlds_at_once_reset(arena, worlds, w));
    return cpu_ms() - began;
}

static double fork_large(void)
{
    struct world_state from = world_state(worlds_first(worlds));
    double began = cpu_ms(), took;
    struct world *w;

    must(worlds_at_once_make(arena, worlds, SPAN_LIT("fork"), &from, &w));
    took = cpu_ms() - began;
    must(worlds_drop(arena, worlds, world_name(w)));
    return took;
}

static double heap_kb(void)
{
    FILE *f = fopen("/proc/self/statm", "r");
    char line[256], *resident;

    if (!f || !fgets(line, sizeof line, f) || !(resident = strchr(line, ' ')))
        exit(EXIT_FAILURE);
    (void)fclose(f);
    return (double)strtol(resident, NULL, 10) * (double)sysconf(_SC_PAGESIZE) / 1024;
}

/* Turns of a server to which nobody speaks: it sleeps as long as it may. */
static void idle(void)
{
    double before_kb = heap_kb(), began;
    struct timespec slept = {.tv_nsec = 1000000};
    struct world *w;

    for (int i = 0; i < IDLE_WORLDS; i++)
        must(worlds_at_once_use(arena, worlds, span_of(arena_printf(arena, "w%d", i)), &w));
    turn();
    report("memory of an empty world", (heap_kb() - before_kb) / IDLE_WORLDS, 16, "KB");
    began = cpu_ms();
    for (int ms = 0; ms < IDLE_S * 1000; ms++) {
        int rest_ms = worlds_rest_ms(worlds);

        if (rest_ms == WORLD_RESTS)
            break;
        if (rest_ms == 0)
            (void)worlds_idle(worlds);
        else
            nanosleep(&slept, NULL);
    }
    report("1000 idle worlds, of a core", (cpu_ms() - began) / (IDLE_S * 10), 0.1, "%");
}

int main(int argc, char **argv)
{
    bool check = argc > 1 && strcmp(argv[1], "--check") == 0;

    arena = arena_new();
    open_worlds(true);
    report("a world from the e-commerce fixture", median(make_and_drop, RUNS), 0.2, "ms");
    report("a reset after a test that wrote 100 items", median(reset, RUNS), 0.2, "ms");
    worlds_free(worlds);
    open_worlds(false);
    report("an empty world, made and dropped", median(make_drop_and_free, RUNS), 0.1, "ms");
    idle();
    worlds_free(worlds);
    open_worlds(false);
    write_items(worlds_first(worlds), ITEMS);
    report("a fork of 100000 items of 1 KB", median(fork_large, FORKS), 0.2, "ms");
    worlds_free(worlds);
    arena_free(arena);
    return check && failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
