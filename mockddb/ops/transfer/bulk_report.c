#include "ops/transfer/bulk_report.h"

#include "base/file.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* A slice ends at either limit. */
#define SLICE_LINES 500
#define SLICE_BYTES ((size_t)512 * 1024)
#define NUMBER_LEN  8

static const struct {
    const char *type, *folder;
} reports[] = {
    [BULK_ERRORS] = {"ERROR", "errors"},
    [BULK_CONDITIONS] = {"CONDITION_CHECK_FAILURE", "condition-check-failures"},
};

static bool is_asked(const wire_node *request, enum bulk_report report)
{
    const wire_node *types = wire_get(wire_get(request, "OutputS3Configuration"), "OutputType");

    return wire_has_text(types, span_of(reports[report].type));
}

/* Orders lines by report, then by number. */
static struct span line_key(struct call *c, const struct task *t, enum bulk_report report,
                            uint64_t number)
{
    struct buf key = buf_in(c->arena);

    key_of_space(&key, t->reports);
    buf_add_char(&key, (char)report);
    buf_add_big_endian(&key, number, NUMBER_LEN);
    return buf_span(&key);
}

const struct error *bulk_report_add(struct call *c, struct task *t, const wire_node *request,
                                    enum bulk_report report, struct span line)
{
    struct store_row row = {.found = false};
    struct space_stats stats;
    const struct error *e;

    if (!is_asked(request, report))
        return NULL;
    if (!t->reports && (e = unit_new_space(c->unit, 0, &t->reports)))
        return e;
    if ((e = unit_stats(c->unit, t->reports, &stats)) || stats.bytes >= (int64_t)LIMIT_BULK_REPORTS)
        return e;
    row.key = line_key(c, t, report, store_next_number(c->store));
    return unit_put(c->unit, &row, line.len, line);
}

/* --- files ------------------------------------------------------------------------------------ */

static struct span key_of(struct call *c, const struct task *t, const wire_node *request,
                          const char *rest)
{
    struct span prefix = wire_text(
        wire_get(wire_get(request, "OutputS3Configuration"), "S3KeyPrefix"));

    while (prefix.len && prefix.at[prefix.len - 1] == '/')
        prefix.len--;
    return span_of(arena_printf(c->arena, "%.*s%sAWSDynamoDB/%.*s/%s", SPAN_ARG(prefix),
                                prefix.len ? "/" : "", SPAN_ARG(task_id(c, t)), rest));
}

static struct span file_key(struct call *c, const struct task *t, const wire_node *request,
                            enum bulk_report report)
{
    return key_of(
        c, t, request,
        arena_printf(c->arena, "%s/%.*s.json", reports[report].folder, SPAN_ARG(t->file)));
}

static struct span bucket_of(const wire_node *request)
{
    return wire_text(wire_get(wire_get(request, "OutputS3Configuration"), "S3Bucket"));
}

static struct span path_of(struct call *c, const wire_node *request, struct span key)
{
    return buckets_path(c, bucket_of(request), key);
}

static struct span aside_path(struct call *c, const struct task *t, const char *name)
{
    return buckets_aside(c, span_of(arena_printf(c->arena, "%.*s-%.*s-%s", SPAN_ARG(task_id(c, t)),
                                                 SPAN_ARG(t->aside), name)));
}

/* Whether the file has all that was written so far. */
static bool is_there(struct call *c, const struct task *t, struct span path)
{
    int file = folder_read(buckets_folder(c->settings->buckets), path);
    struct stat status;
    bool there = file >= 0 && fstat(file, &status) == 0 && status.st_size >= t->report_bytes;

    if (file >= 0)
        close(file);
    return there;
}

static void begin_anew(struct task *t)
{
    t->report_bytes = 0;
    t->report_position = (struct span){"", 0};
}

/* Appends the text at report_bytes. Later bytes come from a slice that was not committed. */
static bool append_text(struct call *c, const struct task *t, enum bulk_report report,
                        struct span text)
{
    int file = folder_write(buckets_folder(c->settings->buckets),
                            aside_path(c, t, reports[report].folder));
    bool good;

    if (file < 0)
        return false;
    good = ftruncate(file, (off_t)t->report_bytes) == 0 &&
           lseek(file, (off_t)t->report_bytes, SEEK_SET) >= 0 && file_write(file, text);
    close(file);
    return good;
}

