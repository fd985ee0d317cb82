#include "jmespath/jmespath_function.h"

#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>

/* --- types ------------------------------------------------------------------------------------ */

/* The language's name of a value's type. */
static const char *type_name(const struct jmespath_value *v)
{
    static const char *const names[] = {
        [JSON_NULL] = "null",     [JSON_BOOL] = "boolean", [JSON_NUMBER] = "number",
        [JSON_STRING] = "string", [JSON_ARRAY] = "array",  [JSON_OBJECT] = "object",
    };

    return v->expression ? "expref" : names[v->kind];
}

/* Python's name of it, which messages have for elements of arrays. */
static const char *python_type_name(const struct jmespath_value *v)
{
    static const char *const names[] = {
        [JSON_NULL] = "NoneType", [JSON_BOOL] = "bool",  [JSON_NUMBER] = "float",
        [JSON_STRING] = "str",    [JSON_ARRAY] = "list", [JSON_OBJECT] = "dict",
    };

    return v->kind == JSON_NUMBER && v->whole ? "int" : names[v->kind];
}

/* Appends a value as Python prints it; a text within another value has quotes. */
static void add_python(struct buf *out, const struct jmespath_value *v, const char *quote)
{
    bool object = v->kind == JSON_OBJECT;

    if (v->expression)
        buf_add_text(out, "an expression");
    else if (v->kind == JSON_NULL)
        buf_add_text(out, "None");
    else if (v->kind == JSON_BOOL)
        buf_add_text(out, v->truth ? "True" : "False");
    else if (v->kind == JSON_STRING)
        buf_printf(out, "%s%.*s%s", quote, SPAN_ARG(v->text), quote);
    else if (v->kind == JSON_NUMBER)
        buf_add_span(out, v->text);
    if (v->kind != JSON_ARRAY && !object)
        return;
    buf_add_char(out, object ? '{' : '[');
    for (size_t i = 0; i < v->count; i++) {
        buf_add_text(out, i ? ", " : "");
        if (object)
            buf_printf(out, "'%.*s': ", SPAN_ARG(v->names[i]));
        add_python(out, v->at[i], "'");
    }
    buf_add_char(out, object ? '}' : ']');
}

/* `expected` are names of types, with a blank between them. */
static bool fail_type(struct jmespath_run *r, const char *function, const struct jmespath_value *v,
                      const char *expected, const char *received)
{
    struct buf text = buf_in(r->arena);

    buf_printf(&text, "In function %s(), invalid type for value: ", function);
    add_python(&text, v, "");
    buf_add_text(&text, ", expected one of: ['");
    for (; *expected; expected++)
        if (*expected == ' ')
            buf_add_text(&text, "', '");
        else
            buf_add_char(&text, *expected);
    buf_printf(&text, "'], received: \"%s\"", received);
    r->problem = buf_text(&text);
    return false;
}

/* --- functions of one or two values ----------------------------------------------------------- */

/* The arguments of a call, whose types are checked. */
struct jmespath_call {
    struct jmespath_run *run;
    const char *name;
    const struct jmespath_value *const *at;
    size_t count;
};

typedef const struct jmespath_value *function_run(const struct jmespath_call *c);

static const struct jmespath_value *run_abs(const struct jmespath_call *c)
{
    return c->at[0]->number < 0
               ? jmespath_value_number(c->run->arena, -c->at[0]->number, c->at[0]->whole)
               : c->at[0];
}

static const struct jmespath_value *run_ceil(const struct jmespath_call *c)
{
    return jmespath_value_number(c->run->arena, ceil(c->at[0]->number), true);
}

static const struct jmespath_value *run_floor(const struct jmespath_call *c)
{
    return jmespath_value_number(c->run->arena, floor(c->at[0]->number), true);
}

static const struct jmespath_value *sum_of(const struct jmespath_call *c, double divisor)
{
    const struct jmespath_value *list = c->at[0];
    bool whole = divisor == 1;
    double sum = 0;

    for (size_t i = 0; i < list->count; i++) {
        sum += list->at[i]->number;
        whole = whole && list->at[i]->whole;
    }
    return jmespath_value_number(c->run->arena, sum / divisor, whole);
}

static const struct jmespath_value *run_sum(const struct jmespath_call *c)
{
    return sum_of(c, 1);
}

