#include "moving/moving_scan.h"

#include "base/cycle.h"
#include "base/interrupt.h"
#include "fixtures/fixtures_table.h"
#include "wire/wire_print.h"

/* Reads a number, whatever the endpoint sends. */
static uint64_t counted(const wire_node *number)
{
    int64_t count = wire_integer(number, 0);

    return count > 0 ? (uint64_t)count : 0;
}

const char *moving_scan_describe(struct arena *a, struct client *client, struct span table,
                                 struct moving_scan *out)
{
    struct span request = client_table_request(a, table);
    struct client_answer described = {.status = 0}, ttl;
    const wire_node *t;
    const char *problem;

    *out = (struct moving_scan){.client = client, .table = table, .start = buf_in(a)};
    problem = client_succeed(client, a, "DescribeTable", request, &described);
    out->is_missing = span_is(described.error_type, "ResourceNotFoundException");
    if (problem || (problem = client_succeed(client, a, "DescribeTimeToLive", request, &ttl)))
        return problem;
    t = wire_get(described.body, "Table");
    out->bytes = counted(wire_get(t, "TableSizeBytes"));
    out->items = counted(wire_get(t, "ItemCount"));
    out->described = t;
    out->ttl = wire_get(ttl.body, "TimeToLiveDescription");
    for (const wire_node *n = wire_first(wire_get(t, "KeySchema"));
         n && out->key_count < COUNT(out->keys); n = wire_next(n))
        out->keys[out->key_count++] = wire_text(wire_get(n, "AttributeName"));
    return out->key_count ? NULL : "DescribeTable: the endpoint's answer is not a table";
}

const char *moving_scan_begin(struct arena *a, struct client *client, struct span table,
                              struct moving_scan *out)
{
    const char *problem = moving_scan_describe(a, client, table, out);
    struct moving_names names = {.count = 0};

    /* without permission to list, the first error is returned */
    return out->is_missing && !moving_scan_tables(a, client, &names)
               ? moving_names_lack(a, &names, table, client->name)
               : problem;
}

/* --- settings outside a table's description: tags are copied, the others are listed ------------
 */

struct settings_reading {
    struct arena *arena;
    struct client *client;
    const wire_node *table;
    struct buf *lacks;
};

static bool has_policy(const wire_node *answer)
{
    return wire_text(wire_get(answer, "Policy")).len != 0;
}

static bool has_recovery(const wire_node *answer)
{
    const wire_node *backups = wire_get(answer, "ContinuousBackupsDescription");
    const wire_node *recovery = wire_get(backups, "PointInTimeRecoveryDescription");

    return span_is(wire_text(wire_get(recovery, "PointInTimeRecoveryStatus")), "ENABLED");
}

/* Whether an entry of the list is enabled, or about to be. */
static bool has_active(const wire_node *list, const char *status)
{
    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        struct span is = wire_text(wire_get(n, status));

        if (span_is(is, "ENABLED") || span_is(is, "ACTIVE") || span_is(is, "ENABLING") ||
            span_is(is, "UPDATING"))
            return true;
    }
    return false;
}

/* Whether contributor insights are enabled for the table or an index. There are fewer of them than
 * a page has. */
static bool has_insights(const wire_node *answer)
{
    return has_active(wire_get(answer, "ContributorInsightsSummaries"),
                      "ContributorInsightsStatus");
}

static bool has_destinations(const wire_node *answer)
{
    return has_active(wire_get(answer, "KinesisDataStreamDestinations"), "DestinationStatus");
}

/* Settings that are read, but not copied. */
static const struct settings_part {
    const char *operation, *parameter,
        *member; /* the parameter is set to this member of the table */
    const char *name;
    bool (*is_there)(const wire_node *answer);
} parts[] = {
    {"GetResourcePolicy", "ResourceArn", "TableArn", "a resource policy", has_policy},
    {"DescribeContinuousBackups", "TableName", "TableName", "point-in-time recovery", has_recovery},
    {"ListContributorInsights", "TableName", "TableName", "contributor insights", has_insights},
    {"DescribeKinesisStreamingDestination", "TableName", "TableName", "Kinesis destinations",
     has_destinations},
};

/* Whether the error means that the table has no such setting. */
static bool means_none(struct span error_type)
{
    static const char *const types[] = {"PolicyNotFoundException", "UnknownOperationException",
                                        "ResourceNotFoundException", "TableNotFoundException"};

    for (size_t i = 0; i < COUNT(types); i++)
        if (span_is(error_type, types[i]))
            return true;
    return false;
}

