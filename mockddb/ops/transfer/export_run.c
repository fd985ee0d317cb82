#include "ops/transfer/export_run.h"

#include "base/file.h"
#include "base/packed.h"
#include "model/item_codec.h"
#include "ops/transfer/buckets.h"
#include "ops/transfer/export_digest.h"
#include "ops/transfer/export_filter.h"
#include "ops/transfer/export_state.h"
#include "ops/transfer/transfer_format.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* A slice ends at any of these limits, after about two milliseconds. */
#define SLICE_ITEMS 400
#define SLICE_BYTES ((size_t)192 * 1024) /* written */
#define SLICE_READ  ((size_t)512 * 1024) /* read; a filter drops items */

struct export_run {
    struct arena *arena; /* of the position and the path */
    const struct folder *folder;
    struct span aside; /* path of the unfinished data file; len 0: no file yet */
    int file;
    struct packed_writer *packer;
    struct digest *digest;
    struct buf position; /* key of the last item, without its space */
    int64_t items, bytes;
    int failure;   /* why the files cannot be written: an errno; 0: they can */
    bool finished; /* all files are complete, under their keys */
};

void export_run_free(struct export_run *r)
{
    if (!r)
        return;
    if (r->file >= 0)
        close(r->file);
    if (r->aside.len) /* the next run starts a new file */
        (void)folder_remove(r->folder, r->aside);
    packed_writer_free(r->packer);
    digest_end(r->digest, NULL);
    arena_free(r->arena);
    free(r);
}

struct export_slice {
    struct call *call;
    struct task *task;
    struct export_run *run;
    const wire_node *request;
    const struct transfer_format *format;
    const struct folder *folder;

    /* What the slice has read; it counts for the run when it is in the file. */
    struct span position;
    int64_t items, bytes;
};

/* --- keys and paths --------------------------------------------------------------------------- */

static struct span text_of(const wire_node *request, const char *name)
{
    return wire_text(wire_get(request, name));
}

/* The key PREFIX/AWSDynamoDB/rest. */
static struct span key_of(struct call *c, const wire_node *request, const char *rest)
{
    struct span prefix = text_of(request, "S3Prefix");

    while (prefix.len && prefix.at[prefix.len - 1] == '/')
        prefix.len--;
    return span_of(arena_printf(c->arena, "%.*s%sAWSDynamoDB/%s", SPAN_ARG(prefix),
                                prefix.len ? "/" : "", rest));
}

static struct span own_key(struct call *c, const struct task *t, const wire_node *request,
                           const char *name)
{
    return key_of(c, request, arena_printf(c->arena, "%.*s/%s", SPAN_ARG(task_id(c, t)), name));
}

struct span export_run_manifest(struct call *c, const struct task *t, const wire_node *request)
{
    return own_key(c, t, request, "manifest-summary.json");
}

/* All incremental exports share one folder for their data files. */
static struct span data_key(const struct export_slice *s)
{
    const char *name = arena_printf(s->call->arena, "data/%.*s%s.gz", SPAN_ARG(s->task->file),
                                    s->format->ending);

    return s->task->from_ms ? key_of(s->call, s->request, name)
                            : own_key(s->call, s->task, s->request, name);
}

static struct span path_of(const struct export_slice *s, struct span key)
{
    return buckets_path(s->call, text_of(s->request, "S3Bucket"), key);
}

static struct span aside_path(const struct export_slice *s, const char *name)
{
    return buckets_aside(s->call, span_of(arena_printf(s->call->arena, "%.*s-%.*s-%s",
                                                       SPAN_ARG(task_id(s->call, s->task)),
                                                       SPAN_ARG(s->task->aside), name)));
}

/* --- the end of an export --------------------------------------------------------------------- */

static const struct error *end_export(const struct export_slice *s, enum task_status status)
{
    const struct error *e;

    if (s->folder)
        (void)folder_remove(s->folder, aside_path(s, "data"));
    if ((e = export_state_end(s->call, s->task)))
        return e;
    return task_end(s->call, s->task, status);
}

static const struct error *fail_export(const struct export_slice *s, struct bucket_failure why)
{
    s->task->failure_code = span_of(why.code);
    s->task->failure_message = span_of(why.message);
    return end_export(s, TASK_FAILED);
}

