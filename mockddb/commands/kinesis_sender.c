#include "commands/kinesis_sender.h"

static void put_record(struct kinesis_sink *self, const struct kinesis_record *record)
{
    const struct kinesis_sender *s = (const struct kinesis_sender *)self;

    client_kinesis_put(s->client, &(struct client_kinesis_record){
                                      .region = record->region,
                                      .stream = record->stream,
                                      .partition_key = record->partition_key,
                                      .data = record->json,
                                  });
}

bool kinesis_sender_is_endpoint(const char *out)
{
    struct span text = span_of(out);

    return span_starts_with(text, SPAN_LIT("http://")) ||
           span_starts_with(text, SPAN_LIT("https://"));
}

struct kinesis_sender *kinesis_sender_new(struct arena *a)
{
    struct kinesis_sender *s = arena_alloc(a, sizeof *s);

    s->sink.put = put_record;
    s->client = client_kinesis_new();
    return s;
}
