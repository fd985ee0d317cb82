#include "dispatch/dispatch.h"

#include "base/log.h"
#include "jobs/jobs.h"
#include "ops/op_tries.h"
#include "ops/throttle/throttle.h"

#include <stdlib.h>

static const struct dispatch_budget ordinary_budget = {
    .work = {.bytes = LIMIT_REQUEST_MEMORY, .steps = LIMIT_REQUEST_STEPS},
    .reply_bytes = LIMIT_REPLY_MEMORY,
};

struct dispatch_memory {
    struct arena *arena; /* of the current request; reset when the next one comes */
    struct reply_pool *replies;
};

struct dispatcher {
    struct dispatch_parts parts;
    struct jobs *jobs;
    struct observer *observers;
    struct fault_point *faults;
    struct throttle *throttle;
};

struct dispatch_memory *dispatch_memory_new(void)
{
    struct dispatch_memory *m = process_zeroed(sizeof *m);

    m->arena = arena_new();
    m->replies = reply_pool_new();
    return m;
}

void dispatch_memory_free(struct dispatch_memory *m)
{
    if (!m)
        return;
    arena_free(m->arena);
    reply_pool_free(m->replies);
    free(m);
}

void dispatch_memory_trim(struct dispatch_memory *m)
{
    arena_trim(m->arena);
    reply_pool_trim(m->replies);
}

struct dispatcher *dispatch_new(const struct dispatch_parts *parts)
{
    struct dispatcher *d = process_zeroed(sizeof *d);

    d->parts = *parts;
    if (!d->parts.budget)
        d->parts.budget = &ordinary_budget;
    d->jobs = jobs_new();
    return d;
}

void dispatch_free(struct dispatcher *d)
{
    if (!d)
        return;
    jobs_free(d->jobs);
    free(d);
}

const struct dispatch_parts *dispatch_parts_of(const struct dispatcher *d)
{
    return &d->parts;
}

#define ROOM_BESIDE 256 /* for an error's members besides its message and `members` */

static void reply_error(struct arena *a, const struct error *e, struct reply *reply)
{
    const struct error_form *form = error_form(e->kind);
    struct buf out = buf_in(a);

    buf_reserve(&out, e->message.len + e->members.len + ROOM_BESIDE);
    buf_printf(&out, "{\"__type\":\"%s\"", form->type);
    if (e->message.len) {
        buf_printf(&out, ",\"%s\":", form->message_key);
        buf_add_json_string(&out, e->message);
    }
    if (e->members.len) {
        buf_add_char(&out, ',');
        buf_add_span(&out, e->members);
    }
    buf_add_char(&out, '}');
    reply->status = form->status;
    reply->body = buf_span(&out);
    reply->in_buffer = false;
}

/* The prefix of an operation's name in a target. */
static const struct span prefixes[OP_SERVICE_COUNT] = {
    [OP_DYNAMODB] = SPAN_LIT_INIT("DynamoDB_20120810."),
    [OP_STREAMS] = SPAN_LIT_INIT("DynamoDBStreams_20120810."),
    [OP_MONITORING] = SPAN_LIT_INIT("GraniteServiceVersion20100801."),
    [OP_SCALING] = SPAN_LIT_INIT("AnyScaleFrontendService."),
    [OP_TAGGING] = SPAN_LIT_INIT("ResourceGroupsTaggingAPI_20170126."),
    [OP_KEYS] = SPAN_LIT_INIT("TrentService."),
    [OP_IDENTITY] = SPAN_LIT_INIT("AWSSecurityTokenServiceV20110615."),
};

struct span dispatch_target(struct arena *a, struct span action)
{
    const struct op *op = op_of_action(action);

    return span_of(arena_printf(a, "%.*s%.*s", SPAN_ARG(prefixes[op ? op->service : OP_DYNAMODB]),
                                SPAN_ARG(op ? span_of(op->name) : action)));
}

/* Splits a target into service and operation; returns OP_SERVICE_COUNT for an unknown service. */
static enum op_service split_target(struct span target, struct span *operation)
{
    int service = 0;

    while (service < OP_SERVICE_COUNT && !span_starts_with(target, prefixes[service]))
        service++;
    if (service < OP_SERVICE_COUNT)
        *operation = span_from(target, prefixes[service].len);
    return (enum op_service)service;
}

