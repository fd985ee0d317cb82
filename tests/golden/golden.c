/* golden.c: replays request and reply cases, which are data, through dispatch.
 *
 * golden DIRECTORY [FILTER] runs every case whose file name or title contains FILTER, each in a
 * store of its own, in memory, at a fixed time; whatever a case did, everything in its store has to
 * agree in the end. It prints what fails and a last line with the counts. With --update, a step
 * that fails gets the actual reply as what it expects, for review. With --explain, a request that
 * is refused has to be explained, or its message is one of ../explain/silent.json. With
 * --conflicts, or --conflicts-sqlite in that engine, each unit that writes and every fifth read
 * meets a conflict at its first try. golden --store URL runs the cases in a schema of
 * PostgreSQL, whose rows are deleted before each; without those that not-in-database.txt lists.
 * golden --library sends the requests to libmockddb. golden --format DIRECTORY lays the files out,
 * golden --check-format DIRECTORY names those that are laid out differently. Format of the files:
 * README.md beside this one. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "dispatch/dispatch.h"
#include "dispatch/metering.h"
#include "explain/explain.h"
#include "golden_expand.h"
#include "golden_format.h"
#include "golden_library.h"
#include "golden_match.h"
#include "golden_objects.h"
#include "ops/throttle/throttle.h"
#include "store/engine.h"
#include "support/conflicting.h"
#include "support/database.h"
#include "support/database_rows.h"
#include "support/store_check.h"

#define NOW_MS    1700000000000 /* 2023-11-14T22:13:20Z */
#define PATH_SIZE 512

/* What a case runs in. */
struct world {
    struct arena *arena;
    struct clock *clock;
    struct throttle *throttle;
    struct store *store;
    struct settings settings;
    struct dispatch_memory *memory;
    struct metrics *metrics;
    struct metering *metering;
    struct dispatcher *dispatcher;
    struct golden_library *library; /* in place of store, dispatcher and what they use; or NULL */
    cJSON *saved;
    int files; /* that were open before the case */
};

static const char *directory, *filter;
static const char *url;         /* of the database; NULL: in memory */
static char *excluded;          /* the text of not-in-database.txt */
static bool updates;            /* --update */
static const char *update_path; /* the file whose steps run; NULL: steps of an included one */
static size_t update_case, update_step; /* in it */
static unsigned passed, failed;
static bool conflicts, uses_sqlite; /* --conflicts, --conflicts-sqlite */
static bool in_library;             /* --library */
static unsigned conflict_count;

/* Messages of which nothing has to be explained; --explain. */
static struct silent {
    const cJSON *message; /* as "message" of a step */
    unsigned steps;       /* that had it */
} * silents;
static size_t silent_count;
static cJSON *silent_file; /* holds their messages */

NO_RETURN static void die(const char *what, const char *about)
{
    (void)fprintf(stderr, "golden: %s: %s\n", about, what);
    exit(2);
}

/* The file's text, to be freed. */
static char *read_text(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    char *text;
    long size;

    if (!file || fseek(file, 0, SEEK_END) || (size = ftell(file)) < 0)
        die("cannot be read", path);
    rewind(file);
    *len = (size_t)size;
    if (!(text = malloc(*len + 1)))
        process_out_of_memory();
    if (fread(text, 1, *len, file) != *len)
        die("cannot be read", path);
    text[*len] = '\0';
    (void)fclose(file);
    return text;
}

static cJSON *read_json(const char *path)
{
    size_t len;
    char *text = read_text(path, &len);
    cJSON *json = cJSON_ParseWithOpts(text, NULL, true);

    free(text);
    if (!json)
        die("is not JSON", path);
    return json;
}

