/* admin_show.h: members of replies that several verbs have. */
#ifndef ADMIN_ADMIN_SHOW_H
#define ADMIN_ADMIN_SHOW_H

#include "admin/admin_verb.h"

/* "2026-01-01T00:00:00.000Z" */
void admin_show_moment(struct admin_call *c, const char *member, int64_t ms);
void admin_show_text(struct admin_call *c, const char *member, struct span text);
void admin_show_number(struct admin_call *c, const char *member, int64_t number);

/* How many tables the store has, how many items they have, and the service's size of these. */
void admin_show_content(struct admin_call *c, const struct store *s);

/* A clock's time and how it goes. */
void admin_show_time(struct admin_call *c, const struct clock_time *time);

#endif
