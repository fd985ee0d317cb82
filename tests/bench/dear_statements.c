#include "dear_chance.h"

#include "model/limits.h"

/* Repeated until the statement is as long as it may be; each ? is a parameter. */
static const char *const conditions[] = {
    "l <> ?",
    "contains(l, ?)",
    "begins_with(l, ?)",
    "l IN [?, 1, 'x']",
    "l[1] = ?",
    "size(l) > 5",
    "NOT l = ?",
    "l BETWEEN 1 AND ?",
    "l IS NOT MISSING",
    "l <> {'a': [1, 'x', <<2>>]}",
    "attribute_type(l, 'S')",
};

/* What a statement does, up to its conditions. */
static const char *const statements[] = {
    "SELECT * FROM Dear WHERE ",
    "SELECT l FROM Dear WHERE ",
    "SELECT pk, l[0], l.a FROM Dear WHERE ",
    "UPDATE Dear SET x = ? WHERE ",
    "UPDATE Dear SET x = l, y = l, z = ? WHERE ",
    "UPDATE Dear SET x = list_append(l, l) WHERE ",
    "UPDATE Dear SET l = list_append(l, ?) RETURNING ALL NEW * WHERE ",
    "UPDATE Dear SET l = set_add(l, ?) WHERE ",
    "UPDATE Dear SET l = set_delete(l, ?) WHERE ",
    "UPDATE Dear REMOVE l[0] WHERE ",
    "DELETE FROM Dear WHERE ",
};

/* Which items they are about; the first of them is one. */
static const struct {
    const char *before, *after; /* of the item's number; NULL: it has none */
} keys[] = {{"pk = 'p' AND sk = 's", "'"},
            {"pk = 'p'", NULL},
            {"pk IN ['p', 'q']", NULL},
            {"pk = 'p' AND sk IN ['s00003', 's", "', 's00001', 's00002']"}};

static void add_keys(struct buf *out, size_t which, int number)
{
    buf_add_text(out, keys[which].before);
    if (keys[which].after)
        buf_printf(out, "%05d%s", number, keys[which].after);
}

static size_t count_parameters(struct span text)
{
    size_t count = 0;

    for (size_t i = 0; i < text.len; i++)
        count += text.at[i] == '?';
    return count;
}

static void add_parameters(struct buf *out, size_t count, size_t end)
{
    buf_add_text(out, ",\"Parameters\":[");
    for (size_t i = 0; i < count; i++) {
        bool large = dear_chosen.large_value && out->len + 2000000 < end;

        buf_add_text(out, i ? "," : "");
        dear_add_value(out, large ? dear_chosen.bytes : 2);
    }
    buf_add_char(out, ']');
}

static void add_text(struct buf *out, int number)
{
    size_t from = out->len, key = dear_chosen.last_update;
    const char *begin = statements[dear_chosen.statement % COUNT(statements)];
    bool reads = begin[0] == 'S';

    if (dear_chosen.shows && dear_chosen.names) {
        buf_printf(out, "INSERT INTO Dear VALUE {'pk': 'p', 'sk': 's%05d', 'l': ?}", number + 1000);
        return;
    }
    buf_add_text(out, begin);
    add_keys(out, reads ? key % COUNT(keys) : 0, number);
    for (int i = 0; dear_chosen.conditional && i < 90 && out->len - from < LIMIT_STATEMENT - 100;
         i++)
        buf_printf(out, " AND (%s OR l <> 1)",
                   conditions[dear_chosen.statement / 7 % COUNT(conditions)]);
}

static void add_members(struct buf *out, int number, size_t end)
{
    size_t from, count;

    buf_add_text(out, "\"Statement\":\"");
    from = out->len;
    add_text(out, number);
    count = count_parameters((struct span){out->at + from, out->len - from});
    buf_add_char(out, '"');
    if (count)
        add_parameters(out, count, end);
}

