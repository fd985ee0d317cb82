/* pattern_command.h: prints a request as the AWS CLI command that sends it. */
#ifndef PATTERNS_PATTERN_COMMAND_H
#define PATTERNS_PATTERN_COMMAND_H

#include "patterns/pattern_file.h"

#include "base/buf.h"

/* Appends `aws dynamodb …`, one option per line, with `cli` (array of strings or NULL) on the last
 * one; ends with a newline. All words are quoted for a POSIX shell. */
void pattern_command_write(struct buf *out, const struct pattern_step *step,
                           const wire_node *request, const wire_node *cli);

#endif
