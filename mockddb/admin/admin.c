#include "admin/admin_verb.h"

#include "base/cut.h"
#include "base/file_release.h"
#include "base/sigv4.h"
#include "model/limits.h"

#include <stdlib.h>
#include <unistd.h>

#define JSON       "application/json"
#define JSON_LINES "application/x-ndjson"

#define MOST_MEMBERS 1000 /* in a body, counting repeated ones; more are refused */

struct admin {
    struct worlds *worlds;
    const struct admin_patterns *patterns;
    struct arena *arena;            /* of the current request */
    const struct admin_work *alone; /* the work that runs alone; NULL: none */
};

struct admin *admin_new(struct worlds *worlds, const struct admin_patterns *patterns)
{
    static const struct admin_patterns none = {.prefix = ""};
    struct admin *a = process_zeroed(sizeof *a);

    a->worlds = worlds;
    a->patterns = patterns ? patterns : &none;
    a->arena = arena_new();
    return a;
}

void admin_free(struct admin *a)
{
    if (!a)
        return;
    arena_free(a->arena);
    free(a);
}

static void reply_problem(struct admin_call *c, const struct problem *p, struct admin_reply *reply)
{
    static const int statuses[] = {
        [PROBLEM_INVALID] = 400, [PROBLEM_FORBIDDEN] = 403, [PROBLEM_MISSING] = 404,
        [PROBLEM_METHOD] = 405,  [PROBLEM_CONFLICT] = 409,  [PROBLEM_LIMIT] = 409,
        [PROBLEM_FAILED] = 500,
    };
    struct buf out = buf_in(c->arena);
    struct wire_writer w = {&out, false};

    wire_open(&w, '{');
    wire_put_member_word(&w, "message", problem_text(c->arena, p));
    wire_close(&w, '}');
    buf_add_char(&out, '\n');
    reply->status = statuses[p->kind];
    reply->body = buf_span(&out);
}

/* --- finding the verb ------------------------------------------------------------------------- */

/* A path's steps must not be empty: a script whose $id is empty in "faults/$id" must not delete all
 * rules. */
static bool path_fits(const char *pattern, struct span path, struct span *name)
{
    struct span form = span_of(pattern);

    if (path.len && path.at[path.len - 1] == '/')
        return false;
    while (form.len && path.len) {
        struct span want = cut_part(&form, '/'), have = cut_part(&path, '/');

        if (span_is(want, "*") && have.len)
            *name = have;
        else if (!span_equal(want, have))
            return false;
    }
    return !form.len && !path.len;
}

/* Returns NULL if the path does not exist; *known is set if it exists with another method. */
static const struct admin_verb *find_verb(const struct admin_request *request, struct span *name,
                                          bool *known)
{
    *known = false;
    for (size_t i = 0; admin_verbs[i]; i++)
        for (const struct admin_verb *v = admin_verbs[i]; v->method; v++) {
            if (!path_fits(v->path, request->path, name))
                continue;
            *known = true;
            if (strcmp(v->method, request->method) == 0)
                return v;
        }
    return NULL;
}

/* --- what the request brings ------------------------------------------------------------------ */

/* Whether the names, which have blanks between them, contain the name. */
static bool is_listed(const char *names, struct span name)
{
    for (size_t len; names && *names; names += len + (names[len] == ' ')) {
        len = strcspn(names, " ");
        if (span_equal(name, (struct span){names, len}))
            return true;
    }
    return false;
}

static const struct problem *read_body(struct admin_call *c, const struct admin_verb *v,
                                       struct span body)
{
    struct span twice;

