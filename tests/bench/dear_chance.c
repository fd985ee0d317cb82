#include "dear_chance.h"

#include "model/limits.h"

#include <stdio.h>

static const char *const operations[] = {"PutItem",
                                         "UpdateItem",
                                         "BatchWriteItem",
                                         "TransactWriteItems",
                                         "TransactGetItems",
                                         "BatchGetItem",
                                         "Query",
                                         "Scan",
                                         "ExecuteStatement",
                                         "BatchExecuteStatement",
                                         "ExecuteTransaction",
                                         "SearchVectors"};
enum {
    PUT_ITEM,
    UPDATE_ITEM,
    BATCH_WRITE,
    TRANSACT_WRITE,
    TRANSACT_GET,
    BATCH_GET,
    QUERY,
    SCAN,
    EXECUTE,
    BATCH_EXECUTE,
    EXECUTE_ALL,
    SEARCH
};

static const char *const projections[] = {"ALL", "KEYS_ONLY"};

/* Repeated until the expression is as long as it may be; `l` is what an item has besides its keys.
 */
static const char *const conditions[] = {
    "l <> :v",
    "l = l",
    "contains(l, :v)",
    "size(l) > :n",
    "NOT contains(l,:n)",
    "l IN (:v, :n)",
    "l[1] = :v",
    "attribute_exists(l[9])",
    "l[0][0][0][0][0] <> :v",
    "begins_with(l, :v)",
    "l BETWEEN :n AND :v",
};
/* Each with a number between its halves. */
static const struct {
    const char *before, *after;
} updates[] = {
    {"a", " = l"},
    {"a", " = list_append(l, l)"},
    {"l[", "] = :v"},
    {"a", " = if_not_exists(l, :v)"},
    {"l[0][0][0][", "] = :n"},
};
/* What comes behind them. */
static const char *const last_updates[] = {"", " ADD l :v", " DELETE l :v", " REMOVE l[0], l[1]"};

struct dear_choice dear_chosen;

static uint64_t state;

int dear_pick(int count)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)count);
}

static int pick_of(const int *values, int count)
{
    return values[dear_pick(count)];
}

/* --- items ------------------------------------------------------------------------------------ */

void dear_add_value(struct buf *out, int bytes)
{
    switch (dear_chosen.shape) {
    case NULLS:
        dear_add_nulls(out, bytes / 2);
        break;
    case MEMBERS:
    case MAP:
        buf_add_text(out, "{\"M\":{");
        dear_add_members(out, bytes / 8, 0);
        buf_add_text(out, "}}");
        break;
    case NUMBERS:
        buf_add_text(out, "{\"NS\":[");
        for (int i = 0; i < bytes / 5 + 1; i++)
            buf_printf(out, "%s\"%d\"", i ? "," : "", 100000 + i);
        buf_add_text(out, "]}");
        break;
    case STRINGS:
        buf_add_text(out, "{\"SS\":[");
        for (int i = 0; i < bytes / 6 + 1; i++)
            buf_printf(out, "%s\"%d\"", i ? "," : "", 900000 - i);
        buf_add_text(out, "]}");
        break;
    case SHUFFLED:
        dear_add_set(out, bytes / 4);
        break;
    case EMPTY:
        buf_add_text(out, "{\"L\":[{\"S\":\"\"}");
        for (int i = 0; i < bytes / 2; i++)
            buf_add_text(out, ",{\"S\":\"\"}");
        buf_add_text(out, "]}");
        break;
    case DEEP:
        buf_add_text(out, "{\"L\":[{\"NULL\":true}");
        for (int i = 0; i < bytes / 112; i++) {
            buf_add_char(out, ',');
            for (int level = 0; level < 27; level++)
                buf_add_text(out, "{\"L\":[");
            for (int level = 0; level < 27; level++)
                buf_add_text(out, "]}");
        }
        buf_add_text(out, "]}");
        break;
    default:
        buf_add_text(out, "{\"S\":\"");
        dear_add_text(out, (size_t)bytes);
        buf_add_text(out, "\"}");
    }
}

static void add_attributes(struct buf *out)
{
    if (dear_chosen.shape == MEMBERS) {
        buf_add_text(out, "\"l\":{\"NULL\":true},");
        dear_add_members(out, dear_chosen.bytes / 6, 0);
        return;
    }
    buf_add_text(out, "\"l\":");
    dear_add_value(out, dear_chosen.bytes);
}

