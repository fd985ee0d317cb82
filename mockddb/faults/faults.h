/* faults.h: a world's fault rules, and the fault point that applies them.
 *
 * Rules are JSON as people write it: docs/faults.md. They are tested in their order for each valid
 * request; all that match are applied, but if several have the same effect, only the first. The
 * same rules and the same requests give the same faults. */
#pragma once

#include "base/problem.h"
#include "dispatch/fault_point.h"

struct faults;

struct faults *faults_new(void);
void faults_free(struct faults *f); /* f may be NULL */

/* Adds the rules of {"rules": […]} after the existing ones; all of them or, on an error, none. The
 * text is copied; `prefix` is put before the names of tables. A problem names the wrong member. */
MUST_CHECK const struct problem *faults_add(struct faults *f, struct arena *a, struct span text,
                                            const char *prefix);

/* Removes a rule; the others keep their ids and their counts. False: no rule has that id. */
bool faults_remove(struct faults *f, uint64_t id);

/* Removes all rules; ids begin at 1 again. */
void faults_clear(struct faults *f);

/* For dispatch_set_faults; NULL as long as there are no rules, so that they cost nothing. */
struct fault_point *faults_point(struct faults *f);

/* Writes the member "rules" (each rule with its id, the calls that it has seen and its hits). */
void faults_show(const struct faults *f, struct wire_writer *w);
