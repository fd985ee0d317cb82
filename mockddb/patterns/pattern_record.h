/* pattern_record.h: rewrites a file of patterns so that its expectations match the answers. */
#pragma once

#include "patterns/pattern_result.h"

/* The file's text, in which each step that was answered expects that answer: its number of items,
 * or its error, and its cost. Other expectations and all other text are unchanged. */
struct span pattern_record(struct arena *a, const struct pattern_file_result *result);
