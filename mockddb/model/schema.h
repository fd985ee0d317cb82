/* schema.h: tables and their indexes as the catalog holds them.
 *
 * A struct table is built in an arena of its own, is immutable once the store has taken it, and
 * is replaced as a whole when the table changes (schema_copy, change, unit_put_table). Every
 * ordered set of entries (a table's primary keys, an index, a stream) has a number, its space:
 * see model/key.h. A new member is also listed in schema_members.c: from there it is kept, copied
 * and compared. */
#ifndef MODEL_SCHEMA_H
#define MODEL_SCHEMA_H

#include "base/arena.h"
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

/* The words of this and the next enumerations: model/names.h. */
enum projection_type { PROJECT_ALL, PROJECT_INCLUDE, PROJECT_KEYS_ONLY };

enum status { STATUS_CREATING, STATUS_UPDATING, STATUS_DELETING, STATUS_ACTIVE };

/* What a table that is UPDATING is busy with. */
enum table_change {
    CHANGE_NONE,
    CHANGE_THROUGHPUT,
    CHANGE_BILLING,
    CHANGE_STREAM,
    CHANGE_CLASS,
    CHANGE_INDEX,  /* an index is being allocated or deleted */
    CHANGE_REPLICA /* replicas are being made, changed or deleted */
};

/* Provisioned units, or 0 on PAY_PER_REQUEST; dates are 0 while unset. */
struct throughput {
    int64_t read, write;
    int64_t last_increase_ms, last_decrease_ms;
    int64_t decreases_today, decreases_day; /* day number since 1970 that decreases_today counts */
};

/* A pair of limits: 0 means not set (OnDemandThroughput, WarmThroughput). */
struct unit_pair {
    int64_t read, write;
};

/* How near a vector is to the one that is searched for. */
enum distance { DISTANCE_DOT_PRODUCT, DISTANCE_COSINE, DISTANCE_EUCLIDEAN };

/* An attribute of a vector index by which a search can be narrowed down. */
struct search_part {
    struct span name;
    enum attr_type type; /* S, N or B */
    bool hash;           /* the index is partitioned by it; else an INLINE_FILTER */
};

/* What a vector index has in place of keys. */
struct vector_schema {
    struct span attribute; /* the list of numbers that is the vector */
    int64_t dimensions;    /* 0: the index is none of vectors */
    enum distance distance;
    struct search_part *parts; /* SearchSchema as given */
    size_t part_count;
};

enum insights_mode { INSIGHTS_THROTTLED_KEYS, INSIGHTS_ALL_KEYS };

/* Contributor insights of a table or index. */
struct insights {
    bool enabled; /* or on the way there */
    enum insights_mode mode;
    int64_t since_ms;   /* when its rules were made */
    int64_t changed_ms; /* when it was switched last; 0: never */
    int64_t until_ms;   /* when ENABLING or DISABLING ends; 0: it has */
};

