/* http_keys.h: the access keys that --require-signature lets in.
 *
 * A file of lines `ACCESS_KEY SECRET [SESSION_TOKEN]`, separated by blanks; empty lines and lines
 * that begin with # do not count. No message says more of a line than its number. */
#ifndef HTTP_HTTP_KEYS_H
#define HTTP_HTTP_KEYS_H

#include "base/sigv4.h"

struct http_keys;

/* The file's keys, in the arena; NULL, and *problem one line, when it cannot be used. */
const struct http_keys *http_keys_load(struct arena *a, const char *path, const char **problem);

/* The key of that name, or NULL. */
const struct sigv4_keys *http_keys_find(const struct http_keys *keys, struct span access_key);

#endif
