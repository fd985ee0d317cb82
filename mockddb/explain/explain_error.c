#include "explain/explain_error.h"

#include "base/utf8.h"
#include "explain/explain_condition.h"
#include "explain/explain_empty.h"
#include "explain/explain_entry.h"
#include "explain/explain_failed.h"
#include "explain/explain_key.h"
#include "explain/explain_names.h"
#include "explain/explain_statement.h"
#include "explain/explain_syntax.h"
#include "explain/explain_value.h"
#include "explain/say.h"
#include "ops/key_check.h"
#include "ops/op_fault.h"
#include "ops/op_target.h"
#include "ops/statement/statement.h"

#define KEY_FAULTS  4  /* of one key that are named */
#define PLACE_SHOWN 80 /* bytes of a place that are repeated in a reason */

/* --- the words for each cause ----------------------------------------------------------------- */

/* The reason, and the place marked: %o is the operand, %b what is beside it, %p the place, %n the
 * count, %w and %f the wanted and the found type, %q the operation. Then what else there is to say:
 * a correction, or a reason that is not the same for all. */
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
    [CAUSE_BOUND_TYPES] = {"%o is %w and %b is %f: BETWEEN takes two values of one type", NULL},
    [CAUSE_BOUND_ORDER] = {"BETWEEN has its upper end first: swap its ends",
                           explain_expression_bound_order},
    [CAUSE_IN_COUNT] = {"IN takes 100 values, here it has %n: ask in parts", NULL},
    [CAUSE_TYPE_NAME] = {NULL, explain_expression_type_name},
    [CAUSE_KEY_SECOND] = {"the operands of %b are swapped: %b(%o, %p)", explain_expression_swapped},
    [CAUSE_KEY_OR] =
        {"%p: a key condition has no OR: a Query asks for one partition, ask once for each", NULL},
    [CAUSE_KEY_IN] =
        {"%p: a key condition has no IN: ask once for each value, or BatchGetItem for whole keys",
         NULL},
    [CAUSE_KEY_OPERATOR] =
        {"%p: a sort key is compared by =, <, <=, >, >=, BETWEEN and begins_with only", NULL},
    [CAUSE_KEY_OPERAND] = {"%p: a key condition compares a whole key attribute with a value", NULL},
    [CAUSE_KEY_TWICE] = {"%o has two conditions, a Query takes one: BETWEEN has two ends",
                         explain_condition_twice},
    [CAUSE_SECTION_TWICE] = {"%p is written once: separate its changes by commas",
                             explain_expression_section_twice},
    [CAUSE_OVERLAP] = {"%o and %b overlap: keep one of them", NULL},
    [CAUSE_CHANGES_OVERLAP] = {"%o and %b overlap: change one of them in this update", NULL},
    [CAUSE_NAMED_TWICE] = {"%o is named twice: keep one", NULL},
    [CAUSE_SET_TWICE] = {"%o is set twice: keep one", NULL},
    [CAUSE_CHANGED_TWICE] = {"%o is changed twice: keep one", NULL},
    [CAUSE_UNUSED] = {NULL, explain_expression_unused},
    [CAUSE_PLACEHOLDER] = {NULL, explain_expression_placeholder},
    [CAUSE_EMPTY_MAP] = {"%b is empty: leave it out", explain_expression_left_out},
    [CAUSE_TWO_STYLES] =
        {"%o is an older parameter and cannot be used with %b: write both as expressions", NULL},
    [CAUSE_ITEM_LACKS] = {NULL, explain_expression_lacks},
    [CAUSE_ITEM_SUM] = {"%o is %f in the item: + and - take numbers", NULL},
    [CAUSE_ITEM_LIST] = {"%o is %f in the item: list_append takes two lists, ADD puts elements "
                         "into a set",
                         NULL},
    [CAUSE_ITEM_ADDED] = {"%o is %f in the item, %b is %w: ADD takes two numbers or two sets",
                          NULL},
    [CAUSE_ITEM_DELETED] = {"%o is %f in the item, %b is %w: DELETE takes elements out of a set, "
                            "REMOVE name[0] takes one out of a list",
                            NULL},
    [CAUSE_ITEM_PARENT] = {NULL, explain_expression_parent},
    [CAUSE_KEY_UPDATED] = {"%o is part of the key, which an update cannot change: put the item "
                           "under its new key and delete the old one",
                           explain_expression_mark_name},
    [CAUSE_KEY_PATH] = {"%o is a key, and so a string, a number or binary: it has no members or "
                        "elements",
                        explain_expression_mark_name},
    [CAUSE_KEY_STRANGER] = {NULL, explain_key_stranger},
    [CAUSE_KEY_MISSING] = {NULL, explain_key_missing},
    [CAUSE_KEY_TYPE] = {NULL, explain_key_type},
    [CAUSE_KEY_EMPTY] = {"%o is empty, which a key cannot be", NULL},
    [CAUSE_KEY_LONG] = {"%o has %n bytes: %b is the most", NULL},
    [CAUSE_INDEX_TYPE] = {NULL, explain_key_index_type},
    [CAUSE_INDEX_EMPTY] = {NULL, explain_key_index_type},
    [CAUSE_CONDITION_NONE] = {NULL, explain_condition_missing},
    [CAUSE_CONDITION_MISSING] = {NULL, explain_condition_missing},
    [CAUSE_CONDITION_STRANGER] = {NULL, explain_condition_stranger},
    [CAUSE_CONDITION_TYPE] = {NULL, explain_condition_type},
    [CAUSE_CONDITION_EMPTY] = {"%o is compared with an empty value, which no key has", NULL},
    [CAUSE_CONDITION_HASH] = {"%o is the partition key, which can only be compared by =; prefixes "
                              "and ranges work on the sort key",
                              NULL},
    [CAUSE_CONDITION_OPERATOR] = {"%o is a key: keys are compared by EQ, LT, LE, GT, GE, BETWEEN "
                                  "and BEGINS_WITH only",
                                  NULL},
    [CAUSE_CONDITION_ORDER] = {"%b comes before %o in the sort key: a condition on %o needs %b = … "
                               "before it",
                               NULL},
    [CAUSE_FILTER_KEY] = {NULL, explain_condition_filter},
    [CAUSE_START_KEY] = {NULL, explain_condition_start},
    [CAUSE_START_PARTITION] = {"ExclusiveStartKey has %o, the condition asks for %b: a Query "
                               "continues from its own LastEvaluatedKey",
                               NULL},
    [CAUSE_START_RANGE] = {"ExclusiveStartKey has %o, which does not fit the condition on it: "
                           "continue with the same condition",
                           NULL},
    [CAUSE_NOT_HELD] = {"%b does not hold %o: read the items from the table by their keys",
                        explain_condition_held},
    [CAUSE_NOT_CONSISTENT] = {"%o is a global index, which has no consistent reads: leave "
                              "ConsistentRead out, or read the items from the table by their keys",
                              explain_expression_left_out},
    [CAUSE_SELECT_UNLISTED] = {"Select SPECIFIC_ATTRIBUTES needs a ProjectionExpression that names "
                               "them",
                               explain_expression_left_out},
    [CAUSE_SELECT_TABLE] = {"Select ALL_PROJECTED_ATTRIBUTES is for an index: leave it out",
                            explain_expression_left_out},
    [CAUSE_SELECT_COUNT] = {"Select COUNT gives a number and no attributes: leave the projection "
                            "out",
                            explain_expression_left_out},
    [CAUSE_SELECT_LISTED] = {"Select %o and a projection say two things: leave Select out",
                             explain_expression_left_out},
    [CAUSE_ITEM_SIZE] = {NULL, explain_value_size},
    [CAUSE_NUMBER] = {NULL, explain_value_number},
    [CAUSE_EMPTY_SET] = {"%b is an empty set: leave it out, a set is there from its first element "
                         "on",
                         NULL},
    [CAUSE_NO_TYPE] = {"%b has no type: write it as {\"S\": …}, {\"N\": …} or another type", NULL},
    [CAUSE_SEVERAL_TYPES] = {"%b has several types: a value has one", NULL},
    [CAUSE_REPEATED] = {"%b has \"%o\" twice: a set has each element once", NULL},
    [CAUSE_OLDER_COUNT] = {NULL, explain_value_older_count},
    [CAUSE_OLDER_MIXED] = {"%o is compared with values of several types: AttributeValueList takes "
                           "one type",
                           NULL},
    [CAUSE_OLDER_TYPE] = {"%b of %o does not take %f: ADD takes a number or a set, DELETE a set, "
                          "comparisons take S, N or B",
                          NULL},
    [CAUSE_OLDER_ORDER] = {"BETWEEN of %o has its upper end first: swap its two values", NULL},
    [CAUSE_OLDER_VALUES] = {"%o has AttributeValueList beside Value, or without a "
                            "ComparisonOperator: keep Value",
                            NULL},
    [CAUSE_OLDER_NOTHING] = {"%o has no value, and %b needs one: give it as Value", NULL},
    [CAUSE_OLDER_EXISTS] = {"%o has Exists beside an operator or a value: keep one of them", NULL},
    [CAUSE_OLDER_JOINED] = {"%b joins two conditions or more, here are fewer: leave it out",
                            explain_expression_left_out},
    [CAUSE_NO_TABLE] = {NULL, explain_names_table},
    [CAUSE_NO_INDEX] = {NULL, explain_names_index},
    [CAUSE_TABLE_BUSY] = {"%o is being %b: wait until DescribeTable says that it is done", NULL},
    [CAUSE_TABLE_EXISTS] = {"%o exists already: delete it first, or take another name", NULL},
    [CAUSE_INDEX_BUSY] = {"%o is still being filled: wait until DescribeTable says ACTIVE, or read "
                          "the table",
                          NULL},
    [CAUSE_KEY_UNDEFINED] = {NULL, explain_names_undefined},
    [CAUSE_DEFINITION_UNUSED] = {"%o is defined and no key has it: leave it out, items may have "
                                 "attributes that are not defined",
                                 explain_names_unused},
    [CAUSE_UNITS_GIVEN] = {"an on-demand table has no %b: leave it out",
                           explain_expression_left_out},
    [CAUSE_UNITS_MISSING] = {"the table has no ProvisionedThroughput: give it, or BillingMode "
                             "PAY_PER_REQUEST",
                             explain_names_no_units},
    [CAUSE_STATEMENT] = {NULL, explain_statement_place},
    [CAUSE_PARAMETERS] = {NULL, explain_statement_parameters},
    [CAUSE_ORDER_SCAN] = {NULL, explain_statement_order},
    [CAUSE_ORDER_STRANGER] = {NULL, explain_statement_order},
    [CAUSE_ORDER_PARTITIONS] = {NULL, explain_statement_order},
    [CAUSE_STATEMENT_KEY] = {NULL, explain_statement_key},
    [CAUSE_STATEMENT_READ] = {NULL, explain_statement_key},
    [CAUSE_MEMBER_MISSING] = {"%o is missing, and the request needs it", NULL},
    [CAUSE_MEMBER_WORD] = {NULL, explain_value_word},
    [CAUSE_MEMBER_SHORT] = {"the length of %o is %n: %b is the least", NULL},
    [CAUSE_MEMBER_LONG] = {"the length of %o is %n: %b is the most", NULL},
    [CAUSE_MEMBER_NAME] = {"%o is %p: a name has letters, digits, _, - and . only", NULL},
    [CAUSE_MEMBER_FORM] = {"%o is %p, which is not of the form %b", NULL},
    [CAUSE_MEMBER_LOW] = {"%o is %p: %b is the least", NULL},
    [CAUSE_MEMBER_HIGH] = {"%o is %p: %b is the most", NULL},
    [CAUSE_MEMBER_FEW] = {"%o has %n entries: %b is the least", NULL},
    [CAUSE_MEMBER_MANY] = {"%o has %n entries: at most %b fit into one %q", NULL},
    [CAUSE_MEMBER_TYPE] = {NULL, explain_value_json},
    [CAUSE_MEMBER_PARTNER] = {"%o is given without %b: give both, or neither", NULL},
    [CAUSE_SEGMENT] = {"Segment is %o: of %b segments the last one is %n", NULL},
    [CAUSE_ENTRY_TWICE] = {NULL, explain_value_twice},
};

