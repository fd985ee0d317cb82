/* table_spec.h: the members of CreateTable and UpdateTable, read from the body but not yet checked.
 *
 * Everything borrows from the request. The shapes have been checked: required members are present,
 * enums and lengths are valid. */
#pragma once

#include "model/schema.h"
#include "model/schema_members.h"
#include "wire/wire_body.h"

/* A pair of units: ProvisionedThroughput, OnDemandThroughput or WarmThroughput. */
struct units_spec {
    bool given;
    bool has_read, has_write;
    int64_t read, write;
};

struct key_spec {
    struct span name;
    bool hash; /* else RANGE, or INLINE_FILTER */
};

struct key_list {
    struct key_spec *at;
    size_t len;
};

struct definition_list {
    bool given;
    struct definition *at;
    size_t len;
};

struct projection_spec {
    struct span type; /* "" when absent */
    bool include_given;
    struct span *include;
    size_t include_count;
};

struct vector_spec {
    struct span attribute;
    int64_t dimensions;
    struct span distance;
};

struct index_spec {
    struct span name;
    enum index_kind kind;
    struct key_list keys; /* of a vector index: its SearchSchema */
    struct vector_spec vector;
    struct projection_spec projection;
    struct units_spec throughput, on_demand, warm;
};

struct index_list {
    struct index_spec *at; /* LSIs, then GSIs, then vector indexes */
    size_t len;
    size_t counts[KIND_COUNT];
    bool given[KIND_COUNT]; /* whether the request has a list of the kind */
};

struct stream_spec {
    bool given, enabled;
    struct span view; /* "" when absent */
};

struct sse_spec {
    bool given;
    bool enabled;
    struct span type, key; /* "" when absent */
};

struct tag_list {
    struct tag *at; /* an absent key or value has .at NULL */
    size_t len;
};

/* One entry of GlobalSecondaryIndexUpdates or VectorIndexUpdates. */
enum index_action { INDEX_UPDATE, INDEX_CREATE, INDEX_DELETE };
struct index_change {
    size_t actions; /* how many of the three actions it has; vector indexes have no Update */
    enum index_action action;
    struct index_spec index; /* of the action; only the name is required */
};

struct index_change_list {
    bool given;
    struct index_change *at;
    size_t len;
};

/* One entry of ReplicaUpdates. */
enum replica_action { REPLICA_CREATE, REPLICA_UPDATE, REPLICA_DELETE, REPLICA_DISASSOCIATE };
struct replica_change {
    size_t actions; /* how many of the actions it has */
    enum replica_action action;
    struct span region;
    const wire_node *settings; /* the action's members */
};

/* The changes of a global table. */
struct global_spec {
    struct replica_change *changes;
    size_t count;
    bool witness_given;
    size_t witness_actions;
    enum replica_action witness_action; /* REPLICA_CREATE or REPLICA_DELETE */
    struct span witness;                /* its region */
    bool consistency_given, strong;
    enum replication_mode mode; /* REPLICATION_UNSAID when absent */
    bool protection_given, protection;
};

/* The members of one value: those that the request gives, in the order of schema_members.c. */
struct member_list {
    struct member_spec {
        const struct schema_member *row;
        struct attr value;
    } * at;
    size_t len;
};

struct table_spec {
    struct definition_list definitions;
    struct key_list keys;
    struct span billing_mode; /* "" when absent */
    struct units_spec throughput, on_demand, warm;
    struct index_list indexes;                              /* CreateTable */
    struct index_change_list index_changes, vector_changes; /* UpdateTable */
    struct stream_spec stream;
    struct sse_spec sse;
    struct member_list members;
    struct span resource_policy; /* .at is NULL when absent */
    struct tag_list tags;
    struct global_spec global;
};

/* `use`: of the members of one value. */
struct table_spec table_spec_read(struct arena *a, const wire_node *body, enum schema_use use);

/* Reads TableCreationParameters of ImportTable, which ignores members that it does not have. */
struct table_spec table_spec_read_import(struct arena *a, const wire_node *parameters);

/* Reads what a restore overrides in the source table: BillingModeOverride and the like. Nothing
 * else is set. */
struct table_spec table_spec_read_overrides(struct arena *a, const wire_node *body);

/* Tags: [{Key, Value}, …] */
struct tag_list table_spec_tags(struct arena *a, const wire_node *list);

bool table_spec_on_demand(const struct table_spec *spec); /* BillingMode is PAY_PER_REQUEST */

/* The position of the definition of name, or defs->len. */
size_t table_spec_find_definition(const struct definition_list *defs, struct span name);
