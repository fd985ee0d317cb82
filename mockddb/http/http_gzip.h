/* http_gzip.h: replies in gzip form, or in zlib's, which HTTP calls deflate, for clients that ask
 * for it. Source: what the service answers to each header; docs/behaviour/http.md. */
#ifndef HTTP_HTTP_GZIP_H
#define HTTP_HTTP_GZIP_H

#include "base/span.h"

struct http_gzip;

enum http_coding { HTTP_PLAIN, HTTP_GZIP, HTTP_DEFLATE };

struct http_gzip *http_gzip_new(void);
void http_gzip_free(struct http_gzip *z); /* z may be NULL */

/* Gives back what it has been grown to. */
void http_gzip_trim(struct http_gzip *z);

/* What the value of an Accept-Encoding header (may be NULL) likes best. */
enum http_coding http_gzip_choice(const char *accept_encoding);

/* What Content-Encoding calls it; NULL of plain bytes. */
const char *http_gzip_name(enum http_coding coding);

/* The bytes in that form, valid until the next call. */
struct span http_gzip(struct http_gzip *z, enum http_coding coding, struct span bytes);

#endif
