/* op_tag.c: tags of tables: DynamoDB's operations on one table, and the tagging API, which works on
 * many resources at once.
 *
 * Source: docs/behaviour/tables.md, "Tags"; docs/behaviour/neighbours.md. */
#include "base/base64.h"
#include "ops/table/table_check.h"
#include "ops/table/table_resource.h"
#include "ops/table/table_shapes.h"
#include "ops/table/table_state.h"

/* Only tables have tags. The service accepts the ARN of a stream, which has no tags. */
static const struct error *find_table(struct call *c, const struct table **out)
{
    struct span text = wire_text(wire_get(c->body, "ResourceArn"));
    struct arn arn = {0};
    const struct table *t = NULL;
    const struct error *e;

    if ((e = table_resource_read(c, c->op->access == OP_READS, &arn)) ||
        (e = table_state_look_up(c, arn.table, &t)))
        return e;
    if (!t || t->status == STATUS_CREATING || arn.rest.len)
        return error_caused(
            c->arena, ERROR_RESOURCE_NOT_FOUND,
            ERROR_WHY(arn.rest.len ? CAUSE_NO_STREAM : CAUSE_NO_TABLE, .operand = arn.table),
            "Requested resource not found: ResourceArn: %.*s not found", SPAN_ARG(text));
    *out = t;
    return t->status == STATUS_DELETING && c->op->access == OP_WRITES
               ? table_state_being_deleted(c, t->name)
               : NULL;
}

/* Adds the tags of the list to t; equal keys get the new value. */
static void merge_tags(struct table *t, const struct tag_list *list)
{
    struct tag *tags = arena_array(t->arena, t->tag_count + list->len, sizeof *tags);

    if (t->tag_count)
        memcpy(tags, t->tags, t->tag_count * sizeof *tags);
    t->tags = tags;
    for (size_t i = 0; i < list->len; i++) {
        size_t at = 0;

        while (at < t->tag_count && !span_equal(tags[at].key, list->at[i].key))
            at++;
        tags[at] = (struct tag){arena_span(t->arena, list->at[i].key),
                                arena_span(t->arena, list->at[i].value)};
        t->tag_count += at == t->tag_count;
    }
}

static void remove_tags(struct table *t, const wire_node *keys)
{
    size_t kept = 0;

    for (size_t i = 0; i < t->tag_count; i++)
        if (!wire_has_text(keys, t->tags[i].key))
            t->tags[kept++] = t->tags[i];
    t->tag_count = kept;
}

static void put_tags(struct wire_writer *w, const struct table *t)
{
    wire_open_member(w, "Tags", '[');
    for (size_t i = 0; i < t->tag_count; i++) {
        wire_open(w, '{');
        wire_put_member_text(w, "Key", t->tags[i].key);
        wire_put_member_text(w, "Value", t->tags[i].value);
        wire_close(w, '}');
    }
    wire_close(w, ']');
}

/* All tags fit on one page, so a NextToken is accepted and ignored. */
static const struct error *list_tags(struct call *c)
{
    const struct table *t = NULL;
    const struct error *e = find_table(c, &t);

    if (!e)
        put_tags(&c->reply, t);
    return e;
}

static const struct op_paging paging = {"NextToken", "NextToken", NULL, {"Tags"}, NULL};

const struct op op_list_tags_of_resource = {
    .name = "ListTagsOfResource",
    .paging = &paging,
    .members = WIRE_MEMBERS({"ResourceArn", &table_resource_shape, 0},
                            {"NextToken", &wire_string, 0}),
    .precheck = table_resource_required,
    .run = list_tags,
};

static const struct error *tag_resource(struct call *c)
{
    struct tag_list tags = table_spec_tags(c->arena, wire_get(c->body, "Tags"));
    const struct table *old;
    struct table *t = NULL;
    const struct error *e;

    if (!tags.len)
        return error_validation(c->arena, "Atleast one Tag needs to be provided as Input.");
    if ((e = table_check_tags(c->arena, &tags)) || (e = find_table(c, &old)))
        return e;
    t = schema_copy(c->arena, old);
    merge_tags(t, &tags);
    if ((e = table_check_tag_set(c->arena, t->tags, t->tag_count)))
        return e;
    c->no_body = true;
    return table_state_keep(c, t);
}

