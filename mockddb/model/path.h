/* path.h: document paths: a.b[2].c */
#pragma once

#include "model/attr.h"

struct path_step {
    bool is_index;
    struct span name; /* if !is_index */
    uint32_t index;   /* if is_index */
};

struct path {
    struct path_step *at;
    size_t len; /* at least 1; the first step is a name */
};

/* The value at the path or NULL; the item may be NULL. */
const struct attr *path_find(const struct item *it, const struct path *p);

bool path_same_step(const struct path_step *a, const struct path_step *b);
bool path_equal(const struct path *a, const struct path *b);

/* An order in which paths with the same beginning are neighbours: < 0, 0, > 0. */
int path_compare(const struct path *a, const struct path *b);

enum path_clash {
    PATH_APART,
    PATH_OVERLAP, /* equal, or one is a prefix of the other */
    PATH_CONFLICT /* same prefix, then a name in one and an index in the other */
};
enum path_clash path_clash(const struct path *a, const struct path *b);

/* Writes the path as in an expression, without quotes: a.b[1].c */
void path_add(struct buf *out, const struct path *p);

/* Writes the path as messages print it: [a, b, [1], c] */
void path_print(struct buf *out, const struct path *p);