static const struct jmespath_value *run_avg(const struct jmespath_call *c)
{
    struct jmespath_value *mean;

    if (!c->at[0]->count)
        return &jmespath_value_null;
    mean = arena_alloc(c->run->arena, sizeof *mean);
    *mean = *sum_of(c, (double)c->at[0]->count);
    return mean->whole ? jmespath_value_number(c->run->arena, mean->number, false) : mean;
}

static const struct jmespath_value *run_contains(const struct jmespath_call *c)
{
    const struct jmespath_value *in = c->at[0], *sought = c->at[1];
    bool found = false;

    if (in->kind == JSON_ARRAY)
        for (size_t i = 0; i < in->count && !found; i++)
            found = jmespath_value_equal(in->at[i], sought);
    else if (sought->kind == JSON_STRING)
        for (size_t i = 0; i <= in->text.len && !found; i++)
            found = span_starts_with(span_from(in->text, i), sought->text);
    return jmespath_value_bool(found);
}

static const struct jmespath_value *run_starts_with(const struct jmespath_call *c)
{
    return jmespath_value_bool(span_starts_with(c->at[0]->text, c->at[1]->text));
}

static const struct jmespath_value *run_ends_with(const struct jmespath_call *c)
{
    struct span text = c->at[0]->text, end = c->at[1]->text;

    return jmespath_value_bool(text.len >= end.len &&
                               span_equal(span_from(text, text.len - end.len), end));
}

static const struct jmespath_value *run_join(const struct jmespath_call *c)
{
    struct buf out = buf_in(c->run->arena);

    for (size_t i = 0; i < c->at[1]->count; i++) {
        if (i)
            buf_add_span(&out, c->at[0]->text);
        buf_add_span(&out, c->at[1]->at[i]->text);
    }
    return jmespath_value_string(c->run->arena, buf_span(&out));
}

static const struct jmespath_value *run_keys(const struct jmespath_call *c)
{
    struct jmespath_value *keys = jmespath_value_array(c->run->arena);

    for (size_t i = 0; i < c->at[0]->count; i++)
        jmespath_value_add(c->run->arena, keys, (struct span){NULL, 0},
                           jmespath_value_string(c->run->arena, c->at[0]->names[i]));
    return keys;
}

static const struct jmespath_value *run_values(const struct jmespath_call *c)
{
    struct jmespath_value *values = arena_alloc(c->run->arena, sizeof *values);

    *values = *c->at[0];
    values->kind = JSON_ARRAY;
    return values;
}

static const struct jmespath_value *run_length(const struct jmespath_call *c)
{
    size_t length = c->at[0]->count, len;

    for (struct span s = c->at[0]->text; s.len; s = span_from(s, len), length++)
        (void)utf8_letter(s, &len);
    return jmespath_value_number(c->run->arena, (double)length, true);
}

static const struct jmespath_value *run_merge(const struct jmespath_call *c)
{
    struct jmespath_value *all = jmespath_value_array(c->run->arena);

    all->kind = JSON_OBJECT;
    for (size_t i = 0; i < c->count; i++)
        for (size_t k = 0; k < c->at[i]->count; k++)
            jmespath_value_add(c->run->arena, all, c->at[i]->names[k], c->at[i]->at[k]);
    return all;
}

static const struct jmespath_value *run_not_null(const struct jmespath_call *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->at[i]->kind != JSON_NULL || c->at[i]->expression)
            return c->at[i];
    return &jmespath_value_null;
}

static const struct jmespath_value *run_reverse(const struct jmespath_call *c)
{
    struct jmespath_value *list = jmespath_value_array(c->run->arena);
    struct span text = c->at[0]->text;
    char *reversed = arena_alloc_raw(c->run->arena, text.len + 1);
    size_t at = text.len, len;

    for (size_t i = c->at[0]->count; i--;)
        jmespath_value_add(c->run->arena, list, (struct span){NULL, 0}, c->at[0]->at[i]);
    if (c->at[0]->kind == JSON_ARRAY)
        return list;
    for (; text.len; text = span_from(text, len)) {
        (void)utf8_letter(text, &len);
        at -= len;
        memcpy(reversed + at, text.at, len);
    }
    return jmespath_value_string(c->run->arena, (struct span){reversed, c->at[0]->text.len});
}