    c->text = body;
    if (!body.len)
        return NULL;
    if (!v->members)
        return problem_invalid(c->arena, "this verb takes no body");
    if (wire_parse(c->arena, body, &c->body))
        return problem_invalid(c->arena, "the body is not a JSON object");
    if (wire_count_sent(c->body) > MOST_MEMBERS)
        return problem_invalid(c->arena, "the body has more members than any verb takes");
    for (const wire_node *m = wire_first(c->body); m; m = wire_next(m))
        if (!is_listed(v->members, wire_name(m)))
            return problem_invalid(c->arena, "unknown member %.*s", SPAN_ARG(wire_name(m)));
    twice = wire_repeated(c->body);
    return twice.at ? problem_invalid(c->arena, "%.*s is given twice", SPAN_ARG(twice)) : NULL;
}

/* Takes the next "name=value" off a query. */
static bool next_filter(struct span *query, struct span *name, struct span *value)
{
    const bool more = query->len;

    *value = cut_part(query, '&');
    *name = cut_part(value, '=');
    return more;
}

struct span admin_filter(const struct admin_call *c, const char *wanted)
{
    struct span rest = c->query, name, value;

    while (next_filter(&rest, &name, &value))
        if (span_is(name, wanted))
            return sigv4_decode(c->arena, value);
    return (struct span){NULL, 0};
}

/* Finds the request's world; a verb that changes something makes it on first use, as an operation
 * does. */
static const struct problem *find_world(struct admin_call *c, const struct admin_verb *v)
{
    const struct span name = c->request->world;
    const struct problem *p;
    bool may_make = !c->request->world_exists && strcmp(v->method, "GET") != 0 &&
                    strcmp(v->method, "DELETE") != 0;

    if (!name.at || (v->flags & ADMIN_NO_WORLD)) {
        c->world = worlds_first(c->worlds);
        return NULL;
    }
    if ((p = world_check_name(c->arena, name)))
        return p;
    if (may_make)
        return worlds_use(c->arena, c->worlds, name, &c->world);
    return worlds_seek(c->arena, c->worlds, name, &c->world);
}

/* --- running it ------------------------------------------------------------------------------- */

static const struct problem *read_request(struct admin_call *c)
{
    const struct problem *p;
    struct span rest, name, value;

    if (c->name.len && !world_is_name(c->name))
        return problem_invalid(c->arena, "%.*s is not a valid name", SPAN_ARG(c->name));
    if ((p = read_body(c, c->verb, c->request->body)))
        return p;
    rest = c->query;
    while (next_filter(&rest, &name, &value)) {
        struct span behind = rest, other, unread;

        if (!is_listed(c->verb->filters, name) && (name.len || value.len))
            return problem_invalid(c->arena, "unknown filter %.*s", SPAN_ARG(name));
        while (name.len && next_filter(&behind, &other, &unread))
            if (span_equal(name, other))
                return problem_invalid(c->arena, "%.*s is given twice", SPAN_ARG(name));
    }
    if ((c->verb->flags & ADMIN_CHANGES) && world_settings(worlds_first(c->worlds))->read_only)
        return problem_new(c->arena, PROBLEM_FORBIDDEN, "the server is read-only");
    if ((c->verb->flags & ADMIN_OWN) && world_settings(worlds_first(c->worlds))->workers)
        return problem_new(c->arena, PROBLEM_FORBIDDEN,
                           "%s: several processes answer requests (--workers), and this would be "
                           "about one of them (docs/scale-out.md)",
                           c->verb->path);
    if ((c->verb->flags & ADMIN_COPIES) &&
        store_is_in_database(world_store(worlds_first(c->worlds))))
        return problem_new(c->arena, PROBLEM_FORBIDDEN,
                           "%s: the server keeps everything in a database (--store), which has one "
                           "world and the real time (docs/scale-out.md)",
                           c->verb->path);
    return NULL;
}

static const struct problem *run_verb(struct admin_call *c)
{
    wire_open(&c->out, '{');
    return c->verb->run(c);
}