/* Sets *out to NULL if there is no such setting, or it may not be read. */
static const char *read_setting(struct settings_reading *r, const char *operation,
                                struct span request, const char *name, const wire_node **out)
{
    struct client_answer answer;
    const char *problem = client_repeat(r->client, r->arena, operation, request, &answer);

    *out = NULL;
    if (problem)
        return problem;
    if (!answer.error_type.len)
        *out = answer.body;
    else if (!means_none(answer.error_type))
        fixtures_table_add_lack(r->lacks, arena_printf(r->arena, "%s (if any: %.*s)", name,
                                                       SPAN_ARG(answer.error_type)));
    return NULL;
}

static struct buf begin_request(struct settings_reading *r, const char *parameter,
                                const char *member)
{
    struct buf request = buf_in(r->arena);

    buf_printf(&request, "{\"%s\":", parameter);
    buf_add_json_string(&request, wire_text(wire_get(r->table, member)));
    return request;
}

static const char *note_part(struct settings_reading *r, const struct settings_part *part)
{
    struct buf request = begin_request(r, part->parameter, part->member);
    const wire_node *answer;
    const char *problem;

    buf_add_char(&request, '}');
    problem = read_setting(r, part->operation, buf_span(&request), part->name, &answer);
    if (!problem && answer && part->is_there(answer))
        fixtures_table_add_lack(r->lacks, part->name);
    return problem;
}

static bool add_tags(struct buf *out, const wire_node *tags)
{
    bool reserved = false;

    for (const wire_node *n = wire_first(tags); n; n = wire_next(n)) {
        if (span_starts_with(wire_text(wire_get(n, "Key")), SPAN_LIT("aws:"))) {
            reserved = true; /* AWS's own tags cannot be set */
            continue;
        }
        buf_add_char(out, out->len ? ',' : '[');
        wire_print_json(out, n);
    }
    return reserved;
}

static const char *read_tags(struct settings_reading *r, struct buf *tags)
{
    struct span token = {"", 0};
    struct cycle tokens = {0};
    bool reserved = false;

    do {
        struct buf request = begin_request(r, "ResourceArn", "TableArn");
        const wire_node *answer;
        const char *problem;

        if (token.len) {
            buf_add_text(&request, ",\"NextToken\":");
            buf_add_json_string(&request, token);
        }
        buf_add_char(&request, '}');
        if ((problem = read_setting(r, "ListTagsOfResource", buf_span(&request), "tags", &answer)))
            return problem;
        reserved |= add_tags(tags, wire_get(answer, "Tags"));
        token = wire_text(wire_get(answer, "NextToken"));
        if (token.len && cycle_closes(&tokens, token))
            return "ListTagsOfResource answers with a NextToken that it had answered with before";
    } while (token.len);
    if (tags->len)
        buf_add_char(tags, ']');
    if (reserved)
        fixtures_table_add_lack(r->lacks, "tags of AWS");
    return NULL;
}

const char *moving_scan_schema(struct arena *a, struct moving_scan *s)
{
    struct buf lacks = buf_in(a), tags = buf_in(a);
    struct settings_reading r = {a, s->client, s->described, &lacks};
    const char *problem;

    fixtures_table_lacks(&lacks, s->described);
    if ((problem = read_tags(&r, &tags)))
        return problem;
    for (size_t i = 0; i < COUNT(parts); i++)
        if ((problem = note_part(&r, &parts[i])))
            return problem;
    s->schema = fixtures_table_schema(a, s->table, s->described, s->ttl, buf_span(&tags));
    s->lacks = buf_span(&lacks);
    return NULL;
}

/* --- pages ------------------------------------------------------------------------------------ */

static struct span page_request(struct arena *a, const struct moving_scan *s)
{
    struct buf out = client_table_request_begun(a, s->table);
    double rate = s->pace && !s->counts_units ? s->pace->rate : 0;

    for (const wire_node *n = wire_first(s->query); n; n = wire_next(n)) {
        if (span_is(wire_name(n), "TableName") || span_is(wire_name(n), "ReturnConsumedCapacity"))
            continue;
        buf_add_char(&out, ',');
        buf_add_json_string(&out, wire_name(n));
        buf_add_char(&out, ':');
        wire_print_json(&out, n);
    }
    if (s->limit || rate > 0)
        buf_printf(&out, ",\"Limit\":%.0f", s->limit ? (double)s->limit : rate < 1 ? 1 : rate);
    if (s->start.len) {
        buf_add_text(&out, ",\"ExclusiveStartKey\":");
        buf_add_span(&out, buf_span(&s->start));
    }
    buf_add_text(&out, s->counts_units ? ",\"ReturnConsumedCapacity\":\"TOTAL\"}" : "}");
    return buf_span(&out);
}

