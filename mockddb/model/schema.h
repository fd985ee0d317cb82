/* schema.h: tables and their indexes as the catalog holds them.
 *
 * A struct table is built in an arena of its own, is immutable once the store has taken it, and is
 * replaced as a whole when the table changes (schema_copy, change, unit_put_table). Every ordered
 * set of entries (a table's primary keys, an index, a stream) has a number, its space: see
 * model/key.h. A new member must also be listed in schema_members.c, from which it is stored
 * and copied. */
#pragma once

#include "model/attr.h"
#include "model/limits.h"

struct key_part {
    struct span name;
    enum attr_type type; /* S, N or B */
};

struct key_schema {
    struct key_part hash[LIMIT_KEY_PARTS];
    size_t hash_count;
    struct key_part range[LIMIT_KEY_PARTS];
    size_t range_count;
};

/* The words for this and the following enumerations are in model/names.h. */
enum projection_type { PROJECT_ALL, PROJECT_INCLUDE, PROJECT_KEYS_ONLY };

enum status { STATUS_CREATING, STATUS_UPDATING, STATUS_DELETING, STATUS_ACTIVE };

/* Why a table is UPDATING. */
enum table_change {
    CHANGE_NONE,
    CHANGE_THROUGHPUT,
    CHANGE_BILLING,
    CHANGE_STREAM,
    CHANGE_CLASS,
    CHANGE_INDEX,  /* an index is being allocated or deleted */
    CHANGE_REPLICA /* replicas are being made, changed or deleted */
};

/* Provisioned units, or 0 on PAY_PER_REQUEST; dates are 0 if not set. */
struct throughput {
    int64_t read, write;
    int64_t last_increase_ms, last_decrease_ms;
    int64_t decreases_today, decreases_day; /* the day (since 1970) of decreases_today */
};

/* A pair of limits: 0 means not set (OnDemandThroughput, WarmThroughput). */
struct unit_pair {
    int64_t read, write;
};

/* How near a vector is to the vector searched for. */
enum distance { DISTANCE_DOT_PRODUCT, DISTANCE_COSINE, DISTANCE_EUCLIDEAN };

/* An attribute of a vector index by which a search can be filtered. */
struct search_part {
    struct span name;
    enum attr_type type; /* S, N or B */
    bool hash;           /* the index is partitioned by it; else an INLINE_FILTER */
};

/* The schema of a vector index, in place of keys. */
struct vector_schema {
    struct span attribute; /* the attribute that holds the vector, a list of numbers */
    int64_t dimensions;    /* 0: not a vector index */
    enum distance distance;
    struct search_part *parts; /* SearchSchema as given */
    size_t part_count;
};

enum insights_mode { INSIGHTS_THROTTLED_KEYS, INSIGHTS_ALL_KEYS };

/* Contributor insights of a table or index. */
struct insights {
    bool enabled; /* or ENABLING */
    enum insights_mode mode;
    int64_t since_ms;   /* when its rules were created */
    int64_t changed_ms; /* when it was last switched; 0: never */
    int64_t until_ms;   /* when ENABLING or DISABLING ends; 0: neither */
};

struct index {
    struct span name;
    uint32_t space;
    bool global;            /* also a vector index, which has states like a GSI */
    struct key_schema keys; /* empty in a vector index */
    struct vector_schema vector;
    enum projection_type projection;
    struct span *include; /* NonKeyAttributes as given */
    size_t include_count;
    enum status status;            /* of a GSI; an LSI is always ACTIVE */
    bool backfilling;              /* CREATING, with resources: reading existing items */
    struct span backfill_position; /* entry key (bytes) of the last item read, "" for none */
    bool backfilled;               /* all items were read; ACTIVE when the transition ends */
    struct throughput throughput;
    struct unit_pair on_demand, warm;
    int64_t transition_until_ms;       /* when a transient status ends; 0: no transition */
    struct throughput next_throughput; /* these two take effect when the transition ends */
    struct unit_pair next_warm;
    struct insights insights; /* of a GSI */
};

struct definition {
    struct span name;
    enum attr_type type;
};

struct tag {
    struct span key, value;
};

/* A resource-based policy. */
struct policy {
    struct span document; /* JSON without white space; "" if there is no policy */
    int64_t revision_ms;  /* its revision; after a deletion, the last one's */
};

