#include "ops/op.h"

bool op_background(struct call *c)
{
    (void)c;
    return false;
}
