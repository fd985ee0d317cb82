/* awscli_yaml.h: answers as the CLI prints them with --output yaml. */
#pragma once

#include "wire/json.h"

/* Appends the answer, with a line break at its end. */
void awscli_yaml_add(struct buf *out, const wire_node *node);
