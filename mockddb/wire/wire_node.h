/* wire_node.h: the internals of a node, for the files of wire/ and for code that writes JSON for
 * clients.
 *
 * A node is a place in the text of the body. Its contents are made when they are first used, and
 * then kept: unused parts cost nothing, and attribute values are read directly from the text
 * (wire_attr). */
#pragma once

#include "base/ascii.h"
#include "wire/wire_body.h"
#include "wire/wire_cursor.h"

struct wire_node {
    const struct wire_source *source;
    const char *at;   /* first character of the value */
    const char *name; /* of a member, else NULL */
    uint32_t name_len;
    bool opened;  /* whether `children` are made … */
    bool counted; /* … or at least counted */
    bool last;    /* of its siblings */
    union {
        struct span text; /* of a string; the digits of a number */
        struct {
            struct wire_node *at;
            size_t len;
        } children; /* of a list or object, side by side */
    };
};

static inline bool wire_is_null(const wire_node *node)
{
    return *node->at == 'n';
}

static inline bool wire_is_object(const wire_node *node)
{
    return *node->at == '{';
}

static inline bool wire_is_list(const wire_node *node)
{
    return *node->at == '[';
}

static inline bool wire_is_string(const wire_node *node)
{
    return *node->at == '"';
}

static inline bool wire_is_boolean(const wire_node *node)
{
    return *node->at == 't' || *node->at == 'f';
}

static inline bool wire_is_number(const wire_node *node)
{
    return *node->at == '-' || ascii_is_digit(*node->at);
}

/* The digits of a number as they were sent. */
static inline struct span wire_digits(const wire_node *node)
{
    return node->text;
}

/* Whether the number at a place in the text was sent as an integer. */
bool wire_is_whole(const char *number);

/* Whether a string means a boolean (true, false, 1, 0, yes, no in any case). */
bool wire_text_is_bool(struct span text, bool *value);

/* Makes *node the value of a place; returns the end of the value in the text. */
const char *wire_node_fill(struct wire_node *node, const struct wire_source *s,
                           const struct wire_place *p);

/* Makes the members children of an object that has none yet; their names must be distinct. */
void wire_open_with(const wire_node *object, const struct wire_place *members, size_t count);

/* Visits the elements of a list without keeping nodes: for lists that may be longer than allowed.
 * For members of an object, use wire_first and wire_next. */
struct wire_walk {
    struct wire_place place;
    struct wire_node element;
    const char *past;
};
const wire_node *wire_walk_first(struct wire_walk *w, const wire_node *collection);
const wire_node *wire_walk_next(struct wire_walk *w, const wire_node *child);

/* Whether the member whose value is at `member` counts, if its name occurs several times in the
 * object. */
bool wire_is_counted(const wire_node *object, const char *member);
