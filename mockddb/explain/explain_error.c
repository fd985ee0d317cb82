#include "explain/explain_find.h"

#include "base/utf8.h"
#include "explain/explain_cause.h"
#include "explain/explain_entry.h"
#include "explain/explain_survey.h"
#include "explain/say.h"
#include "model/item_codec.h"
#include "model/key.h"
#include "ops/key_check.h"
#include "ops/op_fault.h"
#include "ops/op_target.h"
#include "ops/statement/statement.h"
#include "wire/wire_node.h"
#include "wire/wire_shape.h"

#define KEY_FAULTS  4  /* of one key that are named */
#define PLACE_SHOWN 80 /* bytes of a place that are repeated in a reason */

/* --- the words for each cause ----------------------------------------------------------------- */

/* The reason, and the place marked: %o is the operand, %b what is beside it, %p the place, %n the
 * count, %w and %f the wanted and the found type, %q the operation. */
static const char *const texts[CAUSE_COUNT] = {
    [CAUSE_FAULT] = "fault rule %n gives this answer: the operation did not run",
    [CAUSE_PARENTHESES] = "two pairs of parentheses are around the same: keep one",
    [CAUSE_EMPTY_TEXT] = "%o is empty: leave it out",
    [CAUSE_RESERVED_WORD] =
        "%p is a reserved word: write #%p, and {\"#%p\": \"%p\"} in ExpressionAttributeNames",
    [CAUSE_NO_PATH] = "%o takes the name of an attribute, and %p is a value",
    [CAUSE_SAME_OPERANDS] = "%o is on both sides: values are written in ExpressionAttributeValues, "
                            "under a name such as :v",
    [CAUSE_BOUND_TYPES] = "%o is %w and %b is %f: BETWEEN takes two values of one type",
    [CAUSE_BOUND_ORDER] = "BETWEEN has its upper end first: swap its ends",
    [CAUSE_IN_COUNT] = "IN takes 100 values, here it has %n: ask in parts",
    [CAUSE_KEY_SECOND] = "the operands of %b are swapped: %b(%o, %p)",
    [CAUSE_KEY_OR] =
        "%p: a key condition has no OR: a Query asks for one partition, ask once for each",
    [CAUSE_KEY_IN] =
        "%p: a key condition has no IN: ask once for each value, or BatchGetItem for whole keys",
    [CAUSE_KEY_OPERATOR] =
        "%p: a sort key is compared by =, <, <=, >, >=, BETWEEN and begins_with only",
    [CAUSE_KEY_OPERAND] = "%p: a key condition compares a whole key attribute with a value",
    [CAUSE_KEY_TWICE] = "%o has two conditions, a Query takes one: BETWEEN has two ends",
    [CAUSE_SECTION_TWICE] = "%p is written once: separate its changes by commas",
    [CAUSE_OVERLAP] = "%o and %b overlap: keep one of them",
    [CAUSE_CHANGES_OVERLAP] = "%o and %b overlap: change one of them in this update",
    [CAUSE_NAMED_TWICE] = "%o is named twice: keep one",
    [CAUSE_SET_TWICE] = "%o is set twice: keep one",
    [CAUSE_CHANGED_TWICE] = "%o is changed twice: keep one",
    [CAUSE_EMPTY_MAP] = "%b is empty: leave it out",
    [CAUSE_TWO_STYLES] =
        "%o is an older parameter and cannot be used with %b: write both as expressions",
    [CAUSE_ITEM_SUM] = "%o is %f in the item: + and - take numbers",
    [CAUSE_ITEM_LIST] =
        "%o is %f in the item: list_append takes two lists, ADD puts elements into a set",
    [CAUSE_ITEM_DELETED] = "%o is %f in the item, %b is %w: DELETE takes elements out of a set, "
                           "REMOVE name[0] takes one out of a list",
    [CAUSE_KEY_UPDATED] = "%o is part of the key, which an update cannot change: put the item "
                          "under its new key and delete the old one",
    [CAUSE_KEY_PATH] =
        "%o is a key, and so a string, a number or binary: it has no members or elements",
    [CAUSE_KEY_EMPTY] = "%o is empty, which a key cannot be",
    [CAUSE_KEY_LONG] = "%o has %n bytes: %b is the most",
    [CAUSE_CONDITION_EMPTY] = "%o is compared with an empty value, which no key has",
    [CAUSE_CONDITION_HASH] = "%o is the partition key, which can only be compared by =; prefixes "
                             "and ranges work on the sort key",
    [CAUSE_CONDITION_OPERATOR] =
        "%o is a key: keys are compared by EQ, LT, LE, GT, GE, BETWEEN and BEGINS_WITH only",
    [CAUSE_CONDITION_ORDER] =
        "%b comes before %o in the sort key: a condition on %o needs %b = … before it",
    [CAUSE_START_PARTITION] = "ExclusiveStartKey has %o, the condition asks for %b: a Query "
                              "continues from its own LastEvaluatedKey",
    [CAUSE_START_RANGE] = "ExclusiveStartKey has %o, which does not fit the condition on it: "
                          "continue with the same condition",
    [CAUSE_START_SEGMENT] = "the start key is of another segment: each one continues with its own "
                            "LastEvaluatedKey",
    [CAUSE_NOT_HELD] = "%b does not hold %o: read the items from the table by their keys",
    [CAUSE_NOT_CONSISTENT] = "%o is a global index, which has no consistent reads: leave "
                             "ConsistentRead out, or read the items from the table by their keys",
    [CAUSE_SELECT_UNLISTED] =
        "Select SPECIFIC_ATTRIBUTES needs a ProjectionExpression that names them",
    [CAUSE_SELECT_TABLE] = "Select ALL_PROJECTED_ATTRIBUTES is for an index: leave it out",
    [CAUSE_SELECT_COUNT] =
        "Select COUNT gives a number and no attributes: leave the projection out",
    [CAUSE_SELECT_LISTED] = "Select %o and a projection say two things: leave Select out",
    [CAUSE_EMPTY_SET] =
        "%b is an empty set: leave it out, a set is there from its first element on",
    [CAUSE_NO_TYPE] = "%b has no type: write it as {\"S\": …}, {\"N\": …} or another type",
    [CAUSE_SEVERAL_TYPES] = "%b has several types: a value has one",
    [CAUSE_REPEATED] = "%b has \"%o\" twice: a set has each element once",
    [CAUSE_OLDER_MIXED] =
        "%o is compared with values of several types: AttributeValueList takes one type",
    [CAUSE_OLDER_ORDER] = "BETWEEN of %o has its upper end first: swap its two values",
    [CAUSE_OLDER_VALUES] =
        "%o has AttributeValueList beside Value, or without a ComparisonOperator: keep Value",
    [CAUSE_OLDER_NOTHING] = "%o has no value, and %b needs one: give it as Value",
    [CAUSE_OLDER_EXISTS] = "%o has Exists beside an operator or a value: keep one of them",
    [CAUSE_OLDER_JOINED] = "%b joins two conditions or more, here are fewer: leave it out",
    [CAUSE_TABLE_BUSY] = "%o is being %b: wait until DescribeTable says that it is done",
    [CAUSE_TABLE_EXISTS] = "%o exists already: delete it first, or take another name",
    [CAUSE_INDEX_BUSY] =
        "%o is still being filled: wait until DescribeTable says ACTIVE, or read the table",
    [CAUSE_DEFINITION_UNUSED] = "%o is defined and no key has it: leave it out, items may have "
                                "attributes that are not defined",
    [CAUSE_UNITS_GIVEN] =
        "an on-demand table has no %b: leave it out, or give BillingMode PROVISIONED",
    [CAUSE_UNITS_MISSING] =
        "the table has no ProvisionedThroughput: give it, or BillingMode PAY_PER_REQUEST",
    [CAUSE_NUMBER_RANGE] =
        "%b is %o: a number is at least 1E-130 and below 1E+126, or the same below 0",
    [CAUSE_NUMBER_SUM] = "the sum is out of range: a number has at most 38 digits, and is below "
                         "1E+126",
    [CAUSE_NUMBER_DIGITS] = "%b is %o, which has more than 38 digits: round it, or write a text",
    [CAUSE_EMPTY_NAME] = "%o has an empty name: a name has at least one character",
    [CAUSE_NULL_ELEMENT] = "%b has null in it: a set has values of its type only, leave it out",
    [CAUSE_NULL_FALSE] = "%b is NULL with false: write {\"NULL\": true}, or {\"BOOL\": false}",
    [CAUSE_NESTED] = "%b is nested too deeply: 32 levels of lists and maps are the most",
    [CAUSE_KEY_KINDS] = "KeySchema begins with the partition key (HASH): the sort key (RANGE) "
                        "follows it",
    [CAUSE_REDEFINED] = "%o is defined %w by another key, the request defines it %f: one "
                        "attribute has one type",
    [CAUSE_LOCAL_CHANGED] = "%o is a local index: it is made with its table and stays as it is",
    [CAUSE_LOCAL_KEY] = "%o is a local index: its partition key is the table's, %b",
    [CAUSE_ONE_INDEX] = "two indexes are made or deleted: send one, and the next when "
                        "DescribeTable says ACTIVE",
    [CAUSE_CHANGES_APART] = "%o and %b do not go into one request: send them apart",
    [CAUSE_UNCHANGED] = "%o is already as the request asks: nothing has to change",
    [CAUSE_NOTHING_ASKED] = "the request changes nothing: give the members that are to change",
    [CAUSE_IN_CHANGE] = "the table is still being changed: wait until DescribeTable says ACTIVE, "
                        "also of its indexes",
    [CAUSE_PROTECTED] = "%o is protected against deletion: UpdateTable with "
                        "DeletionProtectionEnabled false ends that",
    [CAUSE_TAG_RESERVED] = "%o begins with aws:, which is for AWS itself: take another key",
    [CAUSE_TAG_TEXT] = "the %o of a tag has %b letters, digits, blanks or + - = . _ : / @",
    [CAUSE_STREAM_VIEW] = "the table's stream has StreamViewType %o: switch it off first, with "
                          "StreamEnabled false",
    [CAUSE_SSE_OWNED] =
        "AES256 is how tables are encrypted without SSESpecification: leave it out, "
        "or write SSEType KMS",
    [CAUSE_TAG_COUNT] = "%n tags are the most that a table and that a request has",
    [CAUSE_VECTOR_INDEX] = "an index of vectors is read by SearchVectors",
    [CAUSE_COLLECTION] = "the items of one partition key have 10 GB at most in a table with local "
                         "indexes: spread them over several keys",
    [CAUSE_NO_RECOVERY] = "%o has no point-in-time recovery: UpdateContinuousBackups enables it, "
                          "from then on",
    [CAUSE_RESTORE_INDEX] = "%o is not an index of the source with this key and projection: copy "
                            "them from its description, or leave the index out",
    [CAUSE_REPLICA_UNITS] = "%o has fixed write units: a replica needs BillingMode "
                            "PAY_PER_REQUEST, or auto scaling of them",
    [CAUSE_NO_REPLICAS] = "%o has no replicas: UpdateTable with ReplicaUpdates makes them",
    [CAUSE_GLOBAL_OLD] = "this is an operation of the older global tables: DescribeTable lists the "
                         "replicas of a table",
    [CAUSE_NO_STREAM] =
        "there is no such stream: DescribeTable has LatestStreamArn, a new one each "
        "time that the stream is enabled",
    [CAUSE_NO_SHARD] = "the stream has no such shard: DescribeStream lists its shards",
    [CAUSE_TRIMMED] = "records are kept for 24 hours: begin at TRIM_HORIZON, the oldest one",
    [CAUSE_ITERATOR] = "ShardIterator is passed on as GetShardIterator gave it, or as "
                       "NextShardIterator of GetRecords",
    [CAUSE_ITERATOR_OLD] = "an iterator is valid for 15 minutes: get another one, by "
                           "AFTER_SEQUENCE_NUMBER of the last record",
    [CAUSE_SEQUENCE] = "%p is not the number of a record: pass on its SequenceNumber as it came",
    [CAUSE_TTL_OTHER] = "the time to live is %o: switch it off first, with Enabled false",
    [CAUSE_SEARCH_OPERATOR] =
        "%p cannot be in a search's condition: it is attribute = :v, several joined by AND",
    [CAUSE_SEARCH_STRANGER] = "%o cannot be searched by: %b",
    [CAUSE_SEARCH_HASH] = "%o is the HASH attribute of %b: a search needs %o = :v",
    [CAUSE_SEARCH_VALUE] = "SearchVector[%n] is %p: write a number of 32 bits, {\"N\": \"0.5\"}",
    [CAUSE_SEARCH_INDEX] = "%o is not a vector index: Query and Scan read it",
    [CAUSE_SEARCH_SIZE] =
        "the items found have more than 16 MB: ask for fewer by TopK, or for less "
        "by ProjectionExpression",
    [CAUSE_VECTOR] = "%o is the vector of %b: a list of %n numbers of 32 bits, or the item is "
                     "without it",
    [CAUSE_STATEMENT_FUNCTION] = "%p is no function here: WHERE has attribute_type, begins_with, "
                                 "contains and size, SET has list_append, set_add and set_delete",
    [CAUSE_STATEMENT_FIELD] = "names in VALUE {…} are written in single quotes: {'%o': …}",
    [CAUSE_STATEMENT_ALL] = "%p is no path: write %o for all of it, or name a part",
    [CAUSE_STATEMENT_PART] = "? is within a value: it is for a whole one, so give the list, "
                             "set or map as a parameter",
    [CAUSE_STATEMENT_SOURCE] = "FROM has more parts than a table and an index: "
                               "\"table\".\"index\"",
    [CAUSE_STATEMENT_INDEX] = "%o is an index, which SELECT alone reads: write to its table",
    [CAUSE_STATEMENT_BAG] = "a set has texts only, or numbers only: <<'a', 'b'>>, <<1, 2>>",
    [CAUSE_STATEMENT_TWICE] = "a set has a value twice: it has each once",
    [CAUSE_STATEMENT_EXISTS] = "EXISTS is for ExecuteTransaction: elsewhere SELECT says whether "
                               "an item exists",
    [CAUSE_STATEMENT_TYPE] = "%p is no type for IS: MISSING, NULL, STRING, NUMERIC, BOOLEAN, LIST "
                             "and STRUCT are some",
    [CAUSE_STATEMENT_RANGES] = "two conditions on the sort key overlap: write one for each "
                               "partition",
    [CAUSE_STATEMENT_KEYS] = "%o has a key of several attributes, which no statement takes: use "
                             "Query",
    [CAUSE_STATEMENT_TOKEN] = "NextToken is of another statement: repeat the Statement and "
                              "Parameters that it came with",
    [CAUSE_POLICY_TEXT] = "the policy is not JSON: it is one text with a JSON object in it",
    [CAUSE_POLICY_MEMBER] = "%o is no member of a policy: they are Version, Id and Statement, and "
                            "its own",
    [CAUSE_POLICY_VALUE] = "%o in the policy takes %b",
    [CAUSE_POLICY_ACTION] = "%o is no action that the policy of a table has: write them as "
                            "dynamodb:GetItem",
    [CAUSE_POLICY_RESOURCE] = "%o is not what the policy is for: Resource is %b, with /index/* "
                              "for indexes, or *",
    [CAUSE_POLICY_PRINCIPAL] = "the Principal is of another form: write {\"AWS\": "
                               "\"arn:aws:iam::111122223333:user/name\"}",
    [CAUSE_POLICY_PUBLIC] = "the policy lets everyone in: name a Principal, or add a Condition",
    [CAUSE_POLICY_OWN] = "the policy would deny changes of itself: ConfirmRemoveSelfResourceAccess "
                         "true confirms that",
    [CAUSE_POLICY_REVISION] = "ExpectedRevisionId is %o, the policy's revision is %b: read it "
                              "again by GetResourcePolicy",
    [CAUSE_NO_POLICY] = "%o has no policy: PutResourcePolicy gives it one",
    [CAUSE_ARN_KIND] = "%p is not of the form %b",
    [CAUSE_ARN_FORM] = "%p is not the ARN of a table: write %b",
    [CAUSE_ARN_ELSEWHERE] = "the ARN is of %o, the request is for %b",
    [CAUSE_ENTRY_ACTIONS] = "an entry of %o has one of %b, here are %n: one action an entry",
    [CAUSE_MEMBER_NEEDS] = "%o needs %b: add it",
    [CAUSE_MEMBER_BARRED] = "%o does not go with %b: leave it out",
    [CAUSE_MEMBER_MISSING] = "%o is missing, and the request needs it",
    [CAUSE_MEMBER_SHORT] = "the length of %o is %n: %b is the least",
    [CAUSE_MEMBER_LONG] = "the length of %o is %n: %b is the most",
    [CAUSE_MEMBER_NAME] = "%o is %p: a name has letters, digits, _, - and . only",
    [CAUSE_MEMBER_FORM] = "%o is %p, which is not of the form %b",
    [CAUSE_MEMBER_LOW] = "%o is %p: %b is the least",
    [CAUSE_MEMBER_HIGH] = "%o is %p: %b is the most",
    [CAUSE_MEMBER_FEW] = "%o has %n entries: %b is the least",
    [CAUSE_MEMBER_MANY] = "%o has %n entries: at most %b fit into one %q",
    [CAUSE_MEMBER_PARTNER] = "%o is given without %b: give both, or neither",
    [CAUSE_SCHEDULE] = "%p is not a schedule: write at(2030-01-01T08:00:00), rate(5 minutes) or "
                       "cron(0 8 * * ? *)",
    [CAUSE_SCALED] =
        "ServiceNamespace is dynamodb, ResourceId table/NAME with dynamodb:table:…, or "
        "table/NAME/index/NAME with dynamodb:index:…",
    [CAUSE_TOKEN_USED] = "%b %o was used for another request: give each request a token of its own",
    [CAUSE_SEGMENT] = "Segment is %o: of %b segments the last one is %n",
};

