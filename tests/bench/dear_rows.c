#include "dear_chance.h"

#include "model/limits.h"

/* A table with keys pk and sk, and indexes on g: a local and a global one that have keys only. */
static void make_table(struct bench *b)
{
    dear_must_call(
        b, "CreateTable",
        SPAN_LIT(
            "{\"TableName\":\"Dear\",\"BillingMode\":\"PAY_PER_REQUEST\",\"AttributeDefinitions\":["
            "{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"},{\"AttributeName\":\"sk\","
            "\"AttributeType\":\"S\"},{\"AttributeName\":\"g\",\"AttributeType\":\"S\"}],"
            "\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"},"
            "{\"AttributeName\":\"sk\",\"KeyType\":\"RANGE\"}],"
            "\"LocalSecondaryIndexes\":[{\"IndexName\":\"local\",\"KeySchema\":["
            "{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"},{\"AttributeName\":\"g\","
            "\"KeyType\":\"RANGE\"}],\"Projection\":{\"ProjectionType\":\"KEYS_ONLY\"}}],"
            "\"GlobalSecondaryIndexes\":[{\"IndexName\":\"global\",\"KeySchema\":["
            "{\"AttributeName\":\"g\",\"KeyType\":\"HASH\"}],"
            "\"Projection\":{\"ProjectionType\":\"KEYS_ONLY\"}}]}"));
}

/* 20 global indexes, of which each item is in each. */
static void make_indexed_table(struct bench *b)
{
    dear_make_table(b, 20, "ALL", false);
}

static void make_indexed_stream(struct bench *b)
{
    dear_make_table(b, 20, "ALL", true);
}

static void long_text(struct buf *out)
{
    buf_add_text(out, "\"t\":{\"S\":\"");
    dear_add_text(out, 390000);
    buf_add_text(out, "\"}");
}

static void many_nulls(struct buf *out)
{
    buf_add_text(out, "\"l\":");
    dear_add_nulls(out, 190000);
}

static void many_attributes(struct buf *out)
{
    dear_add_members(out, 40000, 0);
}

static void large_map(struct buf *out)
{
    buf_add_text(out, "\"m\":{\"M\":{");
    dear_add_members(out, 40000, 0);
    buf_add_text(out, "}}");
}

static void one_number(struct buf *out)
{
    buf_add_text(out, "\"n\":{\"N\":\"1\"}");
}

static void store_many(struct bench *b, int count, void (*more)(struct buf *out))
{
    make_table(b);
    for (int i = 0; i < count; i++)
        dear_put(b, i, more);
}

static void store_long(struct bench *b)
{
    store_many(b, 100, long_text);
}

static void store_lists(struct bench *b)
{
    store_many(b, 5, many_nulls);
}

static void store_indexed_lists(struct bench *b)
{
    make_indexed_stream(b);
    for (int i = 0; i < 10; i++)
        dear_put(b, i, many_nulls);
}

static void store_wide(struct bench *b)
{
    store_many(b, 43, many_attributes);
}

#define MOST_ATTRIBUTES 95000 /* as many as an item has room for, with names of three letters */

static void add_name(struct buf *out, int number)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    int count = sizeof letters - 1;

    buf_printf(out, "%c%c%c", letters[number / count / count], letters[number / count % count],
               letters[number % count]);
}

static void most_attributes(struct buf *out)
{
    for (int i = 0; i < MOST_ATTRIBUTES; i++) {
        buf_add_text(out, i ? ",\"" : "\"");
        add_name(out, i);
        buf_add_text(out, "\":{\"NULL\":true}");
    }
}

static void store_widest(struct bench *b)
{
    store_many(b, 30, most_attributes);
}

static void store_map(struct bench *b)
{
    store_many(b, 1, large_map);
}

static void store_small(struct bench *b)
{
    store_many(b, 20000, one_number);
}

static void store_long_and_small(struct bench *b)
{
    store_many(b, 100, many_nulls);
}

/* --- requests --------------------------------------------------------------------------------- */

