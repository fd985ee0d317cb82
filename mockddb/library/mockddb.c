#include "library/mockddb.h"

#include "admin/admin.h"
#include "base/file.h"
#include "base/file_release.h"
#include "base/file_sync.h"
#include "base/log.h"
#include "base/utf8.h"
#include "model/limits.h"
#include "model/names.h"
#include "setup/setup.h"
#include "store/store_memory.h"
#include "worlds/worlds_call.h"

#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#define PROBLEM_BYTES 1024
#define DISK_MS       5 /* between two looks whether the disk is ready */
#define FILE_PIECE    ((size_t)64 * 1024)

struct mockddb {
    atomic_flag is_busy;
    bool is_open, is_lost;
    pid_t process; /* that opened it */
    uint32_t flags;
    struct log_sink sink;
    struct tree_pool *pool;
    struct arena *arena; /* of the handle */
    struct setup_options options;
    struct setup *setup;
    struct admin *admin;
    struct arena *call; /* of the current call; its reply may be in it */
    char problem[PROBLEM_BYTES];
};

int mockddb_abi(void)
{
    return MOCKDDB_ABI;
}

const char *mockddb_version(void)
{
    return MOCKDDB_VERSION;
}

const char *mockddb_problem(const struct mockddb *db)
{
    return db ? db->problem : "there is no memory for a handle";
}

/* --- what is the thread's while a function runs ----------------------------------------------- */

/* What a function does with the handle; returns a mockddb_result. */
typedef int handle_work(struct mockddb *db, void *args);

static int fail(struct mockddb *db, int result, const char *why)
{
    (void)snprintf(db->problem, sizeof db->problem, "%s", why);
    return result;
}

/* Runs the work with the handle's log and memory. Control comes back here when memory is out: the
 * work was cut off anywhere, so the handle's state is unknown from then on. */
static int run_within(struct mockddb *db, handle_work *work, void *args)
{
    jmp_buf landing;
    jmp_buf *const landed = process_land(&landing);
    const struct log_sink *const sink = log_redirect(&db->sink);
    struct tree_pool *const pool = store_memory_use(db->pool);
    int result;

    if (!setjmp(landing)) {
        result = work(db, args);
    } else {
        db->is_lost = true;
        result = fail(db, MOCKDDB_LOST, "out of memory");
    }
    (void)store_memory_use(pool);
    (void)log_redirect(sink);
    (void)process_land(landed);
    return result;
}

static bool is_of_parent(const struct mockddb *db)
{
    return db->process != getpid();
}

/* Runs the work of a function that needs an open handle. */
static int run(struct mockddb *db, handle_work *work, void *args)
{
    int result;

    if (!db)
        return MOCKDDB_INVALID;
    if (atomic_flag_test_and_set_explicit(&db->is_busy, memory_order_acquire))
        return MOCKDDB_BUSY;
    if (is_of_parent(db)) {
        result = fail(db, MOCKDDB_FORKED, "the handle was opened by another process");
    } else if (db->is_lost) {
        result = fail(db, MOCKDDB_LOST, "memory ran out in an earlier call");
    } else if (!db->is_open) {
        result = MOCKDDB_INVALID; /* the problem stays the one of mockddb_open */
    } else {
        db->problem[0] = '\0';
        result = run_within(db, work, args);
    }
    atomic_flag_clear_explicit(&db->is_busy, memory_order_release);
    return result;
}

/* Reads a caller's struct, of which an older or newer version may have fewer or more members.
 * Returns false if its size is not one of a version. */
static bool read_sized(void *to, size_t known, size_t least, const void *from)
{
    size_t size;

    if (!from)
        return false;
    memcpy(&size, from, sizeof size);
    memset(to, 0, known);
    memcpy(to, from, size < known ? size : known);
    return size >= least;
}

#define READ_SIZED(to, last, from) \
    read_sized(to, sizeof *(to), offsetof(__typeof__(*(to)), last) + sizeof(to)->last, from)