static const cJSON *get(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const char *get_text(const cJSON *object, const char *name, const char *otherwise)
{
    const char *text = cJSON_GetStringValue(get(object, name));

    return text ? text : otherwise;
}

/* --- one step ------------------------------------------------------------------------------- */

static void print_json(const char *label, const cJSON *json)
{
    char *text = json ? cJSON_PrintUnformatted(json) : NULL;

    printf("    %s%s\n", label, text ? text : "(nothing)");
    cJSON_free(text);
}

/* The error's message, under the name that its type has for it. */
static const cJSON *reply_message(const cJSON *reply)
{
    const cJSON *message = get(reply, "message");

    return message ? message : get(reply, "Message");
}

static bool names_error(const cJSON *reply, const char *error)
{
    const char *hash = strchr(get_text(reply, "__type", ""), '#');

    return hash && strcmp(hash + 1, error) == 0;
}

/* What is wrong with the reply, or NULL. */
static const char *compare(struct world *w, const cJSON *step, const struct reply *given,
                           const cJSON *reply, char *path)
{
    const cJSON *message = get(step, "message"), *out = get(step, "out");
    const char *error = get_text(step, "error", message ? "ValidationException" : NULL);
    const char *raw = get_text(step, "raw", NULL);
    const cJSON *status = get(step, "status");

    path[0] = '\0';
    if (given->status != (status ? status->valueint : error ? 400 : 200))
        return "status";
    if (error && !names_error(reply, error))
        return "error type";
    if (raw && !span_is(given->body, raw))
        return "body text";
    if (out && !golden_match(out, reply, w->saved, path))
        return "body";
    if (!message)
        return NULL;
    if (cJSON_IsNull(message) ? reply_message(reply) != NULL
                              : !golden_match(message, reply_message(reply), w->saved, path))
        return "message";
    return NULL;
}

/* Whether the explanation has a reason, or the message needs none. */
static bool is_explained(struct world *w, const struct explanation *e, const cJSON *message)
{
    char path[PATH_SIZE] = "";

    if (span_starts_with(e->json, SPAN_LIT("{\"reason\":")))
        return true;
    for (size_t i = 0; i < silent_count; i++) {
        path[0] = '\0';
        if (!golden_match(silents[i].message, message, w->saved, path))
            continue;
        silents[i].steps++;
        return true;
    }
    return false;
}

static void read_silents(void)
{
    char path[PATH_SIZE];
    const cJSON *row, *message;

    (void)snprintf(path, sizeof path, "%s/../explain/silent.json", directory);
    silent_file = read_json(path);
    cJSON_ArrayForEach(row, get(silent_file, "rows"))
    {
        cJSON_ArrayForEach(message, get(row, "messages"))
        {
            silents = realloc(silents, (silent_count + 1) * sizeof *silents);
            if (!silents)
                process_out_of_memory();
            silents[silent_count++] = (struct silent){.message = message};
        }
    }
}

/* Sends the step's request; explained, if `out` is not NULL. */
static void send(struct world *w, const cJSON *step, struct reply *reply, struct explanation *out)
{
    const struct explain_context context = {.catalogue = NULL};
    const cJSON *in = get(step, "in");
    char *printed = in ? cJSON_PrintUnformatted(in) : NULL;
    const char *body = printed ? printed : get_text(step, "body", "{}");
    const char *op = get_text(step, "op", "");
    struct request request = {
        .target = span_of(
            get_text(step, "target",
                     arena_printf(w->arena, "%s.%s",
                                  cJSON_IsTrue(get(step, "streams")) ? "DynamoDBStreams_20120810"
                                                                     : "DynamoDB_20120810",
                                  op))),
        .body = span_of(body),
        .host = SPAN_LIT("localhost:8000"),
        .region = span_of(get_text(step, "region", "")),
    };

    if (w->library)
        golden_library_call(w->library, &request, reply);
    else if (out)
        explain_dispatch(w->dispatcher, &context, w->arena, &request, reply, out);
    else
        dispatch(w->dispatcher, &request, reply);
    cJSON_free(printed);
}

static void write_text(const char *path, struct span text)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(text.at, 1, text.len, file) != text.len || fclose(file))
        die("cannot be written", path);
}

/* Lets the step expect the reply that it got. False for a step of an included file. */
static bool update(struct world *w, const struct reply *given, const cJSON *reply)
{
    const char *hash = strchr(get_text(reply, "__type", ""), '#');
    struct buf out = buf_in(w->arena);
    cJSON *expected;
    char *text, *printed;
    size_t len;

    if (!updates || !update_path || !reply)
        return false;
    expected = cJSON_CreateObject();
    if (given->status != 200 && hash) {
        cJSON_AddStringToObject(expected, "error", hash + 1);
        cJSON_AddItemToObject(expected, "message",
                              reply_message(reply) ? cJSON_Duplicate(reply_message(reply), true)
                                                   : cJSON_CreateNull());
    } else {
        cJSON_AddItemToObject(expected, "out", cJSON_Duplicate(reply, true));
    }
    if (given->status != 200 && given->status != 400)
        cJSON_AddNumberToObject(expected, "status", given->status);
    printed = cJSON_PrintUnformatted(expected);
    text = read_text(update_path, &len);
    if (!golden_format_update(&out, (struct span){text, len}, update_case, update_step,
                              span_of(printed)))
        die("has no such step", update_path);
    write_text(update_path, buf_span(&out));
    free(text);
    cJSON_free(printed);
    cJSON_Delete(expected);
    return true;
}

