#include "stream_lambda/lambda_failure.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/date.h"
#include "base/file.h"
#include "ops/table/table_arn.h"

#include <stdio.h>

struct lambda_failure_file {
    FILE *file; /* NULL: no file is written */
    const char *path;
    struct span stream_arn;
    struct clock *clock;
};

const char *lambda_failure_open(struct arena *a, const char *path, struct span stream_arn,
                                struct lambda_failure_file **out)
{
    struct lambda_failure_file *f = arena_alloc(a, sizeof *f);

    *f = (struct lambda_failure_file){.path = path, .stream_arn = stream_arn};
    if (path && !(f->file = fopen(path, "ae")))
        return file_error(a, path);
    f->clock = clock_new_system();
    *out = f;
    return NULL;
}

void lambda_failure_close(struct lambda_failure_file *f)
{
    if (!f)
        return;
    if (f->file)
        (void)fclose(f->file);
    clock_free(f->clock);
}

static void add_text(struct buf *out, const char *name, struct span value)
{
    buf_printf(out, ",\"%s\":", name);
    buf_add_json_string(out, value);
}

static void add_contexts(struct buf *out, struct lambda_failure_file *f,
                         const struct lambda_failure *failure)
{
    struct arn stream = {.table = {"", 0}};

    (void)table_arn_parse(f->stream_arn, &stream);
    buf_printf(out, "{\"requestContext\":{\"requestId\":\"%s\"", clock_uuid(f->clock, out->arena));
    /* the function has no name; Lambda's runtime emulator calls it "function" */
    add_text(out, "functionArn",
             span_of(arena_printf(out->arena, "arn:aws:lambda:%.*s:%.*s:function:function",
                                  SPAN_ARG(stream.region), SPAN_ARG(stream.account))));
    add_text(out, "condition", span_of(failure->condition));
    buf_printf(out, ",\"approximateInvokeCount\":%u}", failure->calls);
    if (failure->status)
        buf_printf(out,
                   ",\"responseContext\":{\"statusCode\":%d,\"executedVersion\":\"$LATEST\","
                   "\"functionError\":\"Unhandled\"}",
                   failure->status);
}

static void add_batch(struct buf *out, const struct lambda_failure_file *f,
                      const struct lambda_failure *failure)
{
    const struct lambda_record *first = failure->records[0];
    const struct lambda_record *last = failure->records[failure->count - 1];

    buf_add_text(out, ",\"DDBStreamBatchInfo\":{\"shardId\":");
    buf_add_json_string(out, span_of(failure->shard));
    add_text(out, "startSequenceNumber", first->sequence);
    add_text(out, "endSequenceNumber", last->sequence);
    add_text(out, "approximateArrivalOfFirstRecord",
             span_of(date_extended(out->arena, first->arrival_ms)));
    add_text(out, "approximateArrivalOfLastRecord",
             span_of(date_extended(out->arena, last->arrival_ms)));
    buf_printf(out, ",\"batchSize\":%zu", failure->count);
    add_text(out, "streamArn", f->stream_arn);
    buf_add_char(out, '}');
}

const char *lambda_failure_write(struct lambda_failure_file *f, struct arena *a,
                                 const struct lambda_failure *failure)
{
    struct buf out = buf_in(a);

    if (!f->file)
        return NULL;
    add_contexts(&out, f, failure);
    add_text(&out, "version", SPAN_LIT("1.0"));
    add_text(&out, "timestamp",
             span_of(arena_printf(a, "%sZ", clock_iso_time(a, clock_now_ms(f->clock)))));
    add_batch(&out, f, failure);
    buf_add_text(&out, "}\n");
    if (fwrite(out.at, 1, out.len, f->file) == out.len && !fflush(f->file))
        return NULL;
    return file_error(a, f->path);
}
