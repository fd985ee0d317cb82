#include "store/pg/pg_library.h"

/* A row for each function: libpq's name, and its member. */
#define FUNCTIONS(row)                                                                         \
    row(PQconnectStartParams, connect_start), row(PQconnectPoll, connect_poll),                \
        row(PQstatus, status), row(PQsocket, socket), row(PQerrorMessage, error_message),      \
        row(PQfinish, finish), row(PQsetNoticeProcessor, set_notice_processor),                \
        row(PQsetnonblocking, set_nonblocking), row(PQenterPipelineMode, enter_pipeline),      \
        row(PQpipelineSync, pipeline_sync), row(PQsendPrepare, send_prepare),                  \
        row(PQsendQueryPrepared, send_prepared), row(PQsendQueryParams, send_params),          \
        row(PQflush, flush), row(PQconsumeInput, consume_input), row(PQisBusy, is_busy),       \
        row(PQgetResult, get_result), row(PQresultStatus, result_status),                      \
        row(PQresultErrorField, result_field), row(PQntuples, tuples), row(PQgetvalue, value), \
        row(PQgetlength, length), row(PQgetisnull, is_null), row(PQclear, clear)

#define AT(member) offsetof(struct pg_library, member)

#ifdef MOCKDDB_LINKS_LIBPQ

/* Their types are those of the members. */
typedef void function(void);
#define DECLARED(name, member) name
function FUNCTIONS(DECLARED);

const struct pg_library *pg_library_load(struct arena *a, const char **problem)
{
#define LINKED(name, member) \
    {                        \
        name, AT(member)     \
    }
    static const struct {
        function *linked;
        size_t at;
    } functions[] = {FUNCTIONS(LINKED)};
    static struct pg_library library;

    (void)a, (void)problem;
    for (size_t i = 0; i < COUNT(functions); i++)
        memcpy((char *)&library + functions[i].at, &functions[i].linked, sizeof(function *));
    return &library;
}

#else

#include <dlfcn.h>

#ifdef __APPLE__
#define FILE_NAME "libpq.5.dylib"
#else
#define FILE_NAME "libpq.so.5"
#endif

const struct pg_library *pg_library_load(struct arena *a, const char **problem)
{
#define LOADED(name, member) \
    {                        \
#name, AT(member)    \
    }
    static const struct {
        const char *name;
        size_t at;
    } functions[] = {FUNCTIONS(LOADED)};
    static struct pg_library library;
    static bool loaded;
    void *file, *function;

    if (loaded)
        return &library;
    if (!(file = dlopen(FILE_NAME, RTLD_NOW | RTLD_LOCAL))) {
        *problem = arena_printf(a, "PostgreSQL's client library " FILE_NAME
                                   " cannot be loaded: install it (Debian's package libpq5)");
        return NULL;
    }
    for (size_t i = 0; i < COUNT(functions); i++) {
        if (!(function = dlsym(file, functions[i].name))) {
            *problem = arena_printf(a,
                                    FILE_NAME " is too old, it has no %s: install the one of "
                                              "PostgreSQL 14 or later",
                                    functions[i].name);
            return NULL;
        }
        memcpy((char *)&library + functions[i].at, &function, sizeof function);
    }
    loaded = true;
    return &library;
}

#endif