static bool run_request(struct world *w, const cJSON *step, const char *title)
{
    bool fails = get(step, "error") || get(step, "message") || get(step, "status");
    bool explains = silents && fails;
    struct explanation explanation;
    struct reply given;
    char path[PATH_SIZE];
    const char *wrong;
    bool updated;
    cJSON *reply;

    send(w, step, &given, explains ? &explanation : NULL);
    reply = cJSON_ParseWithLength(given.body.at, given.body.len);
    wrong = compare(w, step, &given, reply, path);
    if (explains && !wrong && given.status != 200 &&
        !is_explained(w, &explanation, reply_message(reply)))
        wrong = "nothing is explained of it, see tests/explain/silent.json";
    updated = wrong && update(w, &given, reply);
    if (wrong) {
        printf("%s %s: %s: %s%s%s\n", updated ? "UPDATED" : "FAIL", title,
               get_text(step, "op", get_text(step, "target", "")), wrong, *path ? " at " : "",
               path);
        printf("    got  %d %.*s\n", given.status, SPAN_ARG(given.body));
        print_json("want ", get(step, "message") ? get(step, "message")
                            : get(step, "out")   ? get(step, "out")
                                                 : step);
    }
    cJSON_Delete(reply);
    return !wrong || updated;
}

static bool run_steps(struct world *w, const cJSON *steps, const char *title);

static bool run_include(struct world *w, const char *name, const char *title)
{
    cJSON *steps = read_json(arena_printf(w->arena, "%s/%s", directory, name));
    const char *includer = update_path;
    size_t step = update_step;
    bool well;

    update_path = NULL;
    well = run_steps(w, steps, title);
    update_path = includer;
    update_step = step;
    cJSON_Delete(steps);
    return well;
}

/* Does the work between requests until none is left. */
static void run_idle(struct world *w)
{
    if (w->library)
        golden_library_idle(w->library);
    else
        while (dispatch_idle(w->dispatcher))
            ;
}

static bool run_step(struct world *w, const cJSON *step, const char *title)
{
    bool well;

    if (golden_objects_run(w->arena, w->settings.buckets, step, w->saved, title, &well))
        return well;
    if (get(step, "include"))
        return run_include(w, get_text(step, "include", ""), title);
    if (get(step, "advance_ms")) {
        const int64_t ms = (int64_t)get(step, "advance_ms")->valuedouble;

        if (w->library)
            golden_library_advance(w->library, ms);
        else
            clock_advance(w->clock, ms);
        return true;
    }
    if (get(step, "idle")) {
        run_idle(w);
        return true;
    }
    return run_request(w, step, title);
}

static bool run_steps(struct world *w, const cJSON *steps, const char *title)
{
    const cJSON *step;
    bool well = true;

    update_step = 0;
    cJSON_ArrayForEach(step, steps)
    {
        cJSON *expanded = golden_expand(step, w->saved);

        well = run_step(w, expanded, title);
        cJSON_Delete(expanded);
        if (!well)
            break;
        update_step++;
    }
    return well;
}

/* --- cases and files ------------------------------------------------------------------------ */

static void set_throttle(struct world *w, const char *burst)
{
    const struct throttle_rules rules = {.on = true, .empty = strcmp(burst, "empty") == 0};

    throttle_set(w->throttle, &rules, NOW_MS);
    dispatch_set_throttle(w->dispatcher, w->throttle);
}

#define MOST_FILES 64 /* that a case opens at once */

