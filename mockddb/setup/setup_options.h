/* setup_options.h: the options of a server that are not about its sockets: files, data, behaviour
 * of the service, faults, worlds, journal. */
#pragma once

#include "base/option.h"
#include "journal/assertions.h"
#include "moving/moving_fixtures.h"
#include "worlds/worlds.h"

struct setup_options {
    const char *db;       /* a path; NULL: in memory */
    const char *store;    /* the URL of the database that everything is in, or NULL */
    const char *data_dir; /* the folder for worlds' files, or NULL */
    const char *s3_root;  /* the folder of S3 buckets; NULL: a temporary folder */
    bool has_s3_root;     /* the folder was given by option */
    bool compact;
    enum store_sync sync;
    struct moving_fixtures fixtures;
    struct option_texts patterns; /* files; the fixtures' own patterns are loaded as well */
    struct option_texts faults;   /* files of fault rules */
    struct throttle_rules throttle;
    int64_t journal;            /* entries kept for each world */
    struct option_texts masks;  /* attributes whose values are masked in the journal */
    struct assertions *fail_on; /* NULL: none */
    bool explains;              /* for run: says at the end what to look at */
    bool allow_none;            /* --fail-on also passes without any request */
    struct settings service;    /* its kinesis_out may also be an endpoint's URL */
    bool worlds_by_key;
    enum worlds_template world_template;
    const char *world_snapshot; /* "" if the template is not a snapshot */
    int64_t max_worlds, worlds_memory_mb;
    int64_t world_idle_s;    /* 0: never */
    struct clock_time clock; /* initial time of worlds; `moved` false: the real time */
    bool clock_of_fixture;   /* the initial time is the one in the fixtures */

    /* Used only by setup_options_check. */
    bool has_sync, has_burst, has_lag;
};

#define SETUP_OPTIONS_DEFAULT                                                             \
    {                                                                                     \
        .sync = STORE_SYNC_NORMAL, .fixtures.table_prefix = "", .journal = JOURNAL_COUNT, \
        .service = {.region = SPAN_LIT_INIT(WORLD_REGION),                                \
                    .account = SPAN_LIT_INIT(WORLD_ACCOUNT),                              \
                    .ttl_sweep_ms = 1000,                                                 \
                    .stream_shards = 1},                                                  \
        .world_snapshot = "",                                                             \
    }
extern const struct setup_options setup_options_default;

/* Rows by subject, for structs whose first member is a struct setup_options. */
extern const struct option setup_options_files[], setup_options_data[], setup_options_service[],
    setup_options_faults[], setup_options_worlds[], setup_options_journal[];

/* Checks options against each other, and completes them. Returns NULL, or what is wrong. */
const char *setup_options_check(struct arena *a, struct setup_options *o);
