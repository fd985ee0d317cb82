/* template_json.h: reads a JSON text as a template's tree. */
#pragma once

#include "templates/template_node.h"

/* Reads a JSON object; the tree refers to the text. Columns count bytes. Returns NULL, or what is
 * wrong. */
MUST_CHECK const struct problem *template_json_read(struct arena *a, struct span text,
                                                    const struct template_node **out);