/* What else there is to say: a correction, or a reason that is not the same for all. */
static explain_words *const more[CAUSE_COUNT] = {
    [CAUSE_SYNTAX] = explain_syntax,
    [CAUSE_RESERVED_WORD] = explain_expression_reserved_word,
    [CAUSE_UNDEFINED] = explain_expression_undefined,
    [CAUSE_FUNCTION] = explain_syntax_function,
    [CAUSE_MISPLACED] = explain_syntax_misplaced,
    [CAUSE_OPERAND_COUNT] = explain_expression_operand_count,
    [CAUSE_OPERAND_TYPE] = explain_expression_operand_type,
    [CAUSE_BOUND_ORDER] = explain_expression_bound_order,
    [CAUSE_TYPE_NAME] = explain_expression_type_name,
    [CAUSE_KEY_SECOND] = explain_expression_swapped,
    [CAUSE_KEY_TWICE] = explain_condition_twice,
    [CAUSE_SECTION_TWICE] = explain_expression_section_twice,
    [CAUSE_UNUSED] = explain_expression_unused,
    [CAUSE_PLACEHOLDER] = explain_expression_placeholder,
    [CAUSE_EMPTY_MAP] = explain_expression_left_out,
    [CAUSE_ITEM_LACKS] = explain_statement_lacks,
    [CAUSE_ITEM_PARENT] = explain_expression_parent,
    [CAUSE_ITEM_ADDED] = explain_expression_added,
    [CAUSE_KEY_UPDATED] = explain_expression_mark_name,
    [CAUSE_KEY_PATH] = explain_expression_mark_name,
    [CAUSE_KEY_STRANGER] = explain_key_stranger,
    [CAUSE_KEY_MISSING] = explain_key_missing,
    [CAUSE_KEY_TYPE] = explain_key_type,
    [CAUSE_INDEX_TYPE] = explain_key_index_type,
    [CAUSE_INDEX_EMPTY] = explain_key_index_type,
    [CAUSE_CONDITION_NONE] = explain_condition_missing,
    [CAUSE_CONDITION_MISSING] = explain_condition_missing,
    [CAUSE_CONDITION_STRANGER] = explain_condition_stranger,
    [CAUSE_CONDITION_TYPE] = explain_condition_type,
    [CAUSE_FILTER_KEY] = explain_condition_filter,
    [CAUSE_START_KEY] = explain_condition_start,
    [CAUSE_NOT_HELD] = explain_condition_held,
    [CAUSE_NOT_CONSISTENT] = explain_expression_left_out,
    [CAUSE_SELECT_UNLISTED] = explain_expression_left_out,
    [CAUSE_SELECT_TABLE] = explain_expression_left_out,
    [CAUSE_SELECT_COUNT] = explain_expression_left_out,
    [CAUSE_SELECT_LISTED] = explain_expression_left_out,
    [CAUSE_ITEM_SIZE] = explain_value_size,
    [CAUSE_NUMBER] = explain_value_number,
    [CAUSE_OLDER_COUNT] = explain_value_older_count,
    [CAUSE_OLDER_TYPE] = explain_value_older_type,
    [CAUSE_OLDER_JOINED] = explain_expression_left_out,
    [CAUSE_NO_TABLE] = explain_names_table,
    [CAUSE_NO_INDEX] = explain_names_index,
    [CAUSE_KEY_UNDEFINED] = explain_names_undefined,
    [CAUSE_DEFINITION_UNUSED] = explain_names_unused,
    [CAUSE_UNITS_GIVEN] = explain_expression_left_out,
    [CAUSE_UNITS_MISSING] = explain_names_no_units,
    [CAUSE_STATEMENT] = explain_statement_place,
    [CAUSE_PARAMETERS] = explain_statement_parameters,
    [CAUSE_ORDER_SCAN] = explain_statement_order,
    [CAUSE_ORDER_STRANGER] = explain_statement_order,
    [CAUSE_ORDER_PARTITIONS] = explain_statement_order,
    [CAUSE_STATEMENT_FUNCTION] = explain_statement_mark,
    [CAUSE_STATEMENT_VALUE] = explain_statement_value,
    [CAUSE_STATEMENT_NAME] = explain_statement_value,
    [CAUSE_STATEMENT_COLUMN] = explain_statement_place,
    [CAUSE_STATEMENT_ALL] = explain_statement_all,
    [CAUSE_STATEMENT_PART] = explain_statement_mark,
    [CAUSE_STATEMENT_TYPE] = explain_statement_mark,
    [CAUSE_STATEMENT_KEY] = explain_statement_key,
    [CAUSE_STATEMENT_READ] = explain_statement_key,
    [CAUSE_MEMBER_WORD] = explain_value_word,
    [CAUSE_MEMBER_TYPE] = explain_value_json,
    [CAUSE_ENTRY_TWICE] = explain_value_twice,
};