static const struct jmespath_value *run_to_array(const struct jmespath_call *c)
{
    struct jmespath_value *list = jmespath_value_array(c->run->arena);

    if (c->at[0]->kind == JSON_ARRAY)
        return c->at[0];
    jmespath_value_add(c->run->arena, list, (struct span){NULL, 0}, c->at[0]);
    return list;
}

static const struct jmespath_value *run_to_string(const struct jmespath_call *c)
{
    struct buf json = buf_in(c->run->arena);

    if (c->at[0]->kind == JSON_STRING)
        return c->at[0];
    jmespath_value_write(&json, c->at[0], true);
    return jmespath_value_string(c->run->arena, buf_span(&json));
}

static const struct jmespath_value *run_to_number(const struct jmespath_call *c)
{
    const char *text = arena_text(c->run->arena, c->at[0]->text);
    double number;
    char *end;

    if (c->at[0]->kind == JSON_NUMBER)
        return c->at[0];
    number = strtod(text, &end);
    if (c->at[0]->kind != JSON_STRING || end == text || *end || !isfinite(number) ||
        strpbrk(text, "xXpP"))
        return &jmespath_value_null;
    return jmespath_value_number(c->run->arena, number, !strpbrk(text, ".eE"));
}

static const struct jmespath_value *run_type(const struct jmespath_call *c)
{
    return jmespath_value_string(c->run->arena, span_of(type_name(c->at[0])));
}

/* --- functions of lists, by an expression or by the elements themselves ----------------------- */

static const struct jmespath_value *run_map(const struct jmespath_call *c)
{
    struct jmespath_value *all = jmespath_value_array(c->run->arena);

    for (size_t i = 0; i < c->at[1]->count; i++) {
        const struct jmespath_value *v = c->run->evaluate(c->run, c->at[0]->expression,
                                                          c->at[1]->at[i]);

        if (!v)
            return NULL;
        jmespath_value_add(c->run->arena, all, (struct span){NULL, 0}, v);
    }
    return all;
}

struct keyed {
    const struct jmespath_value *key, *element;
    size_t at;
};

/* The elements with their keys, which are all numbers or all strings; NULL, with the problem, if
 * they are not. */
static struct keyed *keyed_elements(const struct jmespath_call *c)
{
    const struct jmespath_value *list = c->at[0];
    struct keyed *all = arena_array(c->run->arena, list->count + 1, sizeof *all);
    const char *expected = "number string";

    for (size_t i = 0; i < list->count; i++) {
        all[i] = (struct keyed){list->at[i], list->at[i], i};
        if (c->count > 1 &&
            !(all[i].key = c->run->evaluate(c->run, c->at[1]->expression, list->at[i])))
            return NULL;
        if (!strstr(expected, type_name(all[i].key))) {
            fail_type(c->run, c->name, all[i].key, expected, type_name(all[i].key));
            return NULL;
        }
        expected = type_name(all[i].key);
    }
    return all;
}

static int by_key(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    int order = jmespath_value_order(x->key, y->key);

    return order ? order : (x->at > y->at) - (x->at < y->at);
}

static const struct jmespath_value *run_sort(const struct jmespath_call *c)
{
    struct jmespath_value *sorted = jmespath_value_array(c->run->arena);
    struct keyed *all = keyed_elements(c);

    if (!all)
        return NULL;
    if (c->at[0]->count)
        qsort(all, c->at[0]->count, sizeof *all, by_key);
    for (size_t i = 0; i < c->at[0]->count; i++)
        jmespath_value_add(c->run->arena, sorted, (struct span){NULL, 0}, all[i].element);
    return sorted;
}

/* The first of the elements with the greatest key (sign 1) or the least one (-1). */
static const struct jmespath_value *extreme(const struct jmespath_call *c, int sign)
{
    const struct keyed *all = keyed_elements(c), *best = all;

    if (!all)
        return NULL;
    for (size_t i = 1; i < c->at[0]->count; i++)
        if (jmespath_value_order(all[i].key, best->key) * sign > 0)
            best = &all[i];
    return c->at[0]->count ? best->element : &jmespath_value_null;
}

static const struct jmespath_value *run_max(const struct jmespath_call *c)
{
    return extreme(c, 1);
}