const struct op *dispatch_operation(struct span target)
{
    struct span operation;
    enum op_service service = split_target(target, &operation);

    return service < OP_SERVICE_COUNT ? op_find(service, operation) : NULL;
}

/* For DynamoDB, the service's error without details. For its neighbours, of which much is not
 * implemented, the message names the missing operation. */
static const struct error *unknown_operation(struct arena *a, struct span target)
{
    struct span operation;
    enum op_service service = split_target(target, &operation);

    if (service == OP_DYNAMODB || service == OP_STREAMS || service == OP_SERVICE_COUNT)
        return error_of(a, ERROR_UNKNOWN_OPERATION, (struct span){NULL, 0});
    return error_new(a, ERROR_UNKNOWN_OPERATION, "mockddb does not have the operation %.*s",
                     SPAN_ARG(operation));
}

/* Checks everything that comes before the operation itself, in the service's order. */
static const struct error *read_request(struct arena *a, const struct request *request,
                                        struct call *c)
{
    const struct wire_member *members;
    const struct error *e;

    if (request->body.len &&
        (e = wire_parse_keyed(a, request->body, clock_hash_key(c->clock), &c->body)))
        return e;
    if (!(c->op = dispatch_operation(request->target)))
        return unknown_operation(a, request->target);
    if (request->auth_error != ERROR_NONE)
        return error_of(a, request->auth_error, request->auth_message);
    if (!request->body.len)
        return error_of(a, ERROR_SERIALIZATION, (struct span){NULL, 0});
    members = op_members(a, c->op);
    wire_forget_unknown(c->body, members);
    if ((c->op->types && (e = c->op->types(c))) || (e = wire_check_types(a, members, c->body)))
        return e;
    if (c->op->precheck && (e = c->op->precheck(c)))
        return e;
    if ((e = wire_check_members(a, members, c->body)))
        return e;
    return c->op->access == OP_WRITES ? op_access_check_write(c, c->op->name) : NULL;
}

/* A call that runs again was asked about before. */
static const struct error *ask_before(struct call *c, struct fault_point *faults)
{
    if (!faults->before || c->asked)
        return NULL;
    c->asked = true;
    return faults->before(faults, c);
}

static const struct error *run_operation(struct call *c)
{
    const struct error *e = c->op->run(c);

    return c->throttle ? throttle_settle(c, e) : e;
}

/* Fault rules see a request that runs in slices once, when its work is done. */
static const struct error *run_with_faults(struct call *c, void *fault_point)
{
    struct fault_point *faults = fault_point;
    const struct error *e, *fault;

    if (!faults)
        return run_operation(c);
    if (!c->op->sliced && (fault = ask_before(c, faults)))
        return fault;
    e = run_operation(c);
    if (c->unfinished)
        return e;
    if (c->op->sliced && (fault = ask_before(c, faults)))
        return fault;
    if (e)
        return e;
    return faults->after ? faults->after(faults, c) : NULL;
}

/* Starts a call without an operation; resets the arena of the call before it. */
static void begin_call(struct dispatcher *d, struct call *c)
{
    struct arena *a = d->parts.memory->arena;

    arena_reset(a);
    store_release_tables(d->parts.store);
    *c = (struct call){
        .arena = a,
        .store = d->parts.store,
        .clock = d->parts.clock,
        .settings = d->parts.settings,
        .metrics = d->parts.metrics,
        .past = d->faults ? d->faults->past : NULL,
    };
}

static const struct error *answer_call(struct call *c, const struct request *request,
                                       struct fault_point *faults)
{
    const struct error *e, *confirmed;

    if (c->throttle)
        throttle_begin(c->throttle);
    if ((e = read_request(c->arena, request, c)))
        return e;
    wire_open(&c->reply, '{');
    /* On a read-only server statements that only read must not write either: a unit that writes
     * would end due transitions of their tables in the store. */
    e = op_unit_run(c,
                    c->op->access == OP_READS || c->settings->read_only ? UNIT_READS : UNIT_WRITES,
                    run_with_faults, faults);
    confirmed = store_confirm(c->store, c->arena);
    return confirmed ? confirmed : e;
}

static void begin_request(struct dispatcher *d, const struct request *request, struct call *c)
{
    begin_call(d, c);
    c->host = request->host;
    c->access_key = request->access_key;
    c->region = request->region;
    if (request->settings)
        c->settings = request->settings;
    c->seen = request->seen;
    if (!request->aside)
        c->throttle = d->throttle;
    c->reply.out = reply_pool_next(d->parts.memory->replies);
}

