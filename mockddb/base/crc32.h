/* crc32.h: the CRC-32 of zlib and IEEE 802.3, as the x-amz-crc32 header carries it. */
#ifndef BASE_CRC32_H
#define BASE_CRC32_H

#include "base/span.h"

uint32_t crc32_of(struct span bytes);

#endif
