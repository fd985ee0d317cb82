/* config.h: the command line, as options from one table. */
#ifndef CONFIG_H
#define CONFIG_H

#include "base/arena.h"
#include "store/store.h"

enum config_command { CONFIG_SERVE, CONFIG_HEALTHCHECK, CONFIG_HELP, CONFIG_VERSION };

struct config {
    enum config_command command;
    const char *host;
    uint16_t port;
    const char *db; /* a path, or NULL for in memory */
    bool compact;
    bool read_only;
    enum store_sync sync;
    const char **fixtures;
    size_t fixture_count;
    const char *table_prefix;
    const char *region;
    const char *account;
    int64_t transition_ms;
    int64_t ttl_sweep_ms;
    uint32_t stream_shards;
    const char *cors_origins;
    const char *keys;                      /* a file, or NULL: signatures are not verified */
    const char *tls_certificate, *tls_key; /* files, or both NULL: plain HTTP */
    const char *endpoint;                  /* of healthcheck */
};

/* Reads the command line; its texts are borrowed. NULL, or what is wrong with it in one line. */
const char *config_parse(struct arena *a, int argc, char *const *argv, struct config *out);

/* What --help prints. */
const char *config_help(struct arena *a);

#endif
