/* plain.h: how far a JSON string is plain: what every reader and writer of JSON asks most often. */
#ifndef BASE_PLAIN_H
#define BASE_PLAIN_H

/* The first quote, backslash or control character from `at` on; `end` where there is none. */
const char *plain_end(const char *at, const char *end);

#endif
