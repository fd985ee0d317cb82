#include "ops/table/table_shapes.h"

#include "model/limits.h"
#include "model/names.h"
#include "model/schema.h"

#include <stddef.h>

static const struct wire_shape index_name = {.type = WIRE_STRING,
                                             WIRE_BOUNDS(LIMIT_NAME_MIN, LIMIT_NAME),
                                             .is_name = true,
                                             .length_first = true};
static const struct wire_shape any_long = {.type = WIRE_LONG};
static const struct wire_shape positive = {.type = WIRE_LONG, WIRE_AT_LEAST(1)};
static const struct wire_shape key_type = {.type = WIRE_STRING, .values = names_key_kinds};
static const struct wire_shape attribute_type = {.type = WIRE_STRING,
                                                 .values = NAMES("B", "N", "S")};
static const struct wire_shape projection_type = {.type = WIRE_STRING, .values = names_projections};
static const struct wire_shape view_type = {.type = WIRE_STRING, .values = names_views};
static const struct wire_shape key_id = {.type = WIRE_STRING, WIRE_AT_LEAST(1)};
static const struct wire_shape sse_type = {.type = WIRE_STRING, .values = names_sse_types};

const struct wire_shape table_shapes_attribute_name = {.type = WIRE_STRING,
                                                       WIRE_BOUNDS(1, LIMIT_KEY_NAME)};
const struct wire_shape table_shapes_billing_mode = {.type = WIRE_STRING,
                                                     .values = names_billing_modes};
const struct wire_shape table_shapes_replication_mode = {
    .type = WIRE_STRING, .values = &names_replication_modes[REPLICATION_ENABLED]};

static const struct wire_member definition_members[] = {
    {"AttributeType", &attribute_type, WIRE_REQUIRED},
    {"AttributeName", &table_shapes_attribute_name, WIRE_REQUIRED},
    {NULL, NULL, 0},
};
static const struct wire_shape definition = WIRE_STRUCT_OF("AttributeDefinition",
                                                           definition_members);
const struct wire_shape table_shapes_definitions = {
    .type = WIRE_LIST, .element = &definition, .optional_with = "GlobalTableSourceArn"};

static const struct wire_member key_members[] = {
    {"AttributeName", &table_shapes_attribute_name, WIRE_REQUIRED},
    {"KeyType", &key_type, WIRE_REQUIRED},
    {NULL, NULL, 0},
};
static const struct wire_shape key_element = WIRE_STRUCT_OF("KeySchemaElement", key_members);
static const struct wire_shape local_key_schema = {
    .type = WIRE_LIST, .element = &key_element, WIRE_BOUNDS(1, 2)};
const struct wire_shape table_shapes_key_schema = {.type = WIRE_LIST,
                                                   .element = &key_element,
                                                   WIRE_BOUNDS(1, 2),
                                                   .optional_with = "GlobalTableSourceArn"};
static const struct wire_shape global_key_schema = {
    .type = WIRE_LIST, .element = &key_element, WIRE_AT_LEAST(1)};

static const struct wire_shape include_names = {
    .type = WIRE_LIST, .element = &table_shapes_attribute_name, WIRE_BOUNDS(1, LIMIT_INCLUDE)};
static const struct wire_member projection_members[] = {
    {"ProjectionType", &projection_type, 0},
    {"NonKeyAttributes", &include_names, 0},
    {NULL, NULL, 0},
};
static const struct wire_shape projection = WIRE_STRUCT_OF("Projection", projection_members);

static const struct wire_member throughput_members[] = {
    {"WriteCapacityUnits", &positive, WIRE_REQUIRED},
    {"ReadCapacityUnits", &positive, WIRE_REQUIRED},
    {NULL, NULL, 0},
};
const struct wire_shape table_shapes_throughput = WIRE_STRUCT_OF("ProvisionedThroughput",
                                                                 throughput_members);

static const struct wire_member on_demand_members[] = {
    {"MaxReadRequestUnits", &any_long, 0},
    {"MaxWriteRequestUnits", &any_long, 0},
    {NULL, NULL, 0},
};
const struct wire_shape table_shapes_on_demand = WIRE_STRUCT_OF("OnDemandThroughput",
                                                                on_demand_members);

static const struct wire_member warm_members[] = {
    {"ReadUnitsPerSecond", &any_long, 0},
    {"WriteUnitsPerSecond", &any_long, 0},
    {NULL, NULL, 0},
};
const struct wire_shape table_shapes_warm = WIRE_STRUCT_OF("WarmThroughput", warm_members);

static const struct wire_member local_members[] = {
    {"IndexName", &index_name, WIRE_REQUIRED},
    {"KeySchema", &local_key_schema, WIRE_REQUIRED},
    {"Projection", &projection, WIRE_REQUIRED},
    {NULL, NULL, 0},
};
static const struct wire_shape local_index = WIRE_STRUCT_OF("LocalSecondaryIndex", local_members);
const struct wire_shape table_shapes_locals = {.type = WIRE_LIST, .element = &local_index};

