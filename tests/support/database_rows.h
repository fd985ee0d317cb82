/* database_rows.h: the rows of a store in PostgreSQL, for tests that begin with none. */
#pragma once

/* Deletes all rows of the URL's schema, as if `mockddb store init` had just made it. Returns NULL,
 * or what is wrong. The connection stays for the next time. */
const char *database_rows_delete(const char *url);
void database_rows_end(void);