static const char *fill_text(struct inquiry *q, const struct refusal *r, const char *text)
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

    explain_expression_mark_refusal(q, &r);
    if (texts[why->cause])
        say_why(q, "%", fill_text(q, &r, texts[why->cause]));
    if (more[why->cause])
        more[why->cause](q, &r);
}

/* --- a condition that failed -------------------------------------------------------------------
 */

/* What the condition was asked of. */
struct asked {
    const struct table *table;
    struct item key;
    struct expr_cond *condition;               /* NULL: none */
    const struct partiql_statement *statement; /* NULL: it is of a request with expressions */
    bool found;
    struct item it;
};

static bool read_statement(struct inquiry *q, struct asked *r)
{
    struct statement *s = arena_alloc(q->arena, sizeof *s);

    if (!explain_statement_read(q, s) || statement_find_key(&q->call, s) || !s->has_key)
        return false;
    r->table = s->table;
    r->key = s->key;
    if (s->parsed.kind == PARTIQL_INSERT) { /* it has all of the item as its key */
        if (key_check_item(q->arena, s->table, &s->key))
            return false;
        r->key = schema_key_of(q->arena, s->table, &s->key);
    }
    r->condition = s->rest;
    r->statement = &s->parsed;
    return true;
}

/* How the value differs from the one that was asked for; "". */
static const char *slip_words(struct inquiry *q, const struct asked *r,
                              const struct expr_cond *part, const struct expr_comparison *one,
                              const struct attr *value)
{
    const struct read_page page = {.table = r->table};
    struct explain_survey s = {.page = &page, .part = part, .asked = *one};
    bool in_list = one->op == EXPR_CONTAINS && (attr_is_set(value->type) || value->type == ATTR_L);
    const struct values *there = in_list ? &s.elements : &s.values;
    struct position p;
    struct candidate c;
    bool found;

    if (one->op == EXPR_NE)
        return "";
    explain_survey_note(q, &s, value);
    found = explain_survey_find(q, &s, there, &p, &c);
    if (there->len && there->at->type != p.asked[0].type)
        return say_text(q, ", which is %, and % was asked for, which is %%", value->type,
                        &p.asked[0], p.asked[0].type, say_behind(q, ": ", c.why));
    return found ? say_text(q, ", and % was asked for%", &p.asked[0], say_behind(q, ": ", c.why))
                 : "";
}

