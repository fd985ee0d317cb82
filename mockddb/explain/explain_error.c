#include "explain/explain_error.h"

#include "explain/explain_batch.h"
#include "explain/explain_condition.h"
#include "explain/explain_empty.h"
#include "explain/explain_entry.h"
#include "explain/explain_failed.h"
#include "explain/explain_key.h"
#include "explain/explain_limits.h"
#include "explain/explain_names.h"
#include "explain/explain_statement.h"
#include "explain/explain_syntax.h"
#include "explain/explain_table.h"
#include "explain/explain_update.h"
#include "explain/explain_value.h"
#include "ops/key_check.h"
#include "ops/op_fault.h"
#include "ops/op_target.h"

/* --- the words for each cause ----------------------------------------------------------------- */

/* The reason, and the place marked: %o is the operand, %b what is beside it, %p the place, %n the
 * count. Then what else there is to say: a correction, or a reason that is not the same for all. */
static const struct words {
    const char *text;
    explain_words *more;
} words[CAUSE_COUNT] = {
    [CAUSE_SYNTAX] = {NULL, explain_syntax},
    [CAUSE_PARENTHESES] = {"two pairs of parentheses are around the same: keep one", NULL},
    [CAUSE_EMPTY_TEXT] = {"%o is empty: leave it out", NULL},
    [CAUSE_RESERVED_WORD] = {"%p is a reserved word: write #%p, and {\"#%p\": \"%p\"} in "
                             "ExpressionAttributeNames",
                             explain_expression_reserved_word},
    [CAUSE_UNDEFINED] = {NULL, explain_expression_undefined},
    [CAUSE_FUNCTION] = {NULL, explain_syntax_function},
    [CAUSE_MISPLACED] = {NULL, explain_syntax_misplaced},
    [CAUSE_OPERAND_COUNT] = {NULL, explain_expression_operand_count},
    [CAUSE_OPERAND_TYPE] = {NULL, explain_expression_operand_type},
    [CAUSE_NO_PATH] = {"%o takes the name of an attribute, and %p is a value", NULL},
    [CAUSE_SAME_OPERANDS] = {"%o is on both sides: values are written in "
                             "ExpressionAttributeValues, under a name such as :v",
                             NULL},
    [CAUSE_BOUND_TYPES] = {NULL, explain_expression_bound_types},
    [CAUSE_BOUND_ORDER] = {NULL, explain_expression_bound_order},
    [CAUSE_IN_COUNT] = {"IN takes 100 values, here it has %n: ask in parts", NULL},
    [CAUSE_TYPE_NAME] = {NULL, explain_expression_type_name},
    [CAUSE_KEY_OPERATOR] = {NULL, explain_expression_key_operator},
    [CAUSE_SECTION_TWICE] = {"%p is written once: separate its changes by commas",
                             explain_expression_section_twice},
    [CAUSE_OVERLAP] = {"%o and %b overlap: keep one of them", NULL},
    [CAUSE_CHANGES_OVERLAP] = {"%o and %b overlap: change one of them in this update", NULL},
    [CAUSE_NAMED_TWICE] = {"%o is named twice: keep one", NULL},
    [CAUSE_SET_TWICE] = {"%o is set twice: keep one", NULL},
    [CAUSE_CHANGED_TWICE] = {"%o is changed twice: keep one", NULL},
    [CAUSE_UNUSED] = {NULL, explain_expression_unused},
    [CAUSE_PLACEHOLDER] = {NULL, explain_expression_placeholder},
    [CAUSE_EMPTY_MAP] = {"%b is empty: leave it out", explain_expression_empty_map},
    [CAUSE_TWO_STYLES] =
        {"%o is an older parameter and cannot be used with %b: write both as expressions", NULL},
    [CAUSE_ITEM_LACKS] = {NULL, explain_update_lacks},
    [CAUSE_ITEM_TYPE] = {NULL, explain_update_type},
    [CAUSE_ITEM_ADDED] = {NULL, explain_update_added},
    [CAUSE_ITEM_DELETED] = {NULL, explain_update_deleted},
    [CAUSE_ITEM_PARENT] = {NULL, explain_update_parent},
    [CAUSE_KEY_UPDATED] = {"%o is part of the key, which an update cannot change: put the item "
                           "under its new key and delete the old one",
                           explain_update_key},
    [CAUSE_KEY_PATH] = {"%o is a key, and so a string, a number or binary: it has no members or "
                        "elements",
                        explain_update_key},
    [CAUSE_KEY_STRANGER] = {NULL, explain_key_stranger},
    [CAUSE_KEY_MISSING] = {NULL, explain_key_missing},
    [CAUSE_KEY_TYPE] = {NULL, explain_key_type},
    [CAUSE_KEY_EMPTY] = {"%o is empty, which a key cannot be", NULL},
    [CAUSE_INDEX_TYPE] = {NULL, explain_key_index_type},
    [CAUSE_INDEX_EMPTY] = {NULL, explain_key_index_type},
};

