/* client_kinesis.h: sends records of Kinesis streams to an endpoint with the Kinesis API.
 *
 * No caller waits: records are queued, and PutRecords requests are sent one after the other from
 * the given event loop, with made-up credentials. Refused records are sent again for a minute,
 * after a pause that doubles each time. At most CLIENT_KINESIS_WAITING bytes are queued; further
 * records are dropped, and the log says so. A stream that cannot be reached does not delay
 * others. */
#pragma once

#include "base/span.h"

#define CLIENT_KINESIS_WAITING ((size_t)16 << 20)

struct arena;
struct client_kinesis;
struct event_base;

struct client_kinesis *client_kinesis_new(void);
/* Drops the queued records. k may be NULL. Call it before the loop is freed. */
void client_kinesis_free(struct client_kinesis *k);

/* Starts sending requests to the endpoint. Returns NULL, or what is wrong with the URL. The URL and
 * the arena must outlive the client. */
const char *client_kinesis_start(struct client_kinesis *k, struct arena *a, const char *url,
                                 struct event_base *base);

struct client_kinesis_record {
    struct span region, stream; /* stream: its name */
    struct span partition_key;
    struct span data;
};

void client_kinesis_put(struct client_kinesis *k, const struct client_kinesis_record *record);