/* What the attributes that the part reads are in the item. */
static const char *values_words(struct inquiry *q, const struct asked *r,
                                const struct expr_cond *part)
{
    struct buf out = buf_in(q->arena);
    struct expr_comparison one;
    const struct attr *value;
    struct span *names;
    size_t count;

    if (expr_as_comparison(part, &one) && one.value && (value = path_find(&r->it, one.path)))
        return say_text(q, "% is %%", one.path, value, slip_words(q, r, part, &one, value));
    expr_condition_names(q->arena, part, &names, &count);
    for (size_t i = 0; i < count; i++) {
        value = item_find(&r->it, names[i]);
        say_add(&out, "%% is ", i ? ", " : "", names[i]);
        if (value)
            say_add(&out, "%", value);
        else
            say_add(&out, "not there%",
                    say_behind(q, ", it has ", explain_entry_near_name(q, &r->it, names[i])));
    }
    return buf_text(&out);
}

/* Whether the condition holds. Statements are about items that are there, INSERT apart. */
static bool condition_holds(const struct asked *r)
{
    if (!r->statement)
        return expr_matches(r->condition, r->found ? &r->it : NULL);
    if (r->statement->kind == PARTIQL_INSERT)
        return !r->found;
    return r->found && expr_matches(r->condition, &r->it);
}

