#include "base/crc32.h"

#include <libdeflate.h>

uint32_t crc32_of(struct span bytes)
{
    return libdeflate_crc32(0, bytes.at, bytes.len);
}
