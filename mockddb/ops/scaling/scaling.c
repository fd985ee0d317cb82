#include "ops/scaling/scaling.h"

#include "base/base64.h"
#include "base/utf8.h"
#include "ops/table/table_check.h"
#include "ops/table/table_state.h"
#include "wire/json.h"

/* Key: space, resource (after its region, see schema_id), NUL, dimension, NUL, name of the policy
 * or scheduled action. Body: its description as JSON. */

static bool is_printable(struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] < ' ' || text.at[i] > '~')
            return false;
    return text.len > 0;
}

/* Whether a text has no control characters except line ends and tabs. */
static bool is_text(struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.at[i] < ' ' && !span_has(SPAN_LIT("\r\n\t"), text.at[i]))
            return false;
    return true;
}

const struct wire_shape scaling_policy_name = {.type = WIRE_STRING,
                                               WIRE_BOUNDS(1, LIMIT_POLICY_NAME),
                                               .pattern = "\\p{Print}+",
                                               .keeps = is_printable};
const struct wire_shape scaling_id = {
    .type = WIRE_STRING,
    WIRE_BOUNDS(1, LIMIT_SCALING_ID),
    .pattern = "[\\u0020-\\uD7FF\\uE000-\\uFFFD\\uD800\\uDC00-\\uDBFF\\uDFFF\\r\\n\\t]*",
    .keeps = is_text};
const struct wire_shape scaling_ids = {
    .type = WIRE_LIST, WIRE_AT_MOST(LIMIT_SCALING_PAGE), .element = &scaling_id};
const struct wire_shape scaling_tag_key = {.type = WIRE_STRING, WIRE_BOUNDS(1, LIMIT_TAG_KEY)};
const struct wire_shape scaling_tags = {
    .type = WIRE_MAP,
    .key = &scaling_tag_key,
    .element = WIRE_SHAPE(WIRE_STRING, WIRE_BOUNDS(0, LIMIT_TAG_VALUE))};

static const char *const namespaces[] = {
    "ecs",         "elasticmapreduce", "ec2",        "appstream", "dynamodb",  "rds",
    "sagemaker",   "custom-resource",  "comprehend", "lambda",    "cassandra", "kafka",
    "elasticache", "neptune",          "workspaces", NULL};
const struct wire_shape scaling_namespace = {.type = WIRE_STRING, .values = namespaces};

static const char *const all_dimensions[] = {
    "ecs:service:DesiredCount",
    "ec2:spot-fleet-request:TargetCapacity",
    "elasticmapreduce:instancegroup:InstanceCount",
    "appstream:fleet:DesiredCapacity",
    "dynamodb:table:ReadCapacityUnits",
    "dynamodb:table:WriteCapacityUnits",
    "dynamodb:index:ReadCapacityUnits",
    "dynamodb:index:WriteCapacityUnits",
    "rds:cluster:ReadReplicaCount",
    "sagemaker:variant:DesiredInstanceCount",
    "custom-resource:ResourceType:Property",
    "comprehend:document-classifier-endpoint:DesiredInferenceUnits",
    "comprehend:entity-recognizer-endpoint:DesiredInferenceUnits",
    "lambda:function:ProvisionedConcurrency",
    "cassandra:table:ReadCapacityUnits",
    "cassandra:table:WriteCapacityUnits",
    "kafka:broker-storage:VolumeSize",
    "elasticache:cache-cluster:Nodes",
    "elasticache:replication-group:NodeGroups",
    "elasticache:replication-group:Replicas",
    "neptune:cluster:ReadReplicaCount",
    "sagemaker:variant:DesiredProvisionedConcurrency",
    "sagemaker:inference-component:DesiredCopyCount",
    "workspaces:workspacespool:DesiredUserSessions",
    NULL};
const struct wire_shape scaling_dimension = {.type = WIRE_STRING, .values = all_dimensions};

/* --- targets of requests ---------------------------------------------------------------------- */

