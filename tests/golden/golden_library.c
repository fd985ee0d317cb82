#include "golden_library.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "golden_objects.h"
#include "library/mockddb.h"

#define MOST_WORDS 32

struct golden_library {
    struct mockddb *db;
    struct arena *arena;
    int64_t now_ms;
    const char *words[MOST_WORDS];
    size_t count;
};

static void check(const struct golden_library *l, int result)
{
    if (result == MOCKDDB_OK)
        return;
    (void)fprintf(stderr, "golden: libmockddb: %s\n", mockddb_problem(l->db));
    exit(2);
}

static void add_option(struct golden_library *l, const char *name, const char *value)
{
    if (l->count + 2 > MOST_WORDS)
        abort();
    l->words[l->count++] = name;
    l->words[l->count++] = value;
}

static void add_number(struct golden_library *l, const char *name, int64_t value)
{
    if (value)
        add_option(l, name, arena_printf(l->arena, "%" PRId64, value));
}

struct golden_library *golden_library_open(const struct settings *settings, const char *throttle,
                                           int64_t now_ms)
{
    struct golden_library *l = process_zeroed(sizeof *l);
    struct mockddb_options options = {.size = sizeof options, .flags = MOCKDDB_JOBS_APART};

    l->arena = arena_new();
    l->now_ms = now_ms;
    add_option(l, "--account", arena_text(l->arena, settings->account));
    add_option(l, "--s3-root", golden_objects_path());
    add_option(l, "--clock",
               arena_printf(l->arena, "%.19sZ,frozen", clock_iso_time(l->arena, now_ms)));
    add_number(l, "--stream-shards", settings->stream_shards);
    add_number(l, "--replica-lag-ms", settings->replica_lag_ms);
    add_number(l, "--transition-ms", settings->transition_ms);
    add_number(l, "--index-transition-ms", settings->index_transition_ms);
    add_number(l, "--item-collection-limit", (int64_t)settings->item_collection_limit);
    if (settings->regional)
        add_option(l, "--regions", "by-request");
    if (settings->extended_search)
        add_option(l, "--search-conditions", "extended");
    if (throttle) {
        add_option(l, "--throttle", "provisioned");
        add_option(l, "--throttle-burst", throttle);
    }
    options.words = l->words;
    options.word_count = l->count;
    check(l, mockddb_open(&options, &l->db));
    return l;
}

void golden_library_close(struct golden_library *l)
{
    mockddb_close(l->db);
    arena_free(l->arena);
    free(l);
}

void golden_library_call(struct golden_library *l, const struct request *request,
                         struct reply *reply)
{
    const char *target = arena_text(l->arena, request->target);
    struct mockddb_reply given = {.size = sizeof given};

    check(l, mockddb_call(l->db,
                          &(struct mockddb_request){
                              .size = sizeof(struct mockddb_request),
                              .target = target,
                              .host = request->host.at,
                              .body = request->body.at,
                              .body_len = request->body.len,
                              .region = request->region.len ? request->region.at : NULL,
                          },
                          &given));
    reply->status = given.status;
    reply->body = (struct span){given.body, given.body_len};
}

void golden_library_advance(struct golden_library *l, int64_t ms)
{
    const char *body = arena_printf(l->arena, "{\"set\":%" PRId64 "}", l->now_ms += ms);
    struct mockddb_reply given = {.size = sizeof given};

    check(l, mockddb_verb(l->db, NULL, "POST", "clock", body, strlen(body), &given));
    if (given.status != 200) {
        (void)fprintf(stderr, "golden: the clock cannot be set: %.*s\n", (int)given.body_len,
                      given.body);
        exit(2);
    }
}

void golden_library_idle(struct golden_library *l)
{
    check(l, mockddb_advance(l->db, 0, NULL));
}