/* A verb has the same budget as a request: exceeding it returns here by longjmp. */
static const struct problem *run_within(struct admin_call *c,
                                        const struct problem *(*part)(struct admin_call *c))
{
    const struct problem *p;
    jmp_buf landing;

    if (setjmp(landing) == ARENA_SPENT_NOTHING) {
        arena_limit(c->arena, &c->left, &landing);
        p = part(c);
        c->left = *arena_left(c->arena);
    } else {
        /* Frees what a verb holds besides its arena. */
        admin_end(c->work);
        admin_stream_end(c->stream);
        file_release_close(c->file);
        c->work = NULL;
        c->stream = NULL;
        c->file = -1;
        arena_reset(c->arena);
        p = problem_invalid(c->arena, ADMIN_BEYOND_BUDGET);
    }
    arena_unlimit(c->arena);
    return p;
}

/* Finding or making a world is never ended halfway. */
static const struct problem *handle_request(struct admin_call *c)
{
    const struct admin_request *request = c->request;
    const struct problem *p;
    bool known;

    c->verb = find_verb(request, &c->name, &known);
    if (!c->verb && known)
        return problem_new(c->arena, PROBLEM_METHOD, "method %s is not supported by this verb",
                           request->method);
    if (!c->verb)
        return problem_new(c->arena, PROBLEM_MISSING, "there is no such verb");
    if ((p = run_within(c, read_request)) || (p = find_world(c, c->verb)))
        return p;
    /* A verb with a file cannot be repeated by the client, so its work waits before its first
     * slice. */
    if (!c->upload && !(c->verb->flags & ADMIN_NO_WORLD) && strcmp(c->verb->method, "GET") != 0 &&
        world_is_copied(c->world))
        return problem_new(c->arena, PROBLEM_WAITS, "the world is being copied");
    return c->verb->flags & ADMIN_WHOLE ? run_verb(c) : run_within(c, run_verb);
}

static void reply_success(struct admin_call *c, struct admin_reply *reply)
{
    worlds_touch(c->worlds, c->world);
    wire_close(&c->out, '}');
    buf_add_char(c->out.out, '\n');
    reply->status = c->status ? c->status : 200;
    reply->body = buf_span(c->out.out);
    reply->file = c->file;
    if (c->file >= 0)
        reply->content_type = "application/octet-stream";
    reply->world = c->world;
}

void admin_handle(struct admin *a, const struct admin_request *request, struct admin_reply *reply)
{
    struct admin_call c = {.arena = a->arena,
                           .admin = a,
                           .patterns = a->patterns,
                           .worlds = a->worlds,
                           .request = request,
                           .left = {.bytes = LIMIT_REQUEST_MEMORY, .steps = LIMIT_REQUEST_STEPS},
                           .query = request->query,
                           .upload = request->file,
                           .file = -1};
    const struct problem *p;
    struct buf out;

    arena_reset(a->arena);
    out = buf_in(a->arena);
    c.out.out = &out;
    *reply = (struct admin_reply){.content_type = JSON, .file = -1};
    if ((p = handle_request(&c)) && p->kind == PROBLEM_WAITS)
        reply->waits = true;
    else if (p)
        reply_problem(&c, p, reply);
    else if (c.work)
        reply->work = c.work;
    else if (c.stream)
        *reply = (struct admin_reply){
            .status = 200, .content_type = JSON_LINES, .file = -1, .stream = c.stream};
    else
        reply_success(&c, reply);
}

/* --- work in slices --------------------------------------------------------------------------- */

static void take_turn(struct admin *a, const struct admin_work *w)
{
    if (w->alone && !a->alone)
        a->alone = w;
}

static struct admin_work *new_work(struct admin_call *c)
{
    struct admin_work *w = c->work = process_zeroed(sizeof *w);

    w->admin = c->admin;
    w->alone = c->verb->flags & ADMIN_ALONE;
    w->worlds = c->worlds;
    w->world = c->world;
    take_turn(w->admin, w);
    return w;
}

void admin_begin(struct admin_call *c, const struct admin_job *job, void *state)
{
    struct admin_work *w = new_work(c);

    w->job = job;
    w->state = state;
    world_hold(w->world);
}

