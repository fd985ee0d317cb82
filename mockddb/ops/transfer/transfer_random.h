/* transfer_random.h: names of files as the service makes them up. */
#ifndef OPS_TRANSFER_RANDOM_H
#define OPS_TRANSFER_RANDOM_H

#include "ops/op.h"

/* 26 characters of a-z and 2-7, in the call's arena. */
struct span transfer_random_name(struct call *c);

#endif
