#include "base/ascii.h"
#include "base/one_more.h"
#include "ops/op.h"
#include "templates/template_core.h"
#include "wire/wire_reply.h"

/* The requests of a table while they are written. */
struct table_writing {
    struct template *template;
    struct template_scope *scope;
    const struct template_table *table;
    const struct template_node *properties;
    struct span name;
    const struct wire_member *members; /* of CreateTable */
    struct wire_writer create;
    struct fixture_table *out;
};

/* --- values by shape -------------------------------------------------------------------------- */

/* Members with another name in requests; without one they become requests of their own. */
static const struct {
    const char *structure, *from, *to;
} renamed[] = {
    {"SSESpecification", "SSEEnabled", "Enabled"},
    {"GlobalSecondaryIndex", "ContributorInsightsSpecification", NULL},
};

static const struct wire_member *find_member(const struct wire_shape *shape, struct span name,
                                             bool *is_elsewhere)
{
    *is_elsewhere = false;
    for (size_t i = 0; shape->name && i < COUNT(renamed); i++)
        if (strcmp(shape->name, renamed[i].structure) == 0 && span_is(name, renamed[i].from)) {
            *is_elsewhere = !renamed[i].to;
            name = renamed[i].to ? span_of(renamed[i].to) : name;
        }
    for (const struct wire_member *m = shape->members; m->name; m++)
        if (span_is(name, m->name))
            return m;
    return NULL;
}

static const struct problem *put_value(struct table_writing *w, struct wire_writer *to,
                                       const struct wire_shape *shape,
                                       const struct template_node *value);

static const struct problem *put_members(struct table_writing *w, struct wire_writer *to,
                                         const struct wire_shape *shape,
                                         const struct template_node *map)
{
    const struct problem *p = NULL;

    for (size_t i = 0; i < map->count && !p; i++) {
        const struct template_node *value;
        bool is_elsewhere;
        const struct wire_member *m = find_member(shape, map->members[i].name, &is_elsewhere);

        if (is_elsewhere)
            continue;
        if (!m)
            return template_node_misnamed(w->scope->arena, &map->members[i],
                                          "%s has no property %.*s", shape->name,
                                          SPAN_ARG(map->members[i].name));
        if ((p = template_value(w->scope, map->members[i].value, &value)) || !value)
            continue;
        wire_key(to, m->name);
        p = put_value(w, to, m->shape, value);
    }
    return p;
}

static const struct problem *put_elements(struct table_writing *w, struct wire_writer *to,
                                          const struct wire_shape *shape,
                                          const struct template_node *list)
{
    const struct problem *p = NULL;

    for (size_t i = 0; i < list->count && !p; i++) {
        const struct template_node *value;

        if (!(p = template_value(w->scope, list->members[i].value, &value)) && value)
            p = put_value(w, to, shape, value);
    }
    return p;
}

static bool read_boolean(const struct template_node *n, bool *out)
{
    static const char *const words[] = {"true", "True", "TRUE", "yes",   "Yes",   "YES",
                                        "on",   "On",   "ON",   "false", "False", "FALSE",
                                        "no",   "No",   "NO",   "off",   "Off",   "OFF"};

    for (size_t i = 0; i < COUNT(words); i++)
        if (span_is(n->text, words[i])) {
            *out = i < COUNT(words) / 2;
            return true;
        }
    return false;
}

static bool is_integer(struct span text)
{
    size_t i = text.len && text.at[0] == '-';

    if (i == text.len || text.len > 18)
        return false;
    for (; i < text.len; i++)
        if (!ascii_is_digit(text.at[i]))
            return false;
    return true;
}

static int64_t integer_of(struct span text)
{
    const bool negative = text.at[0] == '-';
    int64_t value = 0;

    for (size_t i = negative; i < text.len; i++)
        value = 10 * value + (text.at[i] - '0');
    return negative ? -value : value;
}

/* A scalar as the member's type has it: templates may write numbers and booleans as strings, and
 * the reverse. Returns what was expected, or NULL. */
static const char *put_scalar(struct wire_writer *to, enum wire_type type,
                              const struct template_node *n)
{
    bool flag;

    switch (type) {
    case WIRE_STRING:
        wire_put_text(to, n->text);
        return NULL;
    case WIRE_BOOLEAN:
        if (!read_boolean(n, &flag))
            return "true or false";
        wire_put_bool(to, flag);
        return NULL;
    case WIRE_INTEGER:
    case WIRE_LONG:
        if (!is_integer(n->text))
            return "a whole number";
        wire_put_integer(to, integer_of(n->text));
        return NULL;
    default:
        return type == WIRE_LIST ? "a list" : "an object";
    }
}

