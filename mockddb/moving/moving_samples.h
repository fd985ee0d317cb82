/* moving_samples.h: items of sample data in models, as people type them.
 *
 * NoSQL Workbench takes what is typed for a map or a list as it is: {"M":{"street":"x","no":1}},
 * {"L":["x",{"N":1}]}, {"M":"{\"no\":1}"}. A value with a type is of that type, in whatever form:
 * {"N":1}, {"BOOL":"true"}, {"NS":[1,2]}. A value without one is what JSON has: a string, number,
 * boolean or null, a list or a map. Its item is refused where it
 * cannot be of its type. */
#ifndef MOVING_MOVING_SAMPLES_H
#define MOVING_MOVING_SAMPLES_H

#include "ops/transfer/transfer_format.h"

/* Items in lists, one behind another. What is guessed is noted in the options' guesses. */
extern const struct transfer_format moving_samples;

#endif