enum destination_status {
    DESTINATION_ENABLING,
    DESTINATION_ACTIVE,
    DESTINATION_DISABLING,
    DESTINATION_DISABLED,
    DESTINATION_ENABLE_FAILED,
    DESTINATION_UPDATING
};
enum destination_precision { PRECISION_UNSAID, PRECISION_MILLISECOND, PRECISION_MICROSECOND };

/* A Kinesis stream that receives the table's changes, or received them. */
struct destination {
    struct span stream_arn;
    enum destination_status status;
    bool unknown; /* the stream does not exist: ENABLING becomes ENABLE_FAILED */
    enum destination_precision precision, next_precision; /* the next applies when it is ACTIVE */
    int64_t until_ms; /* when the status ends or the entry is removed; 0: not by itself */
};

/* Point-in-time recovery. */
struct recovery {
    uint32_t space;   /* items as they were before each change; 0: disabled */
    int64_t since_ms; /* when it was enabled */
    int64_t from_ms;  /* the earliest restorable time, including earlier periods */
    int64_t days;     /* how long changes are kept */
};

/* What a table is restored from, while it is CREATING; without source_arn, it is a new table. */
struct restore {
    struct span source_arn;   /* of the table */
    struct span backup_arn;   /* "": it is restored to a point in time */
    int64_t moment_ms;        /* the point in time, or the backup's */
    bool filling;             /* items are being copied; without source_arn, from files … */
    bool replica;             /* … or from another replica, as the table of a new replica */
    uint32_t log_space;       /* changes to undo when the items are copied; 0: none (left) */
    struct span log_position; /* entry key (bytes) of the last change undone */
};

/* Settings of an index that a replica overrides; 0: not overridden. */
struct replica_index {
    struct span name;
    int64_t read, on_demand_read;
};

/* The table's counterpart in another region. */
struct replica {
    struct span region;
    enum status status;
    int64_t until_ms;                 /* when a transient status ends; 0: no transition */
    struct span kms_key, table_class; /* overrides, as given; "": as in this table */
    int64_t read, on_demand_read;     /* overridden units; 0: as in this table */
    struct replica_index *indexes;
    size_t index_count;
};

/* Auto scaling of units: stored, but without effect. */
struct scaling {
    struct span region; /* for reads in that region; "": for writes in all regions */
    struct span index;  /* "": of the table */
    int64_t min, max;   /* units; 0: not set */
    bool disabled;
    struct span role, policy;
    struct span target; /* a number as written; "": no policy */
    bool keeps_in;      /* never scales in */
    int64_t in_cooldown, out_cooldown;
};

/* How settings are copied from other replicas. */
enum replication_mode {
    REPLICATION_UNSAID,
    REPLICATION_ENABLED,
    REPLICATION_DISABLED,
    REPLICATION_OVERRIDES /* the default of a global table */
};

/* The global table that the table is part of. */
struct global {
    struct replica *replicas; /* the others; without any and without a witness: a regional table */
    size_t replica_count;
    struct span witness; /* the region of the witness; "": no witness */
    enum status witness_status;
    int64_t witness_until_ms;
    bool strong;      /* strong consistency between regions */
    bool unprotected; /* may be disassociated */
    enum replication_mode mode;
    int64_t source_ms; /* when a replica was last made from this table; 0: never */
    struct scaling *scalings;
    size_t scaling_count;
    uint32_t log_space;    /* if replicas are tables: changes to be sent to others … */
    uint32_t latest_space; /* … and the latest change of each item; 0: they are not */
};

enum stream_view { VIEW_NEW_IMAGE, VIEW_OLD_IMAGE, VIEW_NEW_AND_OLD_IMAGES, VIEW_KEYS_ONLY };

struct table {
    struct arena *arena; /* owns all members below */
    uint64_t version;    /* the store's, of the table that this was copied from; 0: it is new */
    struct span region;  /* "" in the default region, whichever it is */
    struct span name;
    struct span uuid; /* TableId */
    uint32_t space;   /* of the primary keys; also the table's number in the store */
    struct key_schema keys;
    struct definition *definitions;
    size_t definition_count;
    struct index *indexes; /* LSIs first, then the others, each kind in the order of the request */
    size_t index_count;

