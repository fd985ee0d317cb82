/* addon.c: libmockddb for Node.js. It loads the library at run time, so the addon itself needs
 * nothing but Node-API, and does requests on a thread of libuv's pool or at once.
 *
 * open(path, words) -> handle; run(handle, request) -> reply; start(handle, request, callback):
 * callback(error, reply); close(handle). A request is a list: [world, target, body, region, client,
 * flags], or of a verb [world, path, body, method]. A reply is a list, too: [status, body, type,
 * flags, delay_ms, date_skew_ms, explanation, lines of the log]. One request at a time uses a
 * handle: lib/handle.js sees to that. */
#include "napi_part.h"

#include "mockddb.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOG_BYTES 65536 /* of lines between two replies; further ones are dropped */
#define COUNT(a)  (sizeof(a) / sizeof *(a))

struct library {
    __typeof__(mockddb_abi) *abi;
    __typeof__(mockddb_open) *open;
    __typeof__(mockddb_close) *close;
    __typeof__(mockddb_problem) *problem;
    __typeof__(mockddb_call) *call;
    __typeof__(mockddb_verb) *verb;
};

struct handle {
    struct library library;
    struct mockddb *db; /* NULL: closed */
    bool is_used;       /* by a request on a thread of the pool */
    size_t log_len;
    char log[LOG_BYTES];
};

enum { WORLD, TARGET, BODY, REGION_OR_METHOD, CLIENT, TEXTS };

/* A request, with the texts that it owns, and its reply. */
struct job {
    struct handle *handle;
    char *texts[TEXTS]; /* NULL: none */
    size_t body_len;
    uint32_t flags;
    bool is_verb;
    int result;
    struct mockddb_reply reply;
    napi_async_work work;
    napi_ref callback, holder; /* holder keeps the handle from being collected */
};

/* --- values ----------------------------------------------------------------------------------- */

static napi_value throw_text(napi_env env, const char *text)
{
    (void)napi_throw_error(env, NULL, text);
    return NULL;
}

/* The bytes of a string or of a Uint8Array with a NUL behind them, which the caller frees; NULL for
 * another value, or where memory is out. */
static char *read_bytes(napi_env env, napi_value value, size_t *len)
{
    napi_valuetype type;
    bool is_array = false;
    char *out = NULL;
    void *data = NULL;

    *len = 0;
    (void)napi_typeof(env, value, &type);
    (void)napi_is_typedarray(env, value, &is_array);
    if (type == napi_string) {
        (void)napi_get_value_string_utf8(env, value, NULL, 0, len);
        if ((out = malloc(*len + 1)))
            (void)napi_get_value_string_utf8(env, value, out, *len + 1, len);
    } else if (is_array) {
        napi_typedarray_type kind;

        (void)napi_get_typedarray_info(env, value, &kind, len, &data, NULL, NULL);
        if (kind == napi_uint8_array && (out = malloc(*len + 1))) {
            memcpy(out, data ? data : "", *len);
            out[*len] = '\0';
        }
    }
    return out;
}

static napi_value number(napi_env env, int64_t n)
{
    napi_value value = NULL;

    (void)napi_create_int64(env, n, &value);
    return value;
}

static napi_value text(napi_env env, const char *at, size_t len)
{
    napi_value value = NULL;

    (void)napi_create_string_utf8(env, at, len, &value);
    return value;
}

static struct handle *read_handle(napi_env env, napi_value value)
{
    void *handle = NULL;

    return napi_get_value_external(env, value, &handle) == napi_ok ? handle : NULL;
}

/* --- handles ---------------------------------------------------------------------------------- */

static bool load(struct library *out, const char *path, char *why, size_t size)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL); /* stays loaded: it may have threads */
    const struct {
        const char *name;
        void **to;
    } names[] = {
        {"mockddb_abi", (void **)&out->abi},         {"mockddb_open", (void **)&out->open},
        {"mockddb_close", (void **)&out->close},     {"mockddb_call", (void **)&out->call},
        {"mockddb_problem", (void **)&out->problem}, {"mockddb_verb", (void **)&out->verb},
    };

    for (size_t i = 0; library && i < COUNT(names); i++)
        if (!(*names[i].to = dlsym(library, names[i].name)))
            library = NULL;
    if (!library)
        (void)snprintf(why, size, "%s is not libmockddb: %s", path, dlerror());
    else if (out->abi() != MOCKDDB_ABI)
        (void)snprintf(why, size,
                       "%s has version %d of libmockddb's interface, this package needs %d", path,
                       out->abi(), MOCKDDB_ABI);
    return library && out->abi() == MOCKDDB_ABI;
}

