#include "ops/read/read_plan.h"
#include "ops/read/read_request.h"
#include "ops/read/read_start.h"

/* The part of the table to read; with total 1 the whole table. */
struct scan_segment {
    uint32_t number, total;
};

static const struct error *read_segment(struct call *c, struct scan_segment *out)
{
    const wire_node *number = wire_get(c->body, "Segment");
    const wire_node *total = wire_get(c->body, "TotalSegments");

    *out = (struct scan_segment){(uint32_t)wire_integer(number, 0),
                                 (uint32_t)wire_integer(total, 1)};
    if (number && !total)
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_MEMBER_PARTNER, .operand = wire_name(number),
                                      .beside = SPAN_LIT("TotalSegments")),
                            "The TotalSegments parameter is required but was not present in the "
                            "request when Segment parameter is present");
    if (total && !number)
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_MEMBER_PARTNER, .operand = wire_name(total),
                                      .beside = SPAN_LIT("Segment")),
                            "The Segment parameter is required but was not present in the request "
                            "when parameter TotalSegments is present");
    if (out->number >= out->total)
        return error_caused(c->arena, ERROR_VALIDATION,
                            ERROR_WHY(CAUSE_SEGMENT, .operand = wire_raw(number),
                                      .beside = wire_raw(total), .count = out->total - 1),
                            "The Segment parameter is zero-based and must be less than parameter "
                            "TotalSegments: Segment: %u is not less than TotalSegments: %u",
                            out->number, out->total);
    return NULL;
}

static const struct error *check_start(struct call *c, const struct table *t,
                                       const struct index *ix, const struct item *start)
{
    if (!read_start_is_complete(t, ix, start))
        return read_start_invalid(c->arena, !ix);
    if (ix && !read_start_fits(&ix->keys, start))
        return read_start_invalid(c->arena, true);
    return read_start_check(c->arena, t, ix, start);
}

static const struct error *check_start_segment(struct call *c, const struct table *t,
                                               const struct index *ix, const struct item *start,
                                               const struct scan_segment *segment)
{
    struct buf position = buf_in(c->arena);

    if (!ix)
        key_of_item(&position, t, start);
    else if (!key_of_entry(&position, t, ix, start))
        return read_start_invalid(c->arena, true);
    if (key_segment(buf_span(&position), segment->total) == segment->number)
        return NULL;
    return error_caused(c->arena, ERROR_VALIDATION, ERROR_WHY(CAUSE_START_SEGMENT),
                        "The provided starting key is invalid: Invalid ExclusiveStartKey. Please "
                        "use ExclusiveStartKey with correct Segment. TotalSegments: %u Segment: %u",
                        segment->total, segment->number);
}

const struct error *read_plan_scan(struct call *c, struct read_plan *out)
{
    struct read_request r = {.filter_name = "ScanFilter"};
    struct scan_segment segment;
    const struct table *t;
    const struct index *ix;
    const struct error *e;
    struct buf low = buf_in(c->arena), high = buf_in(c->arena);
    uint32_t space;

    if ((e = read_request_options(c, &r)) || (e = read_segment(c, &segment)) ||
        (e = read_request_select(c, &r)) || (e = read_request_expressions(c, &r)) ||
        (e = expr_check_unused(c->arena, &r.vars)) || (e = read_request_target(c, &r, &t, &ix)))
        return e;
    if (r.has_start && ((e = check_start(c, t, ix, &r.start)) ||
                        (e = check_start_segment(c, t, ix, &r.start, &segment))))
        return e;
    if ((e = read_request_check_names(c, &r, t, ix)))
        return e;
    out->key = (struct expr_key){.len = 0};
    out->page = read_request_page(c, &r, t, ix);
    space = ix ? ix->space : t->space;
    key_of_segment(&low, space, segment.number, segment.total);
    key_of_segment(&high, space, segment.number + 1, segment.total);
    out->page.range.low = buf_span(&low);
    out->page.range.high = buf_span(&high);
    if (r.has_start)
        read_start_at(c, t, ix, &r.start, &out->page.range);
    return NULL;
}

static const struct error *run_scan(struct call *c)
{
    struct read_plan plan;
    const struct error *e = read_plan_scan(c, &plan);

    return e ? e : read_page(c, &plan.page);
}

const struct op op_scan = {
    .name = "Scan",
    .form = OP_SCAN,
    .paging = &op_pages_of_items,
    .members = WIRE_MEMBERS(
        {"Select", &read_request_select_shape, 0},
        {"ReturnConsumedCapacity", &wire_return_capacity, 0},
        {"AttributesToGet", &wire_name_list, 0},
        {"TableName", &wire_data_table_name, WIRE_REQUIRED}, {"IndexName", &wire_index_name, 0},
        {"Limit", &read_request_limit_shape, 0}, {"ConsistentRead", &wire_boolean, 0},
        {"ScanFilter", &wire_condition_map, 0}, {"ConditionalOperator", &wire_logical_operator, 0},
        {"TotalSegments", WIRE_SHAPE(WIRE_INTEGER, WIRE_BOUNDS(1, LIMIT_SEGMENTS)), 0},
        {"Segment", WIRE_SHAPE(WIRE_INTEGER, WIRE_BOUNDS(0, LIMIT_SEGMENTS - 1)), 0},
        {"ExclusiveStartKey", &wire_attr_map, 0}, {"ProjectionExpression", &wire_string, 0},
        {"FilterExpression", &wire_string, 0}, {"ExpressionAttributeNames", &wire_name_map, 0},
        {"ExpressionAttributeValues", &wire_attr_map, 0}),
    .run = run_scan,
};
