#include "base/crc32.h"

#include <zlib.h>

uint32_t crc32_of(struct span bytes)
{
    return (uint32_t)crc32_z(0, (const unsigned char *)bytes.at, bytes.len);
}
