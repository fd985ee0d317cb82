/* http_limits.h: how much a client may send, how much may wait for it, and for how long. */
#ifndef HTTP_HTTP_LIMITS_H
#define HTTP_HTTP_LIMITS_H

#include "model/limits.h"

#include <stddef.h>

/* The longest body that is read at once is the service's own, LIMIT_REQUEST_BYTES. Routes that
 * stream bodies have none. */

/* Longer heads are refused: the longest of an SDK, with a session token, are below 8 KB. */
#define HTTP_MAX_HEAD ((size_t)64 * 1024)

/* A chunk's size and its extensions; without a bound a line without end would be searched again
 * with each byte of it. */
#define HTTP_MAX_CHUNK_LINE ((size_t)4 * 1024)

/* All extensions and trailers of one body: nobody reads them. */
#define HTTP_MAX_CHUNK_EXTRAS ((size_t)64 * 1024)

/* A body that is packed: bytes that come out one by one take the longest, these some 200 ms. What
 * comes out is bounded as any other body. */
#define HTTP_MAX_PACKED ((size_t)4 * 1024 * 1024)

/* What a connection may send on while its reply is under way; then it is not read any more. */
#define HTTP_MAX_AHEAD ((size_t)64 * 1024)

/* Requests that are not whole yet and replies that wait to be read, of all connections together:
 * some eight of the largest each way. The connection that holds the most ancient of them is
 * dropped when there is more. */
#define HTTP_MAX_HELD ((size_t)256 * 1024 * 1024)
#define HTTP_HEAVY    ((size_t)16 * 1024) /* a connection that holds less is not dropped for it */

/* Of a reply that is streamed, what may wait for its reader; the part of a body that a route which
 * streams it is handed at most. */
#define HTTP_STREAM_WINDOW ((size_t)256 * 1024)

/* Work of one turn of the loop; then its replies leave and others are read. A connection whose
 * last request took longer alone goes behind the others, for a second at most. */
#define HTTP_TURN_MS     20
#define HTTP_MAX_WAIT_MS 1000

/* A body that is as long has its connection wait behind the others as well. */
#define HTTP_LONG_BODY ((size_t)1024 * 1024)

/* A snapshot that is sent to us: more would not be loaded. */
#define HTTP_MAX_UPLOAD ((size_t)4 * 1024 * 1024 * 1024)

#define HTTP_IDLE_MS   120000 /* a connection on which nothing moves for that long is closed */
#define HTTP_USED_MS   1000   /* one that was used is not idle before, should others need room */
#define HTTP_LINGER_MS 1000   /* for a client that was refused to read why, while it still sends */

/* Memory goes back to the system after a time in which no more than that was work: a hundredth. */
#define HTTP_TRIM_MS  4000
#define HTTP_QUIET_MS 50

#endif
