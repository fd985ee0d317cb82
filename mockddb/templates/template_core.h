/* template_core.h: what the sources of templates share. */
#pragma once

#include "templates/template.h"

struct template_table;

/* Converts a table's properties to those of AWS::DynamoDB::Table, and "ReplicaUpdates", a list of
 * {"RegionName": …} and the other members that UpdateTable's ReplicaUpdates have in Create. */
typedef const struct problem *template_form(struct template *t, const struct template_table *table,
                                            const struct template_node **out);

struct template_table {
    struct span id; /* in messages */
    struct span name;
    bool is_named;                  /* by its properties, not by its resource */
    const struct template_node *at; /* the resource */
    const struct template_node *properties;
    template_form *form;
    struct template_member *more; /* properties that other resources add */
    size_t more_count;
};

struct template
{
    struct arena *arena;
    const char *file;
    struct template_scope scope;
    struct template_table *tables;
    size_t count;
    bool is_unnamed_noted; /* that a table is called like its resource */
    const struct problem **notes;
    size_t note_count, notes_read;
};

void template_add_table(struct template *t, const struct template_table *table);
/* Notes that something was left out or chosen, of the table or resource `id`, which may be empty.
 */
void template_note(struct template *t, struct span id, const struct problem *p);

/* The properties are those of AWS::DynamoDB::Table already. */
template_form template_form_as_it_is;

/* AWS::DynamoDB::GlobalTable. */
template_form template_form_global;

/* The sources. Each finds the tables of a template. */
typedef const struct problem *template_source(struct template *t, const struct template_node *root);
template_source template_of_cloudformation, template_of_terraform, template_of_pulumi,
    template_of_onetable, template_of_lock;
