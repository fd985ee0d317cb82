#include "moving/moving_export.h"

#include "base/file.h"
#include "base/one_more.h"
#include "moving/moving_output.h"
#include "moving/moving_types.h"
#include "ops/transfer/transfer_reader.h"
#include "wire/wire_attr.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static const struct {
    const char *name;
    const struct transfer_format *format;
} formats[MOVING_EXPORT_FORMAT_COUNT] = {
    [MOVING_EXPORT_DYNAMODB_JSON] = {"dynamodb-json", &transfer_format_dynamodb_json},
    [MOVING_EXPORT_ION] = {"ion", &transfer_format_ion},
    [MOVING_EXPORT_CSV] = {"csv", &transfer_format_csv},
    [MOVING_EXPORT_JSONL] = {"jsonl", &transfer_format_jsonl},
    [MOVING_EXPORT_FIXTURE] = {"fixture", &transfer_format_printed},
};

bool moving_export_find(const char *name, enum moving_export_format *out)
{
    for (int i = 0; i < MOVING_EXPORT_FORMAT_COUNT; i++)
        if (strcmp(name, formats[i].name) == 0) {
            *out = (enum moving_export_format)i;
            return true;
        }
    return false;
}

struct writing {
    struct arena *arena; /* for the whole export */
    struct arena *page;
    struct moving_scan *scan;
    const struct transfer_format *format;
    struct transfer_options options;
    struct transfer_column *columns; /* for CSV */
    size_t column_count;
    bool compares;
    struct progress *progress;
    struct moving_export_report *report;
    uint64_t bytes;
};

/* --- columns ---------------------------------------------------------------------------------- */

static void add_column(struct writing *w, struct span name, enum attr_type type)
{
    w->columns = one_more(w->arena, w->columns, w->column_count, sizeof *w->columns);
    w->columns[w->column_count++] = (struct transfer_column){arena_span(w->arena, name), type};
}

/* Finds the column with this name, or adds it with this type. */
static struct transfer_column *find_column(struct writing *w, struct span name, enum attr_type type)
{
    size_t i = 0;

    while (i < w->column_count && !span_equal(w->columns[i].name, name))
        i++;
    if (i == w->column_count)
        add_column(w, name, type);
    return &w->columns[i];
}

/* A column has one type: otherwise a string would come back as a number. */
static const char *note_item(struct writing *w, const wire_node *item)
{
    for (const wire_node *m = wire_first(item); m; m = wire_next(m)) {
        struct transfer_column *c;
        enum attr_type type;

        if (!attr_type_of_code(wire_name(wire_first(m)), &type))
            return "Scan's answer has no items";
        c = find_column(w, wire_name(m), type);
        if (c->type == ATTR_TYPE_COUNT)
            c->type = type;
        if (c->type != type)
            return arena_printf(
                w->arena, "%.*s is %s in one item and %s in another: CSV has one type a column",
                SPAN_ARG(wire_name(m)), attr_type_code(c->type), attr_type_code(type));
    }
    return NULL;
}

/* Whether plain JSON has no such type. */
static bool is_untold(enum attr_type type)
{
    return type == ATTR_B || attr_is_set(type);
}

static bool has_untold(const struct attr *value)
{
    bool found = is_untold(value->type);

    if (value->type == ATTR_L)
        for (size_t i = 0; i < value->list.len && !found; i++)
            found = has_untold(&value->list.at[i]);
    if (value->type == ATTR_M)
        for (size_t i = 0; i < value->map.len && !found; i++)
            found = has_untold(&value->map.at[i].value);
    return found;
}

/* The type becomes ATTR_TYPE_COUNT if items have different types. */
static void note_untold(struct writing *w, const struct item *it)
{
    for (size_t i = 0; i < it->len; i++) {
        const struct attr *value = &it->at[i].value;
        struct transfer_column *c = find_column(w, it->at[i].name, value->type);

        if (c->type != value->type) {
            w->report->untold |= is_untold(c->type) || is_untold(value->type);
            c->type = ATTR_TYPE_COUNT;
        }
        if (!is_untold(value->type))
            w->report->untold |= has_untold(value);
    }
}

