#include "stream_lambda/lambda_failure.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"

#include <stdio.h>
#include <time.h>

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

/* Adds "2019-11-14T00:13:19Z", or the same with milliseconds. */
static void add_time(struct buf *out, const char *name, int64_t ms, bool with_millis)
{
    time_t seconds = (time_t)(ms / 1000);
    char text[sizeof "2019-11-14T00:13:19"];
    struct tm utc;

    gmtime_r(&seconds, &utc);
    (void)strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
    if (with_millis)
        buf_printf(out, ",\"%s\":\"%s.%03dZ\"", name, text, (int)(ms % 1000));
    else
        buf_printf(out, ",\"%s\":\"%sZ\"", name, text);
}

/* The part of an ARN after its n-th colon. */
static struct span arn_part(struct span arn, unsigned n)
{
    size_t start = 0, end;

    for (; start < arn.len && n; start++)
        n -= arn.at[start] == ':';
    for (end = start; end < arn.len && arn.at[end] != ':';)
        end++;
    return (struct span){arn.at + start, end - start};
}

/* The function has no name; Lambda's runtime emulator calls it "function". */
static const char *function_arn(struct arena *a, struct span stream_arn)
{
    struct span region = arn_part(stream_arn, 3), account = arn_part(stream_arn, 4);

    return arena_printf(a, "arn:aws:lambda:%.*s:%.*s:function:function", SPAN_ARG(region),
                        SPAN_ARG(account));
}

static void add_contexts(struct buf *out, struct lambda_failure_file *f,
                         const struct lambda_failure *failure)
{
    buf_printf(out, "{\"requestContext\":{\"requestId\":\"%s\"", clock_uuid(f->clock, out->arena));
    add_text(out, "functionArn", span_of(function_arn(out->arena, f->stream_arn)));
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
    add_time(out, "approximateArrivalOfFirstRecord", first->arrival_ms, false);
    add_time(out, "approximateArrivalOfLastRecord", last->arrival_ms, false);
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
    add_time(&out, "timestamp", clock_now_ms(f->clock), true);
    add_batch(&out, f, failure);
    buf_add_text(&out, "}\n");
    if (fwrite(out.at, 1, out.len, f->file) == out.len && !fflush(f->file))
        return NULL;
    return file_error(a, f->path);
}
