#include "model/limits.h"
#include "wire/wire_shape.h"

const struct wire_member wire_no_members[] = {{NULL, NULL, 0}};

const struct wire_shape wire_string = {.type = WIRE_STRING};
const struct wire_shape wire_boolean = {.type = WIRE_BOOLEAN};
const struct wire_shape wire_any_integer = {.type = WIRE_INTEGER};
const struct wire_shape wire_any_long = {.type = WIRE_LONG};
const struct wire_shape wire_any_double = {.type = WIRE_DOUBLE};
const struct wire_shape wire_timestamp = {.type = WIRE_TIMESTAMP};
const struct wire_shape wire_positive = {.type = WIRE_LONG, WIRE_AT_LEAST(1)};

const struct wire_shape wire_data_table_name = {
    .type = WIRE_STRING,
    WIRE_BOUNDS(1, LIMIT_NAME),
    .is_name = true,
    .arn_allowed = true,
};
const struct wire_shape wire_table_name = {
    .type = WIRE_STRING,
    WIRE_BOUNDS(LIMIT_NAME_MIN, LIMIT_NAME),
    .is_name = true,
    .arn_allowed = true,
    .length_first = true,
};
const struct wire_shape wire_index_name = {
    .type = WIRE_STRING,
    WIRE_BOUNDS(LIMIT_NAME_MIN, LIMIT_NAME),
    .is_name = true,
};

const struct wire_shape wire_attr = {.type = WIRE_ATTR};
const struct wire_shape wire_attr_map = {.type = WIRE_MAP, .element = &wire_attr};
const struct wire_shape wire_attr_list = {.type = WIRE_LIST, .element = &wire_attr};

static const struct wire_shape attribute_name = {.type = WIRE_STRING,
                                                 WIRE_AT_MOST(LIMIT_ATTRIBUTE_NAME)};
const struct wire_shape wire_name_map = {.type = WIRE_MAP, .element = &attribute_name};
const struct wire_shape wire_free_name_map = {.type = WIRE_MAP, .element = &wire_string};
const struct wire_shape wire_name_list = {
    .type = WIRE_LIST, .element = &attribute_name, WIRE_BOUNDS(1, LIMIT_EXPRESSION_NAMES)};

const struct wire_shape wire_return_capacity = {.type = WIRE_STRING,
                                                .values = names_capacity_details};
const struct wire_shape wire_return_metrics = {.type = WIRE_STRING,
                                               .values = NAMES("SIZE", "NONE")};
const struct wire_shape wire_return_values = {
    .type = WIRE_STRING,
    .values = names_return_values,
    /* the service's spelling */
    .new_values = NAMES("ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATE_NEW", "NONE"),
};
const struct wire_shape wire_return_on_failure = {.type = WIRE_STRING,
                                                  .values = NAMES("ALL_OLD", "NONE")};

static const char *const joined_maps[] = {"Expected", "QueryFilter", "ScanFilter", NULL};
const struct wire_shape wire_logical_operator = {
    .type = WIRE_STRING,
    .values = names_logical_operators,
    .new_values = NAMES("ALL", "OR"), /* ALL: the service's spelling */
    .counted = joined_maps,
};

static const struct wire_shape comparison = {.type = WIRE_STRING, .values = names_comparisons};

static const struct wire_shape expected_value = WIRE_STRUCT_OF(
    "ExpectedAttributeValue", {"Value", &wire_attr, 0}, {"Exists", &wire_boolean, 0},
    {"ComparisonOperator", &comparison, 0}, {"AttributeValueList", &wire_attr_list, 0});
const struct wire_shape wire_expected = {.type = WIRE_MAP, .element = &expected_value};

static const struct wire_shape condition = WIRE_STRUCT_OF(
    "Condition", {"AttributeValueList", &wire_attr_list, 0},
    {"ComparisonOperator", &comparison, WIRE_REQUIRED});
const struct wire_shape wire_condition_map = {.type = WIRE_MAP, .element = &condition};

static const struct wire_shape update = WIRE_STRUCT_OF(
    "AttributeValueUpdate", {"Value", &wire_attr, 0},
    {"Action", WIRE_SHAPE(WIRE_STRING, .values = names_update_actions), 0});
const struct wire_shape wire_attr_updates = {.type = WIRE_MAP, .element = &update};