static void note_line(void *context, const char *line)
{
    struct handle *h = context;
    size_t len = strlen(line);

    if (len + 1 > sizeof h->log - h->log_len)
        return;
    memcpy(h->log + h->log_len, line, len);
    h->log_len += len;
    h->log[h->log_len++] = '\n';
}

static void close_handle(struct handle *h)
{
    if (h->db)
        h->library.close(h->db);
    h->db = NULL;
}

static void finalize_handle(napi_env env, void *data, void *hint)
{
    (void)env;
    (void)hint;
    close_handle(data);
    free(data);
}

/* Opens with words, of which `count` are read; returns whether it worked. */
static bool open_with(struct handle *h, char **words, size_t count, char *why, size_t size)
{
    const struct mockddb_options options = {.size = sizeof options,
                                            .words = (const char *const *)words,
                                            .word_count = count,
                                            .log = note_line,
                                            .log_context = h};

    if (h->library.open(&options, &h->db) == MOCKDDB_OK)
        return true;
    (void)snprintf(why, size, "the embedded server did not start: %s", h->library.problem(h->db));
    close_handle(h);
    return false;
}

static napi_value open_one(napi_env env, napi_callback_info info)
{
    napi_value args[2], value = NULL;
    size_t argc = COUNT(args), len;
    uint32_t count = 0, filled = 0;
    char why[2048] = "open() needs a path and words";
    struct handle *h = calloc(1, sizeof *h);
    char *path, **words;
    bool opened = false;

    (void)napi_get_cb_info(env, info, &argc, args, NULL, NULL);
    path = read_bytes(env, args[0], &len);
    (void)napi_get_array_length(env, args[1], &count);
    words = calloc((size_t)count + 1, sizeof *words);
    while (words && filled < count && napi_get_element(env, args[1], filled, &value) == napi_ok &&
           (words[filled] = read_bytes(env, value, &len)))
        filled++;
    if (h && path && words && filled == count)
        opened = load(&h->library, path, why, sizeof why) &&
                 open_with(h, words, count, why, sizeof why);
    for (uint32_t i = 0; i < filled; i++)
        free(words[i]);
    free((void *)words);
    free(path);
    if (opened && napi_create_external(env, h, finalize_handle, NULL, &value) == napi_ok)
        return value;
    if (h)
        close_handle(h);
    free(h);
    return throw_text(env, why);
}

static napi_value close_one(napi_env env, napi_callback_info info)
{
    napi_value args[1];
    size_t argc = COUNT(args);
    struct handle *h;

    (void)napi_get_cb_info(env, info, &argc, args, NULL, NULL);
    if (!(h = read_handle(env, args[0])) || h->is_used)
        return throw_text(env, "close() needs a handle that no request uses");
    close_handle(h);
    return NULL;
}

/* --- requests --------------------------------------------------------------------------------- */

static void free_job(struct job *job)
{
    for (size_t i = 0; i < TEXTS; i++)
        free(job->texts[i]);
    free(job);
}

/* Reads a request; throws, and returns NULL, where it is none. */
static struct job *read_job(napi_env env, napi_value holder, napi_value request)
{
    struct job *job = calloc(1, sizeof *job);
    uint32_t count = 0;
    napi_value value;
    size_t len;

    if (!job)
        return NULL;
    job->handle = read_handle(env, holder);
    if (!job->handle || !job->handle->db || job->handle->is_used) {
        (void)throw_text(env, "a request needs an open handle that no other request uses");
        free_job(job);
        return NULL;
    }
    (void)napi_get_array_length(env, request, &count);
    job->is_verb = count == 4;
    for (uint32_t i = 0; i < count && i < TEXTS; i++) {
        (void)napi_get_element(env, request, i, &value);
        job->texts[i] = read_bytes(env, value, &len);
        if (i == BODY)
            job->body_len = len;
    }
    if (!job->is_verb && napi_get_element(env, request, TEXTS, &value) == napi_ok)
        (void)napi_get_value_uint32(env, value, &job->flags);
    job->reply.size = sizeof job->reply;
    return job;
}

