#include "faults/faults.h"

#include "faults/fault_rule.h"
#include "ops/past.h"
#include "wire/wire_node.h"

#include <stdlib.h>

#define MAX_RULES ((size_t)1000)
#define MAX_TEXT  ((size_t)1 << 20)

struct faults {
    struct fault_point point;
    struct arena *arena; /* owns the arenas of the list and of the rules */
    struct arena *list;  /* of the current list; NULL: it is empty */
    struct fault_rule *rules;
    size_t count;
    uint64_t last_id;
};

/* --- applying ------------------------------------------------------------------------------- */

/* Which kinds have been applied already. */
struct effects {
    const struct fault_kind *at[FAULT_KINDS_AT_ONCE];
    size_t count;
};

/* Whether no earlier rule has applied the rule's kinds; otherwise the rule waits for its turn. */
static bool is_free(const struct effects *done, const struct fault_rule *rule)
{
    for (size_t i = 0; i < rule->effect_count; i++)
        for (size_t k = 0; k < done->count; k++)
            if (done->at[k] == rule->effects[i].kind)
                return false;
    return true;
}

static const struct error *before_call(struct fault_point *point, struct call *c)
{
    struct faults *f = (struct faults *)point;
    struct op_subjects subjects = op_subject_all(c->arena, c->body);
    struct fault_hit hit = {.call = c};
    struct effects done = {.count = 0};

    for (size_t i = 0; i < f->count; i++) {
        struct fault_rule *rule = &f->rules[i];
        const struct error *first;

        if (!is_free(&done, rule) || !fault_rule_fits(rule, c, &subjects, &hit.subject) ||
            !fault_rule_hits(rule, &hit.random))
            continue;
        if (!hit.disturbance)
            hit.disturbance = arena_alloc(c->arena, sizeof *hit.disturbance);
        first = hit.error;
        if (!hit.disturbance->rule)
            hit.disturbance->rule = rule->id;
        for (size_t k = 0; k < rule->effect_count; k++) {
            const struct fault_kind *kind = rule->effects[k].kind;

            if (!fault_kind_happens(kind, hit.call, &subjects))
                continue;
            done.at[done.count++] = kind;
            fault_kind_apply(kind, rule->effects[k].state, &hit);
        }
        hit.error = first ? first
                          : error_because(c->arena, hit.error,
                                          ERROR_WHY(CAUSE_FAULT, .count = rule->id));
    }
    c->disturbance = hit.disturbance;
    return hit.error;
}

/* --- rules ------------------------------------------------------------------------------------ */

struct faults *faults_new(void)
{
    struct faults *f = process_zeroed(sizeof *f);

    f->point.before = before_call;
    f->arena = arena_new();
    return f;
}

void faults_clear(struct faults *f)
{
    past_free(f->point.past);
    f->point.past = NULL;
    arena_reset(f->arena);
    f->list = NULL;
    f->rules = NULL;
    f->count = 0;
    f->last_id = 0;
}

void faults_free(struct faults *f)
{
    if (!f)
        return;
    past_free(f->point.past);
    arena_free(f->arena);
    free(f);
}

struct fault_point *faults_point(struct faults *f)
{
    return f->count ? &f->point : NULL;
}

/* Reads the rules of a body and appends them to the existing ones, which do not change. */
static bool read_rules(struct fault_reading *r, const wire_node *body, const char *prefix,
                       struct fault_rule *to, uint64_t first_id)
{
    const wire_node *list = wire_get(body, "rules");
    size_t at = 0;

    for (const wire_node *m = wire_first(body); m; m = wire_next(m))
        if (!span_is(wire_name(m), "rules")) {
            r->problem = problem_invalid(r->arena, "unknown member %.*s", SPAN_ARG(wire_name(m)));
            return false;
        }
    for (const wire_node *n = wire_first(list); n; n = wire_next(n), at++) {
        r->where = arena_printf(r->arena, "rules[%zu]", at);
        if (!fault_rule_read(r, n, &to[at]))
            return false;
        to[at].id = first_id + at;
        to[at].home = r->arena;
        if (to[at].table.len)
            to[at].table = span_of(
                arena_printf(r->arena, "%s%.*s", prefix, SPAN_ARG(to[at].table)));
    }
    return true;
}