const struct op op_tag_resource = {
    .name = "TagResource",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS({"ResourceArn", &table_resource_shape, 0},
                            {"Tags", &table_shapes_tags, WIRE_REQUIRED}),
    .precheck = table_resource_required,
    .run = tag_resource,
};

static const struct error *check_keys(struct call *c, const wire_node *keys)
{
    const struct error *e = NULL;

    if (!wire_count(keys))
        return error_validation(c->arena, "Atleast one Tag Key needs to be provided as Input.");
    for (const wire_node *n = wire_first(keys); n && !e; n = wire_next(n))
        e = table_check_tag_key(c->arena, wire_text(n));
    return e ? e : table_check_tag_count(c->arena, wire_count(keys));
}

static const struct error *untag_resource(struct call *c)
{
    const wire_node *keys = wire_get(c->body, "TagKeys");
    const struct table *old;
    struct table *t = NULL;
    const struct error *e;

    if ((e = check_keys(c, keys)) || (e = find_table(c, &old)))
        return e;
    t = schema_copy(c->arena, old);
    remove_tags(t, keys);
    c->no_body = true;
    return table_state_keep(c, t);
}

const struct op op_untag_resource = {
    .name = "UntagResource",
    .access = OP_WRITES,
    .members = WIRE_MEMBERS(
        {"ResourceArn", &table_resource_shape, 0},
        {"TagKeys", WIRE_SHAPE(WIRE_LIST, .element = &wire_string), WIRE_REQUIRED}),
    .precheck = table_resource_required,
    .run = untag_resource,
};

/* --- the tagging API -------------------------------------------------------------------------- */

static const struct wire_shape arns_shape = {
    .type = WIRE_LIST, .element = &wire_string, WIRE_BOUNDS(1, LIMIT_TAGGED)};

/* Changes the tags of a copy of a table. */
typedef const struct error *tag_change(struct call *c, struct table *t, const void *with);

/* Finds the table that an ARN names; NULL if there is no such table. */
static const struct error *find_tagged(struct call *c, struct span text, const struct table **out)
{
    struct arn arn;

    *out = NULL;
    if (!table_arn_parse(text, &arn) || !span_is(arn.service, "dynamodb") ||
        !span_equal(arn.region, op_region(c)) || !span_equal(arn.account, c->settings->account) ||
        arn.rest.len || !arn.table.len)
        return NULL;
    return table_state_look_up(c, arn.table, out);
}

static void put_failure(struct wire_writer *w, struct span arn, const char *code, struct span text)
{
    wire_key_span(w, arn);
    wire_open(w, '{');
    wire_put_member_integer(w, "StatusCode", 400);
    wire_put_member_word(w, "ErrorCode", code);
    wire_put_member_text(w, "ErrorMessage", text);
    wire_close(w, '}');
}

static const struct error *apply_to(struct call *c, const struct table *old, tag_change *change,
                                    const void *with, const struct error **wrong)
{
    struct table *t = schema_copy(c->arena, old);

    if ((*wrong = change(c, t, with)))
        return NULL;
    return table_state_keep(c, t);
}

/* Calls change for each listed table, and writes FailedResourcesMap with the errors. */
static const struct error *apply_to_list(struct call *c, tag_change *change, const void *with)
{
    const wire_node *n = wire_first(wire_get(c->body, "ResourceARNList"));

    wire_open_member(&c->reply, "FailedResourcesMap", '{');
    for (; n; n = wire_next(n)) {
        const struct error *e, *wrong = NULL;
        const struct table *t;

        if ((e = find_tagged(c, wire_text(n), &t)) ||
            (t && (e = apply_to(c, t, change, with, &wrong))))
            return e;
        if (!t)
            put_failure(&c->reply, wire_text(n), "InvalidParameterException",
                        SPAN_LIT("There is no table of that ARN"));
        else if (wrong)
            put_failure(&c->reply, wire_text(n), "InvalidParameterException", wrong->message);
    }
    wire_close(&c->reply, '}');
    return NULL;
}

static const struct error *change_merged(struct call *c, struct table *t, const void *tags)
{
    merge_tags(t, tags);
    return table_check_tag_set(c->arena, t->tags, t->tag_count);
}