static void do_job(napi_env env, void *data)
{
    struct job *job = data;
    char **t = job->texts;
    const struct library *library = &job->handle->library;

    (void)env;
    if (job->is_verb)
        job->result = library->verb(job->handle->db, t[WORLD], t[REGION_OR_METHOD], t[TARGET],
                                    t[BODY], job->body_len, &job->reply);
    else
        job->result = library->call(
            job->handle->db,
            &(struct mockddb_request){.size = sizeof(struct mockddb_request),
                                      .world = t[WORLD],
                                      .target = t[TARGET],
                                      .body = t[BODY],
                                      .body_len = job->body_len,
                                      .region = t[REGION_OR_METHOD],
                                      .access_key = t[WORLD],
                                      .client = t[CLIENT],
                                      .flags = job->flags},
            &job->reply);
}

static napi_value reply_of(napi_env env, struct job *job)
{
    const struct mockddb_reply *r = &job->reply;
    struct handle *h = job->handle;
    napi_value list = NULL, body = NULL;
    void *copy;

    (void)napi_create_buffer_copy(env, r->body_len, r->body_len ? r->body : "", &copy, &body);
    const napi_value members[] = {
        number(env, r->status),
        body,
        text(env, r->content_type, strlen(r->content_type)),
        number(env, r->flags),
        number(env, r->delay_ms),
        number(env, r->date_skew_ms),
        number(env, (int64_t)r->explanation),
        text(env, h->log, h->log_len),
    };
    h->log_len = 0;
    (void)napi_create_array_with_length(env, COUNT(members), &list);
    for (uint32_t i = 0; i < COUNT(members); i++)
        (void)napi_set_element(env, list, i, members[i]);
    return list;
}

static napi_value run_one(napi_env env, napi_callback_info info)
{
    napi_value args[2], reply = NULL;
    size_t argc = COUNT(args);
    struct job *job;

    (void)napi_get_cb_info(env, info, &argc, args, NULL, NULL);
    if (!(job = read_job(env, args[0], args[1])))
        return NULL;
    do_job(env, job);
    if (job->result == MOCKDDB_OK)
        reply = reply_of(env, job);
    else
        (void)throw_text(env, job->handle->library.problem(job->handle->db));
    free_job(job);
    return reply;
}

static void complete_job(napi_env env, napi_status status, void *data)
{
    struct job *job = data;
    napi_value args[2] = {NULL, NULL}, callback = NULL, global = NULL, message;

    job->handle->is_used = false;
    if (status == napi_ok && job->result == MOCKDDB_OK) {
        (void)napi_get_null(env, &args[0]);
        args[1] = reply_of(env, job);
    } else {
        const char *why = status == napi_ok ? job->handle->library.problem(job->handle->db)
                                            : "the request was not begun";

        message = text(env, why, strlen(why));
        (void)napi_create_error(env, NULL, message, &args[0]);
        (void)napi_get_undefined(env, &args[1]);
    }
    (void)napi_get_reference_value(env, job->callback, &callback);
    (void)napi_get_global(env, &global);
    (void)napi_delete_reference(env, job->callback);
    (void)napi_delete_reference(env, job->holder);
    (void)napi_delete_async_work(env, job->work);
    free_job(job);
    (void)napi_call_function(env, global, callback, COUNT(args), args, NULL);
}

static napi_value start_one(napi_env env, napi_callback_info info)
{
    napi_value args[3];
    size_t argc = COUNT(args);
    struct job *job;

    (void)napi_get_cb_info(env, info, &argc, args, NULL, NULL);
    if (!(job = read_job(env, args[0], args[1])))
        return NULL;
    if (napi_create_reference(env, args[2], 1, &job->callback) != napi_ok ||
        napi_create_reference(env, args[0], 1, &job->holder) != napi_ok ||
        napi_create_async_work(env, NULL, text(env, "mockddb", 7), do_job, complete_job, job,
                               &job->work) != napi_ok ||
        napi_queue_async_work(env, job->work) != napi_ok) {
        free_job(job);
        return throw_text(env, "the request cannot be given to another thread");
    }
    job->handle->is_used = true;
    return NULL;
}

/* --- the module ------------------------------------------------------------------------------- */

int32_t node_api_module_get_api_version_v1(void)
{
    return 8;
}

napi_value napi_register_module_v1(napi_env env, napi_value exports)
{
    static const struct {
        const char *name;
        napi_callback function;
    } functions[] = {
        {"open", open_one}, {"run", run_one}, {"start", start_one}, {"close", close_one}};

    for (size_t i = 0; i < COUNT(functions); i++) {
        napi_value function = NULL;

        (void)napi_create_function(env, functions[i].name, strlen(functions[i].name),
                                   functions[i].function, NULL, &function);
        (void)napi_set_named_property(env, exports, functions[i].name, function);
    }
    return exports;
}