static const struct error *fail_with(const struct export_slice *s, int cause)
{
    return fail_export(s, buckets_failure(s->call, text_of(s->request, "S3Bucket"), cause));
}

static bool put_file(const struct export_slice *s, struct span key, struct span text)
{
    return folder_put(s->folder, path_of(s, key), aside_path(s, "file"), text);
}

/* --- manifests -------------------------------------------------------------------------------- */

static struct wire_writer object_in(struct buf *out)
{
    struct wire_writer w = {.out = out};

    wire_open(&w, '{');
    return w;
}

static bool put_with_checksum(const struct export_slice *s, const char *name, struct span text)
{
    struct call *c = s->call;
    unsigned char digest[MD5_LEN];

    digest_md5(text, digest);
    return put_file(s, own_key(c, s->task, s->request, arena_printf(c->arena, "%s.json", name)),
                    text) &&
           put_file(s, own_key(c, s->task, s->request, arena_printf(c->arena, "%s.md5", name)),
                    export_digest_checksum(c->arena, digest));
}

static bool put_files_manifest(const struct export_slice *s)
{
    struct buf out = buf_in(s->call->arena);
    struct wire_writer w = object_in(&out);
    unsigned char digest[MD5_LEN];

    digest_end(s->run->digest, digest);
    s->run->digest = NULL;
    wire_put_member_integer(&w, "itemCount", s->run->items);
    wire_put_member_text(&w, "md5Checksum", export_digest_checksum(s->call->arena, digest));
    wire_put_member_text(&w, "etag", export_digest_etag(s->call->arena, digest));
    wire_put_member_text(&w, "dataFileS3Key", data_key(s));
    wire_close(&w, '}');
    buf_add_char(&out, '\n');
    return put_with_checksum(s, "manifest-files", buf_span(&out));
}

static void put_time(struct call *c, struct wire_writer *w, const char *name, int64_t ms)
{
    wire_put_member_word(w, name, arena_printf(c->arena, "%sZ", clock_iso_time(c->arena, ms)));
}

static void put_asked(struct wire_writer *w, const char *name, const wire_node *value,
                      const char *otherwise)
{
    wire_key(w, name);
    if (value)
        wire_put_text(w, wire_text(value));
    else if (otherwise)
        wire_put_text(w, span_of(otherwise));
    else
        wire_put_raw(w, SPAN_LIT("null"));
}

static void put_times(const struct export_slice *s, struct wire_writer *w)
{
    if (!s->task->from_ms) {
        put_time(s->call, w, "exportTime", s->task->moment_ms);
        return;
    }
    put_time(s->call, w, "exportFromTime", s->task->from_ms);
    put_time(s->call, w, "exportToTime", s->task->moment_ms);
}

static void put_window(const struct export_slice *s, struct wire_writer *w)
{
    const wire_node *window = wire_get(s->request, "IncrementalExportSpecification");

    if (!s->task->from_ms)
        return;
    put_asked(w, "outputView", wire_get(window, "ExportViewType"), "NEW_AND_OLD_IMAGES");
    wire_put_member_word(w, "exportType", "INCREMENTAL_EXPORT");
}

static bool put_summary(const struct export_slice *s)
{
    struct call *c = s->call;
    struct buf out = buf_in(c->arena);
    struct wire_writer w = object_in(&out);
    const struct task *t = s->task;

    wire_put_member_word(&w, "version", t->from_ms ? "2023-08-01" : "2020-06-30");
    wire_put_member_text(&w, "exportArn", task_arn(c, t));
    put_time(c, &w, "startTime", t->created_ms);
    put_time(c, &w, "endTime", clock_now_ms(c->clock));
    wire_put_member_text(&w, "tableArn", table_arn(c, t->table, "", (struct span){NULL, 0}));
    wire_put_member_text(&w, "tableId", t->table_id);
    put_times(s, &w);
    put_asked(&w, "s3Bucket", wire_get(s->request, "S3Bucket"), "");
    put_asked(&w, "s3Prefix", wire_get(s->request, "S3Prefix"), NULL);
    put_asked(&w, "s3SseAlgorithm", wire_get(s->request, "S3SseAlgorithm"), "AES256");
    put_asked(&w, "s3SseKmsKeyId", wire_get(s->request, "S3SseKmsKeyId"), NULL);
    wire_put_member_text(&w, "manifestFilesS3Key",
                         own_key(c, t, s->request, "manifest-files.json"));
    wire_put_member_integer(&w, "billedSizeBytes", t->bytes);
    wire_put_member_integer(&w, "itemCount", t->items);
    wire_put_member_word(&w, "outputFormat", s->format->name);
    put_window(s, &w);
    wire_close(&w, '}');
    return put_with_checksum(s, "manifest-summary", buf_span(&out));
}

