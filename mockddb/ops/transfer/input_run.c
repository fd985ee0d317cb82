#include "ops/transfer/input_run.h"

#include "base/utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* Limits of a slice. With its records it ends after about two milliseconds. */
#define SLICE_BYTES  ((size_t)256 * 1024) /* total cost of the records */
#define LIST_LOOKS   200                  /* names to look at for the list */
#define SKIPS        400                  /* records to pass over */
#define SKIP_BYTES   ((size_t)1 << 20)    /* total size of the passed records */
#define FEEDS        8                    /* parts to read without the end of a record */
#define OBJECTS      20                   /* objects to begin */
#define OBJECT_BYTES ((size_t)128 * 1024) /* total bytes before the objects' first records */

#define TIMES_OF_FAULT 4                   /* the cost of a bad record, relative to a good one */
#define IN_SIZE        ((size_t)64 * 1024) /* bytes to read at once */
#define OUT_SIZE       ((size_t)64 * 1024) /* bytes to unpack at once */

struct input_run {
    struct folder_walk *walk; /* NULL unless the list is being made */

    /* The object that is being read. */
    struct arena *arena; /* of its key and options */
    struct span object;  /* len 0: none */
    int64_t records;     /* read or passed over */
    int file;
    struct packed_reader *unpacker;
    struct transfer_reader *reader;
    struct span packed; /* bytes in `in` that are not unpacked yet */
    size_t fed;         /* unpacked bytes since the caller asked for a record */
    int64_t unpacked;   /* unpacked bytes of the object so far */
    bool all_read, ended;
    char in[IN_SIZE], out[OUT_SIZE];
};

static struct input_run *run_new(void)
{
    struct input_run *r = process_malloc(sizeof *r);

    r->walk = NULL;
    r->fed = 0;
    r->arena = arena_new();
    r->object = (struct span){NULL, 0};
    r->file = -1;
    r->unpacker = NULL;
    r->reader = NULL;
    return r;
}

static void close_object(struct input_run *r)
{
    if (r->file >= 0)
        close(r->file);
    packed_reader_free(r->unpacker);
    transfer_reader_free(r->reader);
    r->file = -1;
    r->unpacker = NULL;
    r->reader = NULL;
    r->object = (struct span){NULL, 0};
    arena_reset(r->arena);
}

void input_run_free(struct input_run *r)
{
    if (!r)
        return;
    close_object(r);
    folder_walk_free(r->walk);
    arena_free(r->arena);
    free(r);
}

struct input_source input_run_source(const wire_node *place, const wire_node *compression,
                                     const wire_node *format)
{
    struct span packing = wire_text(compression);

    return (struct input_source){
        .bucket = wire_text(wire_get(place, "S3Bucket")),
        .prefix = wire_text(wire_get(place, "S3KeyPrefix")),
        .format = transfer_format_find(wire_text(format)),
        .packing = span_is(packing, "GZIP")   ? PACKED_GZIP
                   : span_is(packing, "ZSTD") ? PACKED_ZSTD
                                              : PACKED_NOT,
    };
}

/* --- the list --------------------------------------------------------------------------------- */

static struct span list_key(struct call *c, const struct task *t, struct span object)
{
    struct buf key = buf_in(c->arena);

    key_of_space(&key, t->space);
    buf_add_span(&key, object);
    return buf_span(&key);
}

/* The entry's size is the object's size, so that the space adds the sizes up. */
static const struct error *add_object(struct call *c, const struct task *t,
                                      const struct folder_found *found)
{
    struct store_row row;
    const struct error *e = unit_get(c->unit, list_key(c, t, found->path), &row);

    return e ? e : unit_put(c->unit, &row, (size_t)found->size, SPAN_LIT("-"));
}