/* Calls the operation at the scan's pace. */
static const char *read_page(struct moving_scan *s, struct arena *a, const char *operation,
                             struct client_answer *out)
{
    struct span request = page_request(a, s);
    const char *problem;

    if (s->counts_units)
        return client_pace_call(s->pace, s->client, a, operation, request, out);
    client_pace_wait(s->pace);
    problem = client_succeed(s->client, a, operation, request, out);
    if (!problem)
        client_pace_count(s->pace, (double)wire_count(wire_get(out->body, "Items")));
    return problem;
}

/* Returns {"RequestItems": {table: {"Keys": […]}}} with the unprocessed keys, or the next ones. */
static struct span keys_request(struct arena *a, struct moving_scan *s)
{
    struct buf out = buf_in(a);
    const char *before = ":{\"Keys\":[";

    buf_add_text(&out, "{\"RequestItems\":");
    if (s->start.len) {
        buf_add_span(&out, buf_span(&s->start));
    } else {
        buf_add_char(&out, '{');
        buf_add_json_string(&out, s->table);
        for (int64_t i = 0; i < s->limit && s->taken < s->wanted_count; i++, before = ",") {
            buf_add_text(&out, before);
            wire_print_json(&out, s->wanted[s->taken++]);
        }
        buf_add_text(&out, "]}}");
    }
    buf_add_text(&out, ",\"ReturnConsumedCapacity\":\"TOTAL\"}");
    return buf_span(&out);
}

static size_t keys_in(const wire_node *tables)
{
    return wire_count(tables) ? wire_count(wire_get(wire_first(tables), "Keys")) : 0;
}

/* Reads items by their keys. Unprocessed keys are asked for next, after longer and longer pauses
 * while none is read. */
static const char *next_keys(struct moving_scan *s, struct arena *a, const wire_node **items)
{
    const size_t before = s->taken;
    const wire_node *left, *unprocessed = NULL;
    struct client_answer answer;
    const char *problem;
    size_t asked, unread;

    if (s->start.len && !client_rest(s->client, s->idle))
        return "BatchGetItem: the endpoint leaves keys unprocessed again and again";
    if (s->start.len && wire_parse(a, arena_span(a, buf_span(&s->start)), &unprocessed))
        return "the keys that were left unprocessed are damaged";
    if ((problem = client_pace_call(s->pace, s->client, a, "BatchGetItem", keys_request(a, s),
                                    &answer)))
        return problem;
    s->page = answer.body;
    *items = wire_first(wire_get(answer.body, "Responses"));
    left = wire_get(answer.body, "UnprocessedKeys");
    asked = unprocessed ? keys_in(unprocessed) : s->taken - before;
    unread = keys_in(left);
    if (unread > asked || wire_count(*items) > asked - unread)
        return "the endpoint answers with something else";
    s->absent += asked - unread - wire_count(*items);
    s->idle = unread < asked ? 0 : s->idle + 1;
    s->start.len = 0;
    if (unread)
        wire_print_json(&s->start, left);
    s->done = !unread && s->taken == s->wanted_count;
    return NULL;
}

const char *moving_scan_next(struct moving_scan *s, struct arena *a, const wire_node **items)
{
    const char *operation = s->query ? "Query" : "Scan", *problem;
    struct client_answer answer;
    const wire_node *last;

    *items = NULL;
    if (s->done)
        return NULL;
    if (interrupt_check())
        return interrupt_check();
    if (s->wanted)
        return next_keys(s, a, items);
    if ((problem = read_page(s, a, operation, &answer)))
        return problem;
    s->page = answer.body;
    *items = wire_get(answer.body, "Items");
    if (!*items)
        return arena_printf(a, "%s's answer has no items", operation);
    last = wire_get(answer.body, "LastEvaluatedKey");
    s->start.len = 0;
    s->done = !last;
    if (last)
        wire_print_json(&s->start, last);
    return last && cycle_closes(&s->starts, buf_span(&s->start))
               ? arena_printf(a, "%s repeats a LastEvaluatedKey from before", operation)
               : NULL;
}

void moving_scan_resume(struct moving_scan *s, size_t done, struct span start)
{
    s->start.len = 0;
    buf_add_span(&s->start, start);
    s->taken = done;
    s->done |= !start.len && (s->wanted ? done == s->wanted_count : done > 0);
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