static void many_names(struct buf *out)
{
    buf_add_text(out, "{\"TableName\":\"Dear\"");
    for (int i = 0; i < 80000; i++)
        buf_printf(out, ",\"%d\":1", i);
    buf_add_char(out, '}');
}

static void most_names(struct buf *out)
{
    buf_add_text(out, "{\"TableName\":\"Dear\"");
    for (int i = 0; out->len < LIMIT_REQUEST_BYTES - 100; i++)
        buf_printf(out, ",\"%d\":1", i);
    buf_add_char(out, '}');
}

static void numbers(struct buf *out)
{
    buf_add_text(out, "{\"TableName\":\"Dear\",\"x\":[0");
    while (out->len < LIMIT_REQUEST_BYTES - 100)
        buf_add_text(out, ",1");
    buf_add_text(out, "]}");
}

static void long_list_of_values(struct buf *out)
{
    buf_add_text(
        out, "{\"TableName\":\"Dear\",\"Item\":{\"pk\":{\"S\":\"p\"},\"l\":{\"L\":[{\"N\":\"1\"}");
    while (out->len < LIMIT_REQUEST_BYTES - 100)
        buf_add_text(out, ",{\"N\":\"1\"}");
    buf_add_text(out, "]}}}");
}

static void doubled_lists(struct buf *out)
{
    buf_add_text(out, "{\"TransactItems\":[");
    for (int i = 0; i < 5; i++) {
        buf_printf(out, "%s{\"Update\":{\"TableName\":\"Dear\",\"Key\":", i ? "," : "");
        dear_add_key(out, i);
        buf_add_text(out, ",\"UpdateExpression\":\"SET ");
        for (int part = 0; part < 100; part++)
            buf_printf(out, "%sa%d = list_append(l, l)", part ? "," : "", part);
        buf_add_text(out, "\"}}");
    }
    buf_add_text(out, "]}");
}

static void copied_lists(struct buf *out)
{
    buf_add_text(out, "{\"TransactItems\":[");
    for (int i = 0; i < 5; i++) {
        buf_printf(out, "%s{\"Update\":{\"TableName\":\"Dear\",\"Key\":", i ? "," : "");
        dear_add_key(out, i);
        buf_add_text(out, ",\"UpdateExpression\":\"SET ");
        for (int part = 0; part < 290; part++)
            buf_printf(out, "%sa%d = l", part ? "," : "", part);
        buf_add_text(out, "\"}}");
    }
    buf_add_text(out, "]}");
}

static void whole_items_of_keys(struct buf *out)
{
    buf_add_text(out,
                 "{\"TableName\":\"Dear\",\"IndexName\":\"local\",\"Select\":\"ALL_ATTRIBUTES\","
                 "\"KeyConditionExpression\":\"pk = :p\","
                 "\"ExpressionAttributeValues\":{\":p\":{\"S\":\"p\"}}}");
}

static void keys_of_long_items(struct buf *out)
{
    buf_add_text(out, "{\"TableName\":\"Dear\",\"IndexName\":\"global\","
                      "\"KeyConditionExpression\":\"g = :g\","
                      "\"ExpressionAttributeValues\":{\":g\":{\"S\":\"g\"}}}");
}

static void echoed_writes(struct buf *out)
{
    buf_add_text(out, "{\"RequestItems\":{\"Dear\":[");
    for (int i = 0; i < 27; i++) {
        buf_printf(out, "%s{\"PutRequest\":{\"Item\":{\"l\":{\"L\":[{}", i ? "," : "");
        for (int part = 0; part < 50000; part++)
            buf_add_text(out, ",{}");
        buf_add_text(out, "]}}}}");
    }
    buf_add_text(out, "]}}");
}

