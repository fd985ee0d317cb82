/* pg_library.h: libpq, loaded when a store is in PostgreSQL, or linked (MOCKDDB_LINKS_LIBPQ) in
 * programs that cannot load libraries.
 *
 * It is loaded at run time, so that other servers neither need it nor pay for it, and declared
 * here, so that no header of it is needed to build: what is used of it has been the same since
 * PostgreSQL 14. */
#pragma once

#include "base/arena.h"

struct pg_conn;
struct pg_result;

/* The numbers of libpq's enums that are used. */
enum {
    PG_CONNECTION_OK = 0,
    PG_POLLING_FAILED = 0,
    PG_POLLING_READING = 1,
    PG_POLLING_OK = 3,
    PG_COMMAND_OK = 1,
    PG_TUPLES_OK = 2,
    PG_PIPELINE_SYNC = 10,
    PG_PIPELINE_ABORTED = 11,
    PG_FIELD_SQLSTATE = 'C',
    PG_FIELD_MESSAGE = 'M'
};

struct pg_library {
    struct pg_conn *(*connect_start)(const char *const *names, const char *const *values,
                                     int expand);
    int (*connect_poll)(struct pg_conn *c);
    int (*status)(const struct pg_conn *c);
    int (*socket)(const struct pg_conn *c);
    char *(*error_message)(const struct pg_conn *c);
    void (*finish)(struct pg_conn *c);
    void *(*set_notice_processor)(struct pg_conn *c, void (*take)(void *data, const char *text),
                                  void *data);
    int (*set_nonblocking)(struct pg_conn *c, int on);
    int (*enter_pipeline)(struct pg_conn *c);
    int (*pipeline_sync)(struct pg_conn *c);
    int (*send_prepare)(struct pg_conn *c, const char *name, const char *text, int count,
                        const unsigned *types);
    int (*send_prepared)(struct pg_conn *c, const char *name, int count, const char *const *values,
                         const int *lengths, const int *formats, int format);
    int (*send_params)(struct pg_conn *c, const char *text, int count, const unsigned *types,
                       const char *const *values, const int *lengths, const int *formats,
                       int format);
    int (*flush)(struct pg_conn *c);
    int (*consume_input)(struct pg_conn *c);
    int (*is_busy)(struct pg_conn *c);
    struct pg_result *(*get_result)(struct pg_conn *c);
    int (*result_status)(const struct pg_result *r);
    char *(*result_field)(const struct pg_result *r, int field);
    int (*tuples)(const struct pg_result *r);
    char *(*value)(const struct pg_result *r, int row, int column);
    int (*length)(const struct pg_result *r, int row, int column);
    int (*is_null)(const struct pg_result *r, int row, int column);
    void (*clear)(struct pg_result *r);
};

/* Loads the library, once for the process, unless it is linked. On failure returns NULL and sets
 * *problem. */
const struct pg_library *pg_library_load(struct arena *a, const char **problem);
