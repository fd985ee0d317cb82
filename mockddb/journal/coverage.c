#include "journal/coverage.h"

#include "base/log.h"
#include "journal/coverage_draft.h"

#include <stdlib.h>

struct coverage {
    const struct catalogue *catalogue;
    uint64_t *sent; /* for each step */
    struct coverage_row rows[COVERAGE_SHAPES];
    size_t row_count, bytes;
    uint64_t requests, matched, more;
    bool tells;
};

struct coverage *coverage_new(const struct catalogue *c)
{
    struct coverage *v = calloc(1, sizeof *v);

    if (!v || !(v->sent = calloc(catalogue_count(c) + 1, sizeof *v->sent)))
        process_out_of_memory();
    v->catalogue = c;
    return v;
}

void coverage_clear(struct coverage *v)
{
    for (size_t i = 0; i < v->row_count; i++) {
        free(v->rows[i].shape);
        free(v->rows[i].example);
    }
    memset(v->sent, 0, catalogue_count(v->catalogue) * sizeof *v->sent);
    v->row_count = v->bytes = 0;
    v->requests = v->matched = v->more = 0;
}

void coverage_free(struct coverage *v)
{
    if (!v)
        return;
    coverage_clear(v);
    free(v->sent);
    free(v);
}

void coverage_tell(struct coverage *v)
{
    v->tells = true;
}

/* --- requests that match no pattern ----------------------------------------------------------- */

static struct coverage_row *find_row(struct coverage *v, struct span shape, uint64_t hash)
{
    for (size_t i = 0; i < v->row_count; i++)
        if (v->rows[i].hash == hash && span_is(shape, v->rows[i].shape))
            return &v->rows[i];
    return NULL;
}

/* NULL if there is no room for it. */
static struct journal_entry *copy_of(struct coverage *v, const struct journal_entry *e)
{
    size_t size = journal_entry_size(e);
    struct journal_entry *copy;

    if (v->bytes + size > COVERAGE_BYTES)
        return NULL;
    if (!(copy = malloc(size)))
        process_out_of_memory();
    memcpy(copy, e, size);
    v->bytes += size;
    return copy;
}

static struct coverage_row *add_row(struct coverage *v, const struct journal_entry *e,
                                    struct span shape, uint64_t hash)
{
    struct coverage_row *row = &v->rows[v->row_count];

    if (v->row_count == COVERAGE_SHAPES || v->bytes + shape.len > COVERAGE_BYTES)
        return NULL;
    *row = (struct coverage_row){.hash = hash};
    if (!(row->example = copy_of(v, e)))
        return NULL;
    if (!(row->shape = strndup(shape.at, shape.len)))
        process_out_of_memory();
    v->bytes += shape.len;
    v->row_count++;
    if (v->tells && e->answer)
        log_error("%s: %s", row->shape, catalogue_at(v->catalogue, e->answer - 1u)->hint);
    return row;
}

/* A successful request is preferred to a failed one. */
static void take_better(struct coverage *v, struct coverage_row *row, const struct journal_entry *e)
{
    struct journal_entry *better;

    if (row->example->error == ERROR_NONE || e->error != ERROR_NONE || !(better = copy_of(v, e)))
        return;
    v->bytes -= journal_entry_size(row->example);
    free(row->example);
    row->example = better;
}

static void take_unmatched(struct coverage *v, const struct journal_entry *e, struct span shape,
                           uint64_t hash)
{
    struct coverage_row *row = find_row(v, shape, hash);

    if (row)
        take_better(v, row, e);
    else
        row = add_row(v, e, shape, hash);
    if (row)
        row->requests++;
    else
        v->more++;
}

void coverage_take(struct coverage *v, const struct journal_entry *e, struct span shape,
                   uint64_t hash)
{
    v->requests++;
    if (!e->steps[0]) {
        take_unmatched(v, e, shape, hash);
        return;
    }
    v->matched++;
    for (size_t i = 0; i < CATALOGUE_TIES && e->steps[i]; i++)
        v->sent[e->steps[i] - 1]++;
}

/* --- patterns --------------------------------------------------------------------------------- */

/* The index behind the last step of the pattern whose first step has that index. */
static size_t past_pattern(const struct catalogue *c, size_t first)
{
    size_t past = first + 1;

    while (past < catalogue_count(c) &&
           catalogue_at(c, past)->pattern == catalogue_at(c, first)->pattern)
        past++;
    return past;
}