const struct problem *admin_copy(struct admin_call *c, struct worlds_copy *copy,
                                 void (*answer)(struct admin_call *c, struct worlds_copy *copy))
{
    const struct problem *p;
    struct admin_work *w;

    if ((c->verb->flags & ADMIN_ALONE) || !worlds_copy_step(copy)) {
        w = new_work(c);
        w->copy = copy;
        w->answer = answer;
        return NULL;
    }
    if (!(p = problem_copy(c->arena, worlds_copy_problem(copy))))
        answer(c, copy);
    worlds_copy_free(copy);
    return p;
}

bool admin_must_wait(const struct admin *a, const struct admin_request *request)
{
    const struct admin_verb *verb;
    struct span name;
    bool known;

    if (!a->alone || request->file)
        return false;
    verb = find_verb(request, &name, &known);
    return verb && (verb->flags & ADMIN_ALONE);
}

bool admin_takes_file(const struct admin_request *request)
{
    const struct admin_verb *verb;
    struct span name;
    bool known;

    verb = find_verb(request, &name, &known);
    return verb && (verb->flags & ADMIN_FILE);
}

bool admin_works_alone(const struct admin *a)
{
    return a->alone != NULL;
}

bool admin_is_due(const struct admin *a, const struct admin_work *w)
{
    if (w->alone && a->alone && a->alone != w)
        return false;
    return admin_may_end(w) && (w->copy || !world_is_copied(w->world));
}

bool admin_may_end(const struct admin_work *w)
{
    return !w->copy || !worlds_copy_waits(w->copy);
}

bool admin_step(struct admin *a, struct admin_work *w, struct admin_reply *reply)
{
    struct admin_call c = {
        .arena = a->arena, .admin = a, .worlds = a->worlds, .world = w->world, .file = -1};
    const struct problem *p;
    struct buf out;

    take_turn(a, w);
    if (!admin_is_due(a, w) || !(w->copy ? worlds_copy_step(w->copy) : w->job->step(w)))
        return false;
    arena_reset(a->arena);
    out = buf_in(a->arena);
    c.out.out = &out;
    wire_open(&c.out, '{');
    *reply = (struct admin_reply){.content_type = JSON, .file = -1};
    if (!w->copy)
        p = w->job->answer(&c, w);
    else if (!(p = worlds_copy_problem(w->copy)))
        w->answer(&c, w->copy);
    if (p)
        reply_problem(&c, p, reply);
    else
        reply_success(&c, reply);
    return true;
}

void admin_end(struct admin_work *w)
{
    if (!w)
        return;
    if (w->admin->alone == w)
        w->admin->alone = NULL;
    worlds_copy_free(w->copy);
    if (w->job) {
        w->job->end(w);
        world_release(w->world);
    }
    worlds_touch(w->worlds, w->world);
    free(w);
}

void admin_ask(struct admin *a, const struct admin_request *request, struct admin_reply *reply)
{
    struct admin_work *work;

    admin_handle(a, request, reply);
    if (!(work = reply->work))
        return;
    while (!admin_step(a, work, reply))
        ;
    admin_end(work);
}

/* --- replies in lines ------------------------------------------------------------------------- */

struct admin_stream *admin_begin_stream(struct admin_call *c)
{
    struct admin_stream *s = process_zeroed(sizeof *s);

    s->worlds = c->worlds;
    c->stream = s;
    return s;
}

enum admin_more admin_stream_next(struct admin *a, struct admin_stream *s, struct span *line)
{
    enum admin_more more;
    struct buf out;

    arena_reset(a->arena);
    out = buf_in(a->arena);
    more = s->next(s, a->arena, &out);
    if (more == ADMIN_LINE)
        buf_add_char(&out, '\n');
    *line = buf_span(&out);
    return more;
}

void admin_stream_end(struct admin_stream *s)
{
    if (!s)
        return;
    if (s->end)
        s->end(s);
    free(s);
}