static void projected_names(struct buf *out)
{
    buf_add_text(out, "{\"RequestItems\":{\"Dear\":{\"Keys\":[");
    for (int i = 0; i < 43; i++) {
        buf_add_text(out, i ? "," : "");
        dear_add_key(out, i);
    }
    buf_add_text(out, "],\"ProjectionExpression\":\"");
    for (int i = 0; i < 1000; i++)
        buf_printf(out, "%s%c%c%d", i ? "," : "", 'a' + i / 100, 'a' + i / 10 % 10, i % 10);
    buf_add_text(out, "\"}}}");
}

static void wide_keys(struct buf *out)
{
    buf_add_text(out, "{\"RequestItems\":{\"Dear\":{\"Keys\":[");
    for (int i = 0; i < 100; i++) {
        buf_add_text(out, i ? ",{" : "{");
        dear_add_members(out, 9000, i % 2);
        buf_add_char(out, '}');
    }
    buf_add_text(out, "]}}}");
}

static void compared_maps(struct buf *out)
{
    buf_add_text(out, "{\"TableName\":\"Dear\",\"Key\":");
    dear_add_key(out, 0);
    buf_add_text(out, ",\"UpdateExpression\":\"SET x = :v\",\"ConditionExpression\":\"");
    for (int i = 0; i < 148; i++)
        buf_add_text(out, i ? " AND m = :v" : "m = :v");
    buf_add_text(out, "\",\"ExpressionAttributeValues\":{\":v\":{\"M\":{");
    dear_add_members(out, 40000, 1);
    buf_add_text(out, "}}}}");
}

static void failed_checks(struct buf *out)
{
    buf_add_text(out, "{\"TransactItems\":[");
    for (int i = 0; i < 100; i++) {
        buf_printf(out, "%s{\"ConditionCheck\":{\"TableName\":\"Dear\",\"Key\":", i ? "," : "");
        dear_add_key(out, i);
        buf_add_text(out, ",\"ConditionExpression\":\"attribute_not_exists(pk)\","
                          "\"ReturnValuesOnConditionCheckFailure\":\"ALL_OLD\"}}");
    }
    buf_add_text(out, "]}");
}

static void long_filter(struct buf *out)
{
    buf_add_text(out,
                 "{\"TableName\":\"Dear\",\"ScanFilter\":{\"n\":{\"ComparisonOperator\":\"IN\","
                 "\"AttributeValueList\":[");
    for (int i = 0; i < 4096; i++)
        buf_printf(out, "%s{\"N\":\"%d\"}", i ? "," : "", i + 2);
    buf_add_text(out, "]}}}");
}

static void long_filter_expression(struct buf *out)
{
    buf_add_text(out, "{\"TableName\":\"Dear\",\"FilterExpression\":\"");
    for (int part = 0; part < 9; part++) {
        buf_add_text(out, part ? " OR n IN (" : "n IN (");
        for (int i = 0; i < 100; i++)
            buf_printf(out, "%s:%d", i ? "," : "", i);
        buf_add_text(out, ")");
    }
    buf_add_text(out, "\",\"ExpressionAttributeValues\":{");
    for (int i = 0; i < 100; i++)
        buf_printf(out, "%s\":%d\":{\"N\":\"%d\"}", i ? "," : "", i, i + 2);
    buf_add_text(out, "}}");
}

static void wide_writes(struct buf *out)
{
    buf_add_text(out, "{\"RequestItems\":{\"Dear\":[");
    for (int i = 0; i < 25; i++) {
        buf_add_text(out, i ? ",{\"PutRequest\":{\"Item\":" : "{\"PutRequest\":{\"Item\":");
        dear_open_item(out, i);
        buf_add_char(out, ',');
        dear_add_members(out, 30000, 0);
        buf_add_text(out, "}}}");
    }
    buf_add_text(out, "]}}");
}

static void touch_lists(struct buf *out, int count)
{
    buf_add_text(out, "{\"TransactItems\":[");
    for (int i = 0; i < count; i++) {
        buf_printf(out, "%s{\"Update\":{\"TableName\":\"Dear\",\"Key\":", i ? "," : "");
        dear_add_key(out, i);
        buf_add_text(out, ",\"UpdateExpression\":\"REMOVE l[0]\"}}");
    }
    buf_add_text(out, "]}");
}

