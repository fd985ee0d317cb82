/* admin_show.h: members that several verbs have in their replies. */
#pragma once

#include "admin/admin_verb.h"

/* "2026-01-01T00:00:00.000Z" */
void admin_show_moment(struct admin_call *c, const char *member, int64_t ms);

/* The store's number of tables, and of items, and the items' size as the service counts it. */
void admin_show_content(struct admin_call *c, const struct table_totals *content);

/* A clock's time and its rate. */
void admin_show_time(struct admin_call *c, const struct clock_time *time);