static const struct problem *put_value(struct table_writing *w, struct wire_writer *to,
                                       const struct wire_shape *shape,
                                       const struct template_node *value)
{
    const struct problem *p = NULL;
    const char *expected = shape->type == WIRE_LIST     ? "a list"
                           : shape->type == WIRE_STRUCT ? "an object"
                                                        : "a string or number";

    if (shape->type == WIRE_LIST && value->kind == TEMPLATE_LIST) {
        wire_open(to, '[');
        p = put_elements(w, to, shape->element, value);
        wire_close(to, ']');
        return p;
    }
    if (shape->type == WIRE_STRUCT && value->kind == TEMPLATE_MAP) {
        wire_open(to, '{');
        p = put_members(w, to, shape, value);
        wire_close(to, '}');
        return p;
    }
    if (value->kind == TEMPLATE_SCALAR)
        expected = put_scalar(to, shape->type, value);
    return expected ? template_node_problem(
                          w->scope->arena, value, "%s is expected here, not %s", expected,
                          value->kind == TEMPLATE_SCALAR
                              ? arena_printf(w->scope->arena, "\"%.*s\"", SPAN_ARG(value->text))
                              : template_node_kind(value))
                    : NULL;
}

/* Any value as JSON, for policies. */
static const struct problem *put_json(struct table_writing *w, struct wire_writer *to,
                                      const struct template_node *n)
{
    const struct problem *p = NULL;

    if (n->kind == TEMPLATE_SCALAR) {
        if (n->quoted || !is_integer(n->text))
            wire_put_text(to, n->text);
        else
            wire_put_raw(to, n->text);
        return NULL;
    }
    wire_open(to, n->kind == TEMPLATE_LIST ? '[' : '{');
    for (size_t i = 0; i < n->count && !p; i++) {
        const struct template_node *value;

        if ((p = template_value(w->scope, n->members[i].value, &value)) || !value)
            continue;
        if (n->kind == TEMPLATE_MAP)
            wire_key_span(to, n->members[i].name);
        p = put_json(w, to, value);
    }
    wire_close(to, n->kind == TEMPLATE_LIST ? ']' : '}');
    return p;
}

/* --- requests that follow CreateTable --------------------------------------------------------- */

struct table_request {
    struct buf body;
    struct wire_writer json;
    const char *operation;
};

static void begin_request(struct table_writing *w, struct table_request *r, const char *operation)
{
    r->operation = operation;
    r->body = buf_in(w->scope->arena);
    r->json = (struct wire_writer){&r->body, false};
    wire_open(&r->json, '{');
    wire_put_member_text(&r->json, "TableName", w->name);
}

static void end_request(struct table_writing *w, struct table_request *r)
{
    struct fixture_table *out = w->out;

    wire_close(&r->json, '}');
    out->after = one_more(w->scope->arena, out->after, out->after_count, sizeof *out->after);
    out->after[out->after_count++] = (struct fixture_request){r->operation, buf_span(&r->body)};
}

/* The shape of an operation's member. */
static const struct wire_shape *shape_of(struct table_writing *w, const char *operation,
                                         const char *member)
{
    const struct wire_member *m = op_members(w->scope->arena,
                                             op_find(OP_DYNAMODB, span_of(operation)));

    while (strcmp(m->name, member) != 0)
        m++;
    return m->shape;
}

/* A boolean member of a specification; AWS::NoValue is false. */
static const struct problem *read_flag(struct table_writing *w, const struct template_node *spec,
                                       const char *member, bool *out)
{
    const struct template_node *n = template_node_get(spec, member), *value;
    const struct problem *p;

    *out = false;
    if (!n)
        return template_node_problem(w->scope->arena, spec, "it has no %s", member);
    if ((p = template_value(w->scope, n, &value)) || !value)
        return p;
    if (value->kind != TEMPLATE_SCALAR || !read_boolean(value, out))
        return template_node_problem(w->scope->arena, value, "%s is true or false", member);
    return NULL;
}

/* --- properties ------------------------------------------------------------------------------- */

struct table_property;
typedef const struct problem *put_property(struct table_writing *w,
                                           const struct table_property *property,
                                           const struct template_node *value);