static void touched_lists(struct buf *out)
{
    touch_lists(out, 100);
}

static void ten_touched_lists(struct buf *out)
{
    touch_lists(out, 10);
}

static void large_set(struct buf *out)
{
    buf_add_text(out, "\"l\":");
    dear_add_set(out, 99000);
}

static void large_sets(struct buf *out)
{
    buf_add_text(out, "{\"RequestItems\":{\"Dear\":[");
    for (int i = 0; i < 23; i++) {
        buf_add_text(out, i ? ",{\"PutRequest\":{\"Item\":" : "{\"PutRequest\":{\"Item\":");
        dear_open_item(out, i);
        buf_add_char(out, ',');
        large_set(out);
        buf_add_text(out, "}}}");
    }
    buf_add_text(out, "]}}");
}

static void one_set(struct buf *out)
{
    buf_add_text(out,
                 "{\"TableName\":\"Dear\",\"Item\":{\"pk\":{\"S\":\"p\"},\"l\":{\"NS\":[\"1\"");
    for (unsigned i = 1; out->len < LIMIT_REQUEST_BYTES - 100; i++)
        buf_printf(out, ",\"%u\"", i * 7919u % 9999991u);
    buf_add_text(out, "]}}}");
}

static void store_sets(struct bench *b)
{
    make_table(b);
    for (int i = 0; i < 10; i++)
        dear_put(b, i, large_set);
}

static void changed_sets(struct buf *out)
{
    buf_add_text(out, "{\"TransactItems\":[");
    for (int i = 0; i < 8; i++) {
        buf_printf(out, "%s{\"Update\":{\"TableName\":\"Dear\",\"Key\":", i ? "," : "");
        dear_add_key(out, i);
        buf_printf(out, ",\"UpdateExpression\":\"%s l :v\",\"ExpressionAttributeValues\":{\":v\":",
                   i % 2 ? "ADD" : "DELETE");
        dear_add_set(out, 17000);
        buf_add_text(out, "}}}");
    }
    buf_add_text(out, "]}");
}

static void contained_values(struct buf *out)
{
    buf_add_text(out, "{\"TableName\":\"Dear\",\"Key\":");
    dear_add_key(out, 0);
    buf_add_text(out, ",\"UpdateExpression\":\"SET x = :aa\",\"ConditionExpression\":\"");
    for (int i = 0; i < 150; i++)
        buf_printf(out, "%scontains(l,:%c%c)", i ? " OR " : "", 'a' + i / 26, 'a' + i % 26);
    buf_add_text(out, "\",\"ExpressionAttributeValues\":{");
    for (int i = 0; i < 150; i++)
        buf_printf(out, "%s\":%c%c\":{\"N\":\"%d\"}", i ? "," : "", 'a' + i / 26, 'a' + i % 26, i);
    buf_add_text(out, "}}");
}

static void many_numbers(struct buf *out)
{
    buf_add_text(out, "\"l\":{\"L\":[");
    for (int i = 0; i < 99000; i++)
        buf_add_text(out, i ? ",{\"N\":\"999\"}" : "{\"N\":\"999\"}");
    buf_add_text(out, "]}");
}

static void store_numbers(struct bench *b)
{
    store_many(b, 1, many_numbers);
}

/* Short values that are deep, and one that is deeper, so that all are looked at. */
static void deep_short_values(struct buf *out)
{
    buf_add_text(out, "{\"TableName\":\"Dear\",\"x\":");
    for (int i = 0; i < 70; i++)
        buf_add_char(out, '[');
    for (int i = 0; i < 70; i++)
        buf_add_char(out, ']');
    buf_add_text(out, ",\"Item\":{\"pk\":{\"S\":\"p\"},\"l\":{\"L\":[{\"N\":\"1\"}");
    while (out->len < LIMIT_REQUEST_BYTES - 1000) {
        buf_add_char(out, ',');
        for (int i = 0; i < 27; i++)
            buf_add_text(out, "{\"L\":[");
        buf_add_text(out, "{\"N\":\"1\"}");
        for (int i = 0; i < 27; i++)
            buf_add_text(out, "]}");
    }
    buf_add_text(out, "]}}}");
}