/* --- opening ---------------------------------------------------------------------------------- */

static const struct option_group groups[] = {
    {NULL, setup_options_files, 0},
    {NULL, setup_options_data, 0},
    {NULL, setup_options_service, 0},
    {NULL, setup_options_faults, 0},
    {NULL, setup_options_worlds, 0},
    {NULL, setup_options_journal, 0},
    {NULL, NULL, 0},
};

/* What only a program has that serves others. */
static const char *check_options(struct arena *a, const struct setup_options *o)
{
    const char *kinesis = o->service.kinesis_out;
    const struct {
        bool given;
        const char *name;
    } refused[] = {
        {o->store != NULL, "--store"},
        {o->service.workers != 0, "--workers"},
        {o->worlds_by_key, "--worlds by-access-key"},
        {o->fail_on != NULL, "--fail-on"},
        {o->explains, "--explain"},
        {kinesis && strstr(kinesis, "://"), "--kinesis-out with a URL"},
    };

    for (size_t i = 0; i < COUNT(refused); i++)
        if (refused[i].given)
            return arena_printf(a, "%s is for servers, not for the library", refused[i].name);
    return NULL;
}

static const char *read_words(struct arena *a, const struct mockddb_options *given,
                              struct setup_options *out)
{
    struct option_history history = {.count = 0};
    char **words = arena_array(a, given->word_count + 1, sizeof *words);
    char *const *at = words;
    const char *problem;

    for (size_t i = 0; i < given->word_count; i++)
        if (!(given->words[i] && (words[i] = arena_text(a, span_of(given->words[i])))))
            return arena_printf(a, "word %zu of the options is NULL", i);
    *out = setup_options_default;
    while (*at) {
        if (!option_is_known(groups, *at))
            return arena_printf(a, "%s is not an option that the library has", *at);
        if ((problem = option_read(a, groups, &at, out, &history)))
            return problem;
    }
    if (history.repeated)
        return arena_printf(a, "option %s is given twice", history.repeated);
    return (problem = check_options(a, out)) ? problem : setup_options_check(a, out);
}

static int open_handle(struct mockddb *db, void *args)
{
    const struct mockddb_options *given = args;
    static const struct setup_parts parts = {.terminal = NULL};
    const char *wrong;
    const struct problem *p;

    db->pool = store_memory_new();
    (void)store_memory_use(db->pool);
    db->arena = arena_new();
    db->call = arena_new();
    if ((wrong = read_words(db->arena, given, &db->options)))
        return fail(db, MOCKDDB_INVALID, wrong);
    if ((p = setup_new(db->arena, &db->options, &parts, &db->setup)) || (p = setup_fill(db->setup)))
        return fail(db, p->kind == PROBLEM_INVALID ? MOCKDDB_INVALID : MOCKDDB_FAILED,
                    problem_text(db->arena, p));
    db->admin = admin_new(setup_worlds(db->setup), setup_patterns(db->setup));
    worlds_flush(setup_worlds(db->setup));
    db->is_open = true;
    return MOCKDDB_OK;
}

int mockddb_open(const struct mockddb_options *options, struct mockddb **out)
{
    const struct mockddb_options none = {.size = sizeof none};
    struct mockddb_options given;
    struct mockddb *db;

    if (!out)
        return MOCKDDB_INVALID;
    db = *out = calloc(1, sizeof *db);
    if (!db)
        return MOCKDDB_LOST;
    atomic_flag_clear(&db->is_busy);
    db->process = getpid();
    if (!READ_SIZED(&given, log_context, options ? options : &none))
        return fail(db, MOCKDDB_INVALID, "the size of the options is not one of any version");
    if (given.word_count && !given.words)
        return fail(db, MOCKDDB_INVALID, "the options have a number of words, and no words");
    if (given.flags & ~MOCKDDB_JOBS_APART)
        return fail(db, MOCKDDB_INVALID, "the options have a flag that this version does not know");
    db->flags = given.flags;
    db->sink = (struct log_sink){given.log, given.log_context};
    return run_within(db, open_handle, &given);
}

