/* jmespath_tree.h: parsed expressions. */
#pragma once

#include "jmespath/jmespath_value.h"

struct jmespath_function;

enum jmespath_kind {
    JMESPATH_CURRENT,  /* @ */
    JMESPATH_LITERAL,  /* `…`, '…' */
    JMESPATH_FIELD,    /* name */
    JMESPATH_INDEX,    /* [0] */
    JMESPATH_SLICE,    /* [0:2:1] */
    JMESPATH_CHAIN,    /* left.right, left | right: right is evaluated for the result of left */
    JMESPATH_PROJECT,  /* left[*].right: right for each element */
    JMESPATH_VALUES,   /* left.*.right: right for each member's value */
    JMESPATH_FILTER,   /* left[?condition].right */
    JMESPATH_FLATTEN,  /* left[] */
    JMESPATH_OR,       /* left || right */
    JMESPATH_AND,      /* left && right */
    JMESPATH_NOT,      /* !left */
    JMESPATH_COMPARE,  /* left < right */
    JMESPATH_LIST,     /* [parts] */
    JMESPATH_HASH,     /* {names: parts} */
    JMESPATH_CALL,     /* function(parts) */
    JMESPATH_ARGUMENT, /* &left */
};

enum jmespath_comparator {
    JMESPATH_EQUAL,
    JMESPATH_UNEQUAL,
    JMESPATH_LESS,
    JMESPATH_AT_MOST,
    JMESPATH_MORE,
    JMESPATH_AT_LEAST,
};

struct jmespath {
    enum jmespath_kind kind;
    const struct jmespath *left, *right, *condition;
    const struct jmespath **parts;
    struct span *names;
    size_t count;

    struct span name;                     /* of a field */
    const struct jmespath_value *literal; /* of a literal */
    const struct jmespath_function *function;
    enum jmespath_comparator comparator;
    int64_t numbers[3]; /* an index; the start, end and step of a slice … */
    bool given[3];      /* … as far as they are given */
};