    enum status status;
    int64_t created_ms;
    int64_t due_ms; /* the first moment at which a member below changes by itself; 0: never */
    enum table_change change;
    int64_t transition_until_ms; /* when a transient status ends; 0: no transition */
    bool on_demand;              /* PAY_PER_REQUEST */
    bool was_on_demand;          /* BillingModeSummary is shown */
    int64_t on_demand_since_ms;
    struct throughput throughput, next_throughput;
    struct unit_pair on_demand_limits, warm, next_warm;
    int64_t warm_until_ms; /* when next_warm takes effect; 0: no change */
    bool deletion_protection;
    struct span table_class;                       /* "" if never given */
    struct span next_table_class;                  /* takes effect when the transition ends */
    int64_t table_class_ms, table_class_before_ms; /* its last two changes; 0 for none */
    bool sse;                                      /* KMS was requested */
    int64_t sse_until_ms;         /* when an encryption change ends; 0: no change */
    struct span kms_key_arn;      /* "" with the default key */
    struct span next_kms_key_arn; /* takes effect at sse_until_ms; "": the default key */
    int64_t sse_window_ms;        /* start of the day that sse_changes counts */
    int64_t sse_changes, sse_changed_ms;
    struct policy policy;

    struct tag *tags;
    size_t tag_count;
    struct span ttl_attribute; /* "" when TTL is off */
    uint32_t ttl_space;        /* items in the order of their expiry; 0: no such space (yet) */
    struct span ttl_position;  /* entry key of the last item added there, "" for none … */
    bool ttl_backfilled;       /* … and whether that was the last of all */

    bool stream_enabled;
    enum stream_view stream_view;
    struct span stream_label;    /* of the newest stream, "" if there never was one */
    struct policy stream_policy; /* of the newest stream */
    uint32_t stream_space;       /* entries of the newest stream */
    uint32_t stream_shards;      /* the number of its shards; 0 if there never was a stream */

    struct recovery recovery;
    struct restore restore;
    struct global global;

    struct insights insights;
    struct destination *destinations; /* in the order in which they were first enabled */
    size_t destination_count;
};

/* A new table, or a deep copy of one, in an arena of its own. It is freed with `owner` unless the
 * store takes it before; with owner NULL the caller frees it. */
struct table *schema_new(struct arena *owner);
struct table *schema_copy(struct arena *owner, const struct table *t);
void schema_free(struct table *t); /* t may be NULL */

/* The store's name for a table: its name, preceded by its region if that is not the default ("").
 * No table name looks like an id with a region. Returns `name` itself or text in the arena. */
struct span schema_id(struct arena *a, struct span region, struct span name);
#define SCHEMA_ID_MARK '\xff' /* between the two; never in UTF-8 text */

const struct index *schema_find_index(const struct table *t, struct span name);

enum index_kind { KIND_LOCAL, KIND_GLOBAL, KIND_VECTOR };
#define KIND_COUNT (KIND_VECTOR + 1)
enum index_kind schema_kind(const struct index *ix);
size_t schema_count_kind(const struct table *t, enum index_kind kind);

/* The element of a vector index's SearchSchema, or NULL; and the one that partitions it. */
const struct search_part *schema_search_part(const struct index *ix, struct span name);
const struct search_part *schema_search_hash(const struct index *ix);

/* Drops the definitions of attributes that no key and no SearchSchema uses. */
void schema_prune(struct table *t);

/* The nth attribute of a key, HASH attributes first, or NULL; and the number of them. */
static inline const struct key_part *schema_key_part(const struct key_schema *keys, size_t n)
{
    if (n < keys->hash_count)
        return &keys->hash[n];
    return n - keys->hash_count < keys->range_count ? &keys->range[n - keys->hash_count] : NULL;
}
static inline size_t schema_key_count(const struct key_schema *keys)
{
    return keys->hash_count + keys->range_count;
}

/* Whether an attribute is part of a key of a table or an index. */
bool schema_is_key(const struct key_schema *keys, struct span name);

/* Whether the index projects the top-level attribute `name` (its keys and the table's always). */
bool schema_projects(const struct table *t, const struct index *ix, struct span name);

/* The part of the item that the index holds, keys first: a shallow view in the arena (the whole
 * item for ALL). For a vector index: without the vector itself. */
struct item schema_project(struct arena *a, const struct table *t, const struct index *ix,
                           const struct item *it);

/* The size of the vector in an entry of a vector index: the attribute's name and its floats. */
size_t schema_vector_size(const struct index *ix);

/* The size of an index entry that holds `part`, which schema_project made. */
size_t schema_entry_size(const struct index *ix, const struct item *part);

/* The primary key attributes of an item. */
struct item schema_key_of(struct arena *a, const struct table *t, const struct item *it);

/* Encodes to and decodes from the catalog form, a JSON text; decode returns NULL for other text. */
struct span schema_encode(struct arena *a, const struct table *t);
struct table *schema_decode(struct arena *owner, struct span text);
