#include "explain/explain.h"

#include "explain/explain_find.h"
#include "explain/explain_summary.h"
#include "explain/explain_trial.h"
#include "explain/say.h"

/* What an explanation may take, besides the call itself: 20 ms with its report and what is done
 * between two looks at the time (docs/explain.md). Under sanitizers all takes longer. */
#ifdef ARENA_DEBUG
#define INQUIRY_US 1000000
#else
#define INQUIRY_US 18000
#endif
#define INQUIRY_ROWS  6000
#define INQUIRY_BYTES ((size_t)8 << 20)
#define INQUIRY_STEPS 2000000
#define CHAIN         3 /* requests that are explained, each a correction of the one before */

/* An observer of the one call. */
struct explainer {
    struct observer observer; /* first: the record's way back */
    struct inquiry q;
    const struct explain_context *context;
    bool for_summary;          /* the explanation is for the summary only */
    struct call_record record; /* what it points to stays until the dispatcher's next request */
    struct write_before before;
    struct settings settings; /* the dispatcher's, but read-only */
    int corrections;          /* how often the first request was corrected */
    int64_t until_us, steps;  /* of a correction: its time, and its budget; 0: the first request */
};

static void run_request(struct explainer *e, struct dispatcher *d, const struct request *request,
                        struct reply *reply);

static void look_into(struct inquiry *q, const struct write_before *before)
{
    struct targets targets;

    if (q->failure != ERROR_SERIALIZATION)
        explain_error_ignored(q);
    explain_write_entries(q, before);
    if (inquiry_failed(q)) {
        explain_error(q);
        explain_advice_pattern(q);
        return;
    }
    explain_error_members(q);
    explain_write(q, before);
    explain_empty_search(q);
    targets = explain_read(q);
    if (!targets.count)
        return;
    explain_advice_give(q, &targets);
    explain_empty(q);
}

/* Looks as far as the inquiry's budget goes; what was found by then stays. */
static void look_within(struct inquiry *q, const struct write_before *before)
{
    const struct arena_budget budget = {.bytes = INQUIRY_BYTES, .steps = INQUIRY_STEPS};
    jmp_buf landing;

    if (setjmp(landing) == ARENA_SPENT_NOTHING) {
        arena_limit(q->arena, &budget, &landing);
        look_into(q, before);
    }
    arena_unlimit(q->arena);
}

static bool is_said(const struct inquiry *q, struct span text)
{
    for (size_t i = 0; i < q->line_count; i++)
        if (span_starts_with(q->lines[i], SPAN_LIT("also: ")) &&
            span_equal(span_from(q->lines[i], strlen("also: ")), text))
            return true;
    return span_equal(q->reason, text);
}

/* The corrected request was refused or gave nothing: its cause is a second mistake. Its correction
 * is the proposal, which works when it is pasted. */
static void explain_next(struct explainer *e)
{
    struct inquiry *q = &e->q;
    struct explainer next = {.observer = {.finished = e->observer.finished},
                             .corrections = e->corrections + 1,
                             .until_us = q->until_us};
    uint64_t numbers = store_last_number(q->call.store);
    struct request request;
    struct reply reply;

    if (!q->reason.len || q->proposal.command.len || !q->next_operation ||
        next.corrections == CHAIN || clock_work_us() > q->until_us)
        return;
    request = explain_trial_request(q, q->next_operation, q->next_body);
    next.q.arena = arena_new_in(q->arena);
    explain_trial_bound(q);
    next.steps = q->trial_budget.work.steps;
    run_request(&next, q->trials, &request, &reply);
    store_return_numbers(q->call.store, numbers);
    /* A refusal of which nothing becomes may be the correction's own fault. */
    if (next.q.reason.len && !is_said(q, next.q.reason) &&
        (next.q.proposal.command.len || q->next_is_sure || !error_is_refusal(next.q.failure))) {
        say_line(q, "and then: %", next.q.reason);
        for (size_t i = 0; i < next.q.line_count; i++)
            if (span_starts_with(next.q.lines[i], SPAN_LIT("and then: ")))
                say_line(q, "%", next.q.lines[i]);
    }
    q->proposal = (struct proposal){
        .command = arena_span(q->arena, next.q.proposal.command),
        .gives = arena_span(q->arena, next.q.proposal.gives),
        .count = next.q.proposal.count,
        .units = next.q.proposal.units,
    };
    arena_free(next.q.arena);
}

static void explain_finished(struct observer *self, const struct call_record *record)
{
    struct explainer *e = (struct explainer *)(void *)self;
    struct inquiry *q = &e->q;

    e->record = *record;
    q->record = &e->record;
    q->before = &e->before;
    if (e->context && e->context->summary &&
        !explain_summary_count(e->context->summary, q->arena, record) && e->for_summary)
        return;
    if (!record->op || !record->body ||
        (e->steps && (record->steps >= e->steps || explain_trial_was_cut(q, record))))
        return; /* a correction that takes more time than is left says nothing */
    if (q->catalogue)
        catalogue_match(q->catalogue, q->arena, &e->record, &q->match);
    q->call.op = record->op;
    q->call.body = record->body;
    q->entry = record->body;
    q->failure = record->error ? record->error->kind : ERROR_NONE;
    q->about = "";
    q->until_us = e->until_us ? e->until_us : clock_work_us() + INQUIRY_US;
    q->rows_left = INQUIRY_ROWS;
    inquiry_go_on(q);
    if (q->call.unit)
        look_within(q, &e->before);
    if (q->call.unit)
        unit_undo(q->call.unit);
    q->call.unit = NULL;
    explain_next(e);
    dispatch_free(q->trials);
    dispatch_memory_free(q->trial_memory);
    if (e->context && e->context->summary)
        explain_summary_take(e->context->summary, q);
}

static void run_request(struct explainer *e, struct dispatcher *d, const struct request *request,
                        struct reply *reply)
{
    struct request observed = *request;
    struct inquiry *q = &e->q;

    q->parts = dispatch_parts_of(d);
    e->settings = *q->parts->settings;
    e->settings.read_only = true;
    q->call = (struct call){.arena = q->arena,
                            .store = q->parts->store,
                            .clock = q->parts->clock,
                            .settings = &e->settings,
                            .region = request->region,
                            .host = request->host};
    e->before = explain_write_before(q, request);
    observed.observer = &e->observer;
    dispatch(d, &observed, reply);
}

void explain_dispatch(struct dispatcher *d, const struct explain_context *context, struct arena *a,
                      const struct request *request, struct reply *reply, struct explanation *out)
{
    struct explainer e = {
        .observer = {.finished = explain_finished}, .context = context, .for_summary = !out};
    struct inquiry *q = &e.q;

    q->arena = arena_new_in(a);
    q->catalogue = context->catalogue;
    q->past = context->past;
    q->calls_a_day = context->calls_a_day;
    run_request(&e, d, request, reply);
    if (out && !reply->unfinished)
        explain_report(q, a, reply, out);
    arena_free(q->arena);
}
