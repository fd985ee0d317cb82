#include "moving/moving_scan.h"

#include "base/interrupt.h"
#include "client/client_schema.h"
#include "moving/moving_settings.h"
#include "wire/wire_print.h"

static struct buf begin_request(struct arena *a, struct span table)
{
    struct buf out = buf_in(a);

    buf_add_text(&out, "{\"TableName\":");
    buf_add_json_string(&out, table);
    return out;
}

static const char *describe(struct arena *a, struct client *client, struct span table,
                            struct span request, struct client_answer *out)
{
    const char *problem = client_repeat(client, a, "DescribeTable", request, out);
    struct moving_names names = {.count = 0};

    if (problem || !out->error_type.len)
        return problem;
    if (span_is(out->error_type, "ResourceNotFoundException") &&
        !moving_scan_tables(a, client,
                            &names)) /* without permission to list, return the first error */
        return moving_names_lack(a, &names, table, client->name);
    return arena_printf(a, "DescribeTable: %s", client_answer_error(a, out));
}

const char *moving_scan_begin(struct arena *a, struct client *client, struct span table,
                              struct moving_scan *out)
{
    struct buf request = begin_request(a, table);
    struct client_answer described, ttl;
    const wire_node *t;
    const char *problem;

    *out = (struct moving_scan){.client = client, .table = table, .start = buf_in(a)};
    buf_add_char(&request, '}');
    if ((problem = describe(a, client, table, buf_span(&request), &described)) ||
        (problem = client_succeed(client, a, "DescribeTimeToLive", buf_span(&request), &ttl)))
        return problem;
    t = wire_get(described.body, "Table");
    out->bytes = (uint64_t)wire_integer(wire_get(t, "TableSizeBytes"), 0);
    out->items = (uint64_t)wire_integer(wire_get(t, "ItemCount"), 0);
    out->described = t;
    out->ttl = wire_get(ttl.body, "TimeToLiveDescription");
    for (const wire_node *n = wire_first(wire_get(t, "KeySchema"));
         n && out->key_count < COUNT(out->keys); n = wire_next(n))
        out->keys[out->key_count++] = wire_text(wire_get(n, "AttributeName"));
    return NULL;
}

const char *moving_scan_schema(struct arena *a, struct moving_scan *s)
{
    struct moving_settings settings;
    const char *problem = moving_settings_read(a, s->client, s->described, &settings);

    if (problem)
        return problem;
    s->schema = client_schema_of(a, s->table, s->described, s->ttl, settings.tags);
    s->lacks = settings.lacks;
    return NULL;
}

const char *moving_scan_next(struct moving_scan *s, struct arena *a, const wire_node **items)
{
    struct buf request = begin_request(a, s->table);
    struct client_answer answer;
    const wire_node *last;
    const char *problem;

    *items = NULL;
    if (s->done)
        return NULL;
    if (interrupt_check())
        return interrupt_check();
    if (s->pace && s->pace->rate > 0)
        buf_printf(&request, ",\"Limit\":%.0f", s->pace->rate < 1 ? 1 : s->pace->rate);
    if (s->start.len) {
        buf_add_text(&request, ",\"ExclusiveStartKey\":");
        buf_add_span(&request, buf_span(&s->start));
    }
    buf_add_char(&request, '}');
    client_pace_wait(s->pace);
    if ((problem = client_succeed(s->client, a, "Scan", buf_span(&request), &answer)))
        return problem;
    *items = wire_get(answer.body, "Items");
    if (!*items)
        return "Scan's answer has no items";
    client_pace_count(s->pace, (double)wire_count(*items));
    last = wire_get(answer.body, "LastEvaluatedKey");
    s->start.len = 0;
    s->done = !last;
    if (last)
        wire_print_json(&s->start, last);
    return last && cycle_closes(&s->starts, buf_span(&s->start))
               ? "Scan repeats a LastEvaluatedKey from before"
               : NULL;
}

void moving_scan_again(struct moving_scan *s)
{
    s->start.len = 0;
    s->starts = (struct cycle){0};
    s->done = false;
}

const char *moving_scan_tables(struct arena *a, struct client *client, struct moving_names *out)
{
    struct span after = {NULL, 0};
    struct cycle starts = {0};

    do {
        struct buf request = buf_in(a);
        struct client_answer answer;
        const char *problem;

        buf_add_char(&request, '{');
        if (after.len) {
            buf_add_text(&request, "\"ExclusiveStartTableName\":");
            buf_add_json_string(&request, after);
        }
        buf_add_char(&request, '}');
        if ((problem = client_succeed(client, a, "ListTables", buf_span(&request), &answer)))
            return problem;
        for (const wire_node *n = wire_first(wire_get(answer.body, "TableNames")); n;
             n = wire_next(n))
            moving_names_add(a, out, wire_text(n));
        after = wire_text(wire_get(answer.body, "LastEvaluatedTableName"));
        if (after.len && cycle_closes(&starts, after))
            return "ListTables answers with a LastEvaluatedTableName that it had answered with "
                   "before";
    } while (after.len);
    return NULL;
}