static const struct error *begin_list(struct call *c, struct task *t,
                                      const struct input_source *source, struct input_run **run,
                                      struct bucket_failure *why)
{
    *why = buckets_check(c, source->bucket);
    if (why->code)
        return NULL;
    *run = run_new();
    (*run)->walk = folder_walk_new(buckets_folder(c->settings->buckets), source->bucket,
                                   source->prefix);
    return t->space ? NULL : unit_new_space(c->unit, 0, &t->space);
}

static const struct error *end_list(struct call *c, struct task *t, struct input_run *r,
                                    struct bucket_failure *why)
{
    struct space_stats stats;
    const struct error *e = unit_stats(c->unit, t->space, &stats);

    if (e)
        return e;
    folder_walk_free(r->walk);
    r->walk = NULL;
    t->listed = true;
    t->input_bytes = stats.bytes;
    t->objects = stats.entries;
    if (t->objects > LIMIT_OBJECTS)
        *why = (struct bucket_failure){
            "S3ObjectLimitExceeded",
            arena_printf(c->arena, "The number of objects exceeds the limit of %d", LIMIT_OBJECTS)};
    return NULL;
}

/* Makes a slice of the list and, in the first slice, the task's space. *why says why the input
 * cannot be read. */
static const struct error *list_objects(struct call *c, struct task *t,
                                        const struct input_source *source, struct input_run **run,
                                        struct bucket_failure *why)
{
    struct folder_found found;
    struct space_stats stats;
    const struct error *e;
    bool fits, many = false;

    *why = (struct bucket_failure){.code = NULL};
    if (!*run && ((e = begin_list(c, t, source, run, why)) || !*run))
        return e;
    for (int i = 0; i < LIST_LOOKS && !many; i++) {
        if (!folder_walk_next((*run)->walk, &found, &fits))
            return end_list(c, t, *run, why);
        fits = fits && utf8_valid(found.path); /* like all keys of objects */
        if (fits && ((e = add_object(c, t, &found)) || (e = unit_stats(c->unit, t->space, &stats))))
            return e;
        many = fits && stats.entries > LIMIT_OBJECTS;
    }
    return many ? end_list(c, t, *run, why) : NULL;
}

/* --- objects ---------------------------------------------------------------------------------- */

/* Finds the object after the task's current one; len 0: no more objects. */
static const struct error *find_next_object(struct call *c, const struct task *t, struct span *out)
{
    struct store_range range = cursor_range_behind(
        c->arena, t->space, t->object.len ? list_key(c, t, t->object) : t->object);
    struct store_row row = {.found = false};
    struct cursor *cursor;
    const struct error *e;

    range.keys_only = true;
    cursor = cursor_open(c->unit, range);
    e = cursor_next(cursor, &row);
    *out = !e && row.found ? arena_span(c->arena, span_from(row.key, KEY_SPACE_LEN))
                           : (struct span){NULL, 0};
    cursor_close(cursor);
    return e;
}

/* Copies the options; the reader borrows them as long as it reads the object. */
static struct transfer_options copy_options(struct arena *a, const struct transfer_options *o)
{
    struct transfer_options copy = *o;
    struct span *header = arena_array(a, o->header_count, sizeof *header);
    struct transfer_column *types = arena_array(a, o->type_count, sizeof *types);

    for (size_t i = 0; i < o->header_count; i++)
        header[i] = arena_span(a, o->header[i]);
    for (size_t i = 0; i < o->type_count; i++)
        types[i] = (struct transfer_column){arena_span(a, o->types[i].name), o->types[i].type};
    copy.header = header;
    copy.types = types;
    return copy;
}

static bool open_object(struct call *c, const struct task *t, const struct input_source *source,
                        struct input_run *r)
{
    struct transfer_options options;

    close_object(r);
    r->object = arena_span(r->arena, t->object);
    r->records = 0;
    r->packed = (struct span){r->in, 0};
    r->unpacked = 0;
    r->all_read = r->ended = false;
    options = copy_options(r->arena, &source->options);
    r->reader = transfer_reader_new(source->format, &options);
    r->unpacker = packed_reader_new(source->packing);
    r->file = folder_read(buckets_folder(c->settings->buckets),
                          buckets_path(c, source->bucket, t->object));
    return r->file >= 0;
}