/* The shortest values there are, in as many items as a body has room for. */
static void short_values(struct buf *out)
{
    buf_add_text(out, "{\"RequestItems\":{\"Dear\":[");
    for (int i = 0; out->len < LIMIT_REQUEST_BYTES - 1800000; i++) {
        buf_add_text(out, i ? ",{\"PutRequest\":{\"Item\":" : "{\"PutRequest\":{\"Item\":");
        dear_open_item(out, i);
        buf_add_text(out, ",\"l\":{\"L\":[{\"S\":\"\"}");
        for (int k = 0; k < 199000; k++)
            buf_add_text(out, ",{\"S\":\"\"}");
        buf_add_text(out, "]}}}}");
    }
    buf_add_text(out, "]}}");
}

static void thirty_attributes(struct buf *out)
{
    for (int i = 0; i < 29; i++)
        buf_printf(out, "\"a%02d\":{\"N\":\"1\"},", i);
    buf_add_text(out, "\"n\":{\"N\":\"1\"}");
}

static void store_thirty(struct bench *b)
{
    store_many(b, 6000, thirty_attributes);
}

static void long_conditions_of_a_page(struct buf *out)
{
    buf_add_text(out, "{\"TableName\":\"Dear\",\"FilterExpression\":\"");
    for (int i = 0; i < 150; i++)
        buf_add_text(out, i ? " OR n<:v" : "n<:v");
    buf_add_text(out, "\",\"ExpressionAttributeValues\":{\":v\":{\"N\":\"1\"}}}");
}

static void long_transaction_of_statements(struct buf *out)
{
    buf_add_text(out, "{\"TransactStatements\":[");
    for (int i = 0; i < 100; i++) {
        buf_printf(out,
                   "%s{\"Statement\":\"UPDATE \\\"Dear\\\" SET x = 1 WHERE pk = 'p' AND sk = "
                   "'s%05d'",
                   i ? "," : "", i);
        for (int k = 0; k < 290; k++)
            buf_add_text(out, " AND n <> 2");
        buf_add_text(out, "\"}");
    }
    buf_add_text(out, "]}");
}

/* Conditions on names that no item of most_attributes has. */
static void add_missing_names(struct buf *out, const char *value)
{
    for (int i = 0; i < 145; i++)
        buf_printf(out, "%sz%c%c<>%s", i ? " AND " : "", 'A' + i / 26, 'A' + i % 26, value);
}

static void checks_of_widest(struct buf *out)
{
    buf_add_text(out, "{\"TransactItems\":[");
    for (int i = 0; i < 30; i++) {
        buf_printf(out, "%s{\"ConditionCheck\":{\"TableName\":\"Dear\",\"Key\":", i ? "," : "");
        dear_add_key(out, i);
        buf_add_text(out, ",\"ConditionExpression\":\"");
        add_missing_names(out, ":v");
        buf_add_text(out, "\",\"ExpressionAttributeValues\":{\":v\":{\"N\":\"1\"}}}}");
    }
    buf_add_text(out, "]}");
}

static void statements_on_widest(struct buf *out)
{
    buf_add_text(out, "{\"TransactStatements\":[");
    for (int i = 0; i < 30; i++) {
        buf_printf(out,
                   "%s{\"Statement\":\"UPDATE \\\"Dear\\\" SET x = 1 WHERE pk = 'p' AND sk = "
                   "'s%05d' AND ",
                   i ? "," : "", i);
        add_missing_names(out, "1");
        buf_add_text(out, "\"}");
    }
    buf_add_text(out, "]}");
}

