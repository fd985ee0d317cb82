/* serve_options.h: the options of serve and run. Options with one dash are DynamoDB Local's. */
#pragma once

#include "base/option.h"
#include "commands/template_params.h"
#include "journal/assertions.h"
#include "mcp/mcp_host.h"
#include "moving/moving_fixtures.h"
#include "worlds/worlds.h"

struct serve_options {
    const char *host; /* NULL: the loopback addresses */
    uint16_t port;
    bool has_port;        /* the port was given by option */
    bool until_eof;       /* stop at the end of standard input */
    const char *db;       /* a path; NULL: in memory */
    const char *store;    /* the URL of the database that everything is in, or NULL */
    const char *data_dir; /* the folder for worlds' files, or NULL */
    const char *s3_root;  /* the folder of S3 buckets; NULL: a temporary folder */
    bool has_s3_root;     /* the folder was given by option */
    bool compact;
    bool no_admin;   /* no verbs under /_mockddb/ */
    bool no_console; /* no console */
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
    int64_t world_idle_s;     /* 0: never */
    struct clock_time clock;  /* initial time of worlds; `moved` false: the real time */
    bool clock_of_fixture;    /* the initial time is the one in the fixtures */
    const char *cors_origins; /* NULL: origins of this machine */
    bool opens_to_all;        /* pages of every origin may use the server, as with DynamoDB Local */
    struct option_texts allowed_hosts;
    const char *keys;                      /* a file; NULL: signatures are not verified */
    const char *tls_certificate, *tls_key; /* files, or both NULL: plain HTTP */
    char *const *words;                    /* for run: the command to start */
    bool as_local;                         /* an option of DynamoDB Local was given */
    bool keeps_as_local;    /* as DynamoDB Local, with a file in the working folder */
    struct mcp_options mcp; /* for tools for agents */
    const char *mcp_token;  /* the file with the token for them over HTTP; NULL: not over HTTP */
    const char *endpoint;   /* for mcp: the server that is asked; NULL: one of its own */
    bool prints_config;     /* for mcp: prints configuration of clients */

    /* Used only by serve_options_check. */
    const char *folder; /* of -dbPath */
    bool in_memory;     /* was given by option */
    bool has_own;       /* an option was given that DynamoDB Local lacks */
    bool has_sync;
    bool has_burst, has_lag;
};

extern const struct option_group serve_options_groups[];
extern const struct option_group serve_options_mcp_groups[]; /* of mcp: its own, and these */
extern const struct serve_options serve_options_default;

/* Checks options against each other. Returns NULL, or what is wrong. */
const char *serve_options_check(struct arena *a, void *options);