/* Gives the reader more bytes, or ends it. Returns NULL or the error. */
static const char *feed_reader(struct input_run *r)
{
    const char *problem;
    size_t len;

    if (!r->packed.len && !r->all_read) {
        ssize_t got = read(r->file, r->in, sizeof r->in);

        if (got < 0 && errno != EINTR)
            return strerror(errno);
        r->packed = (struct span){r->in, got > 0 ? (size_t)got : 0};
        r->all_read = got == 0;
    }
    if ((problem = packed_read(r->unpacker, &r->packed, r->out, sizeof r->out, &len)))
        return problem;
    transfer_reader_feed(r->reader, (struct span){r->out, len});
    r->fed += len;
    r->unpacked += (int64_t)len;
    if (len || r->packed.len || !r->all_read)
        return NULL;
    transfer_reader_end(r->reader);
    return packed_reader_end(r->unpacker);
}

/* --- records ---------------------------------------------------------------------------------- */

enum input_reading {
    INPUT_ITEM,
    INPUT_BAD_ITEM,   /* the record is passed over */
    INPUT_BAD_OBJECT, /* the rest of the object is passed over */
    INPUT_PAUSE,      /* no record in this slice */
    INPUT_END
};

/* Ends the object; the rest of it is not read. */
static enum input_reading bad_object(struct input_run *r, struct input_record *out,
                                     const char *problem)
{
    out->fault = (struct transfer_fault){.text = span_of(problem)};
    r->ended = true;
    return INPUT_BAD_OBJECT;
}

static enum input_reading read_record(struct input_run *r, struct arena *a, bool skips,
                                      struct input_record *out)
{
    for (int feeds = 0;; feeds++) {
        enum transfer_reading what = skips ? transfer_reader_skip(r->reader, a, &out->record,
                                                                  &out->fault)
                                           : transfer_reader_next(r->reader, a, &out->record,
                                                                  &out->fault);
        const char *problem;

        switch (what) {
        case TRANSFER_ITEM:
            return INPUT_ITEM;
        case TRANSFER_BAD_ITEM:
            return INPUT_BAD_ITEM;
        case TRANSFER_BAD_TEXT:
            r->ended = true;
            return INPUT_BAD_OBJECT;
        case TRANSFER_END:
            r->ended = true;
            return INPUT_END;
        case TRANSFER_MORE:
            if (feeds == FEEDS)
                return INPUT_PAUSE;
            if ((problem = feed_reader(r)))
                return bad_object(r, out, problem);
            break;
        }
    }
}

/* The cost of a record, in bytes. */
static size_t cost_of(const struct input_record *in, enum input_reading what)
{
    size_t text = in->record.text.len, json = in->record.json.len; /* either may be longer */

    if (what == INPUT_ITEM)
        return text > json ? text : json;
    if (what != INPUT_BAD_ITEM && what != INPUT_BAD_OBJECT)
        return 0;
    text = TIMES_OF_FAULT * in->fault.record.len; /* the search for the error reads it again */
    return text > in->fault.made ? text : in->fault.made;
}

/* Passes over records that the task has done already; false if that takes another slice. */
static bool catch_up(struct input_run *r, struct arena *a, const struct task *t)
{
    struct arena_mark mark = arena_mark(a);
    struct input_record in;
    size_t bytes = 0;

    for (int i = 0; i < SKIPS && bytes < SKIP_BYTES && r->records < t->records; i++) {
        enum input_reading what = read_record(r, a, true, &in);

        if (what == INPUT_PAUSE)
            return false;
        bytes += cost_of(&in, what);
        if (what == INPUT_END)
            r->records = t->records;
        else
            r->records++;
        arena_release(a, mark);
    }
    return r->records == t->records;
}

