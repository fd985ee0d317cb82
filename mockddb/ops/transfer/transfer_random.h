/* transfer_random.h: random file names in the service's form. */
#ifndef OPS_TRANSFER_RANDOM_H
#define OPS_TRANSFER_RANDOM_H

#include "ops/op.h"

/* 26 characters of a-z and 2-7, in the call's arena. */
struct span transfer_random_name(struct call *c);

#endif