static bool put_manifest(struct call *c, const struct task *t, const wire_node *request)
{
    struct buf out = buf_in(c->arena);
    struct wire_writer w = {.out = &out};

    wire_open(&w, '{');
    wire_put_member_text(&w, "bulkOperationArn", task_arn(c, t));
    wire_put_member_integer(&w, "processedItemCount", t->items);
    wire_put_member_integer(&w, "failedItemCount", t->faults);
    wire_put_member_integer(&w, "conditionCheckFailureCount", t->refused);
    wire_open_member(&w, "files", '[');
    for (int i = 0; i < BULK_REPORT_COUNT; i++) {
        enum bulk_report report = (enum bulk_report)i;

        if (!is_asked(request, report) || !(report == BULK_ERRORS ? t->faults : t->refused))
            continue;
        wire_open(&w, '{');
        wire_put_member_word(&w, "outputType", reports[report].type);
        wire_put_member_text(&w, "s3Key", file_key(c, t, request, report));
        wire_close(&w, '}');
    }
    wire_close(&w, ']');
    wire_close(&w, '}');
    return folder_put(buckets_folder(c->settings->buckets),
                      path_of(c, request, key_of(c, t, request, "manifest.json")),
                      aside_path(c, t, "manifest"), buf_span(&out));
}

/* --- slices ----------------------------------------------------------------------------------- */

/* Reads a slice of lines that are not written yet; *text is empty if all are written. */
static const struct error *read_lines(struct call *c, const struct task *t, enum bulk_report report,
                                      struct buf *text, struct span *last)
{
    struct store_range range = {.low = t->report_position,
                                .high = line_key(c, t, report, UINT64_MAX)};
    struct store_row row;
    struct cursor *cursor;
    const struct error *e = NULL;

    if (!range.low.len)
        range.low = line_key(c, t, report, 0);
    cursor = cursor_open(c->unit, range);
    for (int i = 0; i < SLICE_LINES && text->len < SLICE_BYTES; i++) {
        if ((e = cursor_next(cursor, &row)) || !row.found)
            break;
        buf_add_span(text, row.body);
        buf_add_char(text, '\n');
        *last = arena_span(c->arena, row.key);
    }
    cursor_close(cursor);
    return e;
}

/* Whether the report was renamed by a slice that was then undone, or just before the server was
 * killed. */
static bool is_renamed(struct call *c, const struct task *t, const wire_node *request,
                       enum bulk_report report)
{
    return is_there(c, t, path_of(c, request, file_key(c, t, request, report)));
}

/* Renames the finished report and begins the next one. */
static bool end_report(struct call *c, struct task *t, const wire_node *request,
                       enum bulk_report report, bool renamed)
{
    bool good = !t->report_bytes || renamed ||
                folder_rename(buckets_folder(c->settings->buckets),
                              aside_path(c, t, reports[report].folder),
                              path_of(c, request, file_key(c, t, request, report)));

    t->report++;
    begin_anew(t);
    return good;
}

const struct error *bulk_report_write(struct call *c, struct task *t, const wire_node *request,
                                      bool *more, struct bucket_failure *why)
{
    enum bulk_report report = (enum bulk_report)t->report;
    struct buf text = buf_in(c->arena);
    struct span last = {NULL, 0};
    const struct error *e;
    bool good = true, renamed = false;

    *more = report < BULK_REPORT_COUNT;
    *why = (struct bucket_failure){.code = NULL};
    if (*more && t->reports && (e = read_lines(c, t, report, &text, &last)))
        return e;
    if (*more && t->report_bytes && !is_there(c, t, aside_path(c, t, reports[report].folder))) {
        renamed = !text.len && is_renamed(c, t, request, report);
        if (!renamed) { /* this world is a copy of the world that wrote it, perhaps */
            begin_anew(t);
            text.len = 0;
            if (t->reports && (e = read_lines(c, t, report, &text, &last)))
                return e;
        }
    }
    if (!*more) {
        good = put_manifest(c, t, request);
    } else if (!text.len) {
        good = end_report(c, t, request, report, renamed);
    } else if ((good = append_text(c, t, report, buf_span(&text)))) {
        t->report_bytes += (int64_t)text.len;
        t->report_position = cursor_key_behind(c->arena, last);
    }
    if (!good)
        *why = buckets_failure(c, bucket_of(request), errno);
    return NULL;
}
