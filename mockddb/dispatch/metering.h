/* metering.h: the observer that counts calls for the metrics of a world.
 *
 * It is always active, so it must cost very little: a GetItem adds to two points that it finds
 * through a small table. Which call counts where: docs/behaviour/metrics.md. */
#pragma once

#include "dispatch/observer.h"
#include "ops/metrics/metrics.h"

struct metering;

/* Adds to the metrics, which must outlive it. */
struct metering *metering_new(struct metrics *metrics);
void metering_free(struct metering *m); /* m may be NULL */

/* Call this when the store is replaced: table numbers may then mean other tables. */
void metering_forget_tables(struct metering *m);

/* For dispatch_observe. */
struct observer *metering_observer(struct metering *m);
