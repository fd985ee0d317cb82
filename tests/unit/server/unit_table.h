/* unit_table.h: a table that tests of what stands around operations work with: Tab, key pk, with a
 * global index byG on g. */
#pragma once

#include "support/offline_server.h"
#include "unit.h"

#define T      "\"TableName\":\"Tab\""
#define KEY(k) "{\"pk\":{\"S\":\"" k "\"}}"

static struct offline_server server;

/* Opens a server that has the table; `more` are members of it, each with a comma in front. */
static inline void unit_open_table(const char *more)
{
    struct span answer;
    const char *table = arena_printf(
        arena,
        "{" T ",\"BillingMode\":\"PAY_PER_REQUEST\",\"AttributeDefinitions\":["
        "{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"},"
        "{\"AttributeName\":\"g\",\"AttributeType\":\"S\"}],"
        "\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"}],"
        "\"GlobalSecondaryIndexes\":[{\"IndexName\":\"byG\","
        "\"KeySchema\":[{\"AttributeName\":\"g\",\"KeyType\":\"HASH\"}],"
        "\"Projection\":{\"ProjectionType\":\"ALL\"}}]%s}",
        more);

    offline_server_open(&server, arena, &(struct offline_options){.seed = 1});
    ck_assert_int_eq(offline_server_send(&server, SPAN_LIT("CreateTable"), span_of(table), &answer),
                     200);
}