static void unlimit(const struct call *c)
{
    arena_unlimit(c->arena);
    arena_unlimit(c->reply.out->arena);
}

/* Control came back by a jump: undoes the request's work. */
static void undo_call(struct call *c, const struct op_tries *tries)
{
    unlimit(c);
    op_tries_undo(tries, c);
    throttle_give_back(c->throttle, clock_now_ms(c->clock));
    c->unfinished = false;
}

/* Frees the request's memory at once. */
static const struct error *over_budget(struct call *c, enum arena_spent spent, int64_t steps)
{
    arena_reset(c->arena);
    c->body = NULL;
    c->steps = steps;
    c->disturbance = NULL;
    return error_validation(c->arena,
                            spent == ARENA_SPENT_STEPS
                                ? "The request takes more work than mockddb does for one request"
                                : "The request takes more memory than mockddb has for one request");
}

/* Answers within the budget of a request. When it is used up, control comes back here by longjmp:
 * the request's memory is in its arenas and in the store's unit, which are cleaned up here. Returns
 * false, with the work undone, if it met a conflict. */
static bool answer_within(const struct dispatcher *d, struct call *c, const struct request *request,
                          const struct op_tries *tries, const struct error **e)
{
    const struct dispatch_budget *budget = d->parts.budget;
    const struct arena_budget reply = {.bytes = budget->reply_bytes, .steps = INT64_MAX};
    jmp_buf landing;

    switch (setjmp(landing)) {
    case ARENA_SPENT_NOTHING:
        arena_limit(c->arena, &budget->work, &landing);
        arena_allow_again(c->arena);
        arena_limit(c->reply.out->arena, &reply, &landing);
        *e = answer_call(c, request, request->aside ? NULL : d->faults);
        c->steps = budget->work.steps - arena_left(c->arena)->steps;
        unlimit(c);
        return true;
    case ARENA_RUN_AGAIN:
        undo_call(c, tries);
        return false;
    case ARENA_SPENT_STEPS:
        undo_call(c, tries);
        *e = over_budget(c, ARENA_SPENT_STEPS, budget->work.steps);
        return true;
    default:
        undo_call(c, tries);
        *e = over_budget(c, ARENA_SPENT_BYTES, budget->work.steps);
        return true;
    }
}

/* After this many tries a transaction is cancelled, as one that meets another is at the service. */
#define TRANSACTION_TRIES 3

/* Begins the call again: the request is read and ids are drawn again. What the fault rules said of
 * it stays, and the marks of units that were kept. */
static void begin_again(struct dispatcher *d, struct call *c, const struct request *request,
                        const struct op_tries *tries)
{
    const struct call before = *c;
    struct disturbance kept = {.rule = 0}, *disturbance;

    if (before.disturbance)
        kept = *before.disturbance;
    begin_request(d, request, c);
    if (before.disturbance) {
        c->disturbance = disturbance = arena_alloc(c->arena, sizeof *disturbance);
        *disturbance = kept;
    }
    memcpy(c->wakes_ms, before.wakes_ms, sizeof c->wakes_ms);
    c->asked = before.asked;
    c->conflicts = tries->count >= TRANSACTION_TRIES;
}

/* Answers the request; while it meets conflicts, again and again. */
static const struct error *answer(struct dispatcher *d, struct call *c,
                                  const struct request *request)
{
    struct op_tries tries = op_tries_begin(c);
    const struct error *e;

    while (!answer_within(d, c, request, &tries, &e)) {
        if (!op_tries_next(&tries, c)) {
            log_error("%s met other work on the same data %u times, and was given up",
                      c->op ? c->op->name : "a request", tries.count);
            e = error_internal(c->arena);
            break;
        }
        begin_again(d, c, request, &tries);
    }
    op_tries_end(&tries, c);
    return e;
}

/* --- observers ------------------------------------------------------------------------------- */

void dispatch_observe(struct dispatcher *d, struct observer *o)
{
    struct observer **end = &d->observers;

    while (*end)
        end = &(*end)->next;
    o->next = NULL;
    *end = o;
}

void dispatch_set_faults(struct dispatcher *d, struct fault_point *faults)
{
    d->faults = faults;
}

