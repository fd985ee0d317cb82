#include "ops/vector/search_condition.h"

#include "model/key.h"

#define PARAMETER "SearchConditionExpression"

/* --- names ------------------------------------------------------------------------------------ */

static struct span name_of(const struct expr_search_test *test)
{
    return test->path->at[0].name;
}

static bool is_named_before(const struct expr_search *asked, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (span_equal(name_of(&asked->tests[i]), name_of(&asked->tests[k])))
            return true;
    return false;
}

/* "SearchSchema of by-meaning has owner and lang" */
static struct span list_parts(struct arena *a, const struct index *ix)
{
    const struct vector_schema *v = &ix->vector;
    struct buf out = buf_in(a);

    buf_printf(&out, "SearchSchema of %.*s %s", SPAN_ARG(ix->name),
               v->part_count ? "has" : "is empty");
    for (size_t i = 0; i < v->part_count; i++)
        buf_printf(&out, "%s%.*s",
                   !i                      ? " "
                   : i + 1 < v->part_count ? ", "
                                           : " and ",
                   SPAN_ARG(v->parts[i].name));
    return buf_span(&out);
}

/* Only the extended form may have several conditions on a filter. */
static const struct error *check_names(struct arena *a, const struct index *ix,
                                       const struct expr_search *asked)
{

    for (size_t i = 0; i < asked->test_count; i++) {
        const struct path *path = asked->tests[i].path;

        if (!schema_search_part(ix, path->at[0].name))
            return error_caused(a, ERROR_VALIDATION,
                                ERROR_WHY(CAUSE_SEARCH_STRANGER, .operand = path->at[0].name,
                                          .beside = list_parts(a, ix)),
                                PARAMETER " must not contain any attributes that is not in "
                                          "SearchSchema. Invalid attribute: %.*s",
                                SPAN_ARG(path->at[0].name));
        if (path->len > 1)
            return error_validation(a, "Invalid " PARAMETER ": " PARAMETER
                                       " cannot have conditions on nested attributes");
    }
    for (size_t i = 0; i < asked->test_count; i++)
        if ((asked->form == EXPR_SEARCH_EQUALITY ||
             schema_search_part(ix, name_of(&asked->tests[i]))->hash) &&
            is_named_before(asked, i))
            return error_caused(a, ERROR_VALIDATION,
                                ERROR_WHY(CAUSE_NAMED_TWICE, .operand = name_of(&asked->tests[i])),
                                "Invalid " PARAMETER ": " PARAMETER
                                " must only contain one condition per attribute");
    return NULL;
}

static const struct error *check_hash(struct arena *a, const struct index *ix,
                                      const struct expr_search *asked)
{
    const struct search_part *hash = schema_search_hash(ix);

    for (size_t i = 0; hash && asked && i < asked->test_count; i++)
        if (span_equal(name_of(&asked->tests[i]), hash->name))
            return NULL;
    if (!hash)
        return NULL;
    return error_because(
        a,
        !asked ? error_validation(a, PARAMETER " must be provided when SearchSchema has a HASH key")
               : error_validation(a, "Invalid " PARAMETER ": " PARAMETER
                                     " must have all HASH attributes in configured SearchSchema"),
        ERROR_WHY(CAUSE_SEARCH_HASH, .operand = hash->name, .beside = ix->name));
}

/* --- values ----------------------------------------------------------------------------------- */

/* --- compiling -------------------------------------------------------------------------------- */

struct compiler {
    struct arena *arena;
    const struct index *ix;
    const struct expr_search *asked;
    struct search_filter *filter;
};

/* The position of the attribute's value in a label. */
static size_t place_of(const struct index *ix, const struct search_part *part)
{
    size_t place = 0;

    for (const struct search_part *p = ix->vector.parts; p < part; p++)
        place += !p->hash;
    return place;
}

static const struct error *compile_test(struct compiler *c, const struct expr_search_test *test,
                                        bool must_hold, struct search_test *out)
{
    const struct search_part *part = schema_search_part(c->ix, name_of(test));

    for (size_t i = 0; i < test->value_count; i++) {
        const struct attr *value = test->values[i];

        if (value->type != part->type)
            return error_validation(c->arena,
                                    "Type of '%.*s' attribute in " PARAMETER
                                    " (%s) does not match type in search schema (%s)",
                                    SPAN_ARG(part->name), attr_type_code(value->type),
                                    attr_type_code(part->type));
        if (part->hash && !value->bytes.len)
            return error_validation(
                c->arena,
                "One or more parameter values are not valid. The AttributeValue for a "
                "key attribute cannot contain an empty %s value. Key: %.*s",
                value->type == ATTR_B ? "binary" : "string", SPAN_ARG(part->name));
    }
    if (part->hash) {
        struct buf key = buf_in(c->arena);

        /* The HASH value chooses the partition; rows are not tested for it. */
        if (!must_hold || test->op != EXPR_EQ)
            return error_because(
                c->arena, expr_search_misused(c->arena, test),
                ERROR_WHY(CAUSE_SEARCH_HASH, .operand = part->name, .beside = c->ix->name));
        key_of_partition(&key, c->ix->space, &test->values[0], 1);
        c->filter->partition = buf_span(&key);
        *out = (struct search_test){.join = EXPR_SEARCH_ALL};
        return NULL;
    }
    *out = (struct search_test){.join = EXPR_SEARCH_TEST,
                                .part = place_of(c->ix, part),
                                .op = test->op,
                                .operand_count = test->value_count};
    out->operands = arena_array(c->arena, test->value_count, sizeof *out->operands);
    for (size_t i = 0; i < test->value_count; i++)
        out->operands[i] = search_filter_operand(c->arena, test->op, test->values[i]);
    c->filter->steps += 1 + test->value_count;
    if (out->part >= c->filter->part_count)
        c->filter->part_count = out->part + 1;
    return NULL;
}

/* must_hold: rows that fail this node fail the whole condition. */
static const struct error *compile_node(struct compiler *c, const struct expr_search_node *node,
                                        bool must_hold, struct search_test *out)
{
    const struct error *e = NULL;

    if (node->join == EXPR_SEARCH_TEST)
        return compile_test(c, &c->asked->tests[node->test], must_hold, out);
    must_hold = must_hold && node->join == EXPR_SEARCH_ALL;
    out->join = node->join;
    out->at = arena_array(c->arena, node->len, sizeof *out->at);
    for (; !e && out->len < node->len; out->len++)
        e = compile_node(c, &node->at[out->len], must_hold, &out->at[out->len]);
    return e;
}

const struct error *search_condition_check(struct arena *a, const struct index *ix,
                                           const struct expr_search *asked,
                                           struct search_filter *out)
{
    struct search_filter filter = {.steps = 0};
    struct compiler c = {.arena = a, .ix = ix, .asked = asked, .filter = &filter};
    const struct error *e;

    if ((asked && (e = check_names(a, ix, asked))) || (e = check_hash(a, ix, asked)) ||
        (asked && (e = compile_node(&c, &asked->root, true, &filter.condition))))
        return e;
    *out = filter;
    return NULL;
}