static const char *filled(struct inquiry *q, const struct refusal *r, const char *text)
{
    struct span whole = r->why->place, place = utf8_cut(whole, PLACE_SHOWN);
    struct buf out = buf_in(q->arena);

    for (; *text; text++) {
        if (*text != '%') {
            buf_add_char(&out, *text);
            continue;
        }
        switch (*++text) {
        case 'o':
            buf_add_span(&out, r->why->operand.len ? r->why->operand : SPAN_LIT("one value"));
            break;
        case 'b':
            buf_add_span(&out, r->why->beside.len ? r->why->beside : SPAN_LIT("the value"));
            break;
        case 'p':
            buf_add_span(&out, whole.len ? place : SPAN_LIT("that"));
            buf_add_text(&out, place.len < whole.len ? "…" : "");
            break;
        case 'w':
        case 'f':
            buf_add_text(&out, attr_type_code((enum attr_type)(*text == 'w' ? r->why->wanted
                                                                            : r->why->found)));
            break;
        case 'q':
            buf_add_text(&out, q->call.op->name);
            break;
        default:
            buf_add_integer(&out, (int64_t)r->why->count);
        }
    }
    return buf_text(&out);
}

static void say_cause(struct inquiry *q, const struct error_why *why)
{
    struct refusal r = explain_expression_refusal(q, why);
    const struct words *w = &words[why->cause];

    if (w->text) {
        say_why(q, "%", filled(q, &r, w->text));
        explain_expression_mark_refusal(q, &r);
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
            explain_entry_look(
                q, keys ? n : wire_first(n),
                say_text(q, "% % of %: ", keys ? "key" : "write", ++at, wire_name(part)),
                look_at_batch_entry, &entry);
    }
}