/* The pool is freed after all stores. */
static int close_handle(struct mockddb *db, void *args)
{
    (void)args;
    admin_free(db->admin);
    setup_free(db->setup);
    arena_free(db->call);
    arena_free(db->arena);
    return MOCKDDB_OK;
}

void mockddb_close(struct mockddb *db)
{
    if (!db)
        return;
    if (!is_of_parent(db) && !db->is_lost && !run_within(db, close_handle, NULL))
        store_memory_free(db->pool);
    free(db);
}

/* --- turns ------------------------------------------------------------------------------------ */

/* Does a step of the work between requests. Returns whether another one is due. */
static bool step(struct mockddb *db)
{
    struct worlds *all = setup_worlds(db->setup);
    bool more = worlds_idle(all);

    worlds_flush(all);
    return more;
}

/* Does a step of the work that a request waits for; where that waits for the disk, so does this. */
static void step_for_request(struct mockddb *db)
{
    struct pollfd bell = {.events = POLLIN};

    if (step(db))
        return;
    bell.fd = file_sync_bell();
    if (poll(&bell, 1, DISK_MS) > 0)
        file_sync_heard();
}

/* As a server does between two turns. */
static void begin_turn(struct mockddb *db)
{
    struct worlds *all = setup_worlds(db->setup);

    arena_reset(db->call);
    if (!(db->flags & MOCKDDB_JOBS_APART) && worlds_rest_ms(all) == 0)
        (void)worlds_idle(all);
}

/* Saves what the turn has changed. A reply that is not true any more is replaced. */
static void end_turn(struct mockddb *db, const struct world *world, struct mockddb_reply *out)
{
    struct worlds *all = setup_worlds(db->setup);
    struct reply lost;

    worlds_flush(all);
    if (!world || !world_lost(world))
        return;
    dispatch_internal_error(world_dispatcher(worlds_first(all)), &lost);
    *out = (struct mockddb_reply){.status = lost.status,
                                  .body = lost.body.at,
                                  .body_len = lost.body.len,
                                  .content_type = "application/x-amz-json-1.0"};
}

static void write_reply(const struct mockddb_reply *from, struct mockddb_reply *to)
{
    size_t size = to->size < sizeof *from ? to->size : sizeof *from;

    memcpy((char *)to + sizeof to->size, (const char *)from + sizeof from->size,
           size - sizeof from->size);
}

/* Whether the caller's reply has the members of the first version. */
static bool takes_reply(struct mockddb *db, const struct mockddb_reply *reply)
{
    if (reply &&
        reply->size >= offsetof(struct mockddb_reply, explanation) + sizeof reply->explanation)
        return true;
    (void)fail(db, MOCKDDB_INVALID, "the size of the reply is not one of any version");
    return false;
}

static struct span optional(const char *text)
{
    return text ? span_of(text) : (struct span){"", 0};
}

/* --- requests --------------------------------------------------------------------------------- */

struct call_args {
    const struct mockddb_request *request;
    struct mockddb_reply *reply;
};

static void disturb(struct mockddb_reply *out, const struct disturbance *d)
{
    out->delay_ms = d->delay_ms;
    out->date_skew_ms = d->date_skew_ms;
    out->flags = (d->dropped ? MOCKDDB_DROPPED : 0) | (d->cut ? MOCKDDB_CUT : 0) |
                 (d->wrong_crc ? MOCKDDB_WRONG_CRC : 0);
    if (d->cut && d->cut_bytes < out->body_len)
        out->body_len = (size_t)d->cut_bytes;
}

