#include "http/http_admin.h"

#include "base/clock.h"
#include "base/file_release.h"
#include "http/http_limits.h"
#include "http/http_reply.h"
#include "http/http_signature.h"
#include "http/http_world.h"
#include "model/limits.h"

#include <stdlib.h>
#include <sys/queue.h>
#include <unistd.h>

#define OWN_PATH "/_mockddb/"

/* What an exchange waits for. */
enum awaited {
    FOR_TURN,  /* the next turn */
    FOR_WORK,  /* the end of its verb's work */
    FOR_ALONE, /* the end of work that runs alone */
    FOR_CLOCK, /* the arrival of a world's clock */
    FOR_COPY,  /* the end of a copy of a world */
};

/* An exchange whose reply comes later. */
struct held {
    TAILQ_ENTRY(held) link;
    struct http_admin *admin;
    struct http_exchange *exchange;
    enum awaited wait;
    struct admin_work *work;          /* or NULL … */
    http_admin_take *take;            /* … and what gets its answer */
    int64_t until_us;                 /* when it waits no longer; 0: it always does */
    char world[LIMIT_WORLD_NAME + 1]; /* its name: the world may be dropped meanwhile */
    uint64_t copies_ended;            /* value when the waiting began */
    struct http_admin_file file;      /* of a request that will be handled again */
};

/* A reader of lines. */
struct admin_following {
    TAILQ_ENTRY(admin_following) link;
    struct http_admin *admin;
    struct http_exchange *exchange;
    struct admin_stream *stream;
    bool waits; /* it has read all existing lines */
};

TAILQ_HEAD(held_list, held);
TAILQ_HEAD(following_list, admin_following);

struct http_admin {
    struct admin *verbs;
    struct held_list held;
    struct following_list following;
};

struct http_admin *http_admin_new(struct worlds *worlds, const struct admin_patterns *patterns)
{
    struct http_admin *a = process_zeroed(sizeof *a);

    a->verbs = admin_new(worlds, patterns);
    TAILQ_INIT(&a->held);
    TAILQ_INIT(&a->following);
    return a;
}

static void drop_file(const struct http_admin_file *file)
{
    if (!file->path)
        return;
    (void)file_release_unlink(file->path);
    arena_free(file->arena);
}

static void let_go(struct held *one)
{
    TAILQ_REMOVE(&one->admin->held, one, link);
    one->exchange->state = NULL;
    one->exchange->on_gone = NULL;
    admin_end(one->work);
    drop_file(&one->file);
    free(one);
}

void http_admin_free(struct http_admin *a)
{
    struct held *one, *next;

    if (!a)
        return;
    for (one = TAILQ_FIRST(&a->held); one; one = next) {
        next = TAILQ_NEXT(one, link);
        let_go(one);
    }
    admin_free(a->verbs);
    free(a);
}

/* --- holding ---------------------------------------------------------------------------------- */

static void on_gone(struct http_exchange *x)
{
    let_go(x->state);
}

static struct held *hold(struct http_handler *h, struct http_exchange *x, enum awaited wait)
{
    struct held *one = process_zeroed(sizeof *one);

    *one = (struct held){.admin = h->admin,
                         .exchange = x,
                         .wait = wait,
                         .copies_ended = worlds_copies_ended(h->worlds)};
    TAILQ_INSERT_TAIL(&h->admin->held, one, link);
    x->pace = HTTP_LATER;
    x->state = one;
    x->on_gone = on_gone;
    return one;
}

void http_admin_hold(struct http_handler *h, struct http_exchange *x)
{
    (void)hold(h, x, FOR_TURN);
}

void http_admin_hold_for_clock(struct http_handler *h, struct http_exchange *x,
                               const struct world *world)
{
    struct held *one = hold(h, x, FOR_CLOCK);
    struct span name = world_name(world);

    memcpy(one->world, name.at, name.len);
}

void http_admin_hold_for_copy(struct http_handler *h, struct http_exchange *x)
{
    (void)hold(h, x, FOR_COPY);
}

/* --- what is asked ---------------------------------------------------------------------------- */

static const char *method_name(enum http_method method)
{
    if (method == HTTP_OTHER)
        return "other methods";
    return http_message_method_name(method == HTTP_HEAD ? HTTP_GET : method);
}

/* Everything but the world, which may depend on the signature. */
static struct admin_request read_request(const struct http_request *request, const char *file)
{
    struct span path = http_route_path(request->uri);
    const char *mark = strchr(request->uri, '?');

