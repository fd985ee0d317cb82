/* hash.h: a fast, stable hash of bytes. It is part of the file format: Scan order depends on it. */
#pragma once

#include "base/span.h"

/* 32 well-mixed bits (FNV-1a over 64 bits with a final avalanche). */
uint32_t hash_bytes(struct span bytes);
