/* dear.h: what the dearest requests are made of, for bench_dear. */
#pragma once

#include "worlds/worlds.h"

struct bench {
    struct arena *arena;
    struct dispatcher *server;
    const char *root; /* a folder of its own, whose folders are S3 buckets; NULL: none is needed */
};

/* A request that holds many factors near their limits at once. */
struct dear {
    const char *name;
    void (*set_up)(struct bench *b); /* NULL: nothing is stored */
    const char *operation;
    void (*body)(struct buf *out);
    bool small;       /* of at most 64 KB, over small items: it has to be quick */
    bool turns;       /* what it begins is done between requests: the longest turn counts */
    bool shows_items; /* a failed condition was asked for them: its error may be long */
};

/* Every row that was found so far; a row without a name ends each list. */
extern const struct dear dear_rows[], dear_small_rows[];

/* A request put together by chance, the same for the same seed; valid until the next one. */
const struct dear *dear_by_chance(uint64_t seed);

/* Imports and bulk puts of packed files; NULL behind the last. Valid until the next one. */
const struct dear *dear_of_file(size_t number);

/* --- parts of requests ------------------------------------------------------------------------ */

struct reply dear_call(struct bench *b, const char *operation, struct span body);
/* Only a slice of what is done in slices. */
struct reply dear_call_slice(struct bench *b, const char *operation, struct span body);
void dear_must_call(struct bench *b, const char *operation, struct span body);

/* A table "Dear" with keys pk and sk, `indexes` global ones on g that project what is said, and,
 * where it is wanted, a stream. */
void dear_make_table(struct bench *b, int indexes, const char *projection, bool stream);

/* Puts the item that has this number; `more` writes its further attributes. */
void dear_put(struct bench *b, int number, void (*more)(struct buf *out));

void dear_add_key(struct buf *out, int number);
void dear_open_item(struct buf *out, int number); /* "{" and its keys */
void dear_add_text(struct buf *out, size_t len);
void dear_add_nulls(struct buf *out, int count); /* {"L":[{"NULL":true},…]} */
/* {"SS":[…]} of up to 456 976 texts of four letters, in an order that looks like none. */
void dear_add_set(struct buf *out, int count);
/* Members of a map or an item, whose order depends on `turn`. */
void dear_add_members(struct buf *out, int count, int turn);
