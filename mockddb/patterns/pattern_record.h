/* pattern_record.h: a file of patterns whose expectations are what was answered. */
#ifndef PATTERNS_PATTERN_RECORD_H
#define PATTERNS_PATTERN_RECORD_H

#include "patterns/pattern_result.h"

/* The file's text, in which each step that was answered expects that answer: its number of items,
 * or its error, and its cost. What else is expected stays, and so does everything around it. */
struct span pattern_record(struct arena *a, const struct pattern_file_result *result);

#endif
