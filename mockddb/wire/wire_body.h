/* wire_body.h: a request's JSON body as a tree.
 *
 * Everything lives in the arena or in the text, which must live as long as the tree. The text must
 * be strict JSON in valid UTF-8; the last of repeated names counts; strings and names may contain
 * NUL (\u0000). Parsing scans the text once; a node is made when it is first used (why:
 * docs/architecture.md). Source: docs/behaviour/wire.md. */
#pragma once

#include "base/problem.h"
#include "base/siphash.h"
#include "base/text_place.h"
#include "model/error.h"

/* A node of the parsed body; its members are private to wire/. */
typedef struct wire_node wire_node;

/* Parses an object; any other JSON value, and text that is not JSON, is a SerializationException
 * without a message. With a secret key, names that were chosen to collide cost no more than others.
 * wire_parse uses the process's own key, so tests that count steps must not use it. */
MUST_CHECK const struct error *wire_parse_keyed(struct arena *a, struct span text,
                                                const struct siphash_key *key,
                                                const wire_node **out);
MUST_CHECK const struct error *wire_parse(struct arena *a, struct span text, const wire_node **out);

/* For errors about files that people write: where a text stops being JSON, NULL if unknown; its
 * line and column, those of the beginning if unknown; and a problem at that place. */
const char *wire_error_at(struct arena *a, struct span text);
struct text_place wire_error_place(struct arena *a, struct span text);
MUST_CHECK const struct problem *wire_problem(struct arena *a, struct span text, const char *file);

/* The member, or NULL if it is absent or null, or `object` is not an object. Case-sensitive. */
const wire_node *wire_get(const wire_node *object, const char *name);
const wire_node *wire_get_span(const wire_node *object, struct span name);

struct span wire_raw(const wire_node *node);           /* its JSON as it was sent */
struct span wire_text(const wire_node *node);          /* a string; {NULL, 0} for other kinds */
bool wire_bool(const wire_node *node, bool otherwise); /* `otherwise` for NULL; yes is true */
int64_t wire_integer(const wire_node *node, int64_t otherwise); /* decimals are floored */
double wire_double(const wire_node *node, double otherwise);
/* Milliseconds since 1970 from seconds with decimals, rounded. */
int64_t wire_time(const wire_node *node, int64_t otherwise);

/* Elements of a list or members of an object, null ones included. */
size_t wire_count(const wire_node *node);      /* 0 for scalars and NULL */
size_t wire_count_sent(const wire_node *node); /* repeated ones included; makes no nodes */
bool wire_has_text(const wire_node *list, struct span text); /* as an element */
struct span wire_repeated(const wire_node *object); /* a name that occurs twice, or {NULL, 0} */
const wire_node *wire_first(const wire_node *node); /* first element or member, or NULL */
const wire_node *wire_next(const wire_node *node);  /* its next sibling, or NULL */
struct span wire_name(const wire_node *node);       /* the name of a member */
