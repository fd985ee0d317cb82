/* Syntax of all grammars: tokens, grammar, redundant parentheses, size and depth. */
#include "unit_expr.h"

#define V "{\":v\":{\"N\":\"1\"},\":w\":{\"N\":\"2\"},\":x\":{\"N\":\"3\"},\":l\":{\"L\":[]}}"
#define NAMES                                                                                      \
    "{\"#n\":{\"S\":\"n\"},\"#l\":{\"S\":\"l\"},\"#0\":{\"S\":\"0\"},\":v\":{\"N\":\"1\"},\":0\":" \
    "{\"N\":\"1\"}}"

#define SYNTAX(token, near) "Syntax error; token: \"" token "\", near: \"" near "\""
#define REDUNDANT           "The expression has redundant parentheses;"

static const struct unit_fault syntax[] = {
    /* the offending token, and a window from the token before it to the one after it */
    {"Condition", "a = = b", V, SYNTAX("=", "= = b")},
    {"Update", "INVALID SYNTAX HERE", V, SYNTAX("INVALID", "INVALID SYNTAX")},
    {"Projection", "!!!", V, SYNTAX("!", "!!")},
    {"Condition", "a-b", V, SYNTAX("-", "a-b")},
    {"Update", "SET a-b = :v", V, SYNTAX("-", "a-b")},
    {"Projection", "a-b", V, SYNTAX("-", "a-b")},
    {"KeyCondition", "a-b = :v", V, SYNTAX("-", "a-b")},
    {"Projection", "tenantAgent:abc123-x", V, SYNTAX(":abc123", "tenantAgent:abc123-")},
    {"Condition", "#articleId attribute_not_exists :ckpst", V,
     SYNTAX("attribute_not_exists", "#articleId attribute_not_exists :ckpst")},
    {"Condition", "(a = :v1", V, SYNTAX("<EOF>", ":v1")},
    {"KeyCondition", "a = :v AND ", V, SYNTAX("<EOF>", "AND")},
    {"Update", "SET #comment =", V, SYNTAX("<EOF>", "=")},
    {"Update", "ADD numx", V, SYNTAX("<EOF>", "numx")},
    {"Update", "SET note = :v +", V, SYNTAX("<EOF>", "+")},
    {"Update", "SET numx = numx * :v", V, SYNTAX("*", "numx * :v")},
    {"Update", "ADD numx 1", V, SYNTAX("1", "numx 1")},
    {"Update", "DELETE setx a", V, SYNTAX("a", "setx a")},
    {"Update", "SET #list[].#comment = :v", V, SYNTAX("]", "[].")},
    {"Update", "SET #list[abc].#comment = :v", V, SYNTAX("abc", "[abc]")},
    {"Update", "SET #list[-1].#c = :v", V, SYNTAX("-", "[-1")},
    {"Update", "SET #list[0.#comment = :v", V, SYNTAX(".", "0.#comment")},
    {"Condition", "attribute_type()", V, SYNTAX(")", "()")},
    {"Condition", "a\t=\r\n  \"x\"", V, SYNTAX("\"", "=\r\n  \"x")},
    /* tokens */
    {"Condition", "_a = :v", V, SYNTAX("_", "_a")},
    {"Condition", "a_1 = :v", V, NULL},
    {"Condition", "#0 = :0", NAMES, NULL},
    {"Condition", "# = :v", V, SYNTAX("#", "# =")},
    {"Condition", "a = :", V, SYNTAX(":", "= :")},
    {"Condition", "1a = :v", V, SYNTAX("1", "1a")},
    {"Condition", "a = 4", V, SYNTAX("4", "= 4")},
    {"Condition", "a > 'x'", V, SYNTAX("'", "> 'x")},
    {"Condition", "a != :v", V, SYNTAX("!", "a !=")},
    {"Condition", "a == :v", V, SYNTAX("=", "== :v")},
    {"Condition", "a | :v", V, SYNTAX("|", "a | :v")},
    {"Condition", "\xc3\xa9 = :v", V, SYNTAX("\xc3\xa9", "\xc3\xa9 =")},
    {"Condition", "a\xc2\xa0= :v", V, SYNTAX("\xc2\xa0", "a\xc2\xa0=")},
    {"Condition", "a\f= :v", V, SYNTAX("\f", "a\f=")},
    {"Condition", "a[0] = :v AND a [ 1 ] . b<:v", V, NULL},
    {"Condition", "a[00] = :v", V, SYNTAX("0", "00]")},
    {"Condition", "a[01] = :v", V, SYNTAX("1", "01]")},
    {"Condition", "a<>:v and a<=:v or not a>=:v And b beTween :v anD :w oR c In(:v)", V, NULL},
    {"Condition", " \t\r\na\t=\n:v\r", V, NULL},
    {"Condition", "a <> = b", V, SYNTAX("=", "<> = b")},
    {"Condition", "a < > b", V, SYNTAX(">", "< > b")},
    /* keywords of the grammar are no names; those of another are reserved words */
    {"Condition", "and = :v", V, SYNTAX("and", "and =")},
    {"Condition", "a.OR = :v", V, SYNTAX("OR", ".OR =")},
    {"Condition", "between BETWEEN :v AND :w", V, SYNTAX("between", "between BETWEEN")},
    {"Update", "SET set = :v", V, SYNTAX("set", "SET set =")},
    {"Update", "SET a = :v, REMOVE b", V, SYNTAX("REMOVE", ", REMOVE b")},
    {"Condition", "SET = :v", V, "Attribute name is a reserved keyword; reserved keyword: SET"},
    {"Update", "SET a.and = :v", V, "Attribute name is a reserved keyword; reserved keyword: and"},
    {"Projection", "ADD", V, "Attribute name is a reserved keyword; reserved keyword: ADD"},
    {"Projection", "a, b.IN", V, "Attribute name is a reserved keyword; reserved keyword: IN"},
    /* conditions */
    {"Condition", "size(a).b = :v", V, SYNTAX(".", ").b")},
    {"Condition", "size(a)[0] = :v", V, SYNTAX("[", ")[0")},
    {"Condition", "(a.b).c = :v", V, SYNTAX(".", ").c")},
    {"Condition", "a IN b", V, SYNTAX("b", "IN b")},
    {"Condition", "a IN (b,)", V, SYNTAX(")", ",)")},
    {"Condition", "a IN ()", V, SYNTAX(")", "()")},
    {"Condition", "a", V, SYNTAX("<EOF>", "a")},
    {"Condition", ":v", V, SYNTAX("<EOF>", ":v")},
    {"Condition", "a AND b", V, SYNTAX("AND", "a AND b")},
    {"Condition", "NOT a", V, SYNTAX("<EOF>", "a")},
    {"Condition", "(a)", V, SYNTAX("<EOF>", ")")},
    {"Condition", "(a) AND b = :v", V, SYNTAX("AND", ") AND b")},
    {"Condition", "(a OR b = :v)", V, SYNTAX("OR", "a OR b")},
    {"Condition", "a = b = c", V, SYNTAX("=", "b = c")},
    {"Condition", "(a = :v) = :w", V, SYNTAX("=", ") = :w")},
    {"Condition", "a = (b = c)", V, SYNTAX("=", "b = c")},
    {"Condition", "a = NOT b", V, SYNTAX("NOT", "= NOT b")},
    {"Condition", "a = :v OR", V, SYNTAX("<EOF>", "OR")},
    {"Condition", "()", V, SYNTAX(")", "()")},
    {"Condition", "a = :v)", V, SYNTAX(")", ":v)")},
    {"Condition", "a = :v b", V, SYNTAX("b", ":v b")},
    {"Condition", "a BETWEEN :v", V, SYNTAX("<EOF>", ":v")},
    {"Condition", "a BETWEEN :v OR :w", V, SYNTAX("OR", ":v OR :w")},
    {"Condition", "a + b = :v", V, SYNTAX("+", "a + b")},
    {"Condition", "a.:v = b", V, SYNTAX(":v", ".:v =")},
    {"Condition", "a. = b", V, SYNTAX("=", ". = b")},
    {"Condition", "#n(:v)", V, SYNTAX("(", "#n(:v")},
    {"Condition", "contains(a, b,)", V, SYNTAX(")", ",)")},
    {"Condition", "contains(a b)", V, SYNTAX("b", "a b)")},
    {"Condition", "contains(a, b = c)", V, SYNTAX("=", "b = c")},
    {"Condition", "NOT NOT a = :v", V, NULL},
    {"Condition", "NOT (a) = :v", V, NULL},
    {"Condition", "(size(a)) = :v", V, NULL},
    {"Condition", "(attribute_exists(a)) OR (NOT contains(a, :v))", V, NULL},
    {"Condition", "a BETWEEN :v AND :w AND b BETWEEN (:v) AND (:w)", V, NULL},
    {"Condition", "a.b[3].c IN (:v, d, size(e))", V, NULL},
    /* projections */
    {"Projection", "a,", V, SYNTAX("<EOF>", ",")},
    {"Projection", ",a", V, SYNTAX(",", ",a")},
    {"Projection", "(a)", V, SYNTAX("(", "(a")},
    {"Projection", ":v", V, SYNTAX(":v", ":v")},
    {"Projection", "size(a)", V, SYNTAX("(", "size(a")},
    {"Projection", "a b", V, SYNTAX("b", "a b")},
    {"Projection", "a. b [ 0 ] , #n", NAMES, NULL},
    /* updates */
    {"Update", "a = :v", V, SYNTAX("a", "a =")},
    {"Update", "SET", V, SYNTAX("<EOF>", "SET")},
    {"Update", "SET a", V, SYNTAX("<EOF>", "a")},
    {"Update", "SET a b", V, SYNTAX("b", "a b")},
    {"Update", "SET a = :v,", V, SYNTAX("<EOF>", ",")},
    {"Update", "SET (a = b)", V, SYNTAX("(", "SET (a")},
    {"Update", "SET :a = b", V, SYNTAX(":a", "SET :a =")},
    {"Update", "SET f(a) = b", V, SYNTAX("(", "f(a")},
    {"Update", "SET a = b + c + d", V, SYNTAX("+", "c + d")},
    {"Update", "SET a = (b + c) + d", V, SYNTAX("+", ") + d")},
    {"Update", "SET a = b + (c + d)", V, SYNTAX("+", "c + d")},
    {"Update", "SET a = list_append(a + b, c)", V, SYNTAX("+", "a + b")},
    {"Update", "SET a = list_append((a + b), c)", V, SYNTAX("+", "a + b")},
    {"Update", "SET a = :v = :w", V, SYNTAX("=", ":v = :w")},
    {"Update", "SET a = +b", V, SYNTAX("+", "= +b")},
    {"Update", "ADD a b", V, SYNTAX("b", "a b")},
    {"Update", "ADD a (:v)", V, SYNTAX("(", "a (:v")},
    {"Update", "ADD a :v :w", V, SYNTAX(":w", ":v :w")},
    {"Update", "REMOVE a = b", V, SYNTAX("=", "a = b")},
    {"Update", "REMOVE", V, SYNTAX("<EOF>", "REMOVE")},
    {"Update", "REMOVE a, b,c SET d = :v", V, NULL},
    {"Update", "set a = (b - :v) remove c ADD d :v, d1 :w Delete e :s",
     "{\":v\":{\"N\":\"1\"},\":w\":{\"N\":\"1\"},\":s\":{\"SS\":[\"a\"]}}", NULL},
    {"Update", "SET a = ((b)+(c))", V, NULL},
    {"Update", "SET a = (b) + c, d = (e)", V, NULL},
    {"Update", "SET a = if_not_exists(b, :v) + :w", V, NULL},
    {"Update", "SET a = if_not_exists(b, if_not_exists(c, :v))", V, NULL},
    {"Update", "SET a = list_append(if_not_exists(a, :l), (:l))", V, NULL},
    /* groups that hold one group and nothing else */
    {"Condition", "((a = :v))", V, REDUNDANT},
    {"Condition", "((a)) = :v", V, REDUNDANT},
    {"Condition", "a = ((:v))", V, REDUNDANT},
    {"Condition", "a = b AND ((a = b AND c = d)) AND e = f", V, REDUNDANT},
    {"Condition", "a = b AND ((a = b AND (c = d AND e = f)))", V, REDUNDANT},
    {"Condition", "size(((a))) = :v", V, REDUNDANT},
    {"Condition", "a IN (((:v)))", V, REDUNDANT},
    {"Condition", "(((a = :v)) AND", V, REDUNDANT},
    {"Condition", "((a = :v)) AND !", V, REDUNDANT},
    {"Condition", "((a = :v AND !", V, SYNTAX("!", "AND !")},
    {"KeyCondition", "((a = :v))", V, REDUNDANT},
    {"Update", "SET a = ((b))", V, REDUNDANT},
    {"Update", "SET a = ((b + c))", V, REDUNDANT},
    {"Update", "SET a = list_append(((b)), c)", V, REDUNDANT},
    {"Condition", "(a = :v)", V, NULL},
    {"Condition", "(a = :v) AND (c = :w)", V, NULL},
    {"Condition", "((a = :v) AND (c = :w))", V, NULL},
    {"Condition", "((a = :v) AND c = :w AND (b = :x))", V, NULL},
    {"KeyCondition", "(#n = :v AND (#l = :v))", NAMES, NULL},
    {"Condition", "((size(b)) = :v) AND c = :w", V, NULL},
    {"Condition", "size((a)) = :v", V, NULL},
    {"Condition", "a IN ((:v))", V, NULL},
    {"Condition", "a IN ((:v), (:w))", V, NULL},
    /* nothing there */
    {"Condition", "", V, "The expression can not be empty;"},
    {"Filter", " \t\r\n ", V, "The expression can not be empty;"},
    {"KeyCondition", "", V, "The expression can not be empty;"},
    {"Projection", " ", V, "The expression can not be empty;"},
    {"Update", "", V, "The expression can not be empty;"},
};