void dispatch_set_throttle(struct dispatcher *d, struct throttle *throttle)
{
    d->throttle = throttle;
}

/* --- a request ------------------------------------------------------------------------------- */

/* Time is stopped: a table that an operation has read must not get its next state, and so its
 * next version, when the operation looks it up again. */
static const struct error *do_request(struct dispatcher *d, struct call *c,
                                      const struct request *request, struct reply *reply,
                                      int64_t *began_ms)
{
    const struct error *e;

    clock_hold(c->clock);
    *began_ms = clock_now_ms(c->clock);
    e = answer(d, c, request);
    jobs_wake(d->jobs, c);
    clock_release(c->clock);
    if (e)
        reply_error(c->arena, e, reply);
    else {
        wire_close(&c->reply, '}');
        reply->status = 200;
        reply->body = c->no_body ? (struct span){"", 0} : buf_span(c->reply.out);
        reply->in_buffer = true;
    }
    reply->disturbance = c->disturbance;
    reply->unfinished = !e && c->unfinished;
    return e;
}

static void dispatch_once(struct dispatcher *d, const struct request *request, struct reply *reply)
{
    struct observer *observers = request->aside ? NULL : d->observers;
    struct call c;
    struct call_record record = {.op = NULL};
    int64_t began_us;

    begin_request(d, request, &c);
    if (!observers && !request->observer) {
        (void)do_request(d, &c, request, reply, &record.began_ms);
        return;
    }
    began_us = clock_ticks_us(c.clock);
    record.error = do_request(d, &c, request, reply, &record.began_ms);
    if (reply->unfinished)
        return;
    record.began_us = began_us;
    record.took_us = clock_ticks_us(c.clock) - began_us;
    record.steps = c.steps;
    record.op = c.op;
    record.body = c.body;
    record.text = request->body;
    record.disturbance = c.disturbance;
    record.accounts = c.accounts;
    record.status = reply->status;
    record.reply = reply->body;
    record.region = c.region;
    record.client = request->client;
    for (struct observer *o = observers, *next; o; o = next) {
        next = o->next;
        o->finished(o, &record);
    }
    if (request->observer)
        request->observer->finished(request->observer, &record);
}

void dispatch(struct dispatcher *d, const struct request *request, struct reply *reply)
{
    do
        dispatch_once(d, request, reply);
    while (reply->unfinished && !request->in_slices);
}

struct reply_buffer *dispatch_hold_reply(struct dispatch_memory *m)
{
    return reply_pool_hold(m->replies);
}

bool dispatch_needs_flush(const struct dispatcher *d)
{
    return store_needs_flush(d->parts.store);
}

bool dispatch_flush(struct dispatcher *d)
{
    struct arena *a = arena_new();
    bool done = store_flush(d->parts.store, a) == NULL;

    arena_free(a);
    if (!done)
        jobs_restart(d->jobs, d->parts.clock);
    return done;
}

void dispatch_internal_error(struct dispatcher *d, struct reply *reply)
{
    struct arena *a = d->parts.memory->arena;

    reply_error(a, store_failure(d->parts.store, a), reply);
}

void dispatch_refuse(struct dispatch_memory *m, enum error_kind kind, const char *message,
                     struct reply *reply)
{
    const struct error *e;

    arena_reset(m->arena);
    e = error_new(m->arena, kind, "%s", message);
    reply_error(m->arena, e, reply);
}

void dispatch_set_store(struct dispatcher *d, struct store *store)
{
    d->parts.store = store;
    if (d->faults)
        past_clear(d->faults->past);
    jobs_free(d->jobs);
    d->jobs = jobs_new();
}

bool dispatch_idle(struct dispatcher *d)
{
    struct call c;
    bool more;

    begin_call(d, &c);
    more = !c.settings->read_only && jobs_step(d->jobs, &c);
    if (c.accounts) {
        /* Shows observers the items that jobs changed. */
        for (struct observer *o = d->observers, *next; o; o = next) {
            next = o->next;
            if (o->worked)
                o->worked(o, c.accounts, clock_now_ms(c.clock));
        }
    }
    return more;
}

int64_t dispatch_due_ms(const struct dispatcher *d)
{
    return d->parts.settings->read_only ? JOB_NEVER : jobs_due_ms(d->jobs);
}
