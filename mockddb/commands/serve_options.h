/* serve_options.h: the options of serve and run. Those with one dash are DynamoDB Local's. */
#ifndef COMMANDS_SERVE_OPTIONS_H
#define COMMANDS_SERVE_OPTIONS_H

#include "commands/option.h"
#include "journal/assertions.h"
#include "worlds/worlds.h"

struct serve_options {
    const char *host; /* NULL: the loopback addresses */
    uint16_t port;
    const char *db;       /* a path, or NULL for in memory */
    const char *data_dir; /* where worlds are in files, or NULL */
    const char *s3_root;  /* the folder of S3 buckets, or NULL: a temporary one */
    bool has_s3_root;     /* it was asked for by name */
    bool compact;
    bool read_only;
    bool no_admin;   /* without the verbs under /_mockddb/ */
    bool no_console; /* without the page there */
    enum store_sync sync;
    const char **fixtures;
    size_t fixture_count;
    const char **patterns; /* files; those of the fixtures come by themselves */
    size_t pattern_count;
    const char *table_prefix;
    const char **faults; /* files of fault rules */
    size_t fault_count;
    struct throttle_rules throttle;
    size_t item_collection_limit; /* bytes; 0: none */
    size_t journal;               /* entries that are kept for each world */
    const char **masks;           /* attributes that no journal shows */
    size_t mask_count;
    struct assertions *fail_on; /* NULL: none */
    bool allow_none;            /* fail_on needs no request */
    const char *region;
    bool regional; /* tables are those of the region that a request is signed for */
    const char *account;
    int64_t transition_ms;
    int64_t index_transition_ms; /* of indexes that tables get later; the longer one counts */
    int64_t replica_lag_ms;
    bool extended_search;
    int64_t ttl_sweep_ms;
    uint32_t stream_shards;
    const char *kinesis_out; /* a folder, an endpoint's URL, or NULL */
    bool worlds_by_key;
    enum worlds_template world_template;
    const char *world_snapshot; /* "" unless that is the template */
    size_t max_worlds, worlds_memory_mb;
    int64_t world_idle_s;     /* 0: never */
    struct clock_time clock;  /* that worlds begin with; `moved` false: the real time */
    bool clock_of_fixture;    /* its moment is the one that the fixtures name */
    const char *cors_origins; /* NULL: those of this machine */
    bool opens_to_all;        /* to pages of every origin, as DynamoDB Local does */
    const char **allowed_hosts;
    size_t allowed_host_count;
    const char *keys;                      /* a file, or NULL: signatures are not verified */
    const char *tls_certificate, *tls_key; /* files, or both NULL: plain HTTP */
    char *const *words;                    /* of run: the command that the server is for */
    bool as_local;                         /* an option of DynamoDB Local was given */
    bool keeps_as_local;                   /* and so a file in the working folder */

    /* What only serve_options_check needs. */
    const char *folder; /* of -dbPath */
    bool in_memory;     /* was asked for by name */
    bool has_own;       /* an option was given that DynamoDB Local does not have */
    bool has_sync;
    bool has_burst, has_lag;
    bool has_port;
};

extern const struct option_group serve_options_groups[];
extern const struct serve_options serve_options_default;

/* What options say about each other. Returns NULL, or what is wrong. */
const char *serve_options_check(struct arena *a, void *options);

#endif