/* A name is added, which makes the map another one, before many are removed. */
static void removals_from_widest(struct buf *out)
{
    buf_add_text(out, "{\"TransactItems\":[");
    for (int i = 0; i < 30; i++) {
        buf_printf(out, "%s{\"Update\":{\"TableName\":\"Dear\",\"Key\":", i ? "," : "");
        dear_add_key(out, i);
        buf_add_text(out, ",\"UpdateExpression\":\"SET z0 = :v REMOVE z1");
        for (int k = 0; k < 290; k++) {
            buf_add_char(out, ',');
            add_name(out, 80724 + k);
        }
        buf_add_text(out, "\",\"ExpressionAttributeValues\":{\":v\":{\"N\":\"1\"}}}}");
    }
    buf_add_text(out, "]}");
}

static void wide_values_of_checks(struct buf *out)
{
    buf_add_text(out, "{\"TransactItems\":[");
    for (int i = 0; i < 100; i++) {
        buf_printf(out, "%s{\"ConditionCheck\":{\"TableName\":\"Dear\",\"Key\":", i ? "," : "");
        dear_add_key(out, i);
        buf_add_text(out, ",\"ConditionExpression\":\"n IN (:aa");
        for (int k = 1; k < 100; k++)
            buf_printf(out, ",:%c%c", 'a' + k / 26, 'a' + k % 26);
        buf_add_text(out, ") OR pk=:aa\",\"ExpressionAttributeValues\":{");
        for (int k = 0; k < 100; k++)
            buf_printf(out, "%s\":%c%c\":{\"N\":\"%d\"}", k ? "," : "", 'a' + k / 26, 'a' + k % 26,
                       k + 2);
        buf_add_text(out, "}}}");
    }
    buf_add_text(out, "]}");
}

/* --- long lists that are compared, shown and searched ----------------------------------------- */

static void compared_lists(struct buf *out)
{
    buf_add_text(out, "{\"Statement\":\"SELECT sk FROM Dear WHERE pk = 'p'");
    for (int i = 0; i < 80; i++)
        buf_add_text(out, " AND (l IN [?, 1, 'x'] OR l <> 1)");
    buf_add_text(out, "\",\"Parameters\":[");
    for (int i = 0; i < 80; i++) {
        buf_add_text(out, i ? "," : "");
        dear_add_nulls(out, i < 3 ? 190000 : 1);
    }
    buf_add_text(out, "]}");
}

static void keys_of_lists(struct buf *out, const char *projection)
{
    buf_add_text(out, "{\"RequestItems\":{\"Dear\":{\"Keys\":[");
    for (int i = 0; i < 100; i++) {
        buf_add_text(out, i ? "," : "");
        dear_add_key(out, i);
    }
    buf_printf(out, "],\"ProjectionExpression\":\"%s\"}}}", projection);
}

static void shown_lists(struct buf *out)
{
    keys_of_lists(out, "l,sk");
}

static void elements_of_lists(struct buf *out)
{
    keys_of_lists(out, "l[9],sk");
}

/* Their index is not in memory before the first search. */
static void store_searched(struct bench *b)
{
    dear_chosen = (struct dear_choice){
        .shape = EMPTY, .items = 20, .bytes = 300000, .statement = 1};
    dear_set_up_search(b);
}

