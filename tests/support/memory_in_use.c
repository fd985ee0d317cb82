#include "support/memory_in_use.h"

#include <malloc.h>

/* gcc has the macro, clang the feature. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED
#endif

#ifdef IS_SANITIZED
/* Of sanitizer/allocator_interface.h, which not every gcc brings along. */
extern size_t __sanitizer_get_current_allocated_bytes(void);

size_t memory_in_use(void)
{
    return __sanitizer_get_current_allocated_bytes();
}
#else
size_t memory_in_use(void)
{
    struct mallinfo2 info = mallinfo2();

    return info.uordblks + info.hblkhd;
}
#endif