static int call_world(struct mockddb *db, void *args)
{
    const struct call_args *given = args;
    struct worlds *all = setup_worlds(db->setup);
    struct mockddb_request r;
    struct mockddb_reply out = {.content_type = "application/x-amz-json-1.0"};
    struct worlds_answer answer;
    struct worlds_call call;

    if (!takes_reply(db, given->reply))
        return MOCKDDB_INVALID;
    if (!READ_SIZED(&r, flags, given->request))
        return fail(db, MOCKDDB_INVALID, "the size of the request is not one of any version");
    if (!r.target || (r.body_len && !r.body))
        return fail(db, MOCKDDB_INVALID, "the request has no target, or no body of its length");
    if (r.flags & ~(MOCKDDB_ASIDE | MOCKDDB_EXPLAIN))
        return fail(db, MOCKDDB_INVALID, "the request has a flag that this version does not know");
    if (r.region && *r.region && !names_is_region(span_of(r.region)))
        return fail(db, MOCKDDB_INVALID, "the request's region is not one such as us-east-1");
    begin_turn(db);
    call = (struct worlds_call){
        .world = r.world ? span_of(r.world) : (struct span){NULL, 0},
        .request = {.target = span_of(r.target),
                    .body = {r.body ? r.body : "", r.body_len},
                    .host = optional(r.host),
                    .access_key = utf8_of_field(db->call, optional(r.access_key)),
                    .client = utf8_of_field(db->call, optional(r.client)),
                    .region = op_region_signed(world_settings(worlds_first(all)),
                                               optional(r.region)),
                    .aside = r.flags & MOCKDDB_ASIDE},
        .keeps_explanation = r.flags & MOCKDDB_EXPLAIN,
    };
    while (worlds_call(all, db->call, &call, &answer) != WORLDS_ANSWERED)
        step_for_request(db);
    out.status = answer.reply.status;
    out.body = answer.reply.body.at;
    out.body_len = answer.reply.body.len;
    out.explanation = answer.explanation;
    if (answer.world && answer.reply.disturbance)
        disturb(&out, answer.reply.disturbance);
    end_turn(db, answer.world, &out);
    write_reply(&out, given->reply);
    return MOCKDDB_OK;
}

int mockddb_call(struct mockddb *db, const struct mockddb_request *request,
                 struct mockddb_reply *reply)
{
    return run(db, call_world, &(struct call_args){request, reply});
}

/* --- verbs ------------------------------------------------------------------------------------ */

struct verb_args {
    const char *world, *method, *path, *body;
    size_t body_len;
    struct mockddb_reply *reply;
};

/* Runs the verb to its end, with the work that it has to wait for. */
static void ask_verb(struct mockddb *db, const struct admin_request *request,
                     struct admin_reply *answer)
{
    struct admin_work *work;

    for (;;) {
        admin_handle(db->admin, request, answer);
        if (!answer->waits)
            break;
        step_for_request(db);
    }
    if (!(work = answer->work))
        return;
    while (!admin_step(db->admin, work, answer))
        if (!admin_is_due(db->admin, work))
            step_for_request(db);
    admin_end(work);
}

/* Lines so far, or the content of a file; NULL: it cannot be read. */
static const char *read_answer(struct mockddb *db, const struct admin_reply *answer,
                               struct span *body)
{
    struct buf out = buf_in(db->call);
    struct span line;
    ssize_t got = 1;

    *body = answer->body;
    if (answer->stream) {
        while (admin_stream_next(db->admin, answer->stream, &line) == ADMIN_LINE)
            buf_add_span(&out, line);
        admin_stream_end(answer->stream);
        *body = buf_span(&out);
    } else if (answer->file >= 0) {
        while (got > 0) {
            char *at = buf_reserve(&out, FILE_PIECE);

            got = read(answer->file, at, FILE_PIECE);
            out.len += got > 0 ? (size_t)got : 0;
        }
        file_release_close(answer->file);
        *body = buf_span(&out);
    }
    return got < 0 ? strerror(errno) : NULL;
}

