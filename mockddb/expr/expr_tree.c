#include "expr/expr_tree.h"

#include "expr/expr_bind.h"
#include "expr/expr_check.h"
#include "expr/expr_parse.h"

const struct error *expr_tree_read(struct arena *a, const char *parameter, struct span text,
                                   struct expr_vars *vars, struct node **out)
{
    struct binder binder = expr_binder(a, parameter, vars);
    struct node *root = NULL;
    const struct error *e;

    if ((e = expr_parse_condition(a, parameter, text, &root)) ||
        (e = expr_check_condition(a, parameter, root)) || (e = expr_bind_condition(&binder, root)))
        return e;
    *out = root;
    return NULL;
}
