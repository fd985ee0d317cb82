/* moving_samples.h: items of sample data in models, as people type them.
 *
 * NoSQL Workbench accepts hand-typed maps and lists unchanged: {"M":{"street":"x","no":1}},
 * {"L":["x",{"N":1}]}, {"M":"{\"no\":1}"}. A value with a type has that type in any form: {"N":1},
 * {"BOOL":"true"}, {"NS":[1,2]}. A value without a type becomes what it is in JSON: a string,
 * number, boolean, null, list or map. An item with a value that does not fit its type is
 * refused. */
#ifndef MOVING_MOVING_SAMPLES_H
#define MOVING_MOVING_SAMPLES_H

#include "ops/transfer/transfer_format.h"

/* Items in lists, one list after another. Guesses are noted in the options. */
extern const struct transfer_format moving_samples;

#endif
