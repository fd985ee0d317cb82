#include "ops/table/table_shapes.h"

#include "model/schema.h"

#include <stddef.h>

static const struct wire_shape index_name = {.type = WIRE_STRING,
                                             WIRE_BOUNDS(LIMIT_NAME_MIN, LIMIT_NAME),
                                             .is_name = true,
                                             .length_first = true};
static const struct wire_shape any_long = {.type = WIRE_LONG};

const struct wire_shape table_shapes_attribute_name = {.type = WIRE_STRING,
                                                       WIRE_BOUNDS(1, LIMIT_KEY_NAME)};
const struct wire_shape table_shapes_billing_mode = {.type = WIRE_STRING,
                                                     .values = names_billing_modes};
const struct wire_shape table_shapes_replication_mode = {
    .type = WIRE_STRING, .values = &names_replication_modes[REPLICATION_ENABLED]};

static const struct wire_shape definition = WIRE_STRUCT_OF(
    "AttributeDefinition",
    {"AttributeType", WIRE_SHAPE(WIRE_STRING, .values = NAMES("B", "N", "S")), WIRE_REQUIRED},
    {"AttributeName", &table_shapes_attribute_name, WIRE_REQUIRED});
const struct wire_shape table_shapes_definitions = {
    .type = WIRE_LIST, .element = &definition, .optional_with = "GlobalTableSourceArn"};

static const struct wire_shape key_element = WIRE_STRUCT_OF(
    "KeySchemaElement", {"AttributeName", &table_shapes_attribute_name, WIRE_REQUIRED},
    {"KeyType", WIRE_SHAPE(WIRE_STRING, .values = names_key_kinds), WIRE_REQUIRED});
const struct wire_shape table_shapes_key_schema = {.type = WIRE_LIST,
                                                   .element = &key_element,
                                                   WIRE_BOUNDS(1, 2),
                                                   .optional_with = "GlobalTableSourceArn"};

static const struct wire_shape projection = WIRE_STRUCT_OF(
    "Projection", {"ProjectionType", WIRE_SHAPE(WIRE_STRING, .values = names_projections), 0},
    {"NonKeyAttributes",
     WIRE_SHAPE(WIRE_LIST, .element = &table_shapes_attribute_name, WIRE_BOUNDS(1, LIMIT_INCLUDE)),
     0});

const struct wire_shape table_shapes_throughput = WIRE_STRUCT_OF(
    "ProvisionedThroughput", {"WriteCapacityUnits", &wire_positive, WIRE_REQUIRED},
    {"ReadCapacityUnits", &wire_positive, WIRE_REQUIRED});

const struct wire_shape table_shapes_on_demand = WIRE_STRUCT_OF(
    "OnDemandThroughput", {"MaxReadRequestUnits", &any_long, 0},
    {"MaxWriteRequestUnits", &any_long, 0});

const struct wire_shape table_shapes_warm = WIRE_STRUCT_OF(
    "WarmThroughput", {"ReadUnitsPerSecond", &any_long, 0}, {"WriteUnitsPerSecond", &any_long, 0});

static const struct wire_shape local_index = WIRE_STRUCT_OF(
    "LocalSecondaryIndex", {"IndexName", &index_name, WIRE_REQUIRED},
    {"KeySchema", WIRE_SHAPE(WIRE_LIST, .element = &key_element, WIRE_BOUNDS(1, 2)), WIRE_REQUIRED},
    {"Projection", &projection, WIRE_REQUIRED});
const struct wire_shape table_shapes_locals = {.type = WIRE_LIST, .element = &local_index};

/* GlobalSecondaryIndexUpdates[].Create has the same members. */
static const struct wire_member global_members[] = {
    {"IndexName", &index_name, WIRE_REQUIRED},
    {"KeySchema", WIRE_SHAPE(WIRE_LIST, .element = &key_element, WIRE_AT_LEAST(1)), WIRE_REQUIRED},
    {"Projection", &projection, WIRE_REQUIRED},
    {"ProvisionedThroughput", &table_shapes_throughput, 0},
    {"OnDemandThroughput", &table_shapes_on_demand, 0},
    {"WarmThroughput", &table_shapes_warm, 0},
    {NULL, NULL, 0},
};
const struct wire_shape table_shapes_globals = {
    .type = WIRE_LIST, .element = WIRE_STRUCT("GlobalSecondaryIndex", global_members)};

