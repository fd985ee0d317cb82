/* wire_query.h: the query protocol of older services: requests as forms, answers as XML; from and
 * to JSON, by shapes.
 *
 *   Action=GetMetricStatistics&Dimensions.member.1.Name=TableName&…
 *   <Datapoints><member><Sum>12.0</Sum></member></Datapoints> */
#ifndef WIRE_WIRE_QUERY_H
#define WIRE_WIRE_QUERY_H

#include "base/buf.h"
#include "wire/wire_shape.h"

/* A form's fields, decoded, in the order of their names; of equal ones the first comes first. */
struct wire_form {
    struct wire_field {
        struct span name, value;
        size_t place; /* in the text */
    } * at;
    size_t count;
};

/* False for more fields, or a longer text, than any request has. */
bool wire_query_read(struct arena *a, struct span text, struct wire_form *out);

/* The field's value; {NULL, 0} where there is none. */
struct span wire_query_field(const struct wire_form *form, const char *name);

/* The JSON of the members that the form has. What should be a number or a moment and is none stays
 * text, so that the check of types finds it. */
struct span wire_query_json(struct arena *a, const struct wire_member *members,
                            const struct wire_form *form);

/* The members that are listed, as elements. */
void wire_query_xml(struct arena *a, struct buf *out, const struct wire_member *members,
                    const wire_node *body);

/* A text with what XML needs escaped. */
void wire_query_add_text(struct buf *out, struct span text);

#endif