/* Reads all items to find their attributes; the key's come first. */
static const char *find_columns(struct writing *w)
{
    const char *problem = NULL;
    const wire_node *items;
    struct span *header;

    for (size_t i = 0; i < w->scan->key_count; i++)
        add_column(w, w->scan->keys[i], ATTR_TYPE_COUNT);
    do {
        arena_reset(w->page);
        problem = moving_scan_next(w->scan, w->page, &items);
        for (const wire_node *n = wire_first(items); n && !problem; n = wire_next(n))
            problem = note_item(w, n);
    } while (items && !problem);
    if (problem)
        return arena_text(w->arena, span_of(problem));
    moving_scan_again(w->scan);
    header = arena_array(w->arena, w->column_count, sizeof *header);
    for (size_t i = 0; i < w->column_count; i++) {
        header[i] = w->columns[i].name;
        if (w->columns[i].type == ATTR_TYPE_COUNT) /* no item has the attribute */
            w->columns[i].type = ATTR_S;
    }
    w->options.header = header;
    w->options.header_count = w->column_count;
    w->report->types = moving_types_show(w->arena, w->columns, w->column_count);
    return NULL;
}

/* --- items ------------------------------------------------------------------------------------ */

static const char *add_item(struct writing *w, struct buf *out, const wire_node *node)
{
    struct item it;

    w->report->items++;
    if (w->compares) {
        struct moving_digest digest;

        if (!moving_digest_of(w->page, node, &digest))
            return "Scan's answer has no items";
        moving_digest_add(&w->report->digest, &digest);
    }
    if (w->format->write_stored) { /* an answer from this process has items in their stored form */
        w->format->write_stored(out, &w->options, wire_raw(node));
        return NULL;
    }
    if (wire_read_item(w->page, node, WIRE_LAYER_CURRENT, &it))
        return "Scan's answer has no items";
    if (w->format == &transfer_format_jsonl)
        note_untold(w, &it);
    transfer_format_write(w->format, &w->options, w->page, out, &it);
    return NULL;
}

static const char *write_page(struct writing *w, struct moving_output *to, const wire_node *items)
{
    struct buf out = buf_in(w->page);
    const char *problem = NULL;

    for (const wire_node *n = wire_first(items); n && !problem; n = wire_next(n))
        problem = add_item(w, &out, n);
    w->bytes += out.len;
    progress_items(w->progress, (size_t)w->bytes, w->report->items);
    return problem ? problem : moving_output_add(to, buf_span(&out));
}

static const char *write_items(struct writing *w, struct moving_output *to)
{
    struct buf head = buf_in(w->arena);
    const char *problem;
    const wire_node *items = NULL;

    transfer_format_begin(w->format, &w->options, &head);
    problem = moving_output_add(to, buf_span(&head));
    do {
        arena_reset(w->page);
        if (!problem)
            problem = moving_scan_next(w->scan, w->page, &items);
        if (!problem && items)
            problem = write_page(w, to, items);
    } while (!problem && items);
    if (w->format == &transfer_format_jsonl) {
        size_t kept = 0;

        for (size_t i = 0; i < w->column_count; i++)
            if (is_untold(w->columns[i].type))
                w->columns[kept++] = w->columns[i];
        w->column_count = kept;
        w->report->types = w->column_count
                               ? moving_types_show(w->arena, w->columns, w->column_count)
                               : NULL;
    }
    return problem ? arena_text(w->arena, span_of(problem)) : NULL;
}

/* --- files ------------------------------------------------------------------------------------ */

