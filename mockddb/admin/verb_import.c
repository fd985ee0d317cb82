/* POST /_mockddb/import: puts a file's tables and items into the world, in any format, or only
 * looks what they are. */
#include "admin/admin_verb.h"

#include "base/file_release.h"
#include "dispatch/dispatch_client.h"
#include "moving/moving_feed.h"
#include "moving/moving_types.h"

#include <fcntl.h>
#include <stdlib.h>

#define PART     ((size_t)128 * 1024) /* of the file, read at once … */
#define PIECE    ((size_t)8 * 1024)   /* … and processed in pieces of this unpacked size */
#define SLICE_US 2000                 /* for pieces, in one turn */
#define REPORTED 20                   /* refusals that are listed in the reply */

struct importing {
    struct moving_report report; /* first */
    struct arena *arena;
    struct client *client;
    struct moving_tables *tables;
    struct moving_import *import;
    struct moving_feed feed;
    bool looks; /* nothing is written */
    const char *problem;
    struct template_options templates;
    struct buf refusals, notes; /* elements of the reply's lists */
};

/* --- the report ------------------------------------------------------------------------------- */

static void report_refusal(struct moving_report *r, const struct moving_refusal *refusal)
{
    struct importing *i = (struct importing *)r;
    struct wire_writer w = {&i->refusals, r->refused > 1};

    if (r->refused > REPORTED)
        return;
    wire_open(&w, '{');
    wire_put_member_integer(&w, "line", (int64_t)refusal->line);
    if (refusal->column)
        wire_put_member_integer(&w, "column", (int64_t)refusal->column);
    wire_put_member_text(&w, "message", refusal->message);
    wire_close(&w, '}');
}

static void add_note(struct moving_report *r, const char *text)
{
    struct importing *i = (struct importing *)r;
    struct wire_writer w = {&i->notes, i->notes.len != 0};

    wire_put_text(&w, span_of(text));
}

/* --- in slices -------------------------------------------------------------------------------- */

static bool step_import(struct admin_work *w)
{
    const struct clock *clock = world_clock(w->world);
    struct importing *i = w->state;
    int64_t end_us = clock_ticks_us(clock) + SLICE_US;

    do
        i->problem = moving_feed_step(&i->feed);
    while (!i->feed.done && !i->problem && clock_ticks_us(clock) < end_us);
    worlds_touch(w->worlds, w->world);
    if (!i->feed.done && !i->problem)
        return false;
    moving_feed_end(&i->feed); /* the items read so far are still written */
    return true;
}

static void put_list(struct admin_call *c, const char *name, struct span elements)
{
    wire_open_member(&c->out, name, '[');
    buf_add_span(c->out.out, elements);
    wire_close(&c->out, ']');
}

/* The attributes of the first item that could be the key of its table. */
static void put_attributes(struct admin_call *c, const struct importing *i)
{
    struct moving_keys keys = moving_import_keys(i->import);

    wire_open_member(&c->out, "attributes", '[');
    for (size_t k = 0; k < keys.count; k++) {
        wire_open(&c->out, '{');
        wire_put_member_text(&c->out, "name", keys.at[k].name);
        wire_put_member_word(&c->out, "type", attr_type_code(keys.at[k].type));
        wire_close(&c->out, '}');
    }
    wire_close(&c->out, ']');
}

static const struct problem *answer_import(struct admin_call *c, struct admin_work *w)
{
    const struct importing *i = w->state;

    if (moving_tables_missing(i->tables).len) {
        /* Reports the attributes that could be the missing table's key, so that the client can send
         * the file again with one. */
        c->status = 404;
        wire_put_member_word(&c->out, "message", i->problem);
        wire_put_member_text(&c->out, "missing_table", moving_tables_missing(i->tables));
        put_attributes(c, i);
        return NULL;
    }
    if (i->problem && !i->report.items && !i->report.deleted && !i->report.refused)
        return problem_invalid(c->arena, "%s", i->problem);
    wire_put_member_integer(&c->out, "items", (int64_t)i->report.items);
    wire_put_member_integer(&c->out, "deleted", (int64_t)i->report.deleted);
    wire_put_member_integer(&c->out, "refused", (int64_t)i->report.refused);
    wire_put_member_integer(&c->out, "tables_made", (int64_t)moving_tables_made(i->tables));
    wire_open_member(&c->out, "tables", '[');
    moving_tables_show(i->tables, &c->out);
    wire_close(&c->out, ']');
    if (i->looks)
        put_attributes(c, i);
    put_list(c, "refusals", buf_span(&i->refusals));
    put_list(c, "notes", buf_span(&i->notes));
    if (i->problem)
        wire_put_member_word(&c->out, "problem", i->problem);
    return NULL;
}

