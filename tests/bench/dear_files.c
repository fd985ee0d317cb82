/* Files that imports and bulk puts read: what packs a thousand times, and records near a limit. */
#include "dear.h"

#include "base/packed.h"
#include "model/limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define LONG_RECORD   (LIMIT_TRANSFER_TEXT - 1000) /* is parsed, whatever it holds */
#define TOO_LONG      ((size_t)15 << 20)
#define LONG_TEXT     ((size_t)64 << 20) /* of what packs well */
#define MANY_COLUMNS  4096
#define DEEP_BRACKETS ((size_t)1 << 20)

/* --- texts ------------------------------------------------------------------------------------ */

static void repeat(struct buf *out, const char *text, size_t until)
{
    while (out->len < until)
        buf_add_text(out, text);
}

static void blank_lines(struct buf *out)
{
    repeat(out, "\n", LONG_TEXT);
}

static void blanks(struct buf *out)
{
    buf_add_text(out, "{\"Item\":");
    repeat(out, " ", TOO_LONG);
    buf_add_text(out, "{\"pk\":{\"S\":\"a\"}}}\n");
}

static void empty_records(struct buf *out)
{
    repeat(out, "{}\n", (size_t)1 << 20);
}

static void deep_lines(struct buf *out)
{
    for (int i = 0; i < 4; i++) {
        memset(buf_reserve(out, DEEP_BRACKETS), '{', DEEP_BRACKETS);
        out->len += DEEP_BRACKETS;
        buf_add_char(out, '\n');
    }
}

static void deep_items(struct buf *out)
{
    for (int i = 0; i < 200; i++) {
        buf_add_text(out, "{\"Item\":{\"a\":");
        for (int k = 0; k < 450; k++)
            buf_add_text(out, "{\"L\":[");
        for (int k = 0; k < 450; k++)
            buf_add_text(out, "]}");
        buf_add_text(out, "}}\n");
    }
}

static void record_of(struct buf *out, const char *value)
{
    buf_add_text(out, "{\"Item\":{\"pk\":{\"S\":\"a\"},\"l\":{\"L\":[");
    repeat(out, value, LONG_RECORD);
    out->len--; /* a comma */
    buf_add_text(out, "]}}}\n{\"Item\":{\"pk\":{\"S\":\"b\"}}}\n");
}

static void record_of_nulls(struct buf *out)
{
    record_of(out, "{\"NULL\":true},");
}

static void record_of_lists(struct buf *out)
{
    record_of(out, "{\"L\":[{\"M\":{}}]},");
}

static void record_of_names(struct buf *out)
{
    buf_add_text(out, "{\"Item\":{\"pk\":{\"S\":\"a\"}");
    for (int i = 0; out->len < LONG_RECORD; i++)
        buf_printf(out, ",\"%d\":{\"NULL\":true}", i);
    buf_add_text(out, "}}\n");
}

static void record_of_escapes(struct buf *out)
{
    buf_add_text(out, "{\"Item\":{\"pk\":{\"S\":\"a\"},\"l\":{\"S\":\"");
    repeat(out, "\\u0041", LONG_RECORD);
    buf_add_text(out, "\"}}}\n");
}

/* The longest item: "" in a list is a byte of the service's. */
static void longest_item(struct buf *out)
{
    buf_add_text(out, "{\"Item\":{\"pk\":{\"S\":\"a\"},\"l\":{\"L\":[{\"S\":\"\"}");
    for (int i = 0; i < 409000; i++)
        buf_add_text(out, ",{\"S\":\"\"}");
    buf_add_text(out, "]}}}\n");
}

static void too_long_record(struct buf *out)
{
    buf_add_text(out, "{\"Item\":{\"pk\":{\"S\":\"a\"},\"l\":{\"L\":[{\"NULL\":true}");
    repeat(out, ",{\"NULL\":true}", TOO_LONG);
    buf_add_text(out, "]}}}\n");
}

static void endless_record(struct buf *out)
{
    buf_add_text(out, "{\"Item\":{\"pk\":{\"S\":\"");
    repeat(out, "aaaaaaaaaaaaaaaa", LONG_TEXT);
}

static void ion_record(struct buf *out)
{
    buf_add_text(out, "$ion_1_0 {Item:{pk:\"a\",l:[");
    repeat(out, "null,", LONG_RECORD);
    buf_add_text(out, "null]}}\n");
}

static void ion_comments(struct buf *out)
{
    repeat(out, "/**/", LONG_TEXT / 4);
}

/* Names of as many bytes as an item may have; each row becomes as long as they are. */
static void csv_header(struct buf *out)
{
    for (int i = 0; i < MANY_COLUMNS; i++)
        buf_printf(out, i ? ",%095d" : "pk", i);
    for (int row = 0; row < 300; row++) {
        buf_add_char(out, '\n');
        for (int i = 0; i < MANY_COLUMNS - 1; i++)
            buf_add_text(out, "x,");
    }
    buf_add_char(out, '\n');
}

/* Rows that are items just short of the limit, since their columns have long names. */
static void csv_names(struct buf *out)
{
    for (int i = 0; i < MANY_COLUMNS; i++)
        buf_printf(out, i ? ",%095d" : "pk", i);
    for (int row = 0; row < 100; row++) {
        buf_printf(out, "\n%d", row);
        for (int i = 0; i < MANY_COLUMNS - 1; i++)
            buf_add_text(out, ",x");
    }
    buf_add_char(out, '\n');
}

static void add_rows(struct buf *out, int fields)
{
    buf_add_text(out, "pk");
    for (int i = 0; i < MANY_COLUMNS - 1; i++)
        buf_printf(out, ",c%d", i);
    for (int i = 0; i < 200; i++) {
        buf_printf(out, "\n%d", i);
        for (int k = 0; k < fields - 1; k++)
            buf_add_text(out, ",a");
    }
    buf_add_char(out, '\n');
}

