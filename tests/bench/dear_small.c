/* dear_small.c: small requests over small items that take much all the same. */
#include "dear.h"

static void add_number(struct buf *out)
{
    buf_add_text(out, "\"n\":{\"N\":\"1\"}");
}

static void store_few(struct bench *b)
{
    dear_make_table(b, 20, "ALL", true);
    for (int i = 0; i < 100; i++)
        dear_put(b, i, add_number);
}

/* As many operators as an expression may have. */
static void add_condition(struct buf *out)
{
    for (int i = 0; i < 150; i++)
        buf_add_text(out, i ? " AND n<>:v" : "n<>:v");
}

static void small_transaction(struct buf *out)
{
    buf_add_text(out, "{\"TransactItems\":[");
    for (int i = 0; i < 100; i++) {
        buf_printf(out, "%s{\"Update\":{\"TableName\":\"Dear\",\"Key\":", i ? "," : "");
        dear_add_key(out, i);
        buf_add_text(out, ",\"UpdateExpression\":\"SET x=:v,n=n+:v,y=if_not_exists(y,:v)\","
                          "\"ConditionExpression\":\"n<>:v OR n=:v\","
                          "\"ExpressionAttributeValues\":{\":v\":{\"N\":\"1\"}}}}");
    }
    buf_add_text(out, "]}");
}

static void small_writes(struct buf *out)
{
    buf_add_text(out, "{\"RequestItems\":{\"Dear\":[");
    for (int i = 0; i < 25; i++) {
        buf_add_text(out, i ? ",{\"PutRequest\":{\"Item\":" : "{\"PutRequest\":{\"Item\":");
        dear_open_item(out, i);
        buf_add_char(out, ',');
        dear_add_members(out, 100, 0);
        buf_add_text(out, "}}}");
    }
    buf_add_text(out, "]}}");
}

static void long_condition(struct buf *out)
{
    buf_add_text(out, "{\"TransactItems\":[");
    for (int i = 0; i < 30; i++) {
        buf_printf(out, "%s{\"ConditionCheck\":{\"TableName\":\"Dear\",\"Key\":", i ? "," : "");
        dear_add_key(out, i);
        buf_add_text(out, ",\"ConditionExpression\":\"");
        add_condition(out);
        buf_add_text(out, "\",\"ExpressionAttributeValues\":{\":v\":{\"N\":\"2\"}}}}");
    }
    buf_add_text(out, "]}");
}

/* Values as deep as they may be, side by side. */
static void deep_values(struct buf *out)
{
    buf_add_text(out, "{\"TableName\":\"Dear\",\"Item\":");
    dear_open_item(out, 0);
    for (int value = 0; value < 90; value++) {
        buf_printf(out, ",\"d%d\":", value);
        for (int i = 0; i < 31; i++)
            buf_add_text(out, "{\"M\":{\"m\":");
        buf_add_text(out, "{\"NULL\":true}");
        for (int i = 0; i < 31; i++)
            buf_add_text(out, "}}");
    }
    buf_add_text(out, "}}");
}

static void add_statement(struct buf *out, int number, size_t len)
{
    size_t from = out->len;

    buf_printf(out, "UPDATE \\\"Dear\\\" SET x = 1 WHERE pk = 'p' AND sk = 's%05d'", number);
    while (out->len - from < len - 20)
        buf_add_text(out, " AND n <> 2");
}

static void long_statement(struct buf *out)
{
    buf_add_text(out, "{\"Statement\":\"");
    add_statement(out, 0, 8192);
    buf_add_text(out, "\"}");
}

static void many_statements(struct buf *out)
{
    buf_add_text(out, "{\"Statements\":[");
    for (int i = 0; i < 25; i++) {
        buf_add_text(out, i ? ",{\"Statement\":\"" : "{\"Statement\":\"");
        add_statement(out, i, 2500);
        buf_add_text(out, "\"}");
    }
    buf_add_text(out, "]}");
}

static void many_keys(struct buf *out)
{
    buf_add_text(out, "{\"RequestItems\":{\"Dear\":{\"Keys\":[");
    for (int i = 0; i < 100; i++) {
        buf_add_text(out, i ? "," : "");
        dear_add_key(out, i);
    }
    buf_add_text(out, "],\"ProjectionExpression\":\"n");
    for (int i = 0; i < 900; i++)
        buf_printf(out, ",%c%c%d", 'a' + i / 100, 'a' + i / 10 % 10, i % 10);
    buf_add_text(out, "\"}}}");
}

const struct dear dear_small_rows[] = {
    {.name = "small: 100 updates, 20 indexes",
     .set_up = store_few,
     .operation = "TransactWriteItems",
     .body = small_transaction,
     .small = true},
    {.name = "small: 25 writes, 20 indexes",
     .set_up = store_few,
     .operation = "BatchWriteItem",
     .body = small_writes,
     .small = true},
    {.name = "small: 30 conditions of 299 operators",
     .set_up = store_few,
     .operation = "TransactWriteItems",
     .body = long_condition,
     .small = true},
    {.name = "small: deep values",
     .set_up = store_few,
     .operation = "PutItem",
     .body = deep_values,
     .small = true},
    {.name = "small: a statement of 8 KB",
     .set_up = store_few,
     .operation = "ExecuteStatement",
     .body = long_statement,
     .small = true},
    {.name = "small: 25 statements of 2.5 KB",
     .set_up = store_few,
     .operation = "BatchExecuteStatement",
     .body = many_statements,
     .small = true},
    {.name = "small: 900 names of 100 items",
     .set_up = store_few,
     .operation = "BatchGetItem",
     .body = many_keys,
     .small = true},
    {.name = NULL},
};