static const char *filled(struct inquiry *q, const struct refusal *r, const char *text)
{
    struct span place = r->parameter ? r->place : SPAN_LIT("that");
    struct buf out = buf_in(q->arena);

    for (; *text; text++) {
        if (*text != '%') {
            buf_add_char(&out, *text);
            continue;
        }
        switch (*++text) {
        case 'o':
            buf_add_span(&out, r->why->operand);
            break;
        case 'b':
            buf_add_span(&out, r->why->beside);
            break;
        case 'p':
            buf_add_span(&out, place);
            break;
        default:
            buf_printf(&out, "%zu", r->why->count);
        }
    }
    return buf_text(&out);
}

static void say_cause(struct inquiry *q, const struct error_why *why)
{
    struct refusal r = explain_expression_refusal(q, why);
    const struct words *w = &words[why->cause];

    if (w->text) {
        inquiry_reason(q, "%s", filled(q, &r, w->text));
        if (r.parameter)
            explain_expression_mark(q, r.parameter, r.text, r.place);
    }
    if (w->more)
        w->more(q, &r);
}

/* --- batches ---------------------------------------------------------------------------------- */

/* A key of a BatchGetItem, or a write of a BatchWriteItem. */
struct batch_entry {
    const struct table *table;
    bool is_key;
};

static void look_at_batch_entry(struct inquiry *q, void *data)
{
    const struct batch_entry *entry = data;
    const wire_node *put = wire_get(q->entry, "Item"), *key = wire_get(q->entry, "Key");
    const struct error *e = NULL;
    struct item it;

    if (!inquiry_read_item(q, entry->is_key ? q->entry : put ? put : key, &it))
        return;
    e = put && !entry->is_key ? key_check_batch_item(q->arena, entry->table, &it)
                              : key_check_parameter(q->arena, entry->table, &it);
    if (!e && put)
        e = key_check_indexes(q->arena, entry->table, &it);
    if (e)
        say_cause(q, &e->why);
}

/* Each key or write that does not fit its table, not only the first one. */
static void look_at_batch(struct inquiry *q)
{
    for (const wire_node *part = wire_first(wire_get(q->call.body, "RequestItems")); part;
         part = wire_next(part)) {
        const wire_node *keys = wire_get(part, "Keys");
        struct batch_entry entry = {.is_key = keys};
        size_t at = 0;

        if (op_target_find_named(&q->call, wire_name(part), &entry.table))
            continue;
        for (const wire_node *n = wire_first(keys ? keys : part); n; n = wire_next(n))
            explain_entry_look(q, keys ? n : wire_first(n),
                               arena_printf(q->arena, "%s %zu of %.*s: ", keys ? "key" : "write",
                                            ++at, SPAN_ARG(wire_name(part))),
                               look_at_batch_entry, &entry);
    }
}

/* --- what was refused ------------------------------------------------------------------------- */

typedef void finder(struct inquiry *q);

/* In the order in which the service looks at a request; the first that finds something wins. */
static const struct {
    finder *find;
    bool each; /* it looks at the inquiry's entry */
} finders[] = {
    {explain_limits_returns, false}, {explain_table, false},      {explain_statement, false},
    {explain_value, false},          {explain_batch, false},      {explain_names, false},
    {explain_condition, false},      {explain_limits_size, true},
};

/* A pointer to a function that fits where data is passed. */
struct one_finder {
    finder *find;
};

