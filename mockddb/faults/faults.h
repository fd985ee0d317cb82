/* faults.h: a world's rules of what goes wrong, and the fault point that follows them.
 *
 * Rules are JSON as people write it: docs/faults.md. They are asked in their order about each sound
 * request; each that fits has its part in it, but of several that would do the same thing only the
 * first. The same rules and the same requests give the same faults. */
#ifndef FAULTS_FAULTS_H
#define FAULTS_FAULTS_H

#include "dispatch/fault_point.h"

struct faults;

struct faults *faults_new(void);
void faults_free(struct faults *f); /* f may be NULL */

/* Adds the rules of {"rules": […]} behind those that are there; all of them, or, where something is
 * wrong, none. The text is copied; `prefix` goes in front of the names of tables. Returns NULL, or
 * one clear sentence that names the member. */
const char *faults_add(struct faults *f, struct arena *a, struct span text, const char *prefix);

/* Takes one away; those behind it keep their ids and what they have counted. False: there is none
 * with that id. */
bool faults_remove(struct faults *f, uint64_t id);

/* Takes all away; ids begin at 1 again. */
void faults_clear(struct faults *f);

/* For dispatch_set_faults; NULL as long as there are no rules, so that they cost nothing. */
struct fault_point *faults_point(struct faults *f);

/* Writes the members "rules" (each with its id, the calls that it has seen and its hits). */
void faults_show(const struct faults *f, struct wire_writer *w);

#endif