/* Ends the task's object after `bytes` unpacked bytes and sets the next one. */
static const struct error *next_object(struct call *c, struct task *t, int64_t bytes, bool *found)
{
    const struct error *e = find_next_object(c, t, &t->object);

    if (t->kind == TASK_IMPORT)
        t->bytes += bytes;
    t->records = 0;
    *found = t->object.len != 0;
    return e;
}

/* Reads the next record, which is valid until the next call. */
static const struct error *read_next(struct call *c, struct task *t,
                                     const struct input_source *source, struct input_run *r,
                                     struct input_record *out, enum input_reading *what)
{
    const struct error *e;
    bool found;

    r->fed = 0;
    for (int objects = 0;;) {
        bool is_open = r->object.len && span_equal(r->object, t->object) && r->reader;

        if (!t->object.len || (is_open && r->ended)) {
            if ((e = next_object(c, t, is_open ? r->unpacked : 0, &found)))
                return e;
            *what = found ? INPUT_PAUSE : INPUT_END;
            if (!found || ++objects == OBJECTS || r->fed > OBJECT_BYTES)
                return NULL;
            is_open = false;
        }
        out->object = t->object;
        if (!is_open && !open_object(c, t, source, r)) {
            t->records = ++r->records;
            *what = bad_object(r, out, strerror(errno));
            return NULL;
        }
        *what = INPUT_PAUSE;
        if (!catch_up(r, c->arena, t))
            return NULL;
        *what = r->ended ? INPUT_END : read_record(r, c->arena, false, out);
        if (*what == INPUT_PAUSE)
            return NULL;
        if (*what != INPUT_END) {
            t->records = ++r->records;
            return NULL;
        }
    }
}

/* --- the end ---------------------------------------------------------------------------------- */

const struct error *input_run_drop(struct call *c, struct task *t)
{
    uint32_t list = t->space, reports = t->reports;
    const struct error *e;

    t->space = t->reports = 0;
    if (list && (e = op_wake_drop_space(c, list)))
        return e;
    return reports ? op_wake_drop_space(c, reports) : NULL;
}

const struct error *input_run_fail(struct call *c, struct task *t, const char *code,
                                   const char *message)
{
    const struct error *e = input_run_drop(c, t);

    return e ? e : task_fail(c, t, code, message);
}

/* --- slices ----------------------------------------------------------------------------------- */

static const struct error *list_slice(struct input_slice *s, const struct input_sink *sink)
{
    struct bucket_failure why;
    const struct error *e = list_objects(s->call, s->task, &s->source, s->run, &why);

    if (e)
        return e;
    if (why.code)
        return input_run_fail(s->call, s->task, why.code, why.message);
    if (s->task->listed && sink->listed && (e = sink->listed(s)))
        return e;
    return task_has_ended(s->task) ? input_run_drop(s->call, s->task) : task_keep(s->call, s->task);
}

const struct error *input_run_step(struct input_slice *s, const struct input_sink *sink)
{
    struct task *t = s->task;
    struct input_run *r = *s->run;
    enum input_reading what = INPUT_ITEM;
    const struct error *e;
    size_t bytes = 0;

    if (!t->listed)
        return list_slice(s, sink);
    s->table = op_region_table(s->call, t->table);
    if (!s->table || !span_equal(s->table->uuid, t->table_id) ||
        s->table->status == STATUS_DELETING)
        return input_run_fail(s->call, t, "UNKNOWN", "The table was deleted");
    if (!r)
        r = *s->run = run_new();
    for (int i = 0; i < sink->records && bytes < SLICE_BYTES; i++) {
        struct input_record in = {.object = {NULL, 0}};

        if ((e = read_next(s->call, t, &s->source, r, &in, &what)))
            return e;
        if (what == INPUT_END)
            return sink->end(s);
        if (what == INPUT_PAUSE)
            break;
        t->items++;
        bytes += cost_of(&in, what);
        if ((e = what == INPUT_ITEM ? sink->put(s, &in) : sink->refuse(s, &in)))
            return e;
    }
    return task_keep(s->call, t);
}
