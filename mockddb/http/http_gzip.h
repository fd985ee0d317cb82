/* http_gzip.h: compresses replies for clients that accept gzip. */
#pragma once

#include "base/span.h"

struct http_gzip;

struct http_gzip *http_gzip_new(void);
void http_gzip_free(struct http_gzip *z); /* z may be NULL */

/* Frees the memory that it has grown to. */
void http_gzip_trim(struct http_gzip *z);

/* Whether the value of an Accept-Encoding header (may be NULL) allows gzip by name. */
bool http_gzip_accepted(const char *accept_encoding);

/* The compressed bytes, valid until the next call. */
struct span http_gzip(struct http_gzip *z, struct span bytes);
