/* library.h: what the tests of libmockddb share. They know only mockddb.h, as its users do. */
#pragma once

#include "mockddb.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A table with the key pk, for CreateTable. */
#define LIBRARY_TABLE                                                  \
    "{\"TableName\":\"Things\",\"BillingMode\":\"PAY_PER_REQUEST\","   \
    "\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"}]," \
    "\"AttributeDefinitions\":[{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"}]}"
#define LIBRARY_PUT "{\"TableName\":\"Things\",\"Item\":{\"pk\":{\"S\":\"a\"},\"v\":{\"N\":\"1\"}}}"
#define LIBRARY_GET "{\"TableName\":\"Things\",\"Key\":{\"pk\":{\"S\":\"a\"}}}"

/* Sends a request; returns the status, or, negative, what mockddb_call returned. */
static inline int library_call(struct mockddb *db, const char *world, const char *operation,
                               const char *body, struct mockddb_reply *reply)
{
    char target[128];
    struct mockddb_request request = {.size = sizeof request,
                                      .world = world,
                                      .target = target,
                                      .body = body,
                                      .body_len = strlen(body)};
    int result;

    (void)snprintf(target, sizeof target, "DynamoDB_20120810.%s", operation);
    *reply = (struct mockddb_reply){.size = sizeof *reply};
    result = mockddb_call(db, &request, reply);
    return result ? -result : reply->status;
}

/* Like library_call, for a verb. */
static inline int library_verb(struct mockddb *db, const char *world, const char *method,
                               const char *path, const char *body, struct mockddb_reply *reply)
{
    int result;

    *reply = (struct mockddb_reply){.size = sizeof *reply};
    result = mockddb_verb(db, world, method, path, body, body ? strlen(body) : 0, reply);
    return result ? -result : reply->status;
}

/* Opens a handle with these words, which end with NULL. */
static inline int library_open(const char *const *words, uint32_t flags, struct mockddb **out)
{
    struct mockddb_options options = {.size = sizeof options, .words = words, .flags = flags};

    while (words && words[options.word_count])
        options.word_count++;
    return mockddb_open(&options, out);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Whether the reply's body has the text. */
static inline int library_has(const struct mockddb_reply *reply, const char *text)
{
    size_t len = strlen(text);

    for (size_t i = 0; i + len <= reply->body_len; i++)
        if (memcmp(reply->body + i, text, len) == 0)
            return 1;
    return 0;
}