static const struct wire_member delete_members[] = {
    {"IndexName", &index_name, WIRE_REQUIRED},
    {NULL, NULL, 0},
};
static const struct wire_shape update_action = WIRE_STRUCT_OF(
    "UpdateGlobalSecondaryIndexAction", {"IndexName", &index_name, WIRE_REQUIRED},
    {"ProvisionedThroughput", &table_shapes_throughput, 0},
    {"OnDemandThroughput", &table_shapes_on_demand, 0}, {"WarmThroughput", &table_shapes_warm, 0});
static const struct wire_shape index_change = WIRE_STRUCT_OF(
    "GlobalSecondaryIndexUpdate", {"Update", &update_action, 0},
    {"Create", WIRE_STRUCT("CreateGlobalSecondaryIndexAction", global_members), 0},
    {"Delete", WIRE_STRUCT("DeleteGlobalSecondaryIndexAction", delete_members), 0});
const struct wire_shape table_shapes_index_changes = {.type = WIRE_LIST, .element = &index_change};

static const struct wire_shape vector_attribute = WIRE_STRUCT_OF(
    "VectorAttribute", {"AttributeName", &table_shapes_attribute_name, WIRE_REQUIRED});
static const struct wire_shape search_element = WIRE_STRUCT_OF(
    "SearchSchemaElement", {"AttributeName", &table_shapes_attribute_name, WIRE_REQUIRED},
    {"SearchSchemaElementType", WIRE_SHAPE(WIRE_STRING, .values = names_search_kinds),
     WIRE_REQUIRED});

/* VectorIndexUpdates[].Create has the same members. */
static const struct wire_member vector_members[] = {
    {"IndexName", &index_name, WIRE_REQUIRED},
    {"VectorAttribute", &vector_attribute, WIRE_REQUIRED},
    {"Projection", &projection, WIRE_REQUIRED},
    {"Dimensions", &wire_positive, WIRE_REQUIRED},
    {"DistanceFunction", WIRE_SHAPE(WIRE_STRING, .values = names_distances), WIRE_REQUIRED},
    {"SearchSchema", WIRE_SHAPE(WIRE_LIST, .element = &search_element, WIRE_AT_LEAST(1)), 0},
    {NULL, NULL, 0},
};
const struct wire_shape table_shapes_vectors = {
    .type = WIRE_LIST, .element = WIRE_STRUCT("VectorIndex", vector_members)};

static const struct wire_shape vector_change = WIRE_STRUCT_OF(
    "VectorIndexUpdate", {"Create", WIRE_STRUCT("CreateVectorIndexAction", vector_members), 0},
    {"Delete", WIRE_STRUCT("DeleteVectorIndexAction", delete_members), 0});
const struct wire_shape table_shapes_vector_changes = {.type = WIRE_LIST,
                                                       .element = &vector_change};

const struct wire_shape table_shapes_stream = WIRE_STRUCT_OF(
    "StreamSpecification", {"StreamEnabled", &wire_boolean, WIRE_REQUIRED},
    {"StreamViewType", WIRE_SHAPE(WIRE_STRING, .values = names_views), 0});

const struct wire_shape table_shapes_sse = WIRE_STRUCT_OF(
    "SSESpecification", {"Enabled", &wire_boolean, 0},
    {"SSEType", WIRE_SHAPE(WIRE_STRING, .values = names_sse_types), 0},
    {"KMSMasterKeyId", WIRE_SHAPE(WIRE_STRING, WIRE_AT_LEAST(1)), 0});

/* The operations check keys and values and have their own messages. */
static const struct wire_shape tag = WIRE_STRUCT_OF("Tag", {"Key", &wire_string, 0},
                                                    {"Value", &wire_string, 0});
const struct wire_shape table_shapes_tags = {.type = WIRE_LIST, .element = &tag};