const struct dear dear_rows[] = {
    {.name = "names of an object", .set_up = NULL, .operation = "GetItem", .body = many_names},
    {.name = "16 MB of names", .set_up = NULL, .operation = "SearchVectors", .body = most_names},
    {.name = "16 MB of numbers", .set_up = NULL, .operation = "GetItem", .body = numbers},
    {.name = "16 MB of attribute values",
     .set_up = NULL,
     .operation = "PutItem",
     .body = long_list_of_values},
    {.name = "lists that are doubled",
     .set_up = store_lists,
     .operation = "TransactWriteItems",
     .body = doubled_lists},
    {.name = "lists that are copied",
     .set_up = store_lists,
     .operation = "TransactWriteItems",
     .body = copied_lists},
    {.name = "100 lists that lose an element",
     .set_up = store_long_and_small,
     .operation = "TransactWriteItems",
     .body = touched_lists},
    {.name = "10 lists that lose an element, 20 indexes",
     .set_up = store_indexed_lists,
     .operation = "TransactWriteItems",
     .body = ten_touched_lists},
    {.name = "whole items through an index of keys",
     .set_up = store_long,
     .operation = "Query",
     .body = whole_items_of_keys},
    {.name = "keys of long items",
     .set_up = store_long,
     .operation = "Query",
     .body = keys_of_long_items},
    {.name = "a list that an error echoes",
     .set_up = NULL,
     .operation = "BatchWriteItem",
     .body = echoed_writes},
    {.name = "1000 names of wide items",
     .set_up = store_wide,
     .operation = "BatchGetItem",
     .body = projected_names},
    {.name = "keys of 9000 attributes",
     .set_up = NULL,
     .operation = "BatchGetItem",
     .body = wide_keys},
    {.name = "maps in two orders",
     .set_up = store_map,
     .operation = "UpdateItem",
     .body = compared_maps},
    {.name = "100 failed checks of long items",
     .set_up = store_long,
     .operation = "TransactWriteItems",
     .body = failed_checks,
     .shows_items = true},
    {.name = "100 failed checks of lists",
     .set_up = store_long_and_small,
     .operation = "TransactWriteItems",
     .body = failed_checks,
     .shows_items = true},
    {.name = "IN of 4096 values", .set_up = store_small, .operation = "Scan", .body = long_filter},
    {.name = "IN of 100 values, 9 times",
     .set_up = store_small,
     .operation = "Scan",
     .body = long_filter_expression},
    {.name = "wide items in 20 indexes",
     .set_up = make_indexed_table,
     .operation = "BatchWriteItem",
     .body = wide_writes},
    {.name = "writes into 20 indexes and a stream",
     .set_up = make_indexed_stream,
     .operation = "BatchWriteItem",
     .body = wide_writes},
    {.name = "large sets",
     .set_up = make_indexed_stream,
     .operation = "BatchWriteItem",
     .body = large_sets},
    {.name = "16 MB of a set", .operation = "PutItem", .body = one_set},
    {.name = "sets that change",
     .set_up = store_sets,
     .operation = "TransactWriteItems",
     .body = changed_sets},
    {.name = "150 values in a list",
     .set_up = store_numbers,
     .operation = "UpdateItem",
     .body = contained_values},
    {.name = "16 MB of deep short values", .operation = "PutItem", .body = deep_short_values},
    {.name = "the shortest values",
     .set_up = make_indexed_stream,
     .operation = "BatchWriteItem",
     .body = short_values},
    {.name = "299 operators on a page",
     .set_up = store_thirty,
     .operation = "Scan",
     .body = long_conditions_of_a_page},
    {.name = "100 long statements",
     .set_up = store_thirty,
     .operation = "ExecuteTransaction",
     .body = long_transaction_of_statements},
    {.name = "100 checks of 100 values",
     .set_up = store_thirty,
     .operation = "TransactWriteItems",
     .body = wide_values_of_checks},
    {.name = "145 names that wide items lack",
     .set_up = store_widest,
     .operation = "TransactWriteItems",
     .body = checks_of_widest},
    {.name = "145 names that wide items lack, in statements",
     .set_up = store_widest,
     .operation = "ExecuteTransaction",
     .body = statements_on_widest},
    {.name = "290 names removed from wide items",
     .set_up = store_widest,
     .operation = "TransactWriteItems",
     .body = removals_from_widest},
    {.name = "lists that a statement compares",
     .set_up = store_long_and_small,
     .operation = "ExecuteStatement",
     .body = compared_lists},
    {.name = "100 long lists",
     .set_up = store_long_and_small,
     .operation = "BatchGetItem",
     .body = shown_lists},
    {.name = "elements of 100 long lists",
     .set_up = store_long_and_small,
     .operation = "BatchGetItem",
     .body = elements_of_lists},
    {.name = "a search among long lists",
     .set_up = store_searched,
     .operation = "SearchVectors",
     .body = dear_add_search},
    {.name = NULL},
};
