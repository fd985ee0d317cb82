/* serve_options.h: the options of serve and run. Options with one dash are DynamoDB Local's. */
#pragma once

#include "base/option.h"
#include "mcp/mcp_host.h"
#include "setup/setup_options.h"

struct serve_options {
    struct setup_options setup; /* first */
    const char *host;           /* NULL: the loopback addresses */
    uint16_t port;
    bool has_port;            /* the port was given by option */
    bool until_eof;           /* stop at the end of standard input */
    bool no_admin;            /* no verbs under /_mockddb/ */
    bool no_console;          /* no console */
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
};

extern const struct option_group serve_options_groups[];
extern const struct option_group serve_options_mcp_groups[]; /* of mcp: its own, and these */
extern const struct serve_options serve_options_default;

/* Checks options against each other. Returns NULL, or what is wrong. */
const char *serve_options_check(struct arena *a, void *options);