/* Splits "table/T" or "table/T/index/X" into T and X. */
static bool parse_resource(struct span resource, struct span *table, struct span *index)
{
    static const struct span before = SPAN_LIT_INIT("table/"), between = SPAN_LIT_INIT("index/");
    const char *slash;

    *index = (struct span){"", 0};
    if (!span_starts_with(resource, before))
        return false;
    *table = span_from(resource, before.len);
    slash = span_find(*table, '/');
    if (slash) {
        size_t len = (size_t)(slash - table->at);

        *index = span_from(*table, len + 1);
        table->len = len;
        if (!span_starts_with(*index, between))
            return false;
        *index = span_from(*index, between.len);
    }
    return names_match_pattern(*table) && (!slash || names_match_pattern(*index));
}

const struct error *scaling_read(struct call *c, struct scaling_target *out)
{
    struct span table, index;
    bool of_index;

    out->resource = wire_text(wire_get(c->body, "ResourceId"));
    out->dimension = wire_text(wire_get(c->body, "ScalableDimension"));
    of_index = span_starts_with(out->dimension, SPAN_LIT("dynamodb:index:"));
    if (span_is(wire_text(wire_get(c->body, "ServiceNamespace")), "dynamodb") &&
        span_starts_with(out->dimension, SPAN_LIT("dynamodb:")) &&
        parse_resource(out->resource, &table, &index) && of_index == (index.len != 0))
        return NULL;
    return error_caused(c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_SCALED),
                        "Unsupported service namespace, resource type or scalable dimension");
}

const struct error *scaling_check_exists(struct call *c, const struct scaling_target *target)
{
    struct span table, index;
    const struct index *ix = NULL;
    const struct table *t;
    const struct error *e;

    if (!parse_resource(target->resource, &table, &index))
        table = (struct span){"", 0};
    if ((e = table_state_look_up(c, table, &t)))
        return e;
    if (!t)
        return error_caused(c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_NO_TABLE, .operand = table),
                            "DynamoDB table does not exist: table/%.*s", SPAN_ARG(table));
    if (index.len)
        ix = schema_find_index(t, index);
    if (index.len && !(ix && schema_kind(ix) == KIND_GLOBAL))
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_NO_INDEX, .operand = index, .beside = table),
                            "DynamoDB index does not exist: %.*s", SPAN_ARG(target->resource));
    return NULL;
}

const struct error *scaling_not_found(struct call *c, const struct scaling_target *t,
                                      const char *what)
{
    return error_new(c->arena, ERROR_OBJECT_NOT_FOUND,
                     "No %s for service namespace: dynamodb, resource ID: %.*s, scalable "
                     "dimension: %.*s",
                     what, SPAN_ARG(t->resource), SPAN_ARG(t->dimension));
}

/* --- entries ---------------------------------------------------------------------------------- */

static const struct {
    uint32_t space;
    const char *what, *name;  /* in messages, its name in requests */
    const char *names, *list; /* in requests and answers that list them */
} parts[] = {
    [SCALING_TARGETS] = {KEY_SPACE_SCALING, "scalable target", NULL, NULL, "ScalableTargets"},
    [SCALING_POLICIES] = {KEY_SPACE_SCALING, "scaling policy", "PolicyName", "PolicyNames",
                          "ScalingPolicies"},
    [SCALING_ACTIONS] = {KEY_SPACE_SCHEDULES, "scheduled action", "ScheduledActionName",
                         "ScheduledActionNames", "ScheduledActions"},
};

/* The kind of entries that the operation lists or deletes. */
static enum scaling_part part_of(const struct op *op)
{
    enum scaling_part part = SCALING_ACTIONS;

    while (part && !op_takes(op, parts[part].name) && !op_takes(op, parts[part].names))
        part--;
    return part;
}

static struct span key_of(struct call *c, const struct scaling_entry *entry)
{
    struct buf key = buf_in(c->arena);

    key_of_space(&key, parts[entry->part].space);
    buf_add_span(&key, schema_id(c->arena, c->region, entry->target.resource));
    buf_add_char(&key, '\0');
    buf_add_span(&key, entry->target.dimension);
    buf_add_char(&key, '\0');
    buf_add_span(&key, entry->name);
    return buf_span(&key);
}

static struct span cut_part(struct span *from)
{
    const char *end = span_find(*from, '\0');
    struct span part = {from->at, end ? (size_t)(end - from->at) : from->len};

