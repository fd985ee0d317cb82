#include "moving/moving_pages.h"

#include "base/file.h"
#include "moving/moving_output.h"
#include "wire/wire_print.h"

#include <errno.h>
#include <unistd.h>

const char *moving_pages_open(struct arena *a, struct moving_pages *p, bool *found)
{
    const wire_node *state;
    struct span text;

    p->start = buf_in(a);
    *found = file_read(a, p->state, &text);
    if (!*found)
        return errno == ENOENT || errno == ENOTDIR ? NULL : file_error(a, p->state);
    if (wire_parse(a, text, &state))
        return arena_printf(a, "%s is damaged: delete it to start again", p->state);
    if (!span_equal(wire_text(wire_get(state, "plan")), p->plan))
        return arena_printf(a, "%s %s", p->state, p->of_another);
    p->part = (size_t)wire_integer(wire_get(state, p->part_name), 0);
    p->done = (size_t)wire_integer(wire_get(state, p->done_name), 0);
    if (wire_get(state, "start"))
        wire_print_json(&p->start, wire_get(state, "start"));
    p->read_state(p, state);
    return NULL;
}

const char *moving_pages_keep(struct arena *a, const struct moving_pages *p)
{
    struct buf out = buf_in(a);
    struct wire_writer w = {&out, false};

    wire_open(&w, '{');
    wire_put_member_text(&w, "plan", p->plan);
    wire_put_member_integer(&w, p->part_name, (int64_t)p->part);
    wire_put_member_integer(&w, p->done_name, (int64_t)p->done);
    if (p->start.len)
        wire_put_member_raw(&w, "start", buf_span(&p->start));
    p->write_state(p, &w);
    wire_close(&w, '}');
    return p->is_private ? moving_output_write_private(a, p->state, buf_span(&out))
                         : moving_output_write(a, p->state, buf_span(&out));
}

static const char *read_part(struct arena *a, struct moving_pages *p)
{
    struct arena *page = arena_new();
    struct moving_scan scan;
    const char *problem = p->begin(p, a, &scan);

    if (!problem)
        moving_scan_resume(&scan, p->done, buf_span(&p->start));
    while (!problem && !scan.done) {
        const wire_node *items;

        arena_reset(page);
        if ((problem = moving_scan_next(&scan, page, &items)) ||
            (problem = p->put(p, page, &scan, items)))
            break;
        p->done = scan.wanted ? scan.taken : p->done + wire_count(items);
        p->start.len = 0;
        buf_add_span(&p->start, buf_span(&scan.start));
        progress_at(p->progress, p->done);
        if (!scan.done)
            problem = moving_pages_keep(page, p);
    }
    problem = problem ? arena_text(a, span_of(problem)) : NULL;
    arena_free(page);
    return problem;
}

const char *moving_pages_run(struct arena *a, struct moving_pages *p)
{
    const char *problem = NULL;

    while (!problem && p->part < p->count && !(problem = read_part(a, p))) {
        p->part++;
        p->done = p->start.len = 0;
        problem = moving_pages_keep(a, p);
    }
    if (!problem && p->finish)
        problem = p->finish(p);
    progress_end(p->progress);
    if (!problem && unlink(p->state) && errno != ENOENT)
        problem = file_error(a, p->state);
    return problem;
}