    return (struct admin_request){
        .method = method_name(request->method),
        .path = span_from(path, sizeof OWN_PATH - 1),
        .query = mark ? span_of(mark + 1) : (struct span){"", 0},
        .body = file ? (struct span){"", 0} : request->body,
        .file = file,
    };
}

/* --- a file as the reply ---------------------------------------------------------------------- */

struct sending {
    int fd;
    char part[64 * 1024];
};

static void send_part(struct http_exchange *x)
{
    struct sending *s = x->state;

    while (http_exchange_room(x)) {
        ssize_t len = read(s->fd, s->part, sizeof s->part);

        if (len > 0) {
            http_exchange_write(x, (struct span){s->part, (size_t)len});
            continue;
        }
        if (len == 0)
            http_exchange_end(x);
        else
            http_exchange_break(x);
        return;
    }
}

static void end_sending(struct http_exchange *x)
{
    struct sending *s = x->state;

    file_release_close(s->fd); /* it has no name any more */
    free(s);
}

/* --- lines as the reply ----------------------------------------------------------------------- */

static void send_lines(struct http_exchange *x)
{
    struct admin_following *f = x->state;
    struct span line;

    f->waits = false;
    while (http_exchange_room(x)) {
        switch (admin_stream_next(f->admin->verbs, f->stream, &line)) {
        case ADMIN_LINE:
            http_exchange_write(x, line);
            continue;
        case ADMIN_NOTHING_YET:
            f->waits = true;
            return;
        case ADMIN_ALL:
            http_exchange_end(x);
            return;
        }
    }
}

static void end_following(struct http_exchange *x)
{
    struct admin_following *f = x->state;

    TAILQ_REMOVE(&f->admin->following, f, link);
    admin_stream_end(f->stream);
    free(f);
}

void http_admin_wake(struct http_handler *h)
{
    struct admin_following *f;

    for (f = TAILQ_FIRST(&h->admin->following); f; f = TAILQ_NEXT(f, link)) {
        if (f->waits)
            http_exchange_wake(f->exchange);
        f->waits = false;
    }
}

static void fill_in(struct http_handler *h, struct http_exchange *x,
                    const struct admin_reply *answer)
{
    if (answer->stream) {
        struct admin_following *f = process_zeroed(sizeof *f);

        *f = (struct admin_following){.admin = h->admin, .exchange = x, .stream = answer->stream};
        TAILQ_INSERT_TAIL(&h->admin->following, f, link);
        http_reply_stream(h, x, answer->status, answer->content_type);
        x->state = f;
        x->on_room = send_lines;
        x->on_gone = end_following;
        return;
    }
    if (answer->file >= 0) {
        struct sending *s = process_zeroed(sizeof *s);

        s->fd = answer->file;
        http_reply_stream(h, x, answer->status, answer->content_type);
        x->state = s;
        x->on_room = send_part;
        x->on_gone = end_sending;
        return;
    }
    http_reply_body(h, x, answer->status, answer->content_type, answer->body);
    x->reply.world = answer->world;
}

/* --- verbs ------------------------------------------------------------------------------------ */

/* With --require-signature, verbs must be signed, too: they can do more than operations. */
static bool is_signed(struct http_handler *h, struct http_exchange *x, struct http_claim *claim)
{
    struct buf message = buf_in(h->arena);
    enum error_kind wrong = http_signature_check(h, &x->request, claim, &message);

    if (!h->options.keys || wrong == ERROR_NONE)
        return true;
    http_reply_message(h, x, 403, "this verb needs a valid signature");
    return false;
}

/* Returns what holds the exchange, or NULL if the answer was taken. */
static struct held *ask_verb(struct http_handler *h, struct http_exchange *x,
                             const struct admin_request *request, http_admin_take *take)
{
    struct admin_reply answer;
    struct held *one;

    if (admin_must_wait(h->admin->verbs, request))
        return hold(h, x, FOR_ALONE);
    admin_handle(h->admin->verbs, request, &answer);
    if (answer.waits)
        return hold(h, x, FOR_COPY);
    if (!answer.work) {
        take(h, x, &answer);
        return NULL;
    }
    one = hold(h, x, FOR_WORK);
    one->work = answer.work;
    one->take = take;
    return one;
}

/* Returns what holds the exchange, or NULL if it has its reply. */
static struct held *handle_verb(struct http_handler *h, struct http_exchange *x, const char *file)
{
    struct admin_request request = read_request(&x->request, file);
    struct http_claim claim;
    const char *problem;