struct table_property {
    const char *name;
    put_property *put;     /* NULL: handled elsewhere */
    const char *operation; /* of a request with the property as its member */
    const char *flag;      /* without this member or if it is false, there is no request */
    bool may_be_unknown;   /* a value that only a deployment knows leaves it out */
};

static const struct problem *put_created(struct table_writing *w,
                                         const struct table_property *property,
                                         const struct template_node *value)
{
    wire_key(&w->create, property->name);
    return put_value(w, &w->create, shape_of(w, "CreateTable", property->name), value);
}

/* The request's member has the property's name and form. */
static const struct problem *put_after(struct table_writing *w,
                                       const struct table_property *property,
                                       const struct template_node *value)
{
    struct table_request r;
    const struct problem *p;
    bool is_on;

    if ((p = read_flag(w, value, property->flag, &is_on)) || !is_on)
        return p;
    begin_request(w, &r, property->operation);
    wire_key(&r.json, property->name);
    p = put_value(w, &r.json, shape_of(w, property->operation, property->name), value);
    end_request(w, &r);
    return p;
}

/* In a template the specification alone enables the stream. */
static const struct problem *put_stream(struct table_writing *w,
                                        const struct table_property *property,
                                        const struct template_node *value)
{
    struct arena *a = w->scope->arena;
    struct template_node *copy = template_node_new(a, TEMPLATE_MAP, value);

    if (value->kind != TEMPLATE_MAP)
        return put_created(w, property, value);
    if (!template_node_get(value, "StreamEnabled"))
        template_node_add(a, copy, "StreamEnabled",
                          template_node_new_text(a, SPAN_LIT("true"), value));
    for (size_t i = 0; i < value->count; i++) {
        const struct template_member *m = &value->members[i];

        if (span_is(m->name, "ResourcePolicy")) {
            template_note(w->template, w->table->id,
                          template_node_misnamed(a, m, "the stream's ResourcePolicy is left out"));
            continue;
        }
        copy->members = one_more(a, copy->members, copy->count, sizeof *copy->members);
        copy->members[copy->count++] = *m;
    }
    return put_created(w, property, copy);
}

static const struct problem *put_policy(struct table_writing *w,
                                        const struct table_property *property,
                                        const struct template_node *value)
{
    const struct template_node *document = template_node_get(value, "PolicyDocument");
    struct buf text = buf_in(w->scope->arena);
    struct wire_writer json = {&text, false};
    const struct problem *p;

    if (!document)
        return template_node_problem(w->scope->arena, value, "it has no PolicyDocument");
    if ((p = template_value(w->scope, document, &document)))
        return p;
    if (!document)
        return NULL;
    if (document->kind == TEMPLATE_SCALAR)
        buf_add_span(&text, document->text);
    else if ((p = put_json(w, &json, document)))
        return p;
    wire_put_member_text(&w->create, property->name, buf_span(&text));
    return NULL;
}

static const struct problem *put_kinesis(struct table_writing *w,
                                         const struct table_property *property,
                                         const struct template_node *value)
{
    const struct template_node *stream = template_node_get(value, "StreamArn");
    const struct template_node *precision = template_node_get(
        value, "ApproximateCreationDateTimePrecision");
    const struct problem *p;
    struct table_request r;
    struct span text;

    if (!stream)
        return template_node_problem(w->scope->arena, value, "it has no StreamArn");
    begin_request(w, &r, property->operation);
    if ((p = template_value_text(w->scope, stream, &text)))
        return p;
    wire_put_member_text(&r.json, "StreamArn", text);
    if (precision && !(p = template_value_text(w->scope, precision, &text))) {
        wire_open_member(&r.json, "EnableKinesisStreamingConfiguration", '{');
        wire_put_member_text(&r.json, "ApproximateCreationDateTimePrecision", text);
        wire_close(&r.json, '}');
    }
    if (!p)
        end_request(w, &r);
    return p;
}

/* For the table, or for an index. */
static const struct problem *enable_insights(struct table_writing *w,
                                             const struct template_node *value, struct span index)
{
    const struct template_node *mode;
    const struct problem *p;
    struct table_request r;
    struct span text;
    bool is_on;

    if ((p = template_value(w->scope, value, &value)) || !value ||
        (p = read_flag(w, value, "Enabled", &is_on)) || !is_on)
        return p;
    begin_request(w, &r, "UpdateContributorInsights");
    if (index.len)
        wire_put_member_text(&r.json, "IndexName", index);
    wire_put_member_word(&r.json, "ContributorInsightsAction", "ENABLE");
    if ((mode = template_node_get(value, "Mode"))) {
        if ((p = template_value_text(w->scope, mode, &text)))
            return p;
        wire_put_member_text(&r.json, "ContributorInsightsMode", text);
    }
    end_request(w, &r);
    return NULL;
}