struct index {
    struct span name;
    uint32_t space;
    bool global;            /* also a vector index: it has states, as a GSI has */
    struct key_schema keys; /* of a vector index: none */
    struct vector_schema vector;
    enum projection_type projection;
    struct span *include; /* NonKeyAttributes as given */
    size_t include_count;
    enum status status;            /* of a GSI; an LSI is always ACTIVE */
    bool backfilling;              /* CREATING, resources allocated: existing items are read */
    struct span backfill_position; /* entry key (bytes) of the last item read, "" for none */
    bool backfilled;               /* all items were read; ACTIVE when the transition ends */
    struct throughput throughput;
    struct unit_pair on_demand, warm;
    int64_t transition_until_ms; /* when a transient status ends; 0: no transition under way */
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
    struct span document; /* JSON without white space; "" where there is none */
    int64_t revision_ms;  /* its revision; of the last one where it was deleted */
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

/* A Kinesis stream that the table's changes go to, or went to. */
struct destination {
    struct span stream_arn;
    enum destination_status status;
    bool unknown; /* there is no such stream: what was ENABLING becomes ENABLE_FAILED */
    enum destination_precision precision, next_precision; /* the next is there once it is ACTIVE */
    int64_t until_ms; /* when the status ends, or the entry goes; 0: not by itself */
};

/* Point-in-time recovery. */
struct recovery {
    uint32_t space;   /* what items were before each change; 0: it is off */
    int64_t since_ms; /* when it was switched on */
    int64_t from_ms;  /* the first moment that is known, as far as periods before had it */
    int64_t days;     /* how long changes are kept */
};

/* What a table is made from, while it is CREATING; without source_arn, from nothing. */
struct restore {
    struct span source_arn; /* of the table */
    struct span backup_arn; /* "": it is restored to a point in time */
    int64_t moment_ms;      /* the point in time, or the backup's */
    bool filling;           /* items are on their way; without source_arn, from files … */
    bool replica;           /* … or as the table of a new replica, from another */
    uint32_t log_space; /* changes that are undone when the items are there; 0: none (any more) */
    struct span log_position; /* entry key (bytes) of the last one that was undone */
};

/* What a replica has of an index otherwise than this table; 0: nothing. */
struct replica_index {
    struct span name;
    int64_t read, on_demand_read;
};

/* The table's counterpart in another region. */
struct replica {
    struct span region;
    enum status status;
    int64_t until_ms;                 /* when a transient status ends; 0: no transition under way */
    struct span kms_key, table_class; /* of its own, as given; "": as this table's */
    int64_t read, on_demand_read;     /* units of its own; 0: as this table's */
    struct replica_index *indexes;
    size_t index_count;
};

/* Auto scaling of units: kept, and acted on by nobody. */
struct scaling {
    struct span region; /* of reads there; "": of writes everywhere */
    struct span index;  /* "": of the table */
    int64_t min, max;   /* units; 0: not said */
    bool disabled;
    struct span role, policy;
    struct span target; /* a number as it was written; "": there is no policy */
    bool keeps_in;      /* never scales in */
    int64_t in_cooldown, out_cooldown;
};

/* How settings follow those of other replicas. */
enum replication_mode {
    REPLICATION_UNSAID,
    REPLICATION_ENABLED,
    REPLICATION_DISABLED,
    REPLICATION_OVERRIDES /* what a global table has */
};

/* The global table that the table is part of. */
struct global {
    struct replica *replicas; /* the others; with none and no witness the table is a regional one */
    size_t replica_count;
    struct span witness; /* a region that only agrees; "": none does */
    enum status witness_status;
    int64_t witness_until_ms;
    bool strong;      /* every region sees every write at once */
    bool unprotected; /* may be disassociated */
    enum replication_mode mode;
    int64_t source_ms; /* when a replica was made from this table last; 0: never */
    struct scaling *scalings;
    size_t scaling_count;
    uint32_t log_space;    /* where replicas are tables: what is on its way to others … */
    uint32_t latest_space; /* … and its latest for each item; 0: they are not */
};

enum stream_view { VIEW_NEW_IMAGE, VIEW_OLD_IMAGE, VIEW_NEW_AND_OLD_IMAGES, VIEW_KEYS_ONLY };

struct table {
    struct arena *arena; /* owns everything below */
    struct span region;  /* "" in the default one, whichever that is */
    struct span name;
    struct span uuid; /* TableId */
    uint32_t space;   /* of the primary keys; also the table's number in the store */
    struct key_schema keys;
    struct definition *definitions;
    size_t definition_count;
    struct index *indexes; /* LSIs first, then the others, each kind in submitted order */
    size_t index_count;

