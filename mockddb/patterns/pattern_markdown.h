/* pattern_markdown.h: writes the results of a run as a cheat sheet in Markdown, with commands. */
#ifndef PATTERNS_PATTERN_MARKDOWN_H
#define PATTERNS_PATTERN_MARKDOWN_H

#include "base/buf.h"
#include "patterns/pattern_result.h"

/* Appends the sheet. */
void pattern_markdown(struct buf *out, const struct pattern_report *report);

#endif
