/* crc32.h: the CRC-32 of zlib and IEEE 802.3, as the x-amz-crc32 header carries it. */
#pragma once

#include "base/span.h"

uint32_t crc32_of(struct span bytes);
