/* memory_in_use.h: how much memory this process has from malloc, for tests of what is given back.
 */
#pragma once

#include <stddef.h>

/* Bytes, give or take what malloc keeps beside each block. */
size_t memory_in_use(void);
