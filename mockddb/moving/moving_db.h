/* moving_db.h: a client for a file of tables, which is opened in this process. */
#pragma once

#include "client/client.h"

/* The file is created if it does not exist, unless it `must_exist`; client_free closes it. Returns
 * NULL, or one line that says why it cannot be opened. */
MUST_CHECK const char *moving_db_open(struct arena *a, const char *path, bool must_exist,
                                      struct client **out);