/* A condition that failed: what the item is like that it was asked of. */
static void explain_failed(struct inquiry *q)
{
    struct asked r = {.found = false};
    struct expr_parts parts;
    struct target target;

    if (wire_get(q->entry, "Statement") ? !read_statement(q, &r)
                                        : !explain_entry_key(q, q->entry, &r.table, &r.key) ||
                                              !(r.condition = explain_entry_condition(q)))
        return;
    r.found = explain_entry_stored(q, r.table, &r.key, &r.it);
    if (condition_holds(&r))
        return;
    if (r.statement && r.statement->kind == PARTIQL_INSERT)
        say_why(q, "% has an item with % already, and INSERT does not replace it", r.table, &r.key);
    else if (!r.found)
        say_why(q, "% has no item with %%%", r.table, &r.key,
                r.statement ? ": UPDATE changes one that exists, INSERT makes one"
                            : ", and the condition asks for one",
                explain_read_item(q, r.table, &r.key, &target)
                    ? explain_missing_near(q, &(struct rows){r.table, NULL}, &target.plan.key)
                    : "");
    parts = expr_condition_parts(q->arena, r.condition);
    for (size_t i = 0; i < parts.len; i++) /* the first part that the item does not fit */
        if (r.found && !expr_matches(parts.at[i], &r.it))
            say_why(q, "the item with % is there, and % does not hold: %", &r.key,
                    explain_survey_part(q, parts.at[i]), values_words(q, &r, parts.at[i]));
}

