/* scaling.h: what application auto scaling keeps of tables and indexes: targets, policies and
 * scheduled actions.
 *
 * They are kept and described; nothing scales by itself here. A target is an entry of the store,
 * and so is each of its policies, right behind it; scheduled actions have a space of their own.
 * Source: docs/behaviour/neighbours.md. */
#ifndef OPS_SCALING_H
#define OPS_SCALING_H

#include "ops/op.h"
#include "store/cursor.h"

/* ServiceNamespace, ResourceId and ScalableDimension of a request. */
struct scaling_target {
    struct span resource;  /* "table/T" or "table/T/index/X" */
    struct span dimension; /* "dynamodb:table:ReadCapacityUnits" */
};

extern const struct wire_shape scaling_integer, scaling_policy_name;
extern const struct wire_shape scaling_namespace, scaling_dimension;
extern const struct wire_shape scaling_id;  /* a resource, a role, a policy that is looked for */
extern const struct wire_shape scaling_ids; /* up to 50 of them */
extern const struct wire_shape scaling_tag_key, scaling_tags; /* keys with values */

/* What lists of a target's policies and actions may ask for, behind the names; it ends the table.
 */
#define SCALING_LIST_MEMBERS                                                                 \
    {"ServiceNamespace", &scaling_namespace, WIRE_REQUIRED}, {"ResourceId", &scaling_id, 0}, \
        {"ScalableDimension", &scaling_dimension, 0}, {"MaxResults", &scaling_integer, 0},   \
        {"NextToken", &wire_string, 0},                                                      \
    {                                                                                        \
        NULL, NULL, 0                                                                        \
    }

/* The three members, for an operation's table. */
#define SCALING_TARGET_MEMBERS                                 \
    {"ServiceNamespace", &scaling_namespace, WIRE_REQUIRED},   \
        {"ResourceId", &scaling_id, WIRE_REQUIRED},            \
    {                                                          \
        "ScalableDimension", &scaling_dimension, WIRE_REQUIRED \
    }

/* What they name, which need not be registered; the namespace is dynamodb, and the dimension goes
 * with the resource. */
MUST_CHECK const struct error *scaling_read(struct call *c, struct scaling_target *out);

/* That there is such a table and index. */
MUST_CHECK const struct error *scaling_check_exists(struct call *c, const struct scaling_target *t);

/* ObjectNotFoundException: "No scalable target found for service namespace: dynamodb, …" */
MUST_CHECK const struct error *scaling_not_found(struct call *c, const struct scaling_target *t,
                                                 const char *what);

/* What is kept: targets themselves, and what belongs to one of them. */
enum scaling_part { SCALING_TARGETS, SCALING_POLICIES, SCALING_ACTIONS };

/* A target, or what it has under a name. */
struct scaling_entry {
    enum scaling_part part;
    struct span region; /* as call.region; of entries that were read */
    struct scaling_target target;
    struct span name; /* "" for a target itself */
    struct span json; /* as it is described; of entries that were read */
};

/* *json: what is kept there, in the arena; NULL: nothing. */
MUST_CHECK const struct error *scaling_get(struct call *c, const struct scaling_entry *entry,
                                           const wire_node **json);
MUST_CHECK const struct error *scaling_put(struct call *c, const struct scaling_entry *entry,
                                           struct span json);

/* Whether the write units of the table, or of its index, are a target. */
MUST_CHECK const struct error *scaling_covers(struct call *c, struct span table, struct span index,
                                              bool *covered);

/* The target with that ARN: where it is kept, in the arena, and what; *json is NULL where there is
 * none. */
MUST_CHECK const struct error *scaling_find_arn(struct call *c, struct span arn,
                                                struct scaling_entry *entry,
                                                const wire_node **json);

/* Writes the members of a target that describe it: all that is kept except for its tags. */
void scaling_put_described(struct wire_writer *w, const wire_node *target);

/* What a target is told that would have more tags than LIMIT_TAGS. */
#define SCALING_TOO_MANY_TAGS \
    "The request contains too many tags. Try the request again with fewer tags."

/* That no key of the tags is reserved. */
MUST_CHECK const struct error *scaling_check_tags(struct call *c, const wire_node *tags);

/* Whether another policy of the target than that of this name follows the metric. */
MUST_CHECK const struct error *scaling_follows(struct call *c, const struct scaling_target *t,
                                               struct span policy, struct span metric,
                                               bool *follows);

/* Writes a page of the entries that the request's members take. `member` is the list's name. */
MUST_CHECK const struct error *scaling_list(struct call *c, const char *member,
                                            enum scaling_part part);

/* InvalidNextTokenException */
MUST_CHECK const struct error *scaling_wrong_token(struct call *c);

/* Deletes the entry, of a target with all that belongs to it; *found: whether it was there. */
MUST_CHECK const struct error *scaling_delete(struct call *c, const struct scaling_entry *entry,
                                              bool *found);

/* That the capacities, where both are given, are in order, and not below 0. */
MUST_CHECK const struct error *scaling_check_capacities(struct call *c, const wire_node *least,
                                                        const wire_node *most);

#endif