static void look_with(struct inquiry *q, void *data)
{
    const struct one_finder *one = data;

    one->find(q);
}

static void find_with(struct inquiry *q, finder *find, bool each)
{
    struct one_finder one = {find};

    if (each)
        explain_entry_each(q, look_with, &one);
    else
        find(q);
}

/* What one entry of the request was refused for. */
struct refused_entry {
    const struct error *error;
};

static void look_at_entry(struct inquiry *q, void *data)
{
    const struct refused_entry *entry = data;
    const struct error *e = entry->error;

    if (e->kind == ERROR_CONDITION_FAILED || e->kind == ERROR_DUPLICATE_ITEM)
        explain_failed(q);
    else
        say_cause(q, &e->why);
}

static void look_at_error(struct inquiry *q, const struct error *e)
{
    struct refused_entry entry = {e};

    for (size_t i = 0; i < e->reason_count; i++) {
        entry.error = e->reasons[i];
        if (entry.error)
            explain_entry_nth(q, i + 1, look_at_entry, &entry);
    }
    if (!e->reason_count && wire_get(q->call.body, "RequestItems") &&
        e->why.cause >= CAUSE_KEY_STRANGER && e->why.cause <= CAUSE_INDEX_EMPTY)
        look_at_batch(q);
    else if (!e->reason_count && e->entry)
        explain_entry_nth(q, e->entry, look_at_entry, &entry);
    else if (!e->reason_count)
        look_at_entry(q, &entry);
}

void explain_error(struct inquiry *q)
{
    enum error_kind kind = q->failure;

    look_at_error(q, q->record->error);
    if (kind == ERROR_RESOURCE_NOT_FOUND)
        explain_names(q);
    if (kind == ERROR_RESOURCE_IN_USE)
        explain_table_exists(q);
    if (kind == ERROR_SERIALIZATION)
        explain_value_plain(q);
    if (kind != ERROR_VALIDATION && kind != ERROR_TRANSACTION_CANCELED)
        return;
    for (size_t i = 0; i < COUNT(finders) && !q->reason.len; i++)
        find_with(q, finders[i].find, finders[i].each);
}

/* --- statements of a batch -------------------------------------------------------------------- */

/* The kinds of error that are looked into, which a member has as a Code. */
static enum error_kind kind_of(struct span code)
{
    static const enum error_kind kinds[] = {ERROR_VALIDATION, ERROR_RESOURCE_NOT_FOUND,
                                            ERROR_CONDITION_FAILED, ERROR_DUPLICATE_ITEM};

    for (size_t i = 0; i < COUNT(kinds); i++)
        if (span_is(code, op_fault_code(kinds[i])))
            return kinds[i];
    return ERROR_NONE;
}

/* A SELECT that gave nothing. */
static void look_at_empty(struct inquiry *q)
{
    struct targets targets = explain_read_statement(q);

    if (targets.count == 1 && explain_empty_item(q, &targets.at[0]))
        explain_failed(q);
}

struct member {
    const wire_node *answer;
};

static void look_at_member(struct inquiry *q, void *data)
{
    const struct member *m = data;
    const wire_node *error = wire_get(m->answer, "Error");

    q->failure = kind_of(wire_text(wire_get(error, "Code")));
    if (q->failure == ERROR_RESOURCE_NOT_FOUND)
        explain_names(q);
    else if (q->failure == ERROR_VALIDATION)
        explain_statement(q);
    else if (q->failure != ERROR_NONE)
        explain_failed(q);
    else if (!error && !wire_get(m->answer, "Item"))
        look_at_empty(q);
    q->failure = ERROR_NONE;
}

void explain_error_members(struct inquiry *q)
{
    const wire_node *entry = wire_first(wire_get(q->call.body, "Statements")), *reply;
    struct member m;
    size_t at = 0;

    if (!entry || wire_parse(q->arena, q->record->reply, &reply))
        return;
    m.answer = wire_first(wire_get(reply, "Responses"));
    for (; entry && m.answer; entry = wire_next(entry), m.answer = wire_next(m.answer))
        explain_entry_look(q, entry, arena_printf(q->arena, "statement %zu: ", ++at),
                           look_at_member, &m);
}
