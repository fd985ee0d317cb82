/* table_member.h: the members of a table that are one value each.
 *
 * What requests, descriptions, replicas and restores do with such a member follows from its row in
 * model/schema_members.c. One that has rules of its own has a row in table_member.c as well. */
#pragma once

#include "ops/op.h"
#include "ops/table/table_spec.h"

#include <stddef.h>

/* Names a member of struct table. */
#define TABLE_MEMBER(member) offsetof(struct table, member)

/* Returns a member's value if the list has it, or NULL. */
const struct attr *table_member_given(const struct member_list *list, size_t member);

/* The members of the list that all replicas share, but not `except` (0: no exception). */
struct member_list table_member_shared(struct arena *a, const struct member_list *list,
                                       size_t except);

/* Checks of the members that depend on the request alone; and as changes of the table. */
MUST_CHECK const struct error *table_member_check(struct call *c, const struct table_spec *spec);
MUST_CHECK const struct error *table_member_check_change(struct call *c, const struct table *t,
                                                         const struct table_spec *spec);

/* "TableClass modification must be the only operation in the request" */
MUST_CHECK const struct error *table_member_not_alone(struct call *c, const struct member_spec *m);

/* Sets members of a new table; or takes over those of another table that have one of the uses. */
void table_member_set(struct table *draft, const struct member_list *list);
void table_member_copy(struct table *draft, const struct table *from, unsigned uses);

/* Changes members; false if one of them stays as it is, although it is not simply set. */
bool table_member_change(struct call *c, struct table *draft, const struct member_list *list);

void table_member_describe(struct wire_writer *w, const struct table *t);
