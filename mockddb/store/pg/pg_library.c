#include "store/pg/pg_library.h"

#include <dlfcn.h>

#ifdef __APPLE__
#define FILE_NAME "libpq.5.dylib"
#else
#define FILE_NAME "libpq.so.5"
#endif

#define AT(member) offsetof(struct pg_library, member)

static const struct {
    const char *name;
    size_t at;
} functions[] = {
    {"PQconnectStartParams", AT(connect_start)},
    {"PQconnectPoll", AT(connect_poll)},
    {"PQstatus", AT(status)},
    {"PQsocket", AT(socket)},
    {"PQerrorMessage", AT(error_message)},
    {"PQfinish", AT(finish)},
    {"PQsetNoticeProcessor", AT(set_notice_processor)},
    {"PQsetnonblocking", AT(set_nonblocking)},
    {"PQenterPipelineMode", AT(enter_pipeline)},
    {"PQpipelineSync", AT(pipeline_sync)},
    {"PQsendPrepare", AT(send_prepare)},
    {"PQsendQueryPrepared", AT(send_prepared)},
    {"PQsendQueryParams", AT(send_params)},
    {"PQflush", AT(flush)},
    {"PQconsumeInput", AT(consume_input)},
    {"PQisBusy", AT(is_busy)},
    {"PQgetResult", AT(get_result)},
    {"PQresultStatus", AT(result_status)},
    {"PQresultErrorField", AT(result_field)},
    {"PQntuples", AT(tuples)},
    {"PQgetvalue", AT(value)},
    {"PQgetlength", AT(length)},
    {"PQgetisnull", AT(is_null)},
    {"PQclear", AT(clear)},
};

const struct pg_library *pg_library_load(struct arena *a, const char **problem)
{
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
