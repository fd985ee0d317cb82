/* http_memory.h: libevent's blocks, kept by size.
 *
 * A request makes libevent take and return some seventy small blocks, and a fifth of its time
 * outside the kernel goes to malloc and free. Here a returned block goes onto the list of its size
 * and is the next one taken. */
#ifndef HTTP_HTTP_MEMORY_H
#define HTTP_HTTP_MEMORY_H

#include <stddef.h>

/* To be called before any other function of libevent, once or more. Under sanitizers it does
 * nothing, so that each block stays a malloc of its own. */
void http_memory_install(void);

/* What libevent is given, as malloc, realloc and free: NULL where the system has no memory left. */
void *http_memory_take(size_t size);
void *http_memory_resize(void *at, size_t size);
void http_memory_return(void *at);

/* Gives back to the system what is kept beyond a megabyte of each size, after a flood of clients.
 */
void http_memory_trim(void);

#endif
