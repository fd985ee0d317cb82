/* explanations.h: the newest explanations, kept until others take their places or their room. */
#pragma once

#include "explain/explain.h"

#define EXPLANATIONS_KEPT  256
#define EXPLANATIONS_BYTES ((size_t)32 << 20) /* of all of them; the newest is kept in any case */

struct explanations;

struct explanations *explanations_new(void);
void explanations_free(struct explanations *all); /* all may be NULL */

/* Keeps a copy for the world of that name; returns its number, from 1. */
uint64_t explanations_keep(struct explanations *all, struct span world,
                           const struct explanation *one);

/* Forgets those of a world that goes: another world may get its name. `all` may be NULL. */
void explanations_forget(struct explanations *all, struct span world);

/* The JSON text of a number, or {NULL, 0} where the world has no such explanation any more. Valid
 * until the next is kept. */
struct span explanations_find(const struct explanations *all, struct span world, uint64_t number);