    enum status status;
    int64_t created_ms;
    int64_t due_ms; /* the first moment at which anything below changes by itself; 0: never */
    enum table_change change;
    int64_t transition_until_ms; /* when a transient status ends; 0: no transition under way */
    bool on_demand;              /* PAY_PER_REQUEST */
    bool was_on_demand;          /* BillingModeSummary is shown */
    int64_t on_demand_since_ms;
    struct throughput throughput, next_throughput;
    struct unit_pair on_demand_limits, warm, next_warm;
    int64_t warm_until_ms; /* next_warm takes effect then; 0: no change under way */
    bool deletion_protection;
    struct span table_class;                       /* "" when never given */
    struct span next_table_class;                  /* takes effect when the transition ends */
    int64_t table_class_ms, table_class_before_ms; /* its last two changes, 0 for none */
    bool sse;                                      /* KMS asked for */
    int64_t sse_until_ms;         /* when an encryption change ends; 0: none is under way */
    struct span kms_key_arn;      /* "" with the default key */
    struct span next_kms_key_arn; /* takes effect at sse_until_ms; "": the default key */
    int64_t sse_window_ms;        /* start of the day that sse_changes counts */
    int64_t sse_changes, sse_changed_ms;
    struct policy policy;

    struct tag *tags;
    size_t tag_count;
    struct span ttl_attribute; /* "" when TTL is off */
    uint32_t ttl_space;        /* items in the order in which they expire; 0: there is none (yet) */
    struct span ttl_position;  /* entry key of the last item that was put there, "" for none … */
    bool ttl_backfilled;       /* … and whether that was the last of all */

    bool stream_enabled;
    enum stream_view stream_view;
    struct span stream_label;    /* of the newest stream, "" when there never was one */
    struct policy stream_policy; /* of the newest stream */
    uint32_t stream_space;       /* entries of the newest stream */
    uint32_t stream_shards;      /* how many shards it has; 0 when there never was one */

    struct recovery recovery;
    struct restore restore;
    struct global global;

    struct insights insights;
    struct destination *destinations; /* in the order in which they were enabled first */
    size_t destination_count;
};

/* A new table, or a deep copy of one, in an arena of its own. It goes with `owner` unless the store
 * takes it before; where owner is NULL, the caller frees it. */
struct table *schema_new(struct arena *owner);
struct table *schema_copy(struct arena *owner, const struct table *t);
void schema_free(struct table *t); /* t may be NULL */
/* Whether all members are the same, except for the arena. */
bool schema_equal(const struct table *one, const struct table *two);

/* What the store knows a table by: its name, and in another region than the default one ("") the
 * region before it. No table's name looks like the latter. In the arena, or `name` itself. */
struct span schema_id(struct arena *a, struct span region, struct span name);
#define SCHEMA_ID_MARK '\xff' /* between the two; in no UTF-8 text */

const struct index *schema_find_index(const struct table *t, struct span name);

enum index_kind { KIND_LOCAL, KIND_GLOBAL, KIND_VECTOR };
enum index_kind schema_kind(const struct index *ix);
size_t schema_count_kind(const struct table *t, enum index_kind kind);

/* The element of a vector index's SearchSchema, or NULL; and the one by which it is partitioned. */
const struct search_part *schema_search_part(const struct index *ix, struct span name);
const struct search_part *schema_search_hash(const struct index *ix);

/* Whether a key or a SearchSchema of the table uses the attribute. */
bool schema_uses(const struct table *t, struct span name);

/* Whether an attribute is part of a key, of a table or an index. */
bool schema_is_key(const struct key_schema *keys, struct span name);

/* Whether the index projects the top-level attribute `name` (its keys and the table's always). */
bool schema_projects(const struct table *t, const struct index *ix, struct span name);

/* What the index holds of the item, keys first: a shallow view in the arena (the whole item for
 * ALL). Of a vector index: all but the vector itself. */
struct item schema_project(struct arena *a, const struct table *t, const struct index *ix,
                           const struct item *it);

/* What an entry of a vector index counts for the vector: its name and its floats. */
size_t schema_vector_size(const struct index *ix);

/* The size of an index's entry that holds `part`, as schema_project made it. */
size_t schema_entry_size(const struct index *ix, const struct item *part);

/* The primary key attributes of an item. */
struct item schema_key_of(struct arena *a, const struct table *t, const struct item *it);

/* The catalog form, a JSON text, and back; decode returns NULL for text that is not one. */
struct span schema_encode(struct arena *a, const struct table *t);
struct table *schema_decode(struct arena *owner, struct span text);

#endif
