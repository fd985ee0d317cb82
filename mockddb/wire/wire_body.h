/* wire_body.h: a request's JSON body as a tree.
 *
 * Everything lives in the arena or in the text, which must be there as long as the tree. The text
 * must be strict JSON in valid UTF-8; of repeated names the last one counts; strings and names may
 * hold NUL (\u0000). Parsing goes through the text once; a node is made when it is looked at (why:
 * docs/architecture.md). Source: docs/behaviour/wire.md. */
#ifndef WIRE_WIRE_BODY_H
#define WIRE_WIRE_BODY_H

#include "base/siphash.h"
#include "model/error.h"

/* A node of the parsed body; its inside is nobody else's business. */
typedef struct wire_node wire_node;

/* An object; any other JSON value, and what is not JSON, is a SerializationException without a
 * message. The key makes names that were chosen to collide cost no more than others; wire_parse
 * takes the process's own, so it is not for what tests count. */
MUST_CHECK const struct error *wire_parse_keyed(struct arena *a, struct span text,
                                                const struct siphash_key *key,
                                                const wire_node **out);
MUST_CHECK const struct error *wire_parse(struct arena *a, struct span text, const wire_node **out);

/* For files that people write: where in a text that is no JSON it stops being it, NULL where no
 * place is known; and the line of that, from 1, or 1. */
const char *wire_error_place(struct arena *a, struct span text);
size_t wire_error_line(struct arena *a, struct span text);

/* The member or NULL (absent, null, or object is no object). Names are case-sensitive. */
const wire_node *wire_get(const wire_node *object, const char *name);
const wire_node *wire_get_span(const wire_node *object, struct span name);

struct span wire_raw(const wire_node *node);           /* its JSON as it was sent */
struct span wire_text(const wire_node *node);          /* a string; {NULL, 0} for others, NULL */
bool wire_bool(const wire_node *node, bool otherwise); /* `otherwise` for NULL; yes is true */
int64_t wire_integer(const wire_node *node, int64_t otherwise); /* decimals are floored */
double wire_double(const wire_node *node, double otherwise);
/* Milliseconds since 1970 from seconds with decimals, to the nearest. */
int64_t wire_time(const wire_node *node, int64_t otherwise);

/* Elements of a list or members of an object, null ones included. */
size_t wire_count(const wire_node *node);           /* 0 for scalars and NULL */
size_t wire_count_sent(const wire_node *node);      /* repeated ones included; makes nothing */
struct span wire_repeated(const wire_node *object); /* a name that it has twice, or {NULL, 0} */
const wire_node *wire_first(const wire_node *node); /* first element or member, or NULL */
const wire_node *wire_next(const wire_node *node);  /* its next sibling, or NULL */
struct span wire_name(const wire_node *node);       /* the name of a member */

#endif