/* --- entries of a request --------------------------------------------------------------------- */

/* What was found before an entry. */
struct before {
    struct span reason;
    struct proposal proposal;
    size_t line_count;
};

/* Begins to look at an entry; `about` goes in front of what is found. */
static struct before begin_entry(struct inquiry *q, const wire_node *entry, const char *about)
{
    struct before before = {q->reason, q->proposal, q->line_count};

    q->reason = (struct span){NULL, 0};
    q->entry = entry;
    q->about = about;
    q->no_trials = before.reason.len != 0;
    return before;
}

/* The first finding of a request is its reason, those of further entries are lines below. */
static void end_entry(struct inquiry *q, const struct before *before)
{
    struct span also = q->reason;

    q->no_trials = false;
    q->entry = q->call.body;
    q->about = "";
    if (!before->reason.len)
        return;
    q->reason = before->reason;
    q->proposal = before->proposal;
    q->line_count = before->line_count;
    if (also.len)
        say_line(q, "also: %", also);
}

#define NO_UNITS                                                                                 \
    "no units are left for this second: send it again after a pause that grows, as SDKs do, or " \
    "raise the table's units"

/* Looks at what is wrong with an entry. */
static void look_at_entry(struct inquiry *q, const wire_node *entry, const char *about,
                          const struct error *e)
{
    struct before before = begin_entry(q, entry, about);

    if (e->why.cause != CAUSE_UNKNOWN)
        say_cause(q, &e->why);
    else if (e->kind == ERROR_CONDITION_FAILED || e->kind == ERROR_DUPLICATE_ITEM)
        explain_failed(q);
    else if (e->kind == ERROR_THROUGHPUT_EXCEEDED || e->kind == ERROR_THROTTLING)
        say_why(q, "%", NO_UNITS);
    end_entry(q, &before);
}