static const struct problem *put_insights(struct table_writing *w,
                                          const struct table_property *property,
                                          const struct template_node *value)
{
    const struct template_node *index = template_node_get(value, "IndexName");
    struct span name = {"", 0};
    const struct problem *p = index ? template_value_text(w->scope, index, &name) : NULL;

    (void)property;
    return p ? p : enable_insights(w, value, name);
}

static const struct problem *put_indexes(struct table_writing *w,
                                         const struct table_property *property,
                                         const struct template_node *value)
{
    const struct problem *p = put_created(w, property, value);

    for (size_t i = 0; i < value->count && !p; i++) {
        const struct template_node *index, *insights;
        struct span name;

        if ((p = template_value(w->scope, value->members[i].value, &index)) || !index ||
            !(insights = template_node_get(index, "ContributorInsightsSpecification")))
            continue;
        if (!(p = template_value_text(w->scope, template_node_get(index, "IndexName"), &name)))
            p = enable_insights(w, insights, name);
    }
    return p;
}

/* {"Create": replica}. */
static const struct problem *put_replica(struct table_writing *w, struct wire_writer *to,
                                         const struct template_node *replica)
{
    const struct wire_member *m = shape_of(w, "UpdateTable", "ReplicaUpdates")->element->members;
    const struct problem *p;

    while (strcmp(m->name, "Create") != 0)
        m++;
    wire_open(to, '{');
    wire_key(to, m->name);
    p = put_value(w, to, m->shape, replica);
    wire_close(to, '}');
    return p;
}

static const struct problem *put_witnesses(struct table_writing *w, struct wire_writer *to,
                                           const struct template_node *list)
{
    const struct problem *p = NULL;
    struct span region;

    wire_open_member(to, "GlobalTableWitnessUpdates", '[');
    for (size_t i = 0; list && i < list->count && !p; i++) {
        const struct template_node *name = template_node_get(list->members[i].value, "Region");

        if (!name)
            return template_node_problem(w->scope->arena, list->members[i].value,
                                         "a witness has a Region");
        p = template_value_text(w->scope, name, &region);
        wire_open(to, '{');
        wire_open_member(to, "Create", '{');
        wire_put_member_text(to, "RegionName", p ? (struct span){"", 0} : region);
        wire_close(to, '}');
        wire_close(to, '}');
    }
    wire_close(to, ']');
    return p;
}

static const struct problem *put_left_out(struct table_writing *w,
                                          const struct table_property *property,
                                          const struct template_node *value)
{
    (void)property;
    return template_node_unknown(w->scope->arena, value, "it is not read here");
}

/* One request for each replica, as the service wants it; with strong consistency one for all. */
static const struct problem *put_replicas(struct table_writing *w,
                                          const struct table_property *property,
                                          const struct template_node *value)
{
    const struct template_node *of = w->properties;
    const struct template_node *consistency = template_node_get(of, "MultiRegionConsistency");
    const struct template_node *witnesses = template_node_get(of, "GlobalTableWitnesses");
    struct span word = {"", 0};
    const struct problem *p = consistency ? template_value_text(w->scope, consistency, &word)
                                          : NULL;
    const bool at_once = span_is(word, "STRONG");
    struct table_request r;

    for (size_t i = 0; i < value->count && !p; i++) {
        if (!i || !at_once) {
            begin_request(w, &r, property->operation);
            if (at_once)
                wire_put_member_text(&r.json, "MultiRegionConsistency", word);
            wire_open_member(&r.json, property->name, '[');
        }
        p = put_replica(w, &r.json, value->members[i].value);
        if (!p && i + 1 < value->count && at_once)
            continue;
        wire_close(&r.json, ']');
        if (!p && at_once && witnesses && !(p = template_value(w->scope, witnesses, &witnesses)))
            p = put_witnesses(w, &r.json, witnesses);
        end_request(w, &r);
    }
    return p;
}