/* The slice may be undone for a conflict and run again: the files are complete then, or failed. */
static const struct error *finish_export(const struct export_slice *s)
{
    struct export_run *r = s->run;

    s->task->items = r->items;
    s->task->bytes = r->bytes;
    if (!r->finished &&
        !(folder_rename(s->folder, aside_path(s, "data"), path_of(s, data_key(s))) &&
          put_files_manifest(s) && put_summary(s)))
        return fail_with(s, r->failure = errno);
    r->finished = true;
    return end_export(s, TASK_COMPLETED);
}

/* --- the data file ---------------------------------------------------------------------------- */

static struct item decode_item(const struct export_slice *s, struct span text)
{
    return text.len ? item_decode(s->call->arena, text) : (struct item){.at = NULL};
}

static void write_item(struct export_slice *s, const struct read_page *filter, struct buf *text,
                       const struct export_entry *entry)
{
    static const struct transfer_options options = {.types = NULL};
    struct item it, shown;

    if (!filter->filter && !filter->projection) {
        transfer_format_write_stored(s->format, &options, s->call->arena, text, entry->item);
        s->items++;
        return;
    }
    it = decode_item(s, entry->item);
    if (!export_filter_passes(filter, &it))
        return;
    shown = export_filter_project(s->call, filter, &it);
    transfer_format_write(s->format, &options, s->call->arena, text, &shown);
    s->items++;
}

static bool shows_old(const struct export_slice *s)
{
    const wire_node *window = wire_get(s->request, "IncrementalExportSpecification");

    return !span_is(text_of(window, "ExportViewType"), "NEW_IMAGE");
}

/* Skips an item that was both created and deleted within the window. */
static void write_change(struct export_slice *s, const struct table *source,
                         const struct read_page *filter, struct buf *text,
                         const struct export_entry *entry)
{
    struct item new = decode_item(s, entry->item), old = decode_item(s, entry->old_item);
    const struct item *newest = entry->item.len ? &new : &old;
    struct transfer_change change = {.micros = entry->changed_ms * 1000};

    if ((!entry->item.len && !entry->old_item.len) || !export_filter_passes(filter, newest))
        return;
    change.keys = schema_key_of(s->call->arena, source, newest);
    new = export_filter_project(s->call, filter, &new);
    old = export_filter_project(s->call, filter, &old);
    change.new = entry->item.len ? &new : NULL;
    change.old = entry->old_item.len && shows_old(s) ? &old : NULL;
    s->format->write_change(text, &change);
    s->items++;
}

/* Writes the items of a slice. */
static const struct error *write_items(struct export_slice *s, const struct read_page *filter,
                                       struct export_entries *entries, struct buf *text, bool *more)
{
    const struct table *source = schema_decode(s->call->arena, s->task->source);
    size_t read = 0;

    for (int i = 0; i < SLICE_ITEMS && text->len < SLICE_BYTES && read < SLICE_READ; i++) {
        struct export_entry entry;
        const struct error *e = export_state_next(entries, &entry, more);

        if (e || !*more)
            return e;
        if (s->task->from_ms && source)
            write_change(s, source, filter, text, &entry);
        else if (entry.item.len)
            write_item(s, filter, text, &entry);
        read += entry.item.len + entry.old_item.len;
        s->bytes += (int64_t)entry.size;
        s->position = entry.key;
    }
    return NULL;
}