/* --- what was refused ------------------------------------------------------------------------- */

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
    else if (e->kind == ERROR_THROUGHPUT_EXCEEDED || e->kind == ERROR_THROTTLING)
        say_why(q, "no units are left for this second: send it again after a pause that grows, as "
                   "SDKs do, or raise the table's units");
    else
        say_cause(q, &e->why);
}

static bool is_of_key(const struct error *e)
{
    return e && e->why.cause >= CAUSE_KEY_STRANGER && e->why.cause <= CAUSE_KEY_EMPTY;
}

/* The further faults of a key, which the service does not name. */
static void look_at_rest_of_key(struct inquiry *q, const struct error *e)
{
    struct refused_entry entry = {e};
    struct item sent;

    if (!q->reason.len || !explain_key_sent(q, &sent))
        return;
    for (int i = 0; i < KEY_FAULTS && is_of_key(entry.error); i++) {
        entry.error = explain_key_mended(q, &entry.error->why, &sent);
        if (is_of_key(entry.error))
            explain_entry_look(q, q->entry, "", look_at_entry, &entry);
    }
}

static void look_at_error(struct inquiry *q, const struct error *e)
{
    struct refused_entry entry = {e};

    for (size_t i = 0; i < e->reason_count; i++) {
        entry.error = e->reasons[i];
        if (entry.error)
            explain_entry_nth(q, i + 1, look_at_entry, &entry);
    }
    if (e->reason_count)
        return;
    if (wire_get(q->call.body, "RequestItems") && e->why.cause >= CAUSE_KEY_STRANGER &&
        e->why.cause <= CAUSE_INDEX_EMPTY) {
        look_at_batch(q);
    } else if (e->entry) {
        explain_entry_nth(q, e->entry, look_at_entry, &entry);
    } else {
        look_at_entry(q, &entry);
        look_at_rest_of_key(q, e);
    }
}

void explain_error(struct inquiry *q)
{
    look_at_error(q, q->record->error);
    if (q->failure != ERROR_VALIDATION)
        return;
    explain_value_returns(q);
    explain_statement_form(q);
}

/* --- statements of a batch -------------------------------------------------------------------- */

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
    struct span code = wire_text(wire_get(error, "Code"));
    const struct error *e;
    struct statement s;

    if (!error && !wire_get(m->answer, "Item"))
        look_at_empty(q);
    if (!error)
        return;
    if (span_is(code, op_fault_code(ERROR_CONDITION_FAILED)) ||
        span_is(code, op_fault_code(ERROR_DUPLICATE_ITEM))) {
        explain_failed(q);
        return;
    }
    if (!(e = statement_read_entry(&q->call, q->entry, &s)) &&
        !(e = partiql_read(q->arena, s.text, s.parameters, s.parameter_count, &s.parsed)))
        e = statement_resolve_member(&q->call, &s);
    if (e)
        say_cause(q, &e->why);
    if (!q->reason.len)
        explain_statement_form(q);
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
        explain_entry_look(q, entry, say_text(q, "statement %: ", ++at), look_at_member, &m);
}
