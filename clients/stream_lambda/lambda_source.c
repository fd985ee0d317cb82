#include "stream_lambda/lambda_source.h"

#include "base/buf.h"
#include "base/cycle.h"

static struct buf new_request(struct arena *a)
{
    struct buf request = buf_in(a);

    buf_add_char(&request, '{');
    return request;
}

/* Adds the member, unless the value is empty. */
static void add_member(struct buf *request, const char *name, struct span value)
{
    if (!value.len)
        return;
    buf_printf(request, "%s\"%s\":", request->len > 1 ? "," : "", name);
    buf_add_json_string(request, value);
}

static struct lambda_source_error call_streams(struct client *client, struct arena *a,
                                               const char *operation, struct buf *request,
                                               const wire_node **answer)
{
    struct lambda_source_error error = {NULL, {NULL, 0}};
    struct client_answer reply;

    buf_add_char(request, '}');
    if ((error.text = client_call(client, a, operation, buf_span(request), &reply)))
        return error;
    *answer = reply.body;
    if (reply.status == 200)
        return error;
    error.error_type = reply.error_type;
    error.text = arena_printf(a, "%s: %s", operation, client_answer_error(a, &reply));
    return error;
}

/* A server that repeats a token would be asked forever. */
static struct lambda_source_error repeated(struct arena *a, const char *what)
{
    return (struct lambda_source_error){arena_printf(a, "%s that it had sent before", what),
                                        SPAN_LIT("RepeatedToken")};
}

/* A label is the stream's creation time, so the greatest is the newest. */
static void keep_newest(const wire_node *streams, struct span *label, struct span *arn)
{
    for (const wire_node *stream = wire_first(streams); stream; stream = wire_next(stream)) {
        struct span text = wire_text(wire_get(stream, "StreamLabel"));

        if (span_compare(text, *label) > 0) {
            *label = text;
            *arn = wire_text(wire_get(stream, "StreamArn"));
        }
    }
}

struct lambda_source_error lambda_source_find(struct client *client, struct arena *a,
                                              const char *table, struct span *arn)
{
    struct span label = {NULL, 0}, start = {NULL, 0};
    struct lambda_source_error error;
    struct cycle starts = {0};

    *arn = label;
    do {
        struct buf request = new_request(a);
        const wire_node *answer = NULL;

        add_member(&request, "TableName", span_of(table));
        add_member(&request, "ExclusiveStartStreamArn", start);
        error = call_streams(client, a, "ListStreams", &request, &answer);
        if (error.text)
            return error;
        keep_newest(wire_get(answer, "Streams"), &label, arn);
        start = wire_text(wire_get(answer, "LastEvaluatedStreamArn"));
        if (start.len && cycle_closes(&starts, start))
            return repeated(a, "ListStreams answers with a LastEvaluatedStreamArn");
    } while (start.len);
    if (!arn->len)
        error.text = arena_printf(a, "table %s has no stream, or does not exist", table);
    return error;
}

static void add_shards(struct arena *a, const wire_node *list, struct lambda_source_shard **shards,
                       size_t *count)
{
    *shards = arena_grow(a, *shards, *count * sizeof **shards,
                         (*count + wire_count(list)) * sizeof **shards);
    for (const wire_node *shard = wire_first(list); shard; shard = wire_next(shard)) {
        const wire_node *range = wire_get(shard, "SequenceNumberRange");

        (*shards)[(*count)++] = (struct lambda_source_shard){
            .id = wire_text(wire_get(shard, "ShardId")),
            .parent = wire_text(wire_get(shard, "ParentShardId")),
            .closed = wire_get(range, "EndingSequenceNumber") != NULL,
        };
    }
}

struct lambda_source_error lambda_source_shards(const struct lambda_source *s, struct arena *a,
                                                struct lambda_source_shard **shards, size_t *count)
{
    struct span start = {NULL, 0};
    struct lambda_source_error error;
    struct cycle starts = {0};

    *shards = NULL;
    *count = 0;
    do {
        struct buf request = new_request(a);
        const wire_node *answer = NULL, *description;

        add_member(&request, "StreamArn", s->arn);
        add_member(&request, "ExclusiveStartShardId", start);
        error = call_streams(s->client, a, "DescribeStream", &request, &answer);
        if (error.text)
            return error;
        description = wire_get(answer, "StreamDescription");
        add_shards(a, wire_get(description, "Shards"), shards, count);
        start = wire_text(wire_get(description, "LastEvaluatedShardId"));
        if (start.len && cycle_closes(&starts, start))
            return repeated(a, "DescribeStream answers with a LastEvaluatedShardId");
    } while (start.len);
    return error;
}

struct lambda_source_error lambda_source_iterator(const struct lambda_source *s, struct arena *a,
                                                  const char *shard, const char *type,
                                                  const char *sequence, struct span *iterator)
{
    const wire_node *answer = NULL;
    struct buf request = new_request(a);
    struct lambda_source_error error;

    add_member(&request, "StreamArn", s->arn);
    add_member(&request, "ShardId", span_of(shard));
    add_member(&request, "ShardIteratorType", span_of(type));
    add_member(&request, "SequenceNumber", span_of(sequence ? sequence : ""));
    error = call_streams(s->client, a, "GetShardIterator", &request, &answer);
    if (!error.text)
        *iterator = wire_text(wire_get(answer, "ShardIterator"));
    return error;
}

struct lambda_source_error lambda_source_records(const struct lambda_source *s, struct arena *a,
                                                 const char *iterator, const wire_node **records,
                                                 struct span *next)
{
    const wire_node *answer = NULL;
    struct buf request = new_request(a);
    struct lambda_source_error error;

    add_member(&request, "ShardIterator", span_of(iterator));
    error = call_streams(s->client, a, "GetRecords", &request, &answer);
    if (error.text)
        return error;
    *records = wire_get(answer, "Records");
    *next = wire_text(wire_get(answer, "NextShardIterator"));
    if (wire_count(*records) && span_is(*next, iterator))
        return repeated(a, "GetRecords answers with records and a NextShardIterator");
    return error;
}