    *from = span_from(*from, part.len + (end != NULL));
    return part;
}

static struct scaling_entry read_entry(const struct store_row *row)
{
    struct span rest = span_from(row->key, KEY_SPACE_LEN);
    struct scaling_entry e = {.region = {"", 0}};
    const char *mark;

    e.target.resource = cut_part(&rest);
    e.target.dimension = cut_part(&rest);
    mark = span_find(e.target.resource, SCHEMA_ID_MARK);
    if (mark) {
        e.region = (struct span){e.target.resource.at, (size_t)(mark - e.target.resource.at)};
        e.target.resource = span_from(e.target.resource, e.region.len + 1);
    }
    e.name = rest;
    e.part = rest.len ? SCALING_POLICIES : SCALING_TARGETS;
    if (span_big_endian((struct span){row->key.at, KEY_SPACE_LEN}) == KEY_SPACE_SCHEDULES)
        e.part = SCALING_ACTIONS;
    e.json = row->body;
    return e;
}

bool scaling_entry_is_sound(struct arena *a, const struct store_row *row)
{
    const struct scaling_entry e = read_entry(row);
    struct span table, index;
    const wire_node *json;

    return parse_resource(e.target.resource, &table, &index) &&
           (!e.region.len || names_match_pattern(e.region)) &&
           names_find(all_dimensions, e.target.dimension, -1) >= 0 && utf8_valid(e.name) &&
           !wire_parse(a, e.json, &json) && json_kind(json) == JSON_OBJECT;
}

const struct error *scaling_get(struct call *c, const struct scaling_entry *entry,
                                const wire_node **json)
{
    struct store_row row;
    const struct error *e = unit_get(c->unit, key_of(c, entry), &row);

    *json = NULL;
    return e || !row.found ? e : wire_parse(c->arena, arena_span(c->arena, row.body), json);
}

const struct error *scaling_put(struct call *c, const struct scaling_entry *entry, struct span json)
{
    struct store_row row;
    const struct error *e = unit_get(c->unit, key_of(c, entry), &row);

    return e ? e : unit_put(c->unit, &row, json.len, json);
}

/* --- listing ---------------------------------------------------------------------------------- */

const struct error *scaling_find_arn(struct call *c, struct span arn, struct scaling_entry *entry,
                                     const wire_node **json)
{
    struct cursor *cursor = cursor_open(c->unit,
                                        cursor_range(c->arena, parts[SCALING_TARGETS].space));
    struct store_row row;
    const struct error *e;

    *json = NULL;
    while (!*json && !(e = cursor_next(cursor, &row)) && row.found) {
        const wire_node *target;

        row.key = arena_span(c->arena, row.key);
        *entry = read_entry(&row);
        if (entry->part != SCALING_TARGETS || !span_equal(entry->region, c->region))
            continue;
        if ((e = wire_parse(c->arena, arena_span(c->arena, entry->json), &target)))
            break;
        if (span_equal(wire_text(wire_get(target, "ScalableTargetARN")), arn))
            *json = target;
    }
    cursor_close(cursor);
    return e;
}

const struct error *scaling_covers(struct call *c, struct span table, struct span index,
                                   bool *covered)
{
    const char *dimension = index.len ? "dynamodb:index:WriteCapacityUnits"
                                      : "dynamodb:table:WriteCapacityUnits";
    struct scaling_entry target = {.target.dimension = span_of(dimension)};
    const struct error *e;
    const wire_node *json;

    target.target.resource = span_of(arena_printf(c->arena, "table/%.*s%s%.*s", SPAN_ARG(table),
                                                  index.len ? "/index/" : "", SPAN_ARG(index)));
    if (!(e = scaling_get(c, &target, &json)))
        *covered = json != NULL;
    return e;
}

/* A request for a page of a list. */
struct scaling_page {
    struct span region;
    bool ours; /* the namespace is dynamodb; others have no entries */
    enum scaling_part part;
    const wire_node *resources, *names; /* lists of texts; NULL: all */
    struct span resource, dimension;    /* empty: all */
    int64_t room;
};

static bool is_in_list(const wire_node *list, struct span text)
{
    return !list || wire_has_text(list, text);
}

