/* task_check.h: whether an export, import or bulk put of an untrusted file is one that this program
 * could have written. Which spaces it reads and owns is checked by worlds/snapshot_owners. */
#pragma once

#include "ops/transfer/task.h"

/* Reads a task from its row; false if the row is not sound. A running export also gets its table at
 * the request. */
bool task_check_row(struct call *c, const struct store_row *row, struct task *out,
                    const struct table **source);
