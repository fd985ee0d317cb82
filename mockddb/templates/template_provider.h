/* template_provider.h: tables as Terraform's provider for AWS describes them, and Pulumi's, which
 * is made of it: the same members with names in another style. */
#pragma once

#include "templates/template_core.h"

/* Converts values of a table; the names are Terraform's or Pulumi's. */
template_form template_provider_form;

/* The kinds of resources by their types in Terraform and Pulumi. */
enum template_provider_kind {
    PROVIDER_OTHER,    /* of no interest */
    PROVIDER_TABLE,    /* a table */
    PROVIDER_OF_TABLE, /* settings of a table */
    PROVIDER_LEFT_OUT, /* belongs to tables and is not read */
};

enum template_provider_kind template_provider_kind(struct span type);

/* Adds a resource: a table, or settings of a table that was added before. Notes what is left out.
 */
MUST_CHECK const struct problem *template_provider_add(struct template *t, struct span type,
                                                       struct span id,
                                                       const struct template_node *values);