/* The name of an ordinary member is also that of its request's. */
static const struct table_property properties[] = {
    {"TableName", NULL, NULL, NULL, false},
    {"AttributeDefinitions", put_created, NULL, NULL, false},
    {"KeySchema", put_created, NULL, NULL, false},
    {"BillingMode", put_created, NULL, NULL, false},
    {"ProvisionedThroughput", put_created, NULL, NULL, false},
    {"OnDemandThroughput", put_created, NULL, NULL, false},
    {"WarmThroughput", put_created, NULL, NULL, false},
    {"LocalSecondaryIndexes", put_created, NULL, NULL, false},
    {"GlobalSecondaryIndexes", put_indexes, NULL, NULL, false},
    {"VectorIndexes", put_created, NULL, NULL, false},
    {"TableClass", put_created, NULL, NULL, false},
    {"DeletionProtectionEnabled", put_created, NULL, NULL, false},
    {"StreamSpecification", put_stream, NULL, NULL, false},
    {"SSESpecification", put_created, NULL, NULL, true},
    {"Tags", put_created, NULL, NULL, true},
    {"ResourcePolicy", put_policy, NULL, NULL, true},
    {"TimeToLiveSpecification", put_after, "UpdateTimeToLive", "Enabled", false},
    {"PointInTimeRecoverySpecification", put_after, "UpdateContinuousBackups",
     "PointInTimeRecoveryEnabled", false},
    {"KinesisStreamSpecification", put_kinesis, "EnableKinesisStreamingDestination", NULL, true},
    {"ContributorInsightsSpecification", put_insights, NULL, NULL, false},
    {"ImportSourceSpecification", put_left_out, NULL, NULL, true},
    {"ReplicaUpdates", put_replicas, "UpdateTable", NULL, false},
    {"MultiRegionConsistency", NULL, NULL, NULL, false},
    {"GlobalTableWitnesses", NULL, NULL, NULL, false},
};

/* A value that only a deployment knows leaves an optional property out, which is noted. */
static const struct problem *put_known(struct table_writing *w, const struct template_member *m,
                                       const struct table_property *property)
{
    const size_t len = w->create.out->len;
    const bool comma = w->create.comma;
    const struct template_node *value;
    const struct problem *p = template_value(w->scope, m->value, &value);
    struct problem *note;

    if (!p && value)
        p = property->put(w, property, value);
    if (!p || p->kind != PROBLEM_MISSING || !property->may_be_unknown)
        return p;
    w->create.out->len = len;
    w->create.comma = comma;
    note = arena_alloc(w->scope->arena, sizeof *note);
    *note = *p;
    note->text = arena_printf(w->scope->arena, "%s is left out: %s", property->name, p->text);
    template_note(w->template, w->table->id, note);
    return NULL;
}

/* Replicas come last: a table that has them cannot be deleted if a request is refused. */
static const struct problem *put_properties(struct table_writing *w, bool replicas)
{
    const struct template_node *map = w->properties;
    const struct problem *p = NULL;

    for (size_t i = 0; i < map->count && !p; i++) {
        const struct template_member *m = &map->members[i];
        const struct table_property *row = properties;

        while (row < properties + COUNT(properties) && !span_is(m->name, row->name))
            row++;
        if (row == properties + COUNT(properties))
            return template_node_misnamed(w->scope->arena, m, "a table has no property %.*s",
                                          SPAN_ARG(m->name));
        if (row->put && (row->put == put_replicas) == replicas)
            p = put_known(w, m, row);
    }
    return p;
}

const struct problem *template_requests(struct template *t, size_t number, struct span full_name,
                                        struct fixture_table *out)
{
    const struct template_table *table = &t->tables[number];
    struct buf create = buf_in(t->arena);
    struct table_writing w = {.template = t,
                              .scope = &t->scope,
                              .table = table,
                              .name = full_name,
                              .create = {&create, false},
                              .out = out};
    const struct problem *p = table->form(t, table, &w.properties);

    if (!table->is_named && !t->is_unnamed_noted) {
        t->is_unnamed_noted = true;
        template_note(t, table->id,
                      template_node_problem(t->arena, table->at,
                                            "it has no TableName: tables without one are called "
                                            "like their resources"));
    }
    *out = (struct fixture_table){.full_name = full_name};
    wire_open(&w.create, '{');
    wire_put_member_text(&w.create, "TableName", full_name);
    if (!p && !(p = put_properties(&w, false)))
        p = put_properties(&w, true);
    wire_close(&w.create, '}');
    out->create_table = buf_span(&create);
    return problem_in(t->arena, problem_within(t->arena, p, "%.*s", SPAN_ARG(table->id)), t->file);
}