static int open_files(void)
{
    int count = 0;

    for (int fd = 0; fd < MOST_FILES; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void open_world(struct world *w, const cJSON *file)
{
    const cJSON *transition = get(file, "transition_ms"), *shards = get(file, "stream_shards");
    const cJSON *index_transition = get(file, "index_transition_ms");
    const cJSON *collection = get(file, "item_collection_limit");
    const cJSON *lag = get(file, "replica_lag_ms"), *throttle = get(file, "throttle");
    const char *problem = "";

    *w = (struct world){.arena = arena_new(), .files = open_files()};
    w->settings.region = SPAN_LIT("us-east-1");
    w->settings.account = SPAN_LIT("000000000000");
    w->settings.ttl_sweep_ms = 1000;
    w->settings.stream_shards = shards ? (uint32_t)shards->valuedouble : 1;
    w->settings.replica_lag_ms = lag ? (int64_t)lag->valuedouble : 0;
    w->settings.extended_search = cJSON_IsTrue(get(file, "extended_search"));
    w->settings.item_collection_limit = collection ? (size_t)collection->valuedouble : 0;
    w->settings.regional = cJSON_IsTrue(get(file, "regional"));
    w->settings.transition_ms = transition ? (int64_t)transition->valuedouble : 0;
    w->settings.index_transition_ms = index_transition ? (int64_t)index_transition->valuedouble : 0;
    w->settings.buckets = golden_objects_new();
    w->saved = cJSON_CreateObject();
    if (in_library) {
        w->library = golden_library_open(&w->settings, cJSON_GetStringValue(throttle), NOW_MS);
        return;
    }
    w->clock = clock_new_fixed(NOW_MS, 1);
    if (url && (problem = database_rows_delete(url)))
        die(problem, "store");
    w->store = (uses_sqlite ? store_sql_open : store_open)(
        w->arena, &(struct store_options){.url = url, .sync = STORE_SYNC_OFF}, &problem);
    if (!w->store)
        die(problem, "store");
    if (conflicts)
        conflicting_begin(w->store, &(struct conflicting){.writes = true, .reads = 5});
    w->memory = dispatch_memory_new();
    w->metrics = metrics_new(METRICS_POINTS);
    w->metering = metering_new(w->metrics);
    w->dispatcher = dispatch_new(&(struct dispatch_parts){.store = w->store,
                                                          .clock = w->clock,
                                                          .settings = &w->settings,
                                                          .memory = w->memory,
                                                          .metrics = w->metrics});
    w->throttle = throttle_new();
    if (throttle)
        set_throttle(w, cJSON_GetStringValue(throttle));
    dispatch_observe(w->dispatcher, metering_observer(w->metering));
}

/* Returns whether the files that the case opened are closed. */
static bool close_world(struct world *w)
{
    cJSON_Delete(w->saved);
    if (w->library)
        golden_library_close(w->library);
    dispatch_free(w->dispatcher);
    throttle_free(w->throttle);
    dispatch_memory_free(w->memory);
    metering_free(w->metering);
    metrics_free(w->metrics);
    store_free(w->store);
    clock_free(w->clock);
    buckets_free(w->settings.buckets);
    arena_free(w->arena);
    return open_files() == w->files;
}

static bool run_setup(struct world *w, const cJSON *file, const char *title)
{
    const char *path = update_path;
    bool well;

    open_world(w, file);
    update_path = NULL; /* a set-up is not updated */
    well = run_steps(w, get(file, "setup"), title);
    update_path = path;
    return well;
}

/* A case is a list of steps, or one step itself. */
static bool run_case(struct world *w, const cJSON *one, const char *title)
{
    cJSON *expanded;
    bool well;

    if (get(one, "steps"))
        return run_steps(w, get(one, "steps"), title);
    expanded = golden_expand(one, w->saved);
    well = run_step(w, expanded, title);
    cJSON_Delete(expanded);
    return well;
}

/* Ends a world when nothing is left to do between requests. */
static void end_world(struct world *w, const char *title)
{
    const char *problem;

    run_idle(w);
    if (conflicts)
        conflict_count += conflicting_end(w->store);
    problem = w->library ? NULL : store_check(w->store, w->arena);
    if (problem)
        printf("FAIL %s: in the end %s\n", title, problem);
    failed += problem != NULL;
    if (!close_world(w)) {
        printf("FAIL %s: in the end a file is open\n", title);
        failed++;
    }
}

/* Whether the title begins as a line of not-in-database.txt, up to its bar. */
static bool is_excluded(const char *title)
{
    for (const char *line = excluded; line && *line; line += strcspn(line, "\n") + 1) {
        const char *bar = strstr(line, " | ");

        if (*line != '#' && bar && strncmp(title, line, (size_t)(bar - line)) == 0)
            return true;
    }
    return false;
}

static void read_excluded(void)
{
    char path[PATH_SIZE];
    size_t len;

    (void)snprintf(path, sizeof path, "%s/not-in-database.txt", directory);
    excluded = read_text(path, &len);
}

static void run_file(const char *path)
{
    cJSON *file = read_json(path);
    const cJSON *cases = get(file, "cases"), *one;
    const char *name = path + strlen(directory) + 1;
    bool shared = cJSON_IsTrue(get(file, "shared")), open = false;
    struct world w;
    char title[PATH_SIZE];

    update_path = path;
    update_case = (size_t)-1;
    for (one = cases ? cases->child : file; one; one = cases ? one->next : NULL) {
        bool well = true;

        update_case++;

        (void)snprintf(title, sizeof title, "%s > %s", name, get_text(one, "about", "(untitled)"));
        if ((filter && !strstr(title, filter)) || is_excluded(title))
            continue;
        if (!open)
            well = run_setup(&w, file, title);
        open = true;
        well = well && run_case(&w, one, title);
        *(well ? &passed : &failed) += 1;
        if (!shared) {
            end_world(&w, title);
            open = false;
        }
    }
    if (open) {
        end_world(&w, name);
    }
    cJSON_Delete(file);
}

static bool ends_with(const char *text, const char *end)
{
    size_t len = strlen(text), end_len = strlen(end);

    return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

/* --- layout ----------------------------------------------------------------------------------- */

static bool writes; /* --format, not --check-format */

static void lay_out(const char *path)
{
    struct arena *a = arena_new();
    struct buf out = buf_in(a);
    size_t len;
    char *text = read_text(path, &len);

    if (!golden_format(&out, (struct span){text, len}))
        die("is not JSON", path);
    if (span_equal(buf_span(&out), (struct span){text, len})) {
        passed++;
    } else if (writes) {
        write_text(path, buf_span(&out));
        passed++;
    } else {
        printf("FAIL %s: golden --format lays it out differently\n", path);
        failed++;
    }
    free(text);
    arena_free(a);
}

/* --- messages that are not explained ---------------------------------------------------------- */

static void check_silents(void)
{
    for (size_t i = 0; i < silent_count; i++) {
        if (silents[i].steps)
            continue;
        print_json("FAIL tests/explain/silent.json: no step has ", silents[i].message);
        failed++;
    }
}

/* --- files ------------------------------------------------------------------------------------ */

/* Visits every file of the folder. Folders named "setup" hold steps that cases include. */
static void walk_folder(const char *path, void (*visit)(const char *path), bool setups)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);

    if (count < 0)
        die("cannot be read", path);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        char inner[PATH_SIZE * 2];
        struct stat info;

        (void)snprintf(inner, sizeof inner, "%s/%s", path, name);
        if (name[0] != '.' && (setups || strcmp(name, "setup") != 0) && stat(inner, &info) == 0) {
            if (S_ISDIR(info.st_mode))
                walk_folder(inner, visit, setups);
            else if (ends_with(name, ".json"))
                visit(inner);
        }
        free(entries[i]);
    }
    free(entries);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 2 && strncmp(argv[1], "--", 2) == 0 ? argv[1] : "";

    argv += *mode != '\0';
    argc -= *mode != '\0';
    if (strcmp(mode, "--store") == 0 && argc > 1) {
        url = *++argv;
        argc--;
    }
    updates = strcmp(mode, "--update") == 0;
    writes = strcmp(mode, "--format") == 0;
    in_library = strcmp(mode, "--library") == 0;
    uses_sqlite = strcmp(mode, "--conflicts-sqlite") == 0;
    conflicts = uses_sqlite || strcmp(mode, "--conflicts") == 0;
    if (argc < 2 || argc > 3) {
        (void)fprintf(stderr,
                      "usage: golden [--update | --explain | --conflicts | --conflicts-sqlite | "
                      "--library |\n"
                      "               --store URL] DIRECTORY [FILTER]\n"
                      "       golden --format | --check-format DIRECTORY\n");
        return 2;
    }
    if (writes || strcmp(mode, "--check-format") == 0) {
        walk_folder(argv[1], lay_out, true);
    } else {
        if (!in_library) /* which leaves SQLite as it is */
            database_watch();
        directory = argv[1];
        filter = argc > 2 ? argv[2] : NULL;
        if (strcmp(mode, "--explain") == 0)
            read_silents();
        if (url) {
            const char *problem = database_rows_delete(url); /* its connection stays open */

            if (problem)
                die(problem, "store");
            read_excluded();
        }
        walk_folder(directory, run_file, false);
        if (!filter)
            check_silents();
        free(silents);
        cJSON_Delete(silent_file);
        golden_objects_end();
        database_rows_end();
        free(excluded);
    }
    if (conflicts)
        printf("golden: %u conflicts\n", conflict_count);
    printf("golden: %u passed, %u failed\n", passed, failed);
    return failed || !passed ? 1 : 0;
}