void dear_add_statement(struct buf *out, int number)
{
    buf_add_char(out, '{');
    add_members(out, number, LIMIT_REQUEST_BYTES);
    buf_add_char(out, '}');
}

void dear_add_statements(struct buf *out, const char *member, int most)
{
    int wanted = dear_chosen.wanted < most ? dear_chosen.wanted : most;

    buf_printf(out, "{\"%s\":[", member);
    for (int i = 0; i < wanted && out->len < LIMIT_REQUEST_BYTES - 2000000; i++) {
        buf_add_text(out, i ? ",{" : "{");
        add_members(out, i, LIMIT_REQUEST_BYTES);
        buf_add_char(out, '}');
    }
    buf_add_text(out, "]}");
}

/* --- searches --------------------------------------------------------------------------------- */

static const int dimensions[] = {1, 4, 768, 4096};

static int chosen_dimensions(void)
{
    return dimensions[dear_chosen.statement % COUNT(dimensions)];
}

static void add_vector(struct buf *out, int count, int number)
{
    for (int i = 0; i < count; i++)
        buf_printf(out, "%s{\"N\":\"%d.%d\"}", i ? "," : "", (number + i) % 7, i % 10);
}

static void add_vector_attribute(struct buf *out)
{
    static int number;

    buf_add_text(out, "\"v\":{\"L\":[");
    add_vector(out, chosen_dimensions(), number);
    buf_printf(out, "]},\"f\":{\"S\":\"%05d\"},\"l\":", number++);
    dear_add_value(out, dear_chosen.bytes < 300000 ? dear_chosen.bytes : 300000);
}

void dear_set_up_search(struct bench *b)
{
    struct buf out = buf_in(b->arena);

    buf_printf(&out,
               "{\"TableName\":\"Dear\",\"BillingMode\":\"PAY_PER_REQUEST\","
               "\"AttributeDefinitions\":[{\"AttributeName\":\"pk\",\"AttributeType\":\"S\"},"
               "{\"AttributeName\":\"sk\",\"AttributeType\":\"S\"},"
               "{\"AttributeName\":\"f\",\"AttributeType\":\"S\"}],"
               "\"KeySchema\":[{\"AttributeName\":\"pk\",\"KeyType\":\"HASH\"},"
               "{\"AttributeName\":\"sk\",\"KeyType\":\"RANGE\"}],"
               "\"VectorIndexes\":[{\"IndexName\":\"near\",\"VectorAttribute\":{"
               "\"AttributeName\":\"v\"},\"Projection\":{\"ProjectionType\":\"%s\"},"
               "\"Dimensions\":%d,\"DistanceFunction\":\"COSINE\",\"SearchSchema\":[{"
               "\"AttributeName\":\"f\",\"SearchSchemaElementType\":\"INLINE_FILTER\"}]}]}",
               dear_chosen.projection ? "KEYS_ONLY" : "ALL", chosen_dimensions());
    dear_must_call(b, "CreateTable", buf_span(&out));
    for (int i = 0; i < 5 * dear_chosen.items; i++)
        dear_put(b, i, add_vector_attribute);
}

void dear_add_search(struct buf *out)
{
    buf_add_text(out, "{\"TableName\":\"Dear\",\"IndexName\":\"near\",\"TopK\":100,"
                      "\"SearchVector\":[");
    add_vector(out, chosen_dimensions(), 3);
    buf_add_char(out, ']');
    if (dear_chosen.conditional) {
        buf_add_text(out, ",\"SearchConditionExpression\":\"f IN (:v");
        for (int i = 0; i < 99; i++)
            buf_printf(out, ",:v%d", i);
        buf_add_text(out, ")\",\"ExpressionAttributeValues\":{\":v\":{\"S\":\"x\"}");
        for (int i = 0; i < 99; i++)
            buf_printf(out, ",\":v%d\":{\"S\":\"%05d\"}", i, i);
        buf_add_char(out, '}');
    }
    buf_add_char(out, '}');
}
