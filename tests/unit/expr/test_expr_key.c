/* Key conditions: what their clauses are, and what may not stand in one. */
#include "unit_expr.h"

#define V                                                                                        \
    "{\":v\":{\"S\":\"a\"},\":w\":{\"S\":\"b\"},\":n\":{\"N\":\"1\"},\":bool\":{\"BOOL\":true}," \
    "\"#sk\":{\"S\":\"sk\"},\"#dots\":{\"S\":\"s.k\"}}"

static const char *const op_names[] = {
    [EXPR_EQ] = "=",
    [EXPR_LT] = "<",
    [EXPR_LE] = "<=",
    [EXPR_GT] = ">",
    [EXPR_GE] = ">=",
    [EXPR_BETWEEN] = "BETWEEN",
    [EXPR_BEGINS_WITH] = "begins_with",
};

static const struct {
    const char *text, *clauses;
} reduced[] = {
    {"pk = :v", "pk = a;"},
    {"(pk = :v)", "pk = a;"},
    {"pk = :v AND #sk < :w", "pk = a;sk < b;"},
    {"#sk<=:w AND pk=:v", "sk <= b;pk = a;"},
    {"(pk = :v) AND (#sk > :w)", "pk = a;sk > b;"},
    {"(pk = :v AND (#sk >= :w))", "pk = a;sk >= b;"},
    {"pk = :v and sk between :v and :w", "pk = a;sk BETWEEN a b;"},
    {"pk = :v AND begins_with(sk, :w)", "pk = a;sk begins_with b;"},
    {"pk = :v AND begins_with ( (sk) , (:w) )", "pk = a;sk begins_with b;"},
    {":v = pk AND :w < sk", "pk = a;sk > b;"},
    {":w <= sk", "sk >= b;"},
    {":w > sk", "sk < b;"},
    {":w >= sk", "sk <= b;"},
    {"#dots = :v", "s.k = a;"},
    {"a = :v AND b = :v AND (c = :v AND d > :w)", "a = a;b = a;c = a;d > b;"},
};

START_TEST(comes_out_as_clauses)
{
    struct expr_vars vars = unit_vars(V);
    struct buf out = buf_in(arena);
    struct node *tree = NULL;
    struct expr_key key = {.len = 0};

    ck_assert_ptr_null(expr_read_key_condition(arena, span_of(reduced[_i].text), &vars, &tree));
    ck_assert_ptr_null(expr_reduce_key_condition(arena, tree, &key));
    for (size_t i = 0; i < key.len; i++) {
        const struct expr_key_clause *c = &key.at[i];

        buf_printf(&out, "%.*s %s %.*s", SPAN_ARG(c->attribute), op_names[c->op],
                   SPAN_ARG(c->low.bytes));
        if (c->op == EXPR_BETWEEN)
            buf_printf(&out, " %.*s", SPAN_ARG(c->high.bytes));
        buf_add_char(&out, ';');
    }
    ck_assert_str_eq(buf_text(&out), reduced[_i].clauses);
}
END_TEST

#define OPERATOR_USED(op) "Invalid operator used in KeyConditionExpression: " op
#define NESTED            "KeyConditionExpressions cannot contain nested operations"
#define KEY_FIRST(op)                                  \
    "Invalid condition in KeyConditionExpression: " op \
    " operator must have the key attribute as its first operand"
#define MULTIPLE \
    "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"
#define NO_KEY "Invalid condition in KeyConditionExpression: No key attribute specified"
#define BELOW  "KeyConditionExpressions cannot have conditions on nested attributes"
#define ONCE   "KeyConditionExpressions must only contain one condition per key"
#define TYPE(op, type)                                                           \
    "Incorrect operand type for operator or function; operator or function: " op \
    ", operand type: " type

static const struct unit_fault faults[] = {
    {"KeyCondition", "pk = :v OR sk = :v", V, OPERATOR_USED("OR")},
    {"KeyCondition", "NOT pk = :v", V, OPERATOR_USED("NOT")},
    {"KeyCondition", "pk IN (:v)", V, OPERATOR_USED("IN")},
    {"KeyCondition", "pk = :v AND sk <> :w", V, OPERATOR_USED("<>")},
    {"KeyCondition", "attribute_exists(pk)", V, OPERATOR_USED("attribute_exists")},
    {"KeyCondition", "attribute_not_exists(pk)", V, OPERATOR_USED("attribute_not_exists")},
    {"KeyCondition", "attribute_type(pk, :t)", "{\":t\":{\"S\":\"S\"}}",
     OPERATOR_USED("attribute_type")},
    {"KeyCondition", "pk = :v AND contains(sk, :w)", V, OPERATOR_USED("contains")},
    {"KeyCondition", "size(pk) = :n", V, NESTED},
    {"KeyCondition", "pk = size(sk)", V, NESTED},
    {"KeyCondition", "pk BETWEEN :n AND size(sk)", V, NESTED},
    {"KeyCondition", ":v BETWEEN pk AND :w", V, KEY_FIRST("BETWEEN")},
    {"KeyCondition", "begins_with(:v, sk)", V, KEY_FIRST("begins_with")},
    {"KeyCondition", "pk = sk", V, MULTIPLE},
    {"KeyCondition", "pk BETWEEN :v AND sk", V, MULTIPLE},
    {"KeyCondition", "begins_with(pk, sk)", V, MULTIPLE},
    {"KeyCondition", ":v = :w", V, NO_KEY},
    {"KeyCondition", "pk.x = :v", V, BELOW},
    {"KeyCondition", "pk[0] = :v", V, BELOW},
    {"KeyCondition", "pk = :v AND pk = :w", V, ONCE},
    {"KeyCondition", "sk > :v AND pk = :v AND #sk < :w", V, ONCE},
    /* operand types come first, and name the operator as written */
    {"KeyCondition", "pk = :v AND begins_with(sk, :n)", V, TYPE("begins_with", "N")},
    {"KeyCondition", "pk < :bool", V, TYPE("<", "BOOL")},
    {"KeyCondition", ":bool >= pk", V, TYPE(">=", "BOOL")},
    {"KeyCondition", "pk BETWEEN :bool AND :bool", V, TYPE("BETWEEN", "BOOL")},
    {"KeyCondition", "pk <> :v AND sk < :bool", V, TYPE("<", "BOOL")},
    {"KeyCondition", "pk = :bool", V, NULL},
    {"KeyCondition", "((pk = :v))", V, "The expression has redundant parentheses;"},
};

START_TEST(refuses_what_no_key_can_answer)
{
    unit_check_fault(&faults[_i]);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, comes_out_as_clauses, 0, COUNT(reduced));
    tcase_add_loop_test(tc, refuses_what_no_key_can_answer, 0, COUNT(faults));
}

UNIT_TESTS(expr_key, add_tests)
