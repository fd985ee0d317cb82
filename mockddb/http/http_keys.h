/* http_keys.h: the access keys of --require-signature.
 *
 * A file with lines `ACCESS_KEY SECRET [SESSION_TOKEN]`, separated by blanks; empty lines and lines
 * that begin with # are ignored. Messages name a line only by its number. */
#pragma once

#include "base/sigv4.h"

struct http_keys;

/* Loads the file's keys into the arena. Returns NULL and sets *problem to one line if it cannot be
 * used. */
const struct http_keys *http_keys_load(struct arena *a, const char *path, const char **problem);

/* Returns the key with this id, or NULL. */
const struct sigv4_keys *http_keys_find(const struct http_keys *keys, struct span access_key);