static int call_verb(struct mockddb *db, void *args)
{
    const struct verb_args *v = args;
    struct worlds *all = setup_worlds(db->setup);
    struct mockddb_reply out = {.size = 0};
    struct admin_request request;
    struct admin_reply answer;
    const char *mark, *problem;
    struct span body;

    if (!takes_reply(db, v->reply))
        return MOCKDDB_INVALID;
    if (!v->method || !v->path || (v->body_len && !v->body))
        return fail(db, MOCKDDB_INVALID, "the verb has no method, path, or body of its length");
    begin_turn(db);
    mark = strchr(v->path, '?');
    request = (struct admin_request){
        .method = v->method,
        .path = {v->path, mark ? (size_t)(mark - v->path) : strlen(v->path)},
        .query = optional(mark ? mark + 1 : NULL),
        .body = {v->body ? v->body : "", v->body_len},
        .world = v->world ? span_of(v->world) : (struct span){NULL, 0},
    };
    if (admin_takes_file(&request)) {
        if (!(request.file = worlds_temporary(db->call, all, request.body)))
            return fail(db, MOCKDDB_FAILED, "the file cannot be saved");
        request.body = (struct span){"", 0};
    }
    ask_verb(db, &request, &answer);
    if (request.file)
        (void)file_release_unlink(request.file);
    if ((problem = read_answer(db, &answer, &body)))
        return fail(db, MOCKDDB_FAILED, problem);
    out.status = answer.status;
    out.body = body.at;
    out.body_len = body.len;
    out.content_type = answer.content_type;
    end_turn(db, answer.world, &out);
    write_reply(&out, v->reply);
    return MOCKDDB_OK;
}

int mockddb_verb(struct mockddb *db, const char *world, const char *method, const char *path,
                 const char *body, size_t body_len, struct mockddb_reply *reply)
{
    return run(db, call_verb, &(struct verb_args){world, method, path, body, body_len, reply});
}

/* A name in a path or a body stays a name. */
static int call_named(struct mockddb *db, void *args)
{
    struct verb_args *v = args;
    const char *from = v->body, *name = v->path;
    char path[64 + LIMIT_WORLD_NAME], body[64 + LIMIT_WORLD_NAME] = "";

    if (!name || !world_is_name(span_of(name)) || (from && !world_is_name(span_of(from))))
        return fail(db, MOCKDDB_INVALID, "one of the names is not a name of a world or snapshot");
    (void)snprintf(path, sizeof path, "%s/%s", v->method, name);
    if (from)
        (void)snprintf(body, sizeof body, "{\"from\":\"%s\"}", from);
    return call_verb(db, &(struct verb_args){v->world, "POST", path, body, strlen(body), v->reply});
}

int mockddb_snapshot(struct mockddb *db, const char *world, const char *name,
                     struct mockddb_reply *reply)
{
    return run(db, call_named, &(struct verb_args){world, "snapshots", name, NULL, 0, reply});
}

int mockddb_fork(struct mockddb *db, const char *from, const char *name,
                 struct mockddb_reply *reply)
{
    return run(db, call_named,
               &(struct verb_args){NULL, "worlds", name, from ? from : WORLD_FIRST, 0, reply});
}

/* --- work between requests -------------------------------------------------------------------- */

struct advance_args {
    int64_t for_ms, *next_ms;
};

static int advance(struct mockddb *db, void *args)
{
    const struct advance_args *given = args;
    struct worlds *all = setup_worlds(db->setup);
    int64_t end_ms = clock_monotonic_ms() + given->for_ms;
    int rest_ms;

    if (given->for_ms < 0)
        return fail(db, MOCKDDB_INVALID, "for_ms is negative");
    while ((rest_ms = worlds_rest_ms(all)) == 0) {
        (void)step(db);
        if (given->for_ms && clock_monotonic_ms() >= end_ms)
            break;
    }
    if (rest_ms)
        worlds_trim(all);
    if (given->next_ms)
        *given->next_ms = worlds_rest_ms(all);
    return MOCKDDB_OK;
}

int mockddb_advance(struct mockddb *db, int64_t for_ms, int64_t *next_ms)
{
    return run(db, advance, &(struct advance_args){for_ms, next_ms});
}