static void set_up(struct bench *b)
{
    if (dear_chosen.operation == SEARCH) {
        dear_set_up_search(b);
        return;
    }
    dear_make_table(b, dear_chosen.indexes, projections[dear_chosen.projection],
                    dear_chosen.stream);
    for (int i = 0; i < dear_chosen.items; i++)
        dear_put(b, i, add_attributes);
}

/* --- requests --------------------------------------------------------------------------------- */

static void add_values(struct buf *out)
{
    buf_add_text(out, ",\"ExpressionAttributeValues\":{\":n\":{\"N\":\"1\"},\":v\":");
    dear_add_value(out, dear_chosen.large_value ? dear_chosen.bytes : 2);
    buf_add_char(out, '}');
}

static void add_condition(struct buf *out, const char *parameter)
{
    size_t from;

    buf_printf(out, ",\"%s\":\"", parameter);
    from = out->len;
    for (int i = 0; i < 60 && out->len - from < LIMIT_EXPRESSION - 100; i++)
        buf_printf(out, "%s(%s OR l <> :n)", i ? " AND " : "", conditions[dear_chosen.condition]);
    buf_add_char(out, '"');
}

static void add_update(struct buf *out)
{
    buf_add_text(out, ",\"UpdateExpression\":\"SET z = :v, y = :n");
    for (int i = 0; i < dear_chosen.names; i++)
        buf_printf(out, ",%s%d%s", updates[dear_chosen.update].before, i,
                   updates[dear_chosen.update].after);
    buf_printf(out, "%s\"", last_updates[dear_chosen.last_update]);
}

static void add_projection(struct buf *out)
{
    if (!dear_chosen.names)
        return;
    buf_add_text(out, ",\"ProjectionExpression\":\"l");
    for (int i = 0; i < dear_chosen.names; i++)
        buf_printf(out, ",%c%c%d", 'a' + i / 100, 'a' + i / 10 % 10, i % 10);
    buf_add_char(out, '"');
}

static void add_item(struct buf *out, int number)
{
    dear_open_item(out, number);
    buf_add_char(out, ',');
    add_attributes(out);
    buf_add_char(out, '}');
}

/* The parameters of an update, or of a check, of one item. */
static void add_action(struct buf *out, int number, bool update)
{
    buf_add_text(out, "\"TableName\":\"Dear\",\"Key\":");
    dear_add_key(out, number);
    if (update)
        add_update(out);
    if (dear_chosen.conditional || !update)
        add_condition(out, "ConditionExpression");
    if (dear_chosen.shows)
        buf_add_text(out, ",\"ReturnValuesOnConditionCheckFailure\":\"ALL_OLD\"");
    add_values(out);
}

static void add_transaction(struct buf *out)
{
    buf_add_text(out, "{\"TransactItems\":[");
    for (int i = 0; i < dear_chosen.wanted && out->len < LIMIT_REQUEST_BYTES / 2; i++) {
        buf_add_text(out, i ? "," : "");
        if (dear_chosen.operation == TRANSACT_GET) {
            buf_add_text(out, "{\"Get\":{\"TableName\":\"Dear\",\"Key\":");
            dear_add_key(out, i);
            add_projection(out);
        } else {
            buf_add_text(out, dear_chosen.update ? "{\"Update\":{" : "{\"ConditionCheck\":{");
            add_action(out, i, dear_chosen.update > 0);
        }
        buf_add_text(out, "}}");
    }
    buf_add_text(out, "]}");
}

static void add_batch(struct buf *out)
{
    bool writes = dear_chosen.operation == BATCH_WRITE;
    int wanted = writes && dear_chosen.wanted > 25 ? 25 : dear_chosen.wanted;

    buf_add_text(out, "{\"RequestItems\":{\"Dear\":");
    buf_add_text(out, writes ? "[" : "{\"Keys\":[");
    for (int i = 0; i < wanted && out->len < LIMIT_REQUEST_BYTES / 2; i++) {
        buf_add_text(out, i ? "," : "");
        if (writes) {
            buf_add_text(out, "{\"PutRequest\":{\"Item\":");
            add_item(out, i);
            buf_add_text(out, "}}");
        } else {
            dear_add_key(out, i);
        }
    }
    buf_add_char(out, ']');
    if (!writes) {
        add_projection(out);
        buf_add_char(out, '}');
    }
    buf_add_text(out, "}}");
}