START_TEST(says_which_token_is_wrong)
{
    unit_check_fault(&syntax[_i]);
}
END_TEST

static const struct {
    const char *parameter, *begin, *end, *message; /* text: begin, blanks, end */
} sizes[] = {
    {"Condition", "a", "=:v", "; expression size: 4097"},
    {"KeyCondition", "a", "=:v", "; expression size: 4097"},
    {"Projection", "a", ",\xc3\xa9", "; expression size: 4097"},
    {"Update", "SET a", "=:v", ";"},
};

START_TEST(counts_bytes_of_the_text)
{
    size_t blanks = 4096 - strlen(sizes[_i].begin) - strlen(sizes[_i].end);
    const char *spaces = unit_repeat(" ", blanks);
    struct unit_fault fits = {
        sizes[_i].parameter, arena_printf(arena, "%s%s%s", sizes[_i].begin, spaces, sizes[_i].end),
        V, _i == 2 ? arena_printf(arena, SYNTAX("\xc3\xa9", ",\xc3\xa9")) : NULL};
    struct unit_fault over = {
        sizes[_i].parameter, arena_printf(arena, "%s %s%s", sizes[_i].begin, spaces, sizes[_i].end),
        V,
        arena_printf(arena, "Expression size has exceeded the maximum allowed size%s",
                     sizes[_i].message)};

    unit_check_fault(&fits);
    unit_check_fault(&over);
}
END_TEST

