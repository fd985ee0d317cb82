#include "patterns/pattern_record.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "base/one_more.h"
#include "wire/json.h"
#include "wire/wire_node.h"

/* A range of the text and its replacement. */
struct edit {
    size_t from, to;
    struct span text;
};

struct record {
    struct arena *arena;
    struct span text;
    struct edit *edits;
    size_t len;
};

static size_t place_of(const struct record *r, const wire_node *node)
{
    return (size_t)(node->at - r->text.at);
}

/* Replaces the value of a step's member, or adds the member. */
static void set_member(struct record *r, const wire_node *step, const char *name,
                       const wire_node *value, struct span text)
{
    struct edit edit = {.text = text};
    const wire_node *same;
    size_t i;

    if (value && json_parse(r->arena, text, &same) && json_equal(value, same))
        return; /* copied with its line breaks */
    if (value) {
        edit.from = place_of(r, value);
        edit.to = edit.from + wire_raw(value).len;
    } else {
        edit.to = place_of(r, step) + wire_raw(step).len - 1;
        while (ascii_is_blank(r->text.at[edit.to - 1]))
            edit.to--;
        edit.from = edit.to;
        edit.text = span_of(
            arena_printf(r->arena, ",\n          \"%s\": %.*s", name, SPAN_ARG(text)));
    }
    i = r->len;
    r->edits = one_more(r->arena, r->edits, r->len, sizeof edit);
    for (; i && r->edits[i - 1].from > edit.from; i--)
        r->edits[i] = r->edits[i - 1];
    r->edits[i] = edit;
    r->len++;
}

/* --- expectations from answers ---------------------------------------------------------------- */

static void add_name(struct buf *out, const char *name)
{
    buf_printf(out, "%s\"%s\": ", out->len > 1 ? ", " : "", name);
}

static struct span expectation_text(struct arena *a, const struct pattern_step_result *result)
{
    const wire_node *expect = result->step->expect;
    struct buf out = buf_in(a);

    buf_add_char(&out, '{');
    if (result->error_type.len) {
        add_name(&out, "error");
        buf_add_json_string(&out, result->error_type);
        add_name(&out, "message");
        buf_add_json_string(&out, result->message);
    } else {
        static const char *const recorded[] = {"count", "error", "message"};

        if (!wire_get(expect, "answer") || wire_get(expect, "count")) {
            add_name(&out, "count");
            buf_printf(&out, "%zu", result->items.len);
        }
        /* The members of `expect` to keep: all except the number of items and the error. */
        for (const wire_node *n = wire_first(expect); n; n = wire_next(n)) {
            size_t i = 0;

            while (i < COUNT(recorded) && !span_is(wire_name(n), recorded[i]))
                i++;
            if (i < COUNT(recorded))
                continue;
            add_name(&out, arena_text(out.arena, wire_name(n)));
            json_write(&out, n);
        }
    }
    buf_add_char(&out, '}');
    return buf_span(&out);
}

static void record_step(struct record *r, const struct pattern_step_result *result)
{
    const struct pattern_step *step = result->step;

    if (!result->answer && !result->error_type.len)
        return;
    set_member(r, step->node, "expect", step->expect, expectation_text(r->arena, result));
    if (!result->error_type.len && result->cost.index)
        set_member(r, step->node, "cost", step->cost,
                   span_of(arena_printf(r->arena, "{\"index\": \"%s\", \"read\": %zu, \"rcu\": %s}",
                                        result->cost.index, result->cost.read,
                                        pattern_result_units(r->arena, result->cost.rcu))));
}

struct span pattern_record(struct arena *a, const struct pattern_file_result *result)
{
    struct record r = {.arena = a, .text = result->file->text};
    struct buf out = buf_in(a);
    size_t at = 0;

    for (size_t i = 0; i < result->pattern_count; i++)
        for (size_t k = 0; k < result->patterns[i].step_count; k++)
            record_step(&r, &result->patterns[i].steps[k]);
    for (size_t i = 0; i < r.len; i++) {
        buf_add(&out, r.text.at + at, r.edits[i].from - at);
        buf_add_span(&out, r.edits[i].text);
        at = r.edits[i].to;
    }
    buf_add_span(&out, span_from(r.text, at));
    return buf_span(&out);
}
