/* memory_in_use.h: how much memory this process has from malloc, for tests of what is given back.
 */
#ifndef SUPPORT_MEMORY_IN_USE_H
#define SUPPORT_MEMORY_IN_USE_H

#include <stddef.h>

/* Bytes, give or take what malloc keeps beside each block. */
size_t memory_in_use(void);

#endif
