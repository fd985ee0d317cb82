/* attributes.h: compiler attributes, named once. */
#pragma once

#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))
#define MUST_CHECK             __attribute__((warn_unused_result))
#define NO_RETURN              __attribute__((noreturn))
#define NO_INLINE              __attribute__((noinline)) /* keeps rare code out of hot code */

/* Number of elements of an array (not of a pointer). */
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