static const struct error *tag_resources(struct call *c)
{
    const wire_node *map = wire_get(c->body, "Tags");
    struct tag_list tags = {.at = arena_array(c->arena, wire_count(map), sizeof *tags.at)};
    const struct error *e;

    for (const wire_node *n = wire_first(map); n; n = wire_next(n))
        tags.at[tags.len++] = (struct tag){wire_name(n), wire_text(n)};
    if ((e = table_check_tags(c->arena, &tags)))
        return e;
    return apply_to_list(c, change_merged, &tags);
}

const struct op op_tag_resources = {
    .name = "TagResources",
    .service = OP_TAGGING,
    .access = OP_WRITES,
    .members = WIRE_MEMBERS(
        {"ResourceARNList", &arns_shape, WIRE_REQUIRED},
        {"Tags", WIRE_SHAPE(WIRE_MAP, .element = &wire_string, WIRE_BOUNDS(1, LIMIT_TAGS)),
         WIRE_REQUIRED}),
    .run = tag_resources,
};

static const struct error *drop_keys(struct call *c, struct table *t, const void *keys)
{
    arena_charge(c->arena, t->tag_count);
    remove_tags(t, keys);
    return NULL;
}

static const struct error *untag_resources(struct call *c)
{
    return apply_to_list(c, drop_keys, wire_get(c->body, "TagKeys"));
}

const struct op op_untag_resources = {
    .name = "UntagResources",
    .service = OP_TAGGING,
    .access = OP_WRITES,
    .members = WIRE_MEMBERS(
        {"ResourceARNList", &arns_shape, WIRE_REQUIRED},
        {"TagKeys", WIRE_SHAPE(WIRE_LIST, .element = &wire_string, WIRE_BOUNDS(1, LIMIT_TAGS)),
         WIRE_REQUIRED}),
    .run = untag_resources,
};

static const struct wire_shape filter_values = {
    .type = WIRE_LIST,
    WIRE_AT_MOST(LIMIT_FILTER_VALUES),
    .element = WIRE_SHAPE(WIRE_STRING, WIRE_AT_MOST(LIMIT_TAG_VALUE))};
static const struct wire_shape filter = WIRE_STRUCT_OF(
    "TagFilter", {"Key", WIRE_SHAPE(WIRE_STRING, WIRE_BOUNDS(1, LIMIT_TAG_KEY)), 0},
    {"Values", &filter_values, 0});

#define STEPS_PER_ELEMENT 2 /* of a list that is searched for each table */

static bool has_text(struct call *c, const wire_node *list, struct span text)
{
    for (const wire_node *n = wire_first(list); n; n = wire_next(n)) {
        arena_charge(c->arena, STEPS_PER_ELEMENT);
        if (span_equal(wire_text(n), text))
            return true;
    }
    return false;
}

static bool is_of_type(struct call *c, const wire_node *types)
{
    return !wire_count(types) || has_text(c, types, SPAN_LIT("dynamodb")) ||
           has_text(c, types, SPAN_LIT("dynamodb:table"));
}

/* Whether the table has a tag with the filter's key and one of its values, if it has values. */
static bool has_tag(struct call *c, const struct table *t, const wire_node *f)
{
    struct span key = wire_text(wire_get(f, "Key"));
    const wire_node *values = wire_get(f, "Values");

    arena_charge(c->arena, t->tag_count);
    for (size_t i = 0; i < t->tag_count; i++)
        if (span_equal(t->tags[i].key, key))
            return !wire_count(values) || has_text(c, values, t->tags[i].value);
    return false;
}

/* The tagging API ignores resources without tags. Without a tag policy all others are compliant. */
static bool is_shown(struct call *c, const struct table *t, struct span arn)
{
    const wire_node *arns = wire_get(c->body, "ResourceARNList");
    const wire_node *f = wire_first(wire_get(c->body, "TagFilters"));

    if (!t->tag_count || t->status == STATUS_DELETING ||
        wire_bool(wire_get(c->body, "ExcludeCompliantResources"), false) ||
        !is_of_type(c, wire_get(c->body, "ResourceTypeFilters")) ||
        (wire_count(arns) && !has_text(c, arns, arn)))
        return false;
    while (f && has_tag(c, t, f))
        f = wire_next(f);
    return !f;
}