static void end_import(struct admin_work *w)
{
    struct importing *i = w->state;

    moving_feed_end(&i->feed);
    moving_import_free(i->import);
    client_free(i->client);
    file_release_close(i->feed.fd); /* the upload has no name any more */
    arena_free(i->arena);
    free(i);
}

/* --- the request ------------------------------------------------------------------------------ */

/* A filter's text, or NULL if it is missing or empty. */
static const char *text_of(const struct admin_call *c, struct arena *a, const char *name)
{
    struct span value = admin_filter(c, name);

    return value.len ? arena_text(a, value) : NULL;
}

static const char *read_options(const struct admin_call *c, struct importing *i,
                                struct moving_import_options *out)
{
    const char *types = text_of(c, i->arena, "types"), *key = text_of(c, i->arena, "key");
    const char *prefix = text_of(c, i->arena, "prefix"), *problem = NULL;
    struct transfer_column *columns = NULL;

    *out = (struct moving_import_options){.looks = i->looks,
                                          .table = text_of(c, i->arena, "table"),
                                          .prefix = prefix ? prefix : "",
                                          .templates = &i->templates};
    if (types && (problem = moving_types_read(i->arena, types, &columns, &out->type_count)))
        return arena_printf(i->arena, "types %s", problem);
    out->types = columns;
    return key ? moving_tables_set_key(i->tables, key) : NULL;
}

static struct importing *new_importing(struct admin_call *c)
{
    struct importing *i = process_zeroed(sizeof *i);

    i->templates = (struct template_options){.region = world_settings(c->world)->region,
                                             .account = world_settings(c->world)->account};
    i->report.tell = report_refusal;
    i->report.note = add_note;
    i->arena = arena_new();
    i->refusals = i->notes = buf_in(i->arena);
    i->client = dispatch_client_new(
        i->arena, world_dispatcher(c->world),
        &(struct dispatch_client_options){
            .name = "this server", .settings = world_settings(c->world), .aside = true});
    i->tables = moving_tables_new(i->arena, i->client);
    return i;
}

static const struct admin_job job = {
    .step = step_import, .answer = answer_import, .end = end_import};

static const struct problem *begin_import(struct admin_call *c)
{
    struct moving_import_options options;
    const struct problem *p;
    const char *name, *problem;
    struct importing *i;
    bool looks;

    if (!c->upload)
        return problem_invalid(c->arena, "the file is missing: it is the body");
    if ((p = admin_check_clock(c)))
        return p;
    if ((p = admin_read_bool(c, "look", &looks)))
        return p;
    i = new_importing(c);
    if ((i->looks = looks))
        moving_tables_look(i->tables);
    problem = read_options(c, i, &options);
    name = text_of(c, i->arena, "name");
    i->import = moving_import_new(i->arena, i->client, i->tables, &i->report, &options);
    i->feed = (struct moving_feed){.import = i->import,
                                   .arena = i->arena,
                                   .file = name ? name : "the file",
                                   .table = moving_import_table_of(name ? name : ""),
                                   .fd = open(c->upload, O_RDONLY | O_CLOEXEC),
                                   .part = PART,
                                   .piece = PIECE};
    moving_feed_begin(&i->feed);
    admin_begin(c, &job, i);
    if (!problem)
        return NULL;
    problem = arena_text(c->arena, span_of(problem));
    admin_end(c->work);
    c->work = NULL;
    return problem_invalid(c->arena, "%s", problem);
}

const struct admin_verb verb_import[] = {
    {"POST", "import", ADMIN_CHANGES | ADMIN_WHOLE | ADMIN_ALONE | ADMIN_FILE, NULL,
     "name table key types prefix look", begin_import},
    {0},
};
