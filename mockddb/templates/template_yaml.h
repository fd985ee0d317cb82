/* template_yaml.h: reads a YAML text as a template's tree, by libyaml.
 *
 * Short forms such as !Ref become maps. Size, depth, anchors and number of nodes are limited
 * (model/limits.h), a name that occurs twice, merges (<<) and second documents are refused, as
 * CloudFormation refuses them. An alias adds no nodes to the tree. */
#pragma once

#include "templates/template_node.h"

/* Columns count characters. Returns NULL, or what is wrong. */
MUST_CHECK const struct problem *template_yaml_read(struct arena *a, struct span text,
                                                    const struct template_node **out);
