/* schema_lock.h: lock files: tables without items, for tests that have no server to ask.
 *
 *     {"mockddb_lock": 1, "tables": [what export --schema writes, …]}
 *
 * --fixtures and import read them (templates/template_lock.c). */
#pragma once

#include "client/client.h"

#define SCHEMA_LOCK_FILE "mockddb.lock.json"

/* Puts the tables, by names or ARNs, into the lock file, beside those that it has; without words
 * (NULL or empty), updates those that it has. Only Describe, List and Get calls are made. Returns
 * the exit status. */
int schema_lock_pull(struct arena *a, struct client *from, char *const *words, const char *path);

/* Compares tables with the lock file, and prints the differences. Returns the exit status, which is
 * EXIT_FAILURE if there are any. */
int schema_lock_check(struct arena *a, struct client *from, char *const *words, const char *path);

/* The region of the first ARN among the words; NULL without an ARN. */
const char *schema_lock_region(struct arena *a, char *const *words);