#define TOO_MANY "The expression contains too many operators; operator count: 301"

static const struct {
    const char *parameter, *before, *open;
    size_t count;
    const char *middle, *close, *message;
} deep[] = {
    {"Condition", "", "(", 4096, "", "", SYNTAX("<EOF>", "(")},
    {"Condition", "", "NOT ", 1024, "", "", SYNTAX("<EOF>", "NOT")},
    {"Condition", "", "NOT ", 1000, "a = :v", "", TOO_MANY},
    {"Condition", "", "NOT ", 299, "a = :v", "", NULL},
    {"Condition", "", "NOT ", 300, "a = :v", "", TOO_MANY},
    {"Condition", "", "NOT(", 299, "a = :v", ")", NULL},
    {"Condition", "", "(", 2000, "a = :v", ")", REDUNDANT},
    {"Condition", "", "(", 2000, "a = :v", "", SYNTAX("<EOF>", ":v")},
    {"Condition", "", "size(", 800, "", "", SYNTAX("<EOF>", "(")},
    {"Condition", ":v = ", "size(", 500, "a", ")", TOO_MANY},
    {"Condition", "", "f(", 1000, "a", ")", TOO_MANY},
    {"Condition", "", "(f(", 700, "a", "))", TOO_MANY},
    {"Condition", "a = ", "(", 2000, ":v", ")", REDUNDANT},
    {"Condition", "", "(a=:v OR ", 299, "NOT a=:v", ")", TOO_MANY},
    {"Condition", "", "(a=:v OR ", 149, "a=:v", ")", NULL},
    {"Condition", "", "a=:v OR ", 149, "NOT a=:v", "", NULL},
    {"Condition", "", "a=:v OR ", 150, "a=:v", "", TOO_MANY},
    {"Update", "SET a = ", "(", 4000, "", "", SYNTAX("<EOF>", "(")},
    {"Update", "SET a = ", "(", 2000, "b", ")", REDUNDANT},
    {"Update", "SET a = ", "f(", 1000, "b", ")", TOO_MANY},
    {"Update", "SET a = ", "if_not_exists(a,", 240, ":v", ")", NULL},
    {"Projection", "a", "[0]", 31, "", "", NULL},
    {"Projection", "a", ".b", 2000, "", "",
     "The document path has too many nesting levels; nesting levels: 2001"},
};

