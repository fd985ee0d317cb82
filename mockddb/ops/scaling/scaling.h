/* scaling.h: Application Auto Scaling of tables and indexes: targets, policies and scheduled
 * actions.
 *
 * They are stored and described, but nothing scales. Each target is an entry of the store, followed
 * by an entry for each of its policies; scheduled actions have a space of their own. Source:
 * docs/behaviour/neighbours.md. */
#pragma once

#include "ops/op.h"
#include "store/cursor.h"

/* ServiceNamespace, ResourceId and ScalableDimension of a request. */
struct scaling_target {
    struct span resource;  /* "table/T" or "table/T/index/X" */
    struct span dimension; /* "dynamodb:table:ReadCapacityUnits" */
};

extern const struct wire_shape scaling_policy_name;
extern const struct wire_shape scaling_namespace, scaling_dimension;
extern const struct wire_shape scaling_id;  /* a resource, a role, a policy to search for */
extern const struct wire_shape scaling_ids; /* up to 50 of them */
extern const struct wire_shape scaling_tag_key, scaling_tags; /* tags: a map of keys to values */

/* The members of lists of policies and actions, after the names; ends an operation's table. */
#define SCALING_LIST_MEMBERS                                                                 \
    {"ServiceNamespace", &scaling_namespace, WIRE_REQUIRED}, {"ResourceId", &scaling_id, 0}, \
        {"ScalableDimension", &scaling_dimension, 0}, {"MaxResults", &wire_any_integer, 0},  \
    {                                                                                        \
        "NextToken", &wire_string, 0                                                         \
    }

/* The members of scaling_target, for an operation's table. */
#define SCALING_TARGET_MEMBERS                                 \
    {"ServiceNamespace", &scaling_namespace, WIRE_REQUIRED},   \
        {"ResourceId", &scaling_id, WIRE_REQUIRED},            \
    {                                                          \
        "ScalableDimension", &scaling_dimension, WIRE_REQUIRED \
    }

/* Reads and checks them: the namespace is dynamodb and the dimension fits the resource. The target
 * need not be registered. */
MUST_CHECK const struct error *scaling_read(struct call *c, struct scaling_target *out);

/* Checks that the table and index exist. */
MUST_CHECK const struct error *scaling_check_exists(struct call *c, const struct scaling_target *t);

/* ObjectNotFoundException: "No scalable target found for service namespace: dynamodb, …" */
MUST_CHECK const struct error *scaling_not_found(struct call *c, const struct scaling_target *t,
                                                 const char *what);

/* The kinds of entries. */
enum scaling_part { SCALING_TARGETS, SCALING_POLICIES, SCALING_ACTIONS };

/* A target, or one of its policies or actions. */
struct scaling_entry {
    enum scaling_part part;
    struct span region; /* like call.region; only set in entries read from the store */
    struct scaling_target target;
    struct span name; /* "" for a target */
    struct span json; /* its description; only set in entries read from the store */
};

/* Reads an entry's description into the arena; *json is NULL if there is no such entry. */
MUST_CHECK const struct error *scaling_get(struct call *c, const struct scaling_entry *entry,
                                           const wire_node **json);
MUST_CHECK const struct error *scaling_put(struct call *c, const struct scaling_entry *entry,
                                           struct span json);

/* Whether a row of a foreign snapshot is such an entry: it names a resource and a dimension, and
 * its description is a JSON object. */
bool scaling_entry_is_sound(struct arena *a, const struct store_row *row);

/* Whether the write units of the table or index are a target. */
MUST_CHECK const struct error *scaling_covers(struct call *c, struct span table, struct span index,
                                              bool *covered);

/* Finds the target with the ARN: its entry, in the arena, and its description. *json is NULL if no
 * target has the ARN. */
MUST_CHECK const struct error *scaling_find_arn(struct call *c, struct span arn,
                                                struct scaling_entry *entry,
                                                const wire_node **json);

/* Writes the members of a target's description: all stored ones except for its tags. */
void scaling_put_described(struct wire_writer *w, const wire_node *target);

/* The message for a target with more tags than LIMIT_TAGS. */
#define SCALING_TOO_MANY_TAGS \
    "The request contains too many tags. Try the request again with fewer tags."

/* Checks that no tag key is reserved. */
MUST_CHECK const struct error *scaling_check_tags(struct call *c, const wire_node *tags);

/* Whether a policy of the target with another name tracks the metric. */
MUST_CHECK const struct error *scaling_follows(struct call *c, const struct scaling_target *t,
                                               struct span policy, struct span metric,
                                               bool *follows);

/* Operations that list or delete targets, policies or actions: writes a page of the entries that
 * match the request; deletes the entry that it names, a target with its policies and actions. */
MUST_CHECK const struct error *scaling_list(struct call *c);
MUST_CHECK const struct error *scaling_delete(struct call *c);

/* InvalidNextTokenException */
MUST_CHECK const struct error *scaling_wrong_token(struct call *c);

/* Checks that capacities are not negative and, if both are given, in order. */
MUST_CHECK const struct error *scaling_check_capacities(struct call *c, const wire_node *least,
                                                        const wire_node *most);
