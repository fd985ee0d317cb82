/* fuzz_partiql.c: PartiQL statements. The input is the statement; there are as many parameters as
 * it has question marks. */
#include "fuzz_expr.h"
#include "partiql/partiql.h"
#include "partiql/partiql_key.h"

#define PARTITION SPAN_LIT("pk")
#define SORT      SPAN_LIT("b")

static const char fuzz_parameters[] =
    "{'0':{'S':'p'},'1':{'N':'5'},'2':{'SS':['x','y']},'3':{'L':[{'N':'1'}]},"
    "'4':{'M':{'b':{'N':'1'}}},'5':{'BOOL':true},'6':{'NS':['1','2']},'7':{'B':'AAE='}}";

/* A value of every type in turn. */
static struct attr *parameters_for(struct arena *a, struct span text, size_t *count)
{
    struct item values = fuzz_item(a, fuzz_parameters);
    struct attr *list = arena_array(a, text.len, sizeof *list);

    *count = 0;
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] == '?') {
            list[*count] = values.at[*count % values.len].value;
            ++*count;
        }
    return list;
}

static bool holds(struct arena *a, const struct expr_key_clause *clause, const struct item *it)
{
    struct path_step step = {.name = clause->attribute};
    struct path path = {&step, 1};
    struct attr values[] = {clause->low, clause->high};
    struct expr_cond *cond = expr_compare_path(a, &path, clause->op, values,
                                               clause->op == EXPR_BETWEEN ? 2 : 1);

    return expr_matches(cond, it);
}

static bool is_in(struct arena *a, const struct partiql_range *range, const struct item *it)
{
    for (size_t i = 0; i < range->key.len; i++)
        if (!holds(a, &range->key.at[i], it))
            return false;
    return true;
}

/* No row that matches is outside of the places where rows are looked for. */
static void check_ranges(struct arena *a, const struct expr_cond *where, const struct item *it)
{
    struct partiql_ranges ranges = partiql_find_ranges(a, where, PARTITION, SORT);
    bool found = !ranges.len;

    for (size_t i = 0; i < ranges.len; i++)
        found = found || is_in(a, &ranges.at[i], it);
    must(found || !expr_matches(where, it), "rows that match are in one of the ranges");
}

/* A key that was taken out of a condition and the rest say together what the condition said. */
static void check_key(struct arena *a, const struct expr_cond *where, const struct item *it)
{
    const struct span names[] = {PARTITION, SORT};
    struct expr_cond *rest;
    struct item key;
    bool same = true;

    if (!partiql_take_key(a, where, names, COUNT(names), &key, &rest))
        return;
    for (size_t i = 0; i < key.len; i++) {
        const struct attr *value = item_find(it, key.at[i].name);

        same = same && value && attr_equal(value, &key.at[i].value);
    }
    must(expr_matches(where, it) == (same && expr_matches(rest, it)),
         "a key and the rest are the whole condition");
}

static void check_where(struct arena *a, const struct expr_cond *where)
{
    struct span *names;
    size_t count;

    for (size_t i = 0; i < COUNT(fuzz_items); i++) {
        struct item it = fuzz_item(a, fuzz_items[i]);

        check_ranges(a, where, &it);
        check_key(a, where, &it);
    }
    partiql_required_names(a, where, &names, &count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct span text = fuzz_input(a, data, size);
    struct partiql_statement s;
    struct attr *parameters;
    size_t count;

    parameters = parameters_for(a, text, &count);
    if (!fuzz_refused(partiql_read(a, text, parameters, count, &s))) {
        check_where(a, s.where);
        fuzz_check_item(a, &s.item);
        for (size_t i = 0; s.update && i < COUNT(fuzz_items); i++)
            fuzz_apply(a, s.update, fuzz_items[i]);
    }
    arena_free(a);
    return 0;
}
