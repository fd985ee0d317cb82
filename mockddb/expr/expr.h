/* expr.h: the service's expressions: parsing, binding and running them.
 *
 * Text becomes a tree (expr_parse); names and values are bound, and everything that does not need
 * an item is checked (expr_check, expr_bind, expr_types); then the bound tree is run on items.
 * Trees live in the request's arena and borrow the text and the placeholders' contents. Source:
 * developer guide, "Expressions"; docs/behaviour/expressions.md. */
#pragma once

#include "expr/expr_apply.h"
#include "expr/expr_cond.h"
#include "expr/expr_key.h"
#include "expr/expr_project.h"
#include "expr/expr_reserved.h"
#include "expr/expr_search.h"
#include "expr/expr_update.h"
#include "expr/expr_vars.h"