/* The action, the statement or the table's part of this number, counted from 1. */
static void look_at_nth(struct inquiry *q, size_t number, const struct error *e)
{
    static const struct {
        const char *list, *word;
    } lists[] = {
        {"TransactItems", "action "}, {"TransactStatements", "statement "}, {"RequestItems", NULL}};

    for (size_t i = 0; i < COUNT(lists); i++) {
        const wire_node *n = wire_first(wire_get(q->call.body, lists[i].list));

        for (size_t at = 1; n && at < number; at++)
            n = wire_next(n);
        if (n && lists[i].word)
            look_at_entry(q, i ? n : wire_first(n), say_text(q, "%%: ", lists[i].word, number), e);
        else if (n)
            look_at_entry(q, n, say_text(q, "%: ", wire_name(n)), e);
    }
}

/* Each key or write of a batch that does not fit its table, not only the first one. */
static void look_at_batch(struct inquiry *q)
{
    const wire_node *part = wire_first(wire_get(q->call.body, "RequestItems"));
    const struct table *t;
    struct item it;

    for (; part; part = wire_next(part)) {
        const wire_node *keys = wire_get(part, "Keys"), *n = wire_first(keys ? keys : part);
        size_t at = 1;

        if (op_target_find_named(&q->call, wire_name(part), &t))
            continue;
        for (; n; n = wire_next(n), at++) {
            const wire_node *entry = keys ? n : wire_first(n);
            const wire_node *put = keys ? NULL : wire_get(entry, "Item");
            const struct error *e;

            if (!inquiry_read_item(q, keys ? entry : put ? put : wire_get(entry, "Key"), &it))
                continue;
            e = put ? key_check_batch_item(q->arena, t, &it)
                    : key_check_parameter(q->arena, t, &it);
            if (!e && put)
                e = key_check_indexes(q->arena, t, &it);
            if (e)
                look_at_entry(
                    q, entry,
                    say_text(q, "% % of %: ", keys ? "key" : "write", at, wire_name(part)), e);
        }
    }
}

/* --- what was refused ------------------------------------------------------------------------- */

static bool is_of_key(const struct error *e, enum error_cause last)
{
    return e && e->why.cause >= CAUSE_KEY_STRANGER && e->why.cause <= last;
}