/* The number of times that a pattern was used: the minimum over its steps. `first` is the index of
 * its first step. */
static uint64_t times_used(const struct coverage *v, size_t first)
{
    uint64_t least = UINT64_MAX;

    for (size_t i = first, past = past_pattern(v->catalogue, first); i < past; i++)
        if (v->sent[i] < least)
            least = v->sent[i];
    return least;
}

/* --- reporting -------------------------------------------------------------------------------- */

static void show_pattern(const struct coverage *v, size_t first, struct wire_writer *w)
{
    const struct catalogue *c = v->catalogue;

    wire_open(w, '{');
    wire_put_member_word(w, "name", catalogue_at(c, first)->pattern->name);
    wire_put_member_integer(w, "used", (int64_t)times_used(v, first));
    wire_open_member(w, "steps", '[');
    for (size_t i = first, past = past_pattern(c, first); i < past; i++) {
        wire_open(w, '{');
        wire_put_member_word(w, "name", catalogue_at(c, i)->step->name);
        wire_put_member_integer(w, "requests", (int64_t)v->sent[i]);
        wire_close(w, '}');
    }
    wire_close(w, ']');
    wire_close(w, '}');
}

static void show_row(const struct coverage *v, struct arena *a, const struct journal_options *o,
                     size_t i, struct wire_writer *w)
{
    const struct coverage_row *row = &v->rows[i];
    const struct journal_entry *e = row->example;

    wire_open(w, '{');
    wire_put_member_word(w, "shape", row->shape);
    wire_put_member_integer(w, "requests", (int64_t)row->requests);
    wire_put_member_integer(w, "example", (int64_t)e->id);
    if (e->answer)
        wire_put_member_word(w, "hint", catalogue_at(v->catalogue, e->answer - 1u)->hint);
    if (e->error != ERROR_NONE)
        wire_put_member_word(w, "error", error_name(e->error));
    wire_key(w, "draft");
    coverage_draft_write(a, v->catalogue, o, row, i + 1, w);
    wire_close(w, '}');
}

void coverage_show(const struct coverage *v, struct arena *a, const struct journal_options *o,
                   struct wire_writer *w)
{
    const struct catalogue *c = v->catalogue;

    wire_put_member_integer(w, "requests", (int64_t)v->requests);
    wire_put_member_integer(w, "matched", (int64_t)v->matched);
    wire_open_member(w, "patterns", '[');
    for (size_t i = 0; i < catalogue_count(c); i = past_pattern(c, i))
        show_pattern(v, i, w);
    wire_close(w, ']');
    wire_open_member(w, "unmatched", '[');
    for (size_t i = 0; i < v->row_count; i++)
        show_row(v, a, o, i, w);
    wire_close(w, ']');
    wire_put_member_integer(w, "more", (int64_t)v->more);
}

static void print_rows(const struct coverage *v, struct buf *out)
{
    for (size_t i = 0; i < v->row_count; i++) {
        const struct coverage_row *row = &v->rows[i];

        buf_printf(out, "mockddb:   no pattern %17llu  %s\n", (unsigned long long)row->requests,
                   row->shape);
        if (row->example->answer)
            buf_printf(out, "mockddb:     %s\n",
                       catalogue_at(v->catalogue, row->example->answer - 1u)->hint);
    }
    if (v->more)
        buf_printf(out, "mockddb:   no pattern %17llu  of other shapes\n",
                   (unsigned long long)v->more);
}

void coverage_print(const struct coverage *v, struct buf *out)
{
    const struct catalogue *c = v->catalogue;
    size_t used = 0, all = 0;

    for (size_t i = 0; i < catalogue_count(c); i = past_pattern(c, i), all++)
        used += times_used(v, i) > 0;
    buf_printf(out, "mockddb: %zu of %zu access patterns used, %llu of %llu requests are one\n",
               used, all, (unsigned long long)v->matched, (unsigned long long)v->requests);
    for (size_t i = 0; i < catalogue_count(c); i = past_pattern(c, i))
        if (times_used(v, i))
            buf_printf(out, "mockddb:   %-24s %6llu\n", catalogue_at(c, i)->pattern->name,
                       (unsigned long long)times_used(v, i));
    print_rows(v, out);
}