static bool is_listed(const struct scaling_page *p, const struct scaling_entry *e)
{
    return p->ours && span_equal(p->region, e->region) && p->part == e->part &&
           is_in_list(p->resources, e->target.resource) && is_in_list(p->names, e->name) &&
           (!p->resource.len || span_equal(p->resource, e->target.resource)) &&
           (!p->dimension.len || span_equal(p->dimension, e->target.dimension));
}

const struct error *scaling_wrong_token(struct call *c)
{
    return error_new(c->arena, ERROR_NEXT_TOKEN, "Invalid next token");
}

void scaling_put_described(struct wire_writer *w, const wire_node *target)
{
    for (const wire_node *n = wire_first(target); n; n = wire_next(n))
        if (!span_is(wire_name(n), "Tags")) {
            wire_key_span(w, wire_name(n));
            wire_put_raw(w, wire_raw(n));
        }
}

static const struct error *put_entry(struct call *c, const struct scaling_entry *entry)
{
    const wire_node *target;
    const struct error *e;

    if (entry->part != SCALING_TARGETS) {
        wire_put_raw(&c->reply, entry->json);
        return NULL;
    }
    if ((e = wire_parse(c->arena, arena_span(c->arena, entry->json), &target)))
        return e;
    wire_open(&c->reply, '{');
    scaling_put_described(&c->reply, target);
    wire_close(&c->reply, '}');
    return NULL;
}

static const struct error *put_page(struct call *c, struct scaling_page *p, struct cursor *cursor)
{
    struct span last = {NULL, 0};
    struct store_row row;
    const struct error *e;

    while (!(e = cursor_next(cursor, &row)) && row.found) {
        struct scaling_entry entry = read_entry(&row);

        if (!is_listed(p, &entry))
            continue;
        if (p->room-- == 0)
            break;
        last = arena_span(c->arena, row.key);
        if ((e = put_entry(c, &entry)))
            return e;
    }
    wire_close(&c->reply, ']');
    if (!e && row.found) {
        struct buf token = buf_in(c->arena);

        base64_encode(&token, last);
        wire_put_member_text(&c->reply, "NextToken", buf_span(&token));
    }
    return e;
}

const struct error *scaling_list(struct call *c)
{
    enum scaling_part part = part_of(c->op);
    struct span token = wire_text(wire_get(c->body, "NextToken")), after = {NULL, 0};
    struct buf space = buf_in(c->arena);
    struct scaling_page page = {.region = c->region, .part = part};
    struct cursor *cursor;
    const struct error *e;

    key_of_space(&space, parts[part].space);
    if (token.at &&
        (!base64_decode(c->arena, token, &after) || !span_starts_with(after, buf_span(&space))))
        return scaling_wrong_token(c);
    page.ours = span_is(wire_text(wire_get(c->body, "ServiceNamespace")), "dynamodb");
    page.resources = wire_get(c->body, "ResourceIds");
    page.names = page.part ? wire_get(c->body, parts[page.part].names) : NULL;
    page.resource = wire_text(wire_get(c->body, "ResourceId"));
    page.dimension = wire_text(wire_get(c->body, "ScalableDimension"));
    page.room = wire_integer(wire_get(c->body, "MaxResults"), LIMIT_SCALING_PAGE);
    if (page.room < 1 || page.room > LIMIT_SCALING_PAGE)
        page.room = LIMIT_SCALING_PAGE;
    cursor = cursor_open(c->unit, cursor_range_behind(c->arena, parts[part].space, after));
    wire_open_member(&c->reply, parts[part].list, '[');
    e = put_page(c, &page, cursor);
    cursor_close(cursor);
    return e;
}

/* --- policies and actions of a target --------------------------------------------------------- */

static struct cursor *open_parts(struct call *c, const struct scaling_target *t,
                                 enum scaling_part part, bool keys_only)
{
    struct buf low = buf_in(c->arena), high = buf_in(c->arena);

    buf_add_span(&low, key_of(c, &(struct scaling_entry){.part = part, .target = *t}));
    buf_add_span(&high, buf_span(&low));
    buf_add_char(&low, '\1');
    (void)key_next(&high);
    return cursor_open(c->unit, (struct store_range){.low = buf_span(&low),
                                                     .high = buf_span(&high),
                                                     .keys_only = keys_only});
}

