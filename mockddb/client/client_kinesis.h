/* client_kinesis.h: records for Kinesis streams, sent to an endpoint that speaks their API.
 *
 * Nobody waits for it: records are taken at once, and PutRecords requests leave one after the other
 * from the loop that it is given, with made-up credentials. What is refused is sent again after a
 * pause that doubles, for a minute; of what waits there are CLIENT_KINESIS_WAITING bytes at most.
 * All else is dropped, which the log says. A stream that is not to be had holds no other up. */
#ifndef CLIENT_CLIENT_KINESIS_H
#define CLIENT_CLIENT_KINESIS_H

#include "base/span.h"

#define CLIENT_KINESIS_WAITING ((size_t)16 << 20)

struct arena;
struct client_kinesis;
struct event_base;

struct client_kinesis *client_kinesis_new(void);
/* What still waits is dropped. k may be NULL. Before the loop is freed. */
void client_kinesis_free(struct client_kinesis *k);

/* From here on requests leave for that endpoint. NULL, or why it is none; the URL and the arena
 * must outlive the client. */
const char *client_kinesis_start(struct client_kinesis *k, struct arena *a, const char *url,
                                 struct event_base *base);

struct client_kinesis_record {
    struct span region, stream; /* its name */
    struct span partition_key;
    struct span data;
};

void client_kinesis_put(struct client_kinesis *k, const struct client_kinesis_record *record);

#endif