static void put_table(struct call *c, const struct table *t, struct span arn)
{
    struct wire_writer *w = &c->reply;

    wire_open(w, '{');
    wire_put_member_text(w, "ResourceARN", arn);
    put_tags(w, t);
    if (wire_bool(wire_get(c->body, "IncludeComplianceDetails"), false)) {
        wire_open_member(w, "ComplianceDetails", '{');
        wire_put_member_bool(w, "ComplianceStatus", true);
        wire_close(w, '}');
    }
    wire_close(w, '}');
}

/* Reads the token, the name of the previous page's last table. */
static const struct error *read_token(struct call *c, struct span *after)
{
    struct span text = wire_text(wire_get(c->body, "PaginationToken"));

    *after = (struct span){"", 0};
    if (!text.len || base64_decode(c->arena, text, after))
        return NULL;
    return error_validation(c->arena, "Invalid PaginationToken: %.*s", SPAN_ARG(text));
}

static void put_token(struct call *c, struct span last)
{
    struct buf token = buf_in(c->arena);

    base64_encode(&token, last);
    wire_put_member_text(&c->reply, "PaginationToken", buf_span(&token));
}

static const struct error *check_compliance(struct call *c)
{
    if (!wire_bool(wire_get(c->body, "ExcludeCompliantResources"), false) ||
        wire_bool(wire_get(c->body, "IncludeComplianceDetails"), false))
        return NULL;
    return error_validation(c->arena, "ExcludeCompliantResources can be true only where "
                                      "IncludeComplianceDetails is true, too");
}

static const struct error *get_resources(struct call *c)
{
    int64_t room = wire_integer(wire_get(c->body, "ResourcesPerPage"), LIMIT_TAGGED_PAGE);
    int64_t tags = wire_integer(wire_get(c->body, "TagsPerPage"), INT64_MAX);
    struct span name, last = {"", 0};
    const struct table *t = NULL;
    const struct error *e;
    bool full = false;

    if ((e = check_compliance(c)) || (e = read_token(c, &name)))
        return e;
    wire_open_member(&c->reply, "ResourceTagMappingList", '[');
    while (!(e = table_state_next(c, name, &t)) && t) {
        struct span arn = table_arn(c, t->name, "", (struct span){"", 0});

        name = arena_span(c->arena, t->name);
        if (!is_shown(c, t, arn))
            continue;
        tags -= (int64_t)t->tag_count;
        if ((full = room-- == 0 || tags < 0))
            break;
        put_table(c, t, arn);
        last = name;
    }
    wire_close(&c->reply, ']');
    put_token(c, full ? last : (struct span){"", 0});
    return e;
}

const struct op op_get_resources = {
    .name = "GetResources",
    .service = OP_TAGGING,
    .members = WIRE_MEMBERS(
        {"PaginationToken", &wire_string, 0},
        {"TagFilters", WIRE_SHAPE(WIRE_LIST, WIRE_AT_MOST(LIMIT_TAG_FILTERS), .element = &filter),
         0},
        {"ResourcesPerPage", WIRE_SHAPE(WIRE_INTEGER, WIRE_BOUNDS(1, LIMIT_TAGGED_PAGE)), 0},
        {"TagsPerPage",
         WIRE_SHAPE(WIRE_INTEGER, WIRE_BOUNDS(LIMIT_TAGS_PAGE_MIN, LIMIT_TAGS_PAGE_MAX)), 0},
        {"ResourceTypeFilters",
         WIRE_SHAPE(WIRE_LIST,
                    .element = WIRE_SHAPE(WIRE_STRING, WIRE_AT_MOST(LIMIT_RESOURCE_TYPE))),
         0},
        {"IncludeComplianceDetails", &wire_boolean, 0},
        {"ExcludeCompliantResources", &wire_boolean, 0},
        {"ResourceARNList",
         WIRE_SHAPE(WIRE_LIST, WIRE_BOUNDS(1, LIMIT_TAGGED_ARNS),
                    .element = WIRE_SHAPE(WIRE_STRING, WIRE_BOUNDS(1, LIMIT_TAGGED_ARN))),
         0}),
    .run = get_resources,
};
