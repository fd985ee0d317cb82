/* transact.h: transactions, for TransactWriteItems, TransactGetItems and ExecuteTransaction.
 *
 * The operation makes the actions, from JSON or statements; this module finds their tables and does
 * the rest. Errors of an action become cancellation reasons: first all actions are checked, then
 * all apply or none. Source: API reference TransactWriteItems; docs/behaviour/transactions.md. */
#pragma once

#include "expr/expr.h"
#include "ops/change.h"

enum transact_kind {
    TRANSACT_CHECK,
    TRANSACT_PUT,
    TRANSACT_INSERT, /* a put that fails if the item exists: DuplicateItem */
    TRANSACT_DELETE,
    TRANSACT_UPDATE,
    TRANSACT_GET
};

struct transact_action {
    enum transact_kind kind;
    struct span table_name;            /* or ARN */
    struct item item;                  /* the whole item of a put or insert, else the key */
    size_t values_size;                /* bytes of the values besides the item */
    const struct expr_cond *cond;      /* NULL: no condition */
    bool must_exist;                   /* an absent item fails the condition (PartiQL UPDATE) */
    bool may_be_absent;                /* an absent item fails no condition (PartiQL DELETE) */
    struct expr_update *update;        /* of an update */
    struct expr_projection projection; /* of a get; len 0: the whole item */
    const struct span *columns;        /* output name of each path (PartiQL); NULL: nested */
    bool show_on_failure;              /* ReturnValuesOnConditionCheckFailure ALL_OLD */

    /* set by transact_resolve and transact_write */
    const struct table *table;
    bool key_fits;               /* the key is valid */
    bool is_loaded;              /* `change` and `result` are in memory */
    struct change change;        /* of short items; long ones are read again when needed */
    struct item result;          /* of an update: the finished item */
    size_t found_size;           /* of the stored item; 0: no item */
    struct capacity_place place; /* of the item's key */
    size_t shown;                /* bytes of the stored item to show in the reason; 0: none */
    const struct error *reason;  /* why the action is cancelled, or NULL */
};

struct transact {
    struct transact_action *actions;
    size_t len;
    struct arena *kept; /* of the reasons; set by transact_resolve */
};

/* Finds the tables and does the checks that fail the whole request: duplicate items, empty key
 * values, total size. */
MUST_CHECK const struct error *transact_resolve(struct call *c, struct transact *t);

/* Reads the items of all actions at once, as of one moment, where that saves trips (unit_want);
 * and the entry at `token`, if it is not empty. */
MUST_CHECK const struct error *transact_want(struct call *c, const struct transact *t,
                                             struct span token);

/* Checks all actions, then applies all or fails with TransactionCanceledException. */
MUST_CHECK const struct error *transact_write(struct call *c, struct transact *t);

/* Reads the items of a write that was done before, for the reply. */
MUST_CHECK const struct error *transact_replay(struct call *c, struct transact *t);

/* Checks and reads all gets; errors are cancellation reasons. */
MUST_CHECK const struct error *transact_read(struct call *c, struct transact *t);

/* Writes the {"Item": …} of a get, or {} without an item. */
MUST_CHECK const struct error *transact_put_item(struct call *c, struct transact_action *action);

/* --- idempotency: ClientRequestToken ---------------------------------------------------------- */

/* The shape of ClientRequestToken. */
extern const struct wire_shape transact_token_shape;

/* Resolves and writes, once for each ClientRequestToken. If the operation did the request in the
 * last ten minutes it writes nothing, sets *replayed, and reads the current items. A token with
 * another `payload` (the name of the member with the actions) is an error. */
MUST_CHECK const struct error *transact_write_once(struct call *c, struct transact *t,
                                                   const char *payload, bool *replayed);

/* When the token with this row body expires. */
int64_t transact_token_end_ms(struct span body);

/* Whether the row body of a foreign snapshot is one of a token. */
bool transact_token_is_sound(struct span body);
