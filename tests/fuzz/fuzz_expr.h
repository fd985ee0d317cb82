/* fuzz_expr.h: what the targets for expressions share: placeholders of every type, and items. */
#pragma once

#include "expr/expr.h"
#include "fuzz.h"
#include "model/item_codec.h"

static const char fuzz_names[] =
    "{'#a':{'S':'a'},'#b':{'S':'b'},'#c':{'S':'size'},'#d':{'S':'a.b'}}";
static const char fuzz_values[] =
    "{':s':{'S':'x'},':t':{'S':''},':n':{'N':'1'},':m':{'N':'-2.5'},"
    "':h':{'N':'99999999999999999999999999999999999999'},':b':{'B':'AAE='},"
    "':u':{'SS':['x','y']},':v':{'NS':['1','2']},':w':{'BS':['AA==']},':y':{'BOOL':true},"
    "':z':{'NULL':true},':l':{'L':[{'S':'x'},{'N':'1'}]},':o':{'M':{'b':{'N':'1'}}},"
    "':c':{'S':'NS'}}";

static const char fuzz_scalars[] =
    "{'pk':{'S':'p'},'a':{'S':'xyz'},'b':{'N':'5'},'c':{'B':'AAEC'}}";
static const char fuzz_documents[] =
    "{'pk':{'S':'p'},'a':{'M':{'b':{'N':'1'},'c':{'L':[{'N':'1'},{'M':{'b':{'S':'x'}}}]}}},"
    "'b':{'L':[{'S':'x'},{'L':[{'N':'1'}]},{'NULL':true}]},'size':{'N':'-2.5'},"
    "'a.b':{'BOOL':false}}";
static const char fuzz_sets[] =
    "{'pk':{'S':'p'},'a':{'SS':['x','z']},'b':{'NS':['1','3']},'c':{'BS':['AA==']},"
    "'d':{'N':'99999999999999999999999999999999999999'}}";
static const char *const fuzz_items[] = {"{}", fuzz_scalars, fuzz_documents, fuzz_sets};

static inline struct item fuzz_item(struct arena *a, const char *text)
{
    struct item it = {.len = 0};

    must(item_decode_checked(a, fuzz_json(a, text), &it), "the targets' own items can be decoded");
    return it;
}

static inline struct expr_vars fuzz_vars(struct arena *a)
{
    struct item names = fuzz_item(a, fuzz_names), values = fuzz_item(a, fuzz_values);
    struct expr_vars vars = {.name_count = names.len, .value_count = values.len};

    vars.names = arena_array(a, names.len, sizeof *vars.names);
    vars.values = arena_array(a, values.len, sizeof *vars.values);
    for (size_t i = 0; i < names.len; i++)
        vars.names[i] = (struct expr_name){names.at[i].name, names.at[i].value.bytes, false};
    for (size_t i = 0; i < values.len; i++)
        vars.values[i] = (struct expr_value){values.at[i].name, values.at[i].value, false};
    return vars;
}

/* A fault of an expression is a ValidationException with words; true when there is one. */
static inline bool fuzz_refused(const struct error *e)
{
    if (e)
        must(e->kind == ERROR_VALIDATION && e->message.len, "a fault has a message");
    return e != NULL;
}

/* An item that an expression made can be stored. */
static inline void fuzz_check_item(struct arena *a, const struct item *it)
{
    struct buf text = buf_in(a);
    struct item again;

    item_encode(&text, it);
    must(item_decode_checked(a, buf_span(&text), &again), "what was made can be stored");
    must(item_equal(it, &again), "what was stored is what was made");
}

/* Runs an update on an item. */
static inline void fuzz_apply(struct arena *a, const struct expr_update *u, const char *text)
{
    struct item old = fuzz_item(a, text), before = fuzz_item(a, text), made, shown;

    if (!fuzz_refused(expr_apply(a, u, &old, &made))) {
        fuzz_check_item(a, &made);
        shown = expr_updated_part(a, u, &made);
        fuzz_check_item(a, &shown);
    }
    must(item_equal(&old, &before), "an update leaves the item it is given alone");
    expr_updated_part(a, u, &old);
}
