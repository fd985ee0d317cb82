/* POST /_mockddb/patterns/run: runs the server's access patterns, or those in the request, against
 * the world. */
#include "admin/admin_verb.h"

#include "dispatch/dispatch_client.h"
#include "model/limits.h"
#include "patterns/pattern_report.h"
#include "patterns/pattern_run.h"
#include "wire/json.h"

/* --- what is asked ---------------------------------------------------------------------------- */

#define SLICE_US 2000 /* for requests, in one turn */

/* The arena has one budget for the whole run; a pattern's memory is freed when its result is
 * written. */
struct running {
    struct arena *arena;
    struct arena_budget left;
    bool spent;
    struct pattern_run_options options;
    const struct pattern_file *files; /* the files that are still to run, … */
    size_t count;
    size_t at;                     /* … and the index of the next pattern in the first of them */
    struct pattern_run *run;       /* of the first file; NULL: not begun */
    struct pattern_result *result; /* of the current pattern; NULL: between two patterns */
    struct arena_mark mark;
    struct buf results; /* in its own arena, which the budget includes */
    size_t patterns, failed;
    const char *problem;
};

static const struct problem *read_values(struct admin_call *c, struct running *n)
{
    const wire_node *given = wire_get(c->body, "values");
    struct option_pair *values = arena_array(n->arena, wire_count(given), sizeof *values);
    struct span twice;

    if (!given)
        return NULL;
    if (json_kind(given) != JSON_OBJECT)
        return problem_invalid(c->arena, "values takes names with strings");
    twice = wire_repeated(given);
    if (twice.at)
        return problem_invalid(c->arena, "values: %.*s is given twice", SPAN_ARG(twice));
    for (const wire_node *v = wire_first(given); v; v = wire_next(v)) {
        if (json_kind(v) != JSON_STRING)
            return problem_invalid(c->arena, "values takes names with strings");
        values[n->options.values.count++] = (struct option_pair){
            arena_span(n->arena, wire_name(v)), arena_span(n->arena, wire_text(v)), false};
    }
    n->options.values.at = values;
    return NULL;
}

/* Reads the request's file, or takes the server's files. */
static const struct problem *read_files(struct admin_call *c, struct running *n)
{
    const wire_node *sent = wire_get(c->body, "file");
    struct pattern_file *file;
    const struct problem *p;

    n->files = c->patterns->files;
    n->count = c->patterns->count;
    n->options.prefix = c->patterns->prefix;
    if (!sent && !n->count)
        return problem_invalid(c->arena,
                               "the server has no patterns: send them as file, or start it "
                               "with --patterns");
    if (!sent)
        return NULL;
    file = arena_alloc(n->arena, sizeof *file);
    if ((p = pattern_file_parse(n->arena, "file", arena_span(n->arena, wire_raw(sent)), file)))
        return problem_copy(c->arena, p);
    n->files = file;
    n->count = 1;
    return NULL;
}

/* --- running ---------------------------------------------------------------------------------- */

/* Begins the next pattern, or ends the file. */
static void begin_pattern(struct running *n)
{
    const struct pattern *next;

    if (!n->run)
        n->run = pattern_run_new(n->arena, &n->options, n->files);
    if (n->at == n->files->pattern_count) {
        n->files++;
        n->count--;
        n->at = 0;
        n->run = NULL;
        return;
    }
    next = &n->files->patterns[n->at++];
    if (!pattern_run_has(n->run, next))
        return;
    n->mark = arena_mark(n->arena);
    n->result = arena_alloc(n->arena, sizeof *n->result);
    pattern_run_begin(n->run, next, n->result);
}

/* Each slice may use the processor time of a request; all slices together may use its memory. */
static bool step_run(struct admin_work *w)
{
    const struct clock *clock = world_clock(w->world);
    struct running *n = w->state;
    int64_t end_us = clock_ticks_us(clock) + SLICE_US;
    jmp_buf landing;

    n->left.steps = LIMIT_REQUEST_STEPS;
    if (setjmp(landing) == ARENA_SPENT_NOTHING) {
        arena_limit(n->arena, &n->left, &landing);
        while (n->count && !n->problem && clock_ticks_us(clock) < end_us)
            if (!n->result)
                begin_pattern(n);
            else if (pattern_run_step(n->run) && !(n->problem = pattern_run_error(n->run))) {
                pattern_report_json_result(&n->results, n->result, n->patterns == 0);
                n->patterns++;
                n->failed += n->result->failure_count > 0;
                n->result = NULL;
                arena_release(n->arena, n->mark);
            }
        n->left = *arena_left(n->arena);
        arena_unlimit(n->arena);
    } else {
        n->spent = true;
    }
    worlds_touch(w->worlds, w->world);
    return n->spent || n->problem || !n->count;
}

static const struct problem *answer_run(struct admin_call *c, struct admin_work *w)
{
    const struct running *n = w->state;
    struct buf report = buf_in(c->arena);

    if (n->spent)
        return problem_invalid(c->arena, ADMIN_BEYOND_BUDGET);
    if (n->problem)
        return problem_invalid(c->arena, "%s", n->problem);
    pattern_report_json(&report, arena_text(c->arena, world_name(w->world)), n->patterns, n->failed,
                        buf_span(&n->results));
    wire_put_member_bool(&c->out, "holds", n->failed == 0);
    wire_put_member_raw(&c->out, "report", buf_span(&report));
    return NULL;
}

static void end_run(struct admin_work *w)
{
    arena_free(((struct running *)w->state)->arena);
}

static const struct admin_job job = {.step = step_run, .answer = answer_run, .end = end_run};

static const struct problem *begin_run(struct admin_call *c)
{
    struct arena *own = arena_new_in(c->arena);
    struct running *n = arena_alloc(own, sizeof *n);
    const struct problem *p;
    const char *problem;
    const wire_node *given;
    const char **only;

    n->arena = own;
    n->options.client = dispatch_client_new(
        own, world_dispatcher(c->world),
        &(struct dispatch_client_options){.name = "the world", .aside = true});
    given = wire_get(c->body, "allow_writes");
    n->options.allow_writes = wire_bool(given, false);
    if (given && json_kind(given) != JSON_BOOL)
        return problem_invalid(c->arena, "allow_writes is neither true nor false");
    if ((p = read_files(c, n)) || (p = read_values(c, n)))
        return p;
    given = wire_get(c->body, "only");
    only = arena_array(n->arena, wire_count(given), sizeof *only);
    if (given && (json_kind(given) != JSON_ARRAY || !wire_count(given)))
        return problem_invalid(c->arena, "only takes a list of names of patterns");
    for (const wire_node *name = wire_first(given); name; name = wire_next(name)) {
        if (json_kind(name) != JSON_STRING)
            return problem_invalid(c->arena, "only takes a list of names of patterns");
        only[n->options.only_count++] = arena_text(n->arena, wire_text(name));
    }
    n->options.only = only;
    if ((problem = pattern_run_check_names(c->arena, &n->options, n->files, n->count)))
        return problem_invalid(c->arena, "%s", problem);
    if ((p = admin_check_clock(c)))
        return p;
    n->results = buf_in(arena_new_in(own));
    n->left = *arena_left(own);
    arena_disown(own);
    admin_begin(c, &job, n);
    return NULL;
}

const struct admin_verb verb_patterns_run[] = {
    {"POST", "patterns/run", ADMIN_ALONE, "file only values allow_writes", NULL, begin_run},
    {0},
};