static bool append_text(const struct export_slice *s, struct span text)
{
    struct buf packed = buf_in(s->call->arena);

    packed_add(s->run->packer, &packed, text);
    digest_add(s->run->digest, buf_span(&packed));
    return file_write(s->run->file, buf_span(&packed));
}

/* Nothing after it may be undone without the run. */
static void count_slice(const struct export_slice *s)
{
    struct export_run *r = s->run;

    r->items += s->items;
    r->bytes += s->bytes;
    if (!s->position.len)
        return;
    r->position.len = 0;
    buf_add_span(&r->position, s->position);
}

static const struct error *write_slice(struct export_slice *s)
{
    struct read_page filter = {.filter = NULL};
    const wire_node *spec = wire_get(s->request, "FilterSpecification");
    struct buf text = buf_in(s->call->arena);
    struct export_entries *entries;
    const struct error *e;
    bool more = true;

    if (spec && (e = export_filter_read(s->call, spec, s->task->table, &filter)))
        return fail_export(
            s, (struct bucket_failure){"UNKNOWN", arena_text(s->call->arena, e->message)});
    if ((e = export_state_open(s->call, s->task, &filter.range, buf_span(&s->run->position),
                               &entries)))
        return e;
    e = write_items(s, &filter, entries, &text, &more);
    export_state_close(entries);
    if (e)
        return e;
    if (text.len && !append_text(s, buf_span(&text)))
        return fail_with(s, s->run->failure = errno);
    count_slice(s);
    return more ? NULL : finish_export(s);
}

/* --- slices ----------------------------------------------------------------------------------- */

/* Begins the data file. It is valid gzip even without items. */
static bool begin_files(const struct export_slice *s)
{
    struct export_run *r = s->run;

    r->folder = s->folder;
    r->aside = arena_span(r->arena, aside_path(s, "data"));
    r->file = folder_write(r->folder, r->aside);
    return r->file >= 0 && ftruncate(r->file, 0) == 0 && append_text(s, (struct span){"", 0}) &&
           put_file(s, own_key(s->call, s->task, s->request, "_started"), (struct span){"", 0});
}

static struct export_run *run_new(void)
{
    struct export_run *r = process_zeroed(sizeof *r);

    r->arena = arena_new();
    r->position = buf_in(r->arena);
    r->packer = packed_writer_new(PACKED_GZIP);
    r->digest = digest_begin(DIGEST_MD5);
    r->file = -1;
    return r;
}

/* Whether the table still has the log that the export reads. True for a deleted table: the export
 * holds its log. */
static bool has_log(const struct call *c, const struct task *t)
{
    const struct table *table = op_region_table(c, t->table);

    return !table || !span_equal(table->uuid, t->table_id) || table->recovery.space == t->log_space;
}

static const struct error *begin_run(struct export_slice *s, struct export_run **run)
{
    struct bucket_failure why = buckets_check(s->call, text_of(s->request, "S3Bucket"));

    if (!why.code && !folder_allows(path_of(s, data_key(s))))
        why = buckets_failure(s->call, text_of(s->request, "S3Bucket"), EACCES);
    if (why.code)
        return fail_export(s, why);
    s->run = *run = run_new();
    return begin_files(s) ? NULL : fail_with(s, s->run->failure = errno);
}

const struct error *export_run_step(struct call *c, struct task *t, struct export_run **run)
{
    struct export_slice s = {.call = c, .task = t, .run = *run};
    struct span before = t->log_position;
    const struct error *e;
    bool more;

    if ((e = task_request(c, t, &s.request)))
        return e;
    s.format = transfer_format_find(text_of(s.request, "ExportFormat"));
    if (!s.format)
        s.format = &transfer_format_dynamodb_json;
    s.folder = buckets_folder(c->settings->buckets);
    if (!has_log(c, t))
        return fail_export(
            &s, (struct bucket_failure){"UNKNOWN", "Point in time recovery was disabled"});
    if (!*run)
        return begin_run(&s, run);
    if (s.run->failure)
        return fail_with(&s, s.run->failure);
    if ((e = export_state_follow(c, t, &more)) ||
        (!span_equal(before, t->log_position) && (e = task_keep(c, t))))
        return e;
    return more ? NULL : write_slice(&s);
}
