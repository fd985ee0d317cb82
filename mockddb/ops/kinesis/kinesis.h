/* kinesis.h: Kinesis streams as destinations of a table's changes.
 *
 * A table has one destination that is on, and those that were until a while ago. Source:
 * docs/behaviour/kinesis.md. */
#ifndef OPS_KINESIS_H
#define OPS_KINESIS_H

#include "ops/op.h"

/* StreamArn, and the structure of both configurations. */
extern const struct wire_shape kinesis_stream_arn;
extern const struct wire_shape kinesis_enable_configuration, kinesis_update_configuration;

/* The name in a Kinesis stream's ARN; false for text that is not one. */
bool kinesis_parse_arn(const struct call *c, struct span text, struct span *name, bool *ours);

/* The request's table, which is neither being created nor deleted. */
MUST_CHECK const struct error *kinesis_find_table(struct call *c, const struct table **out);

/* The destination with that stream, or NULL. */
struct destination *kinesis_find(const struct table *t, struct span stream_arn);

/* "Table is not in a valid state to enable Kinesis Streaming Destination: " and the text. */
MUST_CHECK const struct error *kinesis_wrong_state(struct call *c, const char *fmt, ...)
    PRINTF_LIKE(2, 3);

/* The precision that a configuration (NULL: there is none) asks for. */
enum destination_precision kinesis_read_precision(const wire_node *configuration);

/* Puts a destination of the table, a copy of the one that is stored, into a state that passes, and
 * keeps the table. Replies with TableName, StreamArn, DestinationStatus and the configuration of
 * that name. */
MUST_CHECK const struct error *kinesis_move(struct call *c, struct table *t, struct destination *d,
                                            enum destination_status status,
                                            const char *configuration);

#endif
