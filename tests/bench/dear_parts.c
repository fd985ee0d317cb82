#include "dear.h"

#include <stdio.h>
#include <stdlib.h>

static struct reply call(struct bench *b, const char *operation, struct span body, bool in_slices)
{
    struct request request = {
        .target = span_of(arena_printf(b->arena, "DynamoDB_20120810.%s", operation)),
        .body = body,
        .in_slices = in_slices,
    };
    struct reply reply;

    dispatch(b->server, &request, &reply);
    return reply;
}

struct reply dear_call(struct bench *b, const char *operation, struct span body)
{
    return call(b, operation, body, false);
}

struct reply dear_call_slice(struct bench *b, const char *operation, struct span body)
{
    return call(b, operation, body, true);
}

void dear_must_call(struct bench *b, const char *operation, struct span body)
{
    struct reply reply = dear_call(b, operation, body);

    if (reply.status == 200)
        return;
    (void)fprintf(stderr, "%s: %.*s\n", operation, (int)(reply.body.len % 500), reply.body.at);
    exit(EXIT_FAILURE);
}

void dear_make_table(struct bench *b, int indexes, const char *projection, bool stream)
{
    struct buf out = buf_in(b->arena);

    buf_add_text(&out,
                 "{\"TableName\":\"Dear\",\"BillingMode\":\"PAY_PER_REQUEST\","
                 "\"AttributeDefinitions\":[{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"},"
                 "{\"AttributeName\":\"sk\",\"AttributeType\":\"S\"}");
    buf_add_text(&out, indexes ? ",{\"AttributeName\":\"g\",\"AttributeType\":\"S\"}]" : "]");
    buf_add_text(&out, ",\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"},"
                       "{\"AttributeName\":\"sk\",\"KeyType\":\"RANGE\"}]");
    for (int i = 0; i < indexes; i++)
        buf_printf(&out,
                   "%s{\"IndexName\":\"index%d\",\"KeySchema\":[{\"AttributeName\":\"g\","
                   "\"KeyType\":\"HASH\"}],\"Projection\":{\"ProjectionType\":\"%s\"}}",
                   i ? "," : ",\"GlobalSecondaryIndexes\":[", i, projection);
    buf_add_text(&out, indexes ? "]" : "");
    if (stream)
        buf_add_text(&out, ",\"StreamSpecification\":{\"StreamEnabled\":true,"
                           "\"StreamViewType\":\"NEW_AND_OLD_IMAGES\"}");
    buf_add_char(&out, '}');
    dear_must_call(b, "CreateTable", buf_span(&out));
}

void dear_open_item(struct buf *out, int number)
{
    buf_printf(out, "{\"pk\":{\"S\":\"p\"},\"sk\":{\"S\":\"s%05d\"},\"g\":{\"S\":\"g\"}", number);
}

void dear_add_text(struct buf *out, size_t len)
{
    memset(buf_reserve(out, len), 'x', len);
    out->len += len;
}

void dear_add_nulls(struct buf *out, int count)
{
    buf_add_text(out, "{\"L\":[");
    for (int i = 0; i < count; i++)
        buf_add_text(out, i ? ",{\"NULL\":true}" : "{\"NULL\":true}");
    buf_add_text(out, "]}");
}

void dear_add_set(struct buf *out, int count)
{
    buf_add_text(out, "{\"SS\":[");
    for (int i = 0; i < count; i++) {
        unsigned value = (unsigned)i * 7919u % 456976u;

        buf_add_text(out, i ? ",\"" : "\"");
        for (int k = 0; k < 4; k++, value /= 26)
            buf_add_char(out, (char)('a' + value % 26));
        buf_add_char(out, '"');
    }
    buf_add_text(out, "]}");
}

void dear_add_members(struct buf *out, int count, int turn)
{
    for (int i = 0; i < count; i++)
        buf_printf(out, "%s\"%d\":{\"NULL\":true}", i ? "," : "",
                   turn ? count - i + 10000 : i + 10001);
}

void dear_put(struct bench *b, int number, void (*more)(struct buf *out))
{
    struct arena *a = arena_new();
    struct buf out = buf_in(a);

    buf_add_text(&out, "{\"TableName\":\"Dear\",\"Item\":");
    dear_open_item(&out, number);
    buf_add_char(&out, ',');
    more(&out);
    buf_add_text(&out, "}}");
    dear_must_call(b, "PutItem", buf_span(&out));
    arena_free(a);
}

void dear_add_key(struct buf *out, int number)
{
    buf_printf(out, "{\"pk\":{\"S\":\"p\"},\"sk\":{\"S\":\"s%05d\"}}", number);
}
