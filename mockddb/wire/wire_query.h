/* wire_query.h: the query protocol of older services: requests as forms, answers as XML; converts
 * both from and to JSON by their shapes.
 *
 *   Action=GetMetricStatistics&Dimensions.member.1.Name=TableName&…
 *   <Datapoints><member><Sum>12.0</Sum></member></Datapoints> */
#pragma once

#include "base/buf.h"
#include "wire/wire_shape.h"

/* A form's fields, decoded and sorted by name; fields of the same name keep their order. */
struct wire_form {
    struct wire_field {
        struct span name, value;
        size_t place; /* in the text */
    } * at;
    size_t count;
};

/* False if there are more fields, or a longer text, than in any request. */
bool wire_query_read(struct arena *a, struct span text, struct wire_form *out);

/* The field's value, or {NULL, 0}. */
struct span wire_query_field(const struct wire_form *form, const char *name);

/* The JSON of the members that the form has. An invalid number or time stays text, so that the
 * check of types finds it. */
struct span wire_query_json(struct arena *a, const struct wire_member *members,
                            const struct wire_form *form);

/* Writes the listed members as elements. */
void wire_query_xml(struct arena *a, struct buf *out, const struct wire_member *members,
                    const wire_node *body);

/* Writes a text with XML's escapes. */
void wire_query_add_text(struct buf *out, struct span text);