/* GlobalSecondaryIndexUpdates[].Create has the same members. */
static const struct wire_member global_members[] = {
    {"IndexName", &index_name, WIRE_REQUIRED},
    {"KeySchema", &global_key_schema, WIRE_REQUIRED},
    {"Projection", &projection, WIRE_REQUIRED},
    {"ProvisionedThroughput", &table_shapes_throughput, 0},
    {"OnDemandThroughput", &table_shapes_on_demand, 0},
    {"WarmThroughput", &table_shapes_warm, 0},
    {NULL, NULL, 0},
};
static const struct wire_shape global_index = WIRE_STRUCT_OF("GlobalSecondaryIndex",
                                                             global_members);
const struct wire_shape table_shapes_globals = {.type = WIRE_LIST, .element = &global_index};

static const struct wire_member update_members[] = {
    {"IndexName", &index_name, WIRE_REQUIRED},
    {"ProvisionedThroughput", &table_shapes_throughput, 0},
    {"OnDemandThroughput", &table_shapes_on_demand, 0},
    {"WarmThroughput", &table_shapes_warm, 0},
    {NULL, NULL, 0},
};
static const struct wire_member delete_members[] = {
    {"IndexName", &index_name, WIRE_REQUIRED},
    {NULL, NULL, 0},
};
static const struct wire_shape update_action = WIRE_STRUCT_OF("UpdateGlobalSecondaryIndexAction",
                                                              update_members);
static const struct wire_shape create_action = WIRE_STRUCT_OF("CreateGlobalSecondaryIndexAction",
                                                              global_members);
static const struct wire_shape delete_action = WIRE_STRUCT_OF("DeleteGlobalSecondaryIndexAction",
                                                              delete_members);
static const struct wire_member index_change_members[] = {
    {"Update", &update_action, 0},
    {"Create", &create_action, 0},
    {"Delete", &delete_action, 0},
    {NULL, NULL, 0},
};
static const struct wire_shape index_change = WIRE_STRUCT_OF("GlobalSecondaryIndexUpdate",
                                                             index_change_members);
const struct wire_shape table_shapes_index_changes = {.type = WIRE_LIST, .element = &index_change};

static const struct wire_shape distance = {.type = WIRE_STRING, .values = names_distances};
static const struct wire_shape search_kind = {.type = WIRE_STRING, .values = names_search_kinds};
static const struct wire_member vector_attribute_members[] = {
    {"AttributeName", &table_shapes_attribute_name, WIRE_REQUIRED},
    {NULL, NULL, 0},
};
static const struct wire_shape vector_attribute = WIRE_STRUCT_OF("VectorAttribute",
                                                                 vector_attribute_members);
static const struct wire_member search_members[] = {
    {"AttributeName", &table_shapes_attribute_name, WIRE_REQUIRED},
    {"SearchSchemaElementType", &search_kind, WIRE_REQUIRED},
    {NULL, NULL, 0},
};
static const struct wire_shape search_element = WIRE_STRUCT_OF("SearchSchemaElement",
                                                               search_members);
static const struct wire_shape search_schema = {
    .type = WIRE_LIST, .element = &search_element, WIRE_AT_LEAST(1)};

/* VectorIndexUpdates[].Create has the same members. */
static const struct wire_member vector_members[] = {
    {"IndexName", &index_name, WIRE_REQUIRED},
    {"VectorAttribute", &vector_attribute, WIRE_REQUIRED},
    {"Projection", &projection, WIRE_REQUIRED},
    {"Dimensions", &positive, WIRE_REQUIRED},
    {"DistanceFunction", &distance, WIRE_REQUIRED},
    {"SearchSchema", &search_schema, 0},
    {NULL, NULL, 0},
};
static const struct wire_shape vector_index = WIRE_STRUCT_OF("VectorIndex", vector_members);
const struct wire_shape table_shapes_vectors = {.type = WIRE_LIST, .element = &vector_index};

static const struct wire_shape create_vector = WIRE_STRUCT_OF("CreateVectorIndexAction",
                                                              vector_members);
static const struct wire_shape delete_vector = WIRE_STRUCT_OF("DeleteVectorIndexAction",
                                                              delete_members);
static const struct wire_member vector_change_members[] = {
    {"Create", &create_vector, 0},
    {"Delete", &delete_vector, 0},
    {NULL, NULL, 0},
};
static const struct wire_shape vector_change = WIRE_STRUCT_OF("VectorIndexUpdate",
                                                              vector_change_members);
const struct wire_shape table_shapes_vector_changes = {.type = WIRE_LIST,
                                                       .element = &vector_change};

static const struct wire_member stream_members[] = {
    {"StreamEnabled", &wire_boolean, WIRE_REQUIRED},
    {"StreamViewType", &view_type, 0},
    {NULL, NULL, 0},
};
const struct wire_shape table_shapes_stream = WIRE_STRUCT_OF("StreamSpecification", stream_members);

static const struct wire_member sse_members[] = {
    {"Enabled", &wire_boolean, 0},
    {"SSEType", &sse_type, 0},
    {"KMSMasterKeyId", &key_id, 0},
    {NULL, NULL, 0},
};
const struct wire_shape table_shapes_sse = WIRE_STRUCT_OF("SSESpecification", sse_members);

/* The operations check keys and values and have their own messages. */
static const struct wire_member tag_members[] = {
    {"Key", &wire_string, 0},
    {"Value", &wire_string, 0},
    {NULL, NULL, 0},
};
static const struct wire_shape tag = WIRE_STRUCT_OF("Tag", tag_members);
const struct wire_shape table_shapes_tags = {.type = WIRE_LIST, .element = &tag};
