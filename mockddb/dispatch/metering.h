/* metering.h: the observer that counts calls for the metrics of a world.
 *
 * It is always there, so it must cost next to nothing: a GetItem adds to two points that it finds
 * by a look into a small table. Which call counts where: docs/behaviour/metrics.md. */
#ifndef DISPATCH_METERING_H
#define DISPATCH_METERING_H

#include "dispatch/observer.h"
#include "ops/metrics/metrics.h"

struct metering;

/* Adds to the metrics, which must outlive it. */
struct metering *metering_new(struct metrics *metrics);
void metering_free(struct metering *m); /* m may be NULL */

/* The store is another one: a table's number may be another table's. */
void metering_forget(struct metering *m);

/* For dispatch_observe. */
struct observer *metering_observer(struct metering *m);

#endif