static const struct jmespath_value *run_min(const struct jmespath_call *c)
{
    return extreme(c, -1);
}

/* --- the functions ---------------------------------------------------------------------------- */

/* In the order of their names. */
static const struct jmespath_function {
    const char *name;
    function_run *run;
    size_t count;         /* arguments */
    bool more;            /* the last type is that of any number of further arguments */
    const char *types[2]; /* that each argument may have, with blanks between them; NULL: any */
} functions[] = {
    {"abs", run_abs, 1, false, {"number"}},
    {"avg", run_avg, 1, false, {"array-number"}},
    {"ceil", run_ceil, 1, false, {"number"}},
    {"contains", run_contains, 2, false, {"array string", NULL}},
    {"ends_with", run_ends_with, 2, false, {"string", "string"}},
    {"floor", run_floor, 1, false, {"number"}},
    {"join", run_join, 2, false, {"string", "array-string"}},
    {"keys", run_keys, 1, false, {"object"}},
    {"length", run_length, 1, false, {"string array object"}},
    {"map", run_map, 2, false, {"expref", "array"}},
    {"max", run_max, 1, false, {"array-number array-string"}},
    {"max_by", run_max, 2, false, {"array", "expref"}},
    {"merge", run_merge, 1, true, {"object"}},
    {"min", run_min, 1, false, {"array-number array-string"}},
    {"min_by", run_min, 2, false, {"array", "expref"}},
    {"not_null", run_not_null, 1, true, {NULL}},
    {"reverse", run_reverse, 1, false, {"array string"}},
    {"sort", run_sort, 1, false, {"array-string array-number"}},
    {"sort_by", run_sort, 2, false, {"array", "expref"}},
    {"starts_with", run_starts_with, 2, false, {"string", "string"}},
    {"sum", run_sum, 1, false, {"array-number"}},
    {"to_array", run_to_array, 1, false, {NULL}},
    {"to_number", run_to_number, 1, false, {NULL}},
    {"to_string", run_to_string, 1, false, {NULL}},
    {"type", run_type, 1, false, {NULL}},
    {"values", run_values, 1, false, {"object"}},
};

const struct jmespath_function *jmespath_function_find(struct span name)
{
    for (size_t i = 0; i < COUNT(functions); i++)
        if (span_is(name, functions[i].name))
            return &functions[i];
    return NULL;
}

const char *jmespath_function_check(struct arena *a, const struct jmespath_function *f,
                                    size_t count)
{
    if (f->more ? count >= f->count : count == f->count)
        return NULL;
    return arena_printf(a, "Expected %s%zu argument%s for function %s(), received %zu",
                        f->more ? "at least " : "", f->count, f->count == 1 ? "" : "s", f->name,
                        count);
}

/* Whether `name` is one of the names, which have blanks between them. */
static bool has_word(const char *names, const char *name)
{
    for (const char *at = names; (at = strstr(at, name)); at++) {
        char end = at[strlen(name)];

        if ((at == names || at[-1] == ' ') && (!end || end == ' '))
            return true;
    }
    return false;
}

/* Whether the argument has one of the types; all elements of "array-number" are numbers. */
static bool fits(struct jmespath_run *r, const struct jmespath_function *f,
                 const struct jmespath_value *v, const char *types)
{
    const char *of_elements = NULL;

    if (!types || has_word(types, type_name(v)))
        return true;
    if (v->kind != JSON_ARRAY || v->expression || !strstr(types, "array-"))
        return fail_type(r, f->name, v, types, type_name(v));
    for (size_t i = 0; i < v->count; i++) {
        const char *array = arena_printf(r->arena, "array-%s", type_name(v->at[i]));

        if (!has_word(of_elements ? of_elements : types, array))
            return fail_type(r, f->name, v->at[i], types, python_type_name(v->at[i]));
        of_elements = array;
    }
    return true;
}

const struct jmespath_value *jmespath_function_call(struct jmespath_run *r,
                                                    const struct jmespath_function *f,
                                                    const struct jmespath_value *const *arguments,
                                                    size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!fits(r, f, arguments[i], f->types[f->more ? 0 : i]))
            return NULL;
    return f->run(&(struct jmespath_call){r, f->name, arguments, count});
}
