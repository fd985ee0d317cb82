/* http_limits.h: how much a client may send, how much is buffered for it, and for how long. */
#pragma once

#include "model/limits.h"

#include <stddef.h>

/* The longest body that is read as a whole is the service's limit, LIMIT_REQUEST_BYTES. Routes that
 * stream bodies have no limit. */

/* Longer heads are refused. SDKs' longest heads, with a session token, have less than 8 KB. */
#define HTTP_MAX_HEAD ((size_t)64 * 1024)

/* A chunk's size and extensions. Without a limit, an endless line would be searched again for each
 * of its bytes. */
#define HTTP_MAX_CHUNK_LINE ((size_t)4 * 1024)

/* All extensions and trailers of a body; they are ignored. */
#define HTTP_MAX_CHUNK_EXTRAS ((size_t)64 * 1024)

/* A compressed body. The worst case, bytes that decompress one by one, takes some 200 ms at this
 * size. The decompressed body has the same limit as any other. */
#define HTTP_MAX_PACKED ((size_t)4 * 1024 * 1024)

/* What a connection may send while its reply is under way; after that it is not read. */
#define HTTP_MAX_AHEAD ((size_t)64 * 1024)

/* Unfinished requests and unread replies of all connections together: about eight of the largest
 * each way. Above this, the connection that has held the oldest of them is dropped. */
#define HTTP_MAX_HELD ((size_t)256 * 1024 * 1024)
#define HTTP_HEAVY    ((size_t)16 * 1024) /* a connection that holds less is not dropped for it */

/* The part of a streamed reply that may wait for its reader, and the largest part of a streamed
 * body that a route receives. */
#define HTTP_STREAM_WINDOW ((size_t)256 * 1024)

/* Requests are handled for this long in a turn of the loop; then replies are sent and more is read.
 * A connection whose last request alone took longer goes behind the others, for at most a
 * second. */
#define HTTP_TURN_MS     20
#define HTTP_MAX_WAIT_MS 1000

/* A connection with a body of this length also goes behind the others. */
#define HTTP_LONG_BODY ((size_t)1024 * 1024)

/* The largest uploaded snapshot; a larger one could not be loaded. */
#define HTTP_MAX_UPLOAD ((size_t)4 * 1024 * 1024 * 1024)

#define HTTP_IDLE_MS 120000 /* a connection is closed after this time without any bytes */
#define HTTP_USED_MS \
    1000 /* a connection used within this time is not closed to make room for others */
#define HTTP_LINGER_MS                                                        \
    1000 /* time for a refused client to read the reason while it still sends \
          */

/* Memory is returned to the system after this time with little work: at most a hundredth of it. */
#define HTTP_TRIM_MS  4000
#define HTTP_QUIET_MS 50