static void add_page(struct buf *out)
{
    buf_add_text(out, "{\"TableName\":\"Dear\"");
    if (dear_chosen.indexes)
        buf_add_text(out, ",\"IndexName\":\"index0\"");
    if (dear_chosen.operation == QUERY)
        buf_printf(out,
                   ",\"KeyConditions\":{\"%s\":{\"ComparisonOperator\":\"EQ\","
                   "\"AttributeValueList\":[{\"S\":\"%s\"}]}}",
                   dear_chosen.indexes ? "g" : "pk", dear_chosen.indexes ? "g" : "p");
    buf_add_char(out, '}');
}

static void add_filtered_page(struct buf *out)
{
    buf_add_text(out, "{\"TableName\":\"Dear\"");
    if (dear_chosen.indexes)
        buf_add_text(out, ",\"IndexName\":\"index0\"");
    add_condition(out, "FilterExpression");
    add_projection(out);
    add_values(out);
    buf_add_char(out, '}');
}

static void body(struct buf *out)
{
    switch (dear_chosen.operation) {
    case PUT_ITEM:
        buf_add_text(out, "{\"TableName\":\"Dear\",\"Item\":");
        add_item(out, 0);
        if (dear_chosen.conditional) {
            add_condition(out, "ConditionExpression");
            add_values(out);
        }
        buf_add_char(out, '}');
        return;
    case UPDATE_ITEM:
        buf_add_char(out, '{');
        add_action(out, 0, true);
        buf_add_char(out, '}');
        return;
    case TRANSACT_WRITE:
    case TRANSACT_GET:
        add_transaction(out);
        return;
    case BATCH_WRITE:
    case BATCH_GET:
        add_batch(out);
        return;
    case QUERY:
        add_page(out);
        return;
    case EXECUTE:
        dear_add_statement(out, 0);
        return;
    case BATCH_EXECUTE:
        dear_add_statements(out, "Statements", 25);
        return;
    case EXECUTE_ALL:
        dear_add_statements(out, "TransactStatements", 100);
        return;
    case SEARCH:
        dear_add_search(out);
        return;
    default:
        add_filtered_page(out);
    }
}

const struct dear *dear_by_chance(uint64_t seed)
{
    static const int counts[] = {1, 5, 10, 25, 100}, sizes[] = {10, 1000, 40000, 200000, 380000};
    static const int indexes[] = {0, 0, 1, 20}, names[] = {0, 1, 20, 140};
    static char name[200];
    static struct dear row;

    state = seed * 2 + 1;
    (void)dear_pick(2);
    dear_chosen.operation = (size_t)dear_pick(COUNT(operations));
    dear_chosen.shape = (enum dear_shape)dear_pick(SHAPES);
    dear_chosen.condition = (size_t)dear_pick(COUNT(conditions));
    dear_chosen.update = (size_t)dear_pick(COUNT(updates));
    dear_chosen.last_update = (size_t)dear_pick(COUNT(last_updates));
    dear_chosen.statement = (size_t)dear_pick(1000);
    dear_chosen.projection = (size_t)dear_pick(COUNT(projections));
    dear_chosen.items = pick_of(counts, COUNT(counts));
    dear_chosen.wanted = pick_of(counts, COUNT(counts));
    dear_chosen.bytes = pick_of(sizes, COUNT(sizes));
    dear_chosen.indexes = pick_of(indexes, COUNT(indexes));
    dear_chosen.names = pick_of(names, COUNT(names));
    dear_chosen.conditional = dear_pick(2);
    dear_chosen.stream = dear_pick(2);
    dear_chosen.shows = dear_pick(2);
    dear_chosen.large_value = dear_pick(2);
    row = (struct dear){
        .name = name,
        .set_up = set_up,
        .operation = operations[dear_chosen.operation],
        .body = body,
        .shows_items = dear_chosen.shows,
    };
    (void)snprintf(name, sizeof name,
                   "%llu: %s, %d of %d items of %d bytes, shape %d, %d indexes%s, %s",
                   (unsigned long long)seed, row.operation, dear_chosen.wanted, dear_chosen.items,
                   dear_chosen.bytes, (int)dear_chosen.shape, dear_chosen.indexes,
                   dear_chosen.stream ? ", a stream" : "", conditions[dear_chosen.condition]);
    return &row;
}
