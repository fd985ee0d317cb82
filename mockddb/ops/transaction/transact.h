/* transact.h: several reads, or several writes, as one: what TransactWriteItems, TransactGetItems
 * and ExecuteTransaction share.
 *
 * An action is filled in by its operation (from JSON or from a statement) up to where the table
 * is known; everything from there on is here. Faults that the service reports per action become
 * cancellation reasons: every action is looked at, then all apply or none. Source: API reference
 * TransactWriteItems; docs/behaviour/transactions.md. */
#ifndef OPS_TRANSACT_H
#define OPS_TRANSACT_H

#include "expr/expr.h"
#include "ops/capacity.h"
#include "ops/change.h"
#include "ops/op.h"

enum transact_kind {
    TRANSACT_CHECK,
    TRANSACT_PUT,
    TRANSACT_INSERT, /* a put that demands that there is no item: DuplicateItem */
    TRANSACT_DELETE,
    TRANSACT_UPDATE,
    TRANSACT_GET
};

struct transact_action {
    enum transact_kind kind;
    struct span table_name;            /* or ARN */
    struct item item;                  /* the whole item of a put or insert, else the key */
    size_t values_size;                /* bytes of the values that come beside the item */
    const struct expr_cond *cond;      /* NULL: none */
    bool must_exist;                   /* an absent item fails the condition (PartiQL UPDATE) */
    bool may_be_absent;                /* an absent item fails no condition (PartiQL DELETE) */
    struct expr_update *update;        /* of an update */
    struct expr_projection projection; /* of a get; len 0: the whole item */
    const struct span *columns;        /* what each path is shown as (PartiQL); NULL: nested */
    bool show_on_failure;              /* ReturnValuesOnConditionCheckFailure ALL_OLD */

    /* set by transact_resolve and transact_write */
    const struct table *table;
    bool key_fits;               /* whether there may be an item with the key */
    bool in_hand;                /* whether `change` and `result` are there */
    struct change change;        /* of small items; large ones are read anew when they are needed */
    struct item result;          /* of an update: the finished item */
    size_t found_size;           /* of the item that was found; 0: there is none */
    struct capacity_place place; /* of the item, or of where it would be */
    size_t shown;                /* bytes of the stored item that the reason shows */
    const struct error *reason;  /* why the action is cancelled, or NULL */
};

struct transact {
    struct transact_action *actions;
    size_t len;
    struct arena *kept; /* the reasons; set by transact_resolve */
};

/* Tables, targets (no item twice), empty key values, total size: faults of the whole request. */
MUST_CHECK const struct error *transact_resolve(struct call *c, struct transact *t);

/* Evaluates every action, then applies all or answers TransactionCanceledException. */
MUST_CHECK const struct error *transact_write(struct call *c, struct transact *t);

/* Reads what a write would have changed, for the reply to one that was done before. */
MUST_CHECK const struct error *transact_replay(struct call *c, struct transact *t);

/* Looks at the keys of every get; faults are cancellation reasons. */
MUST_CHECK const struct error *transact_read(struct call *c, struct transact *t);

/* Writes one get's {"Item": …}, or {} where there is nothing to show. */
MUST_CHECK const struct error *transact_put_item(struct call *c, struct transact_action *action);

/* --- idempotency: ClientRequestToken ---------------------------------------------------------- */

/* The shape of ClientRequestToken. */
extern const struct wire_shape transact_token_shape;

/* Resolves and writes, once for each ClientRequestToken: when the operation did the request within
 * the last ten minutes, nothing is written, *replayed is set, and the items are read as they are
 * now. The same token with another `payload` (the parameter that holds the actions) is an error. */
MUST_CHECK const struct error *transact_write_once(struct call *c, struct transact *t,
                                                   const char *payload, bool *replayed);

/* When the token whose entry has this body is to be forgotten. */
int64_t transact_token_end_ms(struct span body);

#endif