static void csv_rows(struct buf *out)
{
    add_rows(out, MANY_COLUMNS);
}

static void csv_bad_rows(struct buf *out)
{
    add_rows(out, MANY_COLUMNS + 1);
}

static void csv_row(struct buf *out)
{
    buf_add_text(out, "pk,l\na,\"");
    repeat(out, "\"\"", LONG_RECORD);
    buf_add_text(out, "\"\n");
}

static void csv_quote(struct buf *out)
{
    buf_add_text(out, "pk,l\na,\"");
    repeat(out, "aaaaaaaaaaaaaaaa", LONG_TEXT);
}

static const struct {
    const char *name, *format;
    void (*write)(struct buf *out);
} files[] = {
    {"blank lines", "DYNAMODB_JSON", blank_lines},
    {"15 MB of blanks in a record", "DYNAMODB_JSON", blanks},
    {"records that are no items", "DYNAMODB_JSON", empty_records},
    {"lines of brackets", "DYNAMODB_JSON", deep_lines},
    {"deep items", "DYNAMODB_JSON", deep_items},
    {"a record of NULLs", "DYNAMODB_JSON", record_of_nulls},
    {"a record of lists", "DYNAMODB_JSON", record_of_lists},
    {"a record of names", "DYNAMODB_JSON", record_of_names},
    {"a record of escapes", "DYNAMODB_JSON", record_of_escapes},
    {"the longest item", "DYNAMODB_JSON", longest_item},
    {"a record of 15 MB", "DYNAMODB_JSON", too_long_record},
    {"a record without end", "DYNAMODB_JSON", endless_record},
    {"a record in Ion", "ION", ion_record},
    {"comments in Ion", "ION", ion_comments},
    {"a header of 400 KB", "CSV", csv_header},
    {"rows under long names", "CSV", csv_names},
    {"rows of 4096 fields", "CSV", csv_rows},
    {"rows of a field too many", "CSV", csv_bad_rows},
    {"a row of quotes", "CSV", csv_row},
    {"a field without end", "CSV", csv_quote},
};

/* --- importing -------------------------------------------------------------------------------- */

#define COMMON                                                                                     \
    "\"AttributeDefinitions\":[{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"}],\"KeySchema\":" \
    "[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"}],\"BillingMode\":\"PAY_PER_REQUEST\""

static struct {
    size_t file;
    bool bulk, zstd;
} chosen;

static void write_packed(const char *path, struct span text, enum packed_form form)
{
    struct arena *a = arena_new();
    struct packed_writer *w = packed_writer_new(form);
    struct buf out = buf_in(a);
    FILE *f = fopen(path, "w");

    packed_add(w, &out, text);
    if (!f || fwrite(out.at, 1, out.len, f) != out.len || fclose(f))
        exit(EXIT_FAILURE);
    packed_writer_free(w);
    arena_free(a);
}

static void set_up(struct bench *b)
{
    struct arena *a = arena_new();
    struct buf text = buf_in(a);

    if (mkdir(arena_printf(a, "%s/bucket", b->root), 0700) ||
        mkdir(arena_printf(a, "%s/reports", b->root), 0700))
        exit(EXIT_FAILURE);
    files[chosen.file].write(&text);
    write_packed(arena_printf(a, "%s/bucket/file", b->root), buf_span(&text),
                 chosen.zstd ? PACKED_ZSTD : PACKED_GZIP);
    arena_free(a);
    if (chosen.bulk)
        dear_must_call(b, "CreateTable", SPAN_LIT("{\"TableName\":\"Dear\"," COMMON "}"));
}

static void body(struct buf *out)
{
    const char *format = files[chosen.file].format, *packing = chosen.zstd ? "ZSTD" : "GZIP";

    if (chosen.bulk)
        buf_printf(out,
                   "{\"TableName\":\"Dear\",\"InputS3Configuration\":{\"S3Bucket\":\"bucket\","
                   "\"InputFormat\":\"%s\",\"InputCompressionType\":\"%s\"},"
                   "\"OutputS3Configuration\":{\"S3Bucket\":\"reports\",\"OutputType\":["
                   "\"ERROR\"]}}",
                   format, packing);
    else
        buf_printf(out,
                   "{\"ClientToken\":\"token\",\"S3BucketSource\":{\"S3Bucket\":\"bucket\"},"
                   "\"InputFormat\":\"%s\","
                   "\"InputCompressionType\":\"%s\",\"TableCreationParameters\":{\"TableName\":"
                   "\"Dear\"," COMMON "}}",
                   format, packing);
}

/* Imports and bulk puts, each in two packings; bulk puts read no CSV. */
static size_t ways(size_t file)
{
    return strcmp(files[file].format, "CSV") == 0 ? 2 : 4;
}

const struct dear *dear_of_file(size_t number)
{
    static char name[100];
    static struct dear row = {.name = name, .set_up = set_up, .body = body, .turns = true};

    chosen.file = 0;
    while (chosen.file < COUNT(files) && number >= ways(chosen.file))
        number -= ways(chosen.file++);
    if (chosen.file == COUNT(files))
        return NULL;
    chosen.bulk = number / 2;
    chosen.zstd = number % 2;
    row.operation = chosen.bulk ? "StartBulkPutItems" : "ImportTable";
    (void)snprintf(name, sizeof name, "%s, %s: %s", chosen.bulk ? "bulk put" : "import",
                   chosen.zstd ? "zstd" : "gzip", files[chosen.file].name);
    return &row;
}
