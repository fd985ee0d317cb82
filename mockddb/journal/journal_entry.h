/* journal_entry.h: an entry of a journal. */
#pragma once

#include "journal/journal.h"

/* The effect of the request on one table. */
struct journal_account {
    double table_units;
    uint32_t items_read, items_returned, pages, unprocessed;
    uint16_t name_len;
    uint8_t writes;
    uint8_t key_count; /* the names of the key's attributes follow, each as a journal_name, … */
    uint16_t index_count; /* … then the indexes used, each as a journal_index */
};

struct journal_name {
    uint16_t len;
};

struct journal_index {
    double units;
    uint16_t name_len;
    uint8_t key_count; /* the names of its partition attributes follow, each as a journal_name */
};

struct journal_entry {
    uint64_t id;
    int64_t began_ms; /* on the world's clock */
    int64_t began_us; /* in the clock's ticks, which follow real time */
    int64_t took_us;
    const struct op *op; /* NULL: the request names no operation that exists */
    int status;
    enum error_kind error; /* ERROR_NONE: it succeeded */
    uint64_t rule;         /* the fault rule that was applied; 0: none */
    int64_t delay_ms;      /* by which that rule delays the answer, in addition to took_us */
    double read_units, write_units;
    uint64_t items_read, items_returned, pages, unprocessed;
    bool cut;                       /* the body is too long: only its short members are kept */
    uint16_t steps[CATALOGUE_TIES]; /* of the catalogue, from 1 on, that match; 0: no more */
    uint16_t answer;                /* the step that would have answered it; 0: unknown */
    bool strange_index;             /* it read an index that no pattern uses */
    uint32_t body_len, message_len, accounts_len, client_len, account_count;
    char bytes[]; /* body, message, accounts, client */
};

/* The number of bytes that it takes. */
size_t journal_entry_size(const struct journal_entry *e);

struct span journal_entry_body(const struct journal_entry *e);
struct span journal_entry_message(const struct journal_entry *e);
struct span journal_entry_client(const struct journal_entry *e);

/* Iterates over the accounts: *at is 0 at the beginning; false after the last. Spans borrow. */
struct journal_account_view {
    struct journal_account account;
    struct span name;
    struct span keys;    /* for journal_entry_key */
    struct span indexes; /* for journal_entry_index */
};
bool journal_entry_account(const struct journal_entry *e, size_t *at,
                           struct journal_account_view *out);
/* Takes the next name of an account; false after the last. */
bool journal_entry_key(struct span *keys, struct span *name);

struct journal_index_view {
    double units;
    struct span name;
    struct span keys; /* for journal_entry_key: the partition attributes */
};
/* Takes the next index of an account; false after the last. Spans borrow. */
bool journal_entry_index(struct span *indexes, struct journal_index_view *out);