    arena_reset(h->arena);
    if (!is_signed(h, x, &claim))
        return NULL;
    if ((problem = http_world_problem(h, &x->request))) {
        http_reply_problem(h, x, 400, problem);
        return NULL;
    }
    request.world = http_world_name(h, &x->request, &claim);
    request.world_exists = http_world_asks(h, x->request.fields.x_mockddb_world_exists);
    return ask_verb(h, x, &request, fill_in);
}

void http_admin_file_verb(struct http_handler *h, struct http_exchange *x,
                          struct http_admin_file file)
{
    struct held *one = handle_verb(h, x, file.path);

    if (one && !one->work)
        one->file = file;
    else
        drop_file(&file);
}

void http_admin_ask(struct http_handler *h, struct http_exchange *x,
                    const struct admin_request *request, const struct http_admin_file *file,
                    int64_t until_us, http_admin_take *take)
{
    struct held *one = ask_verb(h, x, request, take);

    if (one)
        one->until_us = until_us;
    drop_file(file); /* the handler makes it again if it is called again */
}

struct span http_admin_lines(struct http_handler *h, struct arena *a, struct admin_stream *stream)
{
    struct buf out = buf_in(a);
    struct span line;

    while (admin_stream_next(h->admin->verbs, stream, &line) == ADMIN_LINE)
        buf_add_span(&out, line);
    admin_stream_end(stream);
    return buf_span(&out);
}

void http_admin_verb(struct http_handler *h, struct http_exchange *x)
{
    (void)handle_verb(h, x, NULL);
}

/* --- slices ----------------------------------------------------------------------------------- */

/* An exchange that was held has its reply, or is held again. */
static void finish_promised(struct http_exchange *x)
{
    if (x->pace == HTTP_LATER)
        return;
    if (x->pace == HTTP_NOW)
        x->pace = HTTP_LATER; /* set again: the first answer was a promise */
    http_exchange_finish(x);
}

/* The request is handled again from the start: it may have to wait again. */
static void continue_held(struct http_handler *h, struct held *one)
{
    struct http_exchange *x = one->exchange;
    const struct http_admin_file file = one->file;

    one->file.path = NULL;
    let_go(one);
    x->pace = HTTP_NOW;
    if (file.path)
        http_admin_file_verb(h, x, file);
    else
        x->route->handle(h, x);
    finish_promised(x);
}

static bool is_advancing(const struct http_handler *h, struct span name)
{
    const struct world *w = worlds_find(h->worlds, name);

    return w && world_is_advancing(w);
}

static bool is_over(const struct http_handler *h, const struct held *one)
{
    return one->until_us && clock_ticks_us(h->clock) >= one->until_us;
}

static bool is_due(const struct http_handler *h, const struct held *one)
{
    if (is_over(h, one) && (!one->work || admin_may_end(one->work)))
        return true;
    switch (one->wait) {
    case FOR_TURN:
        return true;
    case FOR_WORK:
        return admin_is_due(h->admin->verbs, one->work);
    case FOR_ALONE:
        return !admin_works_alone(h->admin->verbs);
    case FOR_CLOCK:
        return !is_advancing(h, span_of(one->world));
    case FOR_COPY:
        return one->copies_ended != worlds_copies_ended(h->worlds);
    }
    return true;
}

bool http_admin_is_due(const struct http_handler *h)
{
    const struct held *one;

    TAILQ_FOREACH(one, &h->admin->held, link)
    if (is_due(h, one))
        return true;
    return false;
}

static void step_held(struct http_handler *h, struct held *one)
{
    const bool ends = is_over(h, one);
    struct admin_reply answer;

    if (!is_due(h, one))
        return;
    if (!one->work)
        continue_held(h, one);
    else if (ends || admin_step(h->admin->verbs, one->work, &answer)) {
        struct http_exchange *x = one->exchange;
        http_admin_take *take = one->take;

        let_go(one);
        x->pace = HTTP_NOW;
        take(h, x, ends ? NULL : &answer);
        finish_promised(x);
    }
}

/* Each held exchange does a step, as far as the turn's time allows; those that did one come last in
 * the next turn. */
void http_admin_step(struct http_handler *h)
{
    struct held_list *held = &h->admin->held;
    struct held *one = TAILQ_FIRST(held), *last = TAILQ_LAST(held, held_list);
    int64_t end_us = clock_work_us() + INT64_C(1000) * HTTP_TURN_MS;
    bool more = one != NULL;

    while (more) {
        struct held *after = TAILQ_NEXT(one, link);

        more = one != last && clock_work_us() < end_us;
        TAILQ_REMOVE(held, one, link);
        TAILQ_INSERT_TAIL(held, one, link);
        step_held(h, one);
        one = after;
    }
}