static const char *write_file(struct writing *w, const char *path)
{
    const char *problem;
    struct moving_output *o;

    if (w->format == &transfer_format_csv && (problem = find_columns(w)))
        return problem;
    progress_part(w->progress, w->scan->table, (size_t)w->scan->bytes);
    o = moving_output_open(w->arena, path, &problem);
    if (o && !(problem = write_items(w, o)))
        problem = moving_output_end(o);
    moving_output_free(o);
    return problem;
}

/* Adds the items that the reader has. Returns false if one cannot be read. */
static bool add_digests(struct writing *w, struct transfer_reader *r, struct moving_digest *sum)
{
    for (;;) {
        struct transfer_record record;
        struct transfer_fault fault;
        struct moving_digest digest;

        arena_reset(w->page);
        switch (transfer_reader_skip(r, w->page, &record, &fault)) {
        case TRANSFER_MORE:
        case TRANSFER_END:
            return true;
        case TRANSFER_BAD_ITEM:
        case TRANSFER_BAD_TEXT:
            return false;
        case TRANSFER_ITEM:
            break;
        }
        if (!moving_digest_of(w->page, wire_get(record.object, "Item"), &digest))
            return false;
        moving_digest_add(sum, &digest);
    }
}

/* Reads a file of items back, and compares them with those that were written. */
static const char *compare_file(struct writing *w, const char *path)
{
    static const struct transfer_options by_lines = {.by_lines = true};
    const size_t size = (size_t)256 * 1024;
    struct moving_digest sum = {.items = 0};
    struct transfer_reader *r;
    FILE *file = fopen(path, "re");
    size_t read;
    char *part;
    bool whole = true;

    if (!file)
        return file_error(w->arena, path);
    part = process_malloc(size);
    r = transfer_reader_new(w->format, &by_lines);
    while (whole && (read = fread(part, 1, size, file))) {
        transfer_reader_feed(r, (struct span){part, read});
        whole = add_digests(w, r, &sum);
    }
    transfer_reader_end(r);
    whole = whole && add_digests(w, r, &sum) && !ferror(file);
    (void)fclose(file);
    transfer_reader_free(r);
    free(part);
    return whole && moving_digest_equal(&sum, &w->report->digest)
               ? NULL
               : arena_printf(w->arena, "%.*s: the items in %s are not those that were read",
                              SPAN_ARG(w->scan->table), path);
}

static const char *make_folder(struct arena *a, const char *path)
{
    return file_make_folder(a, path) ? NULL : file_error(a, path);
}

static const char *write_fixture(struct writing *w, const char *path)
{
    struct span table = w->scan->table;
    struct arena *a = w->arena;
    const char *items = arena_printf(a, "%s/items/%.*s.jsonl", path, SPAN_ARG(table)), *problem;

    if (strcmp(path, "-") == 0)
        return "a fixture is a folder, so it cannot be written to standard output";
    if ((problem = make_folder(a, arena_printf(a, "%s/tables", path))) ||
        (problem = make_folder(a, arena_printf(a, "%s/items", path))) ||
        (problem = write_file(w, items)) || (w->compares && (problem = compare_file(w, items))))
        return problem;
    return moving_output_write(a, arena_printf(a, "%s/tables/%.*s.json", path, SPAN_ARG(table)),
                               w->scan->schema);
}

const char *moving_export(struct arena *a, struct moving_scan *scan,
                          const struct moving_export_options *options, struct progress *progress,
                          struct moving_export_report *out)
{
    bool is_fixture = options->format == MOVING_EXPORT_FIXTURE;
    struct writing w = {.arena = a,
                        .page = arena_new(),
                        .scan = scan,
                        .format = formats[options->format].format,
                        .compares = options->compares,
                        .progress = progress,
                        .report = out};
    const char *problem = options->schema ? moving_output_write(a, options->schema, scan->schema)
                                          : NULL;

    *out = (struct moving_export_report){.items = 0};
    if (!problem)
        problem = is_fixture ? write_fixture(&w, options->path) : write_file(&w, options->path);
    progress_end(progress);
    arena_free(w.page);
    return problem;
}
