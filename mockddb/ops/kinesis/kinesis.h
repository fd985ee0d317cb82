/* kinesis.h: Kinesis streams as destinations of a table's changes.
 *
 * A table has at most one active destination, and recently disabled ones. Source:
 * docs/behaviour/kinesis.md. */
#ifndef OPS_KINESIS_H
#define OPS_KINESIS_H

#include "ops/op.h"

/* The shapes of StreamArn and of both configurations. */
extern const struct wire_shape kinesis_stream_arn;
extern const struct wire_shape kinesis_enable_configuration, kinesis_update_configuration;

/* Parses a Kinesis stream's ARN; false for other texts. */
bool kinesis_parse_arn(const struct call *c, struct span text, struct span *name, bool *ours);

/* Finds the request's table, which must be neither CREATING nor DELETING. */
MUST_CHECK const struct error *kinesis_find_table(struct call *c, const struct table **out);

/* Returns the destination with the stream, or NULL. */
struct destination *kinesis_find(const struct table *t, struct span stream_arn);

/* "Table is not in a valid state to enable Kinesis Streaming Destination: …" */
MUST_CHECK const struct error *kinesis_wrong_state(struct call *c, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

/* The precision in a configuration, which may be NULL. */
enum destination_precision kinesis_read_precision(const wire_node *configuration);

/* Puts a destination of the table, a copy of the stored one, into a transitional state and stores
 * the table. Replies with TableName, StreamArn, DestinationStatus and `configuration`. */
MUST_CHECK const struct error *kinesis_move(struct call *c, struct table *t, struct destination *d,
                                            enum destination_status status,
                                            const char *configuration);

#endif