void explain_error(struct inquiry *q)
{
    const struct error *e = q->record->error;
    struct item sent;

    for (size_t i = 0; i < e->reason_count; i++)
        if (e->reasons[i])
            look_at_nth(q, i + 1, e->reasons[i]);
    if (wire_get(q->call.body, "RequestItems") && is_of_key(e, CAUSE_INDEX_EMPTY))
        look_at_batch(q);
    else if (e->entry)
        look_at_nth(q, e->entry, e);
    else if (!e->reason_count)
        look_at_entry(q, q->call.body, "", e);
    if (e->entry || !q->reason.len || !explain_key_sent(q, &sent))
        e = NULL;
    /* The further faults of a key, which the service does not name. */
    for (int i = 0; i < KEY_FAULTS && is_of_key(e, CAUSE_KEY_EMPTY); i++)
        if (is_of_key(e = explain_key_mended(q, &e->why, &sent), CAUSE_KEY_EMPTY))
            look_at_entry(q, q->call.body, "", e);
    if (q->failure == ERROR_VALIDATION)
        explain_statement_form(q);
}

/* --- statements of a batch -------------------------------------------------------------------- */

static void look_at_member(struct inquiry *q, const wire_node *answer)
{
    const wire_node *error = wire_get(answer, "Error");
    struct span code = wire_text(wire_get(error, "Code"));
    struct targets targets;
    const struct error *e;
    struct statement s;

    if (!error && !wire_get(answer, "Item")) { /* a SELECT that gave nothing */
        targets = explain_read_statement(q);
        if (targets.count == 1 && explain_empty_item(q, &targets.at[0]))
            explain_failed(q);
    }
    if (!error)
        return;
    if (span_is(code, op_fault_code(ERROR_CONDITION_FAILED)) ||
        span_is(code, op_fault_code(ERROR_DUPLICATE_ITEM))) {
        explain_failed(q);
        return;
    }
    if (span_is(code, op_fault_code(ERROR_THROUGHPUT_EXCEEDED)) ||
        span_is(code, op_fault_code(ERROR_THROTTLING)))
        say_why(q, "%", NO_UNITS);
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
    const wire_node *entry = wire_first(wire_get(q->call.body, "Statements")), *reply, *answer;
    struct before before;
    size_t at = 0;

    if (!entry || wire_parse(q->arena, q->record->reply, &reply))
        return;
    answer = wire_first(wire_get(reply, "Responses"));
    for (; entry && answer; entry = wire_next(entry), answer = wire_next(answer)) {
        before = begin_entry(q, entry, say_text(q, "statement %: ", ++at));
        look_at_member(q, answer);
        end_entry(q, &before);
    }
}

/* --- members that are ignored ----------------------------------------------------------------- */

#define DEPTH     8  /* of structures */
#define LOOKED_AT 64 /* elements of a list or map */
#define FEW       4  /* members that are listed */

/* The member with nearly that name, or all of them if they are few; "" if neither helps. */
static const char *instead_words(struct inquiry *q, const struct wire_member *members,
                                 struct span name)
{
    struct span names[FEW];
    size_t count = 0;

    for (const struct wire_member *m = members; m->name; m++)
        if (explain_near_names(q, name, span_of(m->name)))
            return say_text(q, ", it has %", m->name);
    for (; count < FEW && members[count].name; count++)
        names[count] = span_of(members[count].name);
    return members[count].name ? "" : say_text(q, ", it has %", say_names(names, count));
}

/* Whether something was found in the node, which is called `owner`. */
static bool look_for_ignored(struct inquiry *q, struct span owner, const struct wire_shape *shape,
                             const wire_node *node, int depth)
{
    bool is_struct = shape->type == WIRE_STRUCT;
    size_t left = is_struct ? SIZE_MAX : LOOKED_AT;

    if (depth > DEPTH ||
        (is_struct ? !wire_is_object(node) : shape->type != WIRE_LIST && shape->type != WIRE_MAP))
        return false;
    for (const wire_node *n = wire_first(node); n && left--; n = wire_next(n)) {
        const struct wire_member *m = is_struct ? shape->members : NULL;
        const struct wire_shape *inner;

        while (m && m->name && !span_is(wire_name(n), m->name))
            m++;
        if (m && !m->name) {
            say_hint(q, ADVICE_HINT, "ignored-member", "% has no %%: the service ignores it", owner,
                     wire_name(n), instead_words(q, shape->members, wire_name(n)));
            return true;
        }
        inner = m ? m->shape : shape->element;
        if (inner && look_for_ignored(q, m ? wire_name(n) : owner, inner, n, depth + 1))
            return true;
    }
    return false;
}

void explain_error_ignored(struct inquiry *q)
{
    struct wire_shape all = {.type = WIRE_STRUCT};

    if (!q->call.op->members)
        return;
    all.members = op_members(q->arena, q->call.op);
    (void)look_for_ignored(q, span_of(q->call.op->name), &all, q->call.body, 0);
}
