/* golden_objects.h: steps about objects in S3 buckets, which are folders of their own for each
 * case. */
#pragma once

#include <cjson/cJSON.h>

#include "ops/transfer/buckets.h"

/* The buckets of the next case: none so far. */
struct buckets *golden_objects_new(void);
/* Their folder, which may not exist yet. */
const char *golden_objects_path(void);

/* Removes the files of all cases. */
void golden_objects_end(void);

/* Whether a step is one of these; *well says whether what it wants is so. */
bool golden_objects_run(struct arena *a, struct buckets *buckets, const cJSON *step, cJSON *saved,
                        const char *title, bool *well);
