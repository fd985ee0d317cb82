#include "moving/moving_settings.h"

#include "base/cycle.h"
#include "client/client_schema.h"
#include "wire/wire_print.h"

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
        client_schema_add_name(r->lacks, arena_printf(r->arena, "%s (if any: %.*s)", name,
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
        client_schema_add_name(r->lacks, part->name);
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
        client_schema_add_name(r->lacks, "tags of AWS");
    return NULL;
}

const char *moving_settings_read(struct arena *a, struct client *client, const wire_node *table,
                                 struct moving_settings *out)
{
    struct buf lacks = buf_in(a), tags = buf_in(a);
    struct settings_reading r = {a, client, table, &lacks};
    const char *problem;

    *out = (struct moving_settings){.tags = {"", 0}};
    client_schema_lacks(&lacks, table);
    if ((problem = read_tags(&r, &tags)))
        return problem;
    for (size_t i = 0; i < COUNT(parts); i++)
        if ((problem = note_part(&r, &parts[i])))
            return problem;
    out->tags = buf_span(&tags);
    out->lacks = buf_span(&lacks);
    return NULL;
}