START_TEST(survives_deep_nesting)
{
    const char *close = deep[_i].close;
    struct unit_fault row = {deep[_i].parameter,
                             arena_printf(arena, "%s%s%s%s", deep[_i].before,
                                          unit_repeat(deep[_i].open, deep[_i].count),
                                          deep[_i].middle, unit_repeat(close, deep[_i].count)),
                             V, deep[_i].message};

    unit_check_fault(&row);
}
END_TEST

START_TEST(keeps_bytes_after_a_nul)
{
    struct expr_vars vars = unit_vars(V);
    struct expr_cond *cond;
    const struct error *e = expr_read_condition(arena, "ConditionExpression", SPAN_LIT("a\0b"),
                                                &vars, &cond);

    ck_assert_ptr_nonnull(e);
    ck_assert(span_equal(e->message, SPAN_LIT("Invalid ConditionExpression: Syntax error; token: "
                                              "\"\0\", near: \"a\0b\"")));
}
END_TEST

START_TEST(takes_text_without_an_address)
{
    struct expr_vars vars = unit_vars(V);
    struct expr_cond *cond;
    const struct error *e = expr_read_condition(arena, "FilterExpression", (struct span){NULL, 0},
                                                &vars, &cond);

    ck_assert_ptr_nonnull(e);
    ck_assert_span_eq(e->message, "Invalid FilterExpression: The expression can not be empty;");
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, says_which_token_is_wrong, 0, COUNT(syntax));
    tcase_add_loop_test(tc, counts_bytes_of_the_text, 0, COUNT(sizes));
    tcase_add_loop_test(tc, survives_deep_nesting, 0, COUNT(deep));
    tcase_add_test(tc, keeps_bytes_after_a_nul);
    tcase_add_test(tc, takes_text_without_an_address);
}

UNIT_TESTS(expr_parse, add_tests)