static const struct error *metric_of(struct call *c, struct span json, struct span *metric)
{
    const wire_node *policy, *tracking;
    const struct error *e = wire_parse(c->arena, arena_span(c->arena, json), &policy);

    if (e)
        return e;
    tracking = wire_get(policy, "TargetTrackingScalingPolicyConfiguration");
    *metric = wire_text(
        wire_get(wire_get(tracking, "PredefinedMetricSpecification"), "PredefinedMetricType"));
    return NULL;
}

const struct error *scaling_follows(struct call *c, const struct scaling_target *t,
                                    struct span policy, struct span metric, bool *follows)
{
    struct cursor *cursor = open_parts(c, t, SCALING_POLICIES, false);
    struct store_row row;
    const struct error *e;

    *follows = false;
    while (!*follows && !(e = cursor_next(cursor, &row)) && row.found) {
        struct span its;

        if (span_equal(read_entry(&row).name, policy))
            continue;
        if ((e = metric_of(c, row.body, &its)))
            break;
        *follows = span_equal(its, metric);
    }
    cursor_close(cursor);
    return e;
}

static const struct error *delete_at(struct call *c, struct span key, bool *found)
{
    struct store_row row;
    const struct error *e = unit_get(c->unit, key, &row);

    *found = !e && row.found;
    return *found ? unit_delete(c->unit, &row) : e;
}

/* Finds the target's first policy or action; row->found is false if it has none. */
static const struct error *first_part(struct call *c, const struct scaling_target *t,
                                      enum scaling_part part, struct store_row *row)
{
    struct cursor *cursor = open_parts(c, t, part, true);
    const struct error *e = cursor_next(cursor, row);

    if (!e && row->found)
        row->key = arena_span(c->arena, row->key);
    cursor_close(cursor);
    return e;
}

static const struct error *delete_parts(struct call *c, const struct scaling_target *t,
                                        enum scaling_part part)
{
    const struct error *e = NULL;
    struct store_row row;
    bool gone;

    while (!e && !(e = first_part(c, t, part, &row)) && row.found)
        e = delete_at(c, row.key, &gone);
    return e;
}

const struct error *scaling_delete(struct call *c)
{
    enum scaling_part part = part_of(c->op);
    struct span name = part ? wire_text(wire_get(c->body, parts[part].name)) : SPAN_LIT("");
    struct scaling_entry entry = {.part = part, .name = name};
    const struct error *e;
    bool found;

    if ((e = scaling_read(c, &entry.target)) || (e = delete_at(c, key_of(c, &entry), &found)))
        return e;
    if (!found)
        return scaling_not_found(c, &entry.target,
                                 arena_printf(c->arena, "%s%s%.*s found", parts[part].what,
                                              name.len ? " named " : "", SPAN_ARG(name)));
    if (part != SCALING_TARGETS)
        return NULL;
    e = delete_parts(c, &entry.target, SCALING_POLICIES);
    return e ? e : delete_parts(c, &entry.target, SCALING_ACTIONS);
}

/* --- capacities ------------------------------------------------------------------------------- */

const struct error *scaling_check_capacities(struct call *c, const wire_node *least,
                                             const wire_node *most)
{
    if (wire_integer(least, 0) < 0 || wire_integer(most, 0) < 0)
        return error_validation(c->arena, "%s capacity cannot be negative",
                                wire_integer(least, 0) < 0 ? "Minimum" : "Maximum");
    if (!least || !most || wire_integer(least, 0) <= wire_integer(most, 0))
        return NULL;
    return error_validation(c->arena, "Maximum capacity cannot be less than minimum capacity");
}

/* --- tags ------------------------------------------------------------------------------------- */

const struct error *scaling_check_tags(struct call *c, const wire_node *tags)
{
    for (const wire_node *n = wire_first(tags); n; n = wire_next(n))
        if (table_check_is_reserved_tag(wire_name(n)))
            return error_validation(c->arena, "Tag keys that begin with aws: are reserved: %.*s",
                                    SPAN_ARG(wire_name(n)));
    return NULL;
}
