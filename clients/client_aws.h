/* client_aws.h: signed calls of DynamoDB's JSON protocol, streams included. */
#ifndef CLIENT_AWS_H
#define CLIENT_AWS_H

#include "wire/wire_body.h"

struct aws_client;

struct aws_options {
    const char *endpoint; /* NULL: http://127.0.0.1:8000 */
    const char *region;   /* NULL: from the environment or profile, else us-east-1 */
    const char *profile;  /* NULL: none asked for */
};

struct aws_answer {
    int status;
    const wire_node *body;  /* parsed */
    struct span text;       /* as it came */
    struct span error_type; /* ValidationException; len 0 on success */
    struct span message;    /* of an error */
    int64_t millis;         /* from sending to the last byte */
};

/* The client is the arena's, its connections are ended by aws_client_free. Returns NULL, or why
 * it cannot be made: a bad URL, a profile without keys, no keys for an endpoint elsewhere. */
MUST_CHECK const char *aws_client_new(struct arena *a, const struct aws_options *options,
                                      struct aws_client **out);
void aws_client_free(struct aws_client *c); /* c may be NULL */

const char *aws_endpoint(const struct aws_client *c);
const char *aws_region(const struct aws_client *c);

/* Calls an operation. The answer is the arena's. Returns NULL when the service answered, be it
 * with an error; else why it did not. */
MUST_CHECK const char *aws_call(struct aws_client *c, struct arena *a, const char *operation,
                                struct span request, struct aws_answer *out);

#endif