/* Makes these rules the list; they may be part of the current list. */
static void set_list(struct faults *f, const struct fault_rule *head, size_t head_count,
                     const struct fault_rule *tail, size_t tail_count)
{
    struct arena *old = f->list;

    f->list = arena_new_in(f->arena);
    f->count = head_count + tail_count;
    f->rules = arena_array(f->list, f->count, sizeof *f->rules);
    if (head_count)
        memcpy(f->rules, head, head_count * sizeof *head);
    if (tail_count)
        memcpy(f->rules + head_count, tail, tail_count * sizeof *tail);
    arena_free(old);
}

/* The rules' data is in the arena `own`, which then belongs to them, or is freed on an error. */
static const struct problem *add_rules(struct faults *f, struct arena *a, struct arena *own,
                                       struct span text, const char *prefix)
{
    struct fault_reading r = {.arena = own};
    struct fault_rule *rules;
    const wire_node *body, *list;
    size_t count;

    if (text.len > MAX_TEXT)
        return problem_invalid(a, "the rules are longer than 1 MB");
    if (wire_parse(own, arena_span(own, text), &body))
        return problem_invalid(a, "the rules are not a JSON object");
    list = wire_get(body, "rules");
    if (!list || !wire_is_list(list))
        return problem_invalid(a, "rules must be a list of rules");
    if (wire_repeated(body).at)
        return problem_invalid(a, "rules is given twice");
    count = wire_count(list);
    if (f->count + count > MAX_RULES)
        return problem_invalid(a, "rules has too many: a world takes %zu", MAX_RULES);
    rules = arena_array(own, count, sizeof *rules);
    if (!read_rules(&r, body, prefix, rules, f->last_id + 1))
        return problem_copy(a, r.problem);
    set_list(f, f->rules, f->count, rules, count);
    f->last_id += count;
    return NULL;
}

static bool looks_back(const struct fault_rule *rule)
{
    for (size_t i = 0; i < rule->effect_count; i++)
        if (rule->effects[i].kind->looks_back)
            return true;
    return false;
}

/* Starts to record changes, for as long as a rule needs them. */
static void note_changes(struct faults *f)
{
    bool wanted = false;

    for (size_t i = 0; i < f->count; i++)
        wanted |= looks_back(&f->rules[i]);
    if (wanted && !f->point.past) {
        f->point.past = past_new();
    } else if (!wanted) {
        past_free(f->point.past);
        f->point.past = NULL;
    }
}

/* Frees the data of rules once none of them is left. */
static void free_home(const struct faults *f, struct arena *home)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->rules[i].home == home)
            return;
    arena_free(home);
}

const struct problem *faults_add(struct faults *f, struct arena *a, struct span text,
                                 const char *prefix)
{
    struct arena *own = arena_new_in(f->arena);
    const struct problem *p = add_rules(f, a, own, text, prefix);

    free_home(f, own);
    if (!p)
        note_changes(f);
    return p;
}

bool faults_remove(struct faults *f, uint64_t id)
{
    struct arena *home;
    size_t at = 0;

    while (at < f->count && f->rules[at].id != id)
        at++;
    if (at == f->count)
        return false;
    home = f->rules[at].home;
    set_list(f, f->rules, at, f->rules + at + 1, f->count - at - 1);
    free_home(f, home);
    note_changes(f);
    return true;
}

void faults_show(const struct faults *f, struct wire_writer *w)
{
    wire_open_member(w, "rules", '[');
    for (size_t i = 0; i < f->count; i++) {
        const struct fault_rule *rule = &f->rules[i];

        wire_open(w, '{');
        wire_put_member_integer(w, "id", (int64_t)rule->id);
        wire_put_member_integer(w, "seen", rule->seen);
        wire_put_member_integer(w, "hits", rule->hits);
        wire_put_member_raw(w, "rule", rule->text);
        wire_close(w, '}');
    }
    wire_close(w, ']');
}
