#include "unit.h"

#include "model/error.h"
#include "ops/transfer/export_digest.h"
#include "ops/transfer/transfer_reader.h"

/* What reading gives, a line each: an item; "? 1:2 text" for a record that is none; "! 1:2 text"
 * where reading ends. */
static const char *read_in_parts(const struct transfer_format *f,
                                 const struct transfer_options *options, struct span text,
                                 size_t part)
{
    struct transfer_reader *r = transfer_reader_new(f, options);
    struct buf out = buf_in(arena);

    for (;;) {
        struct transfer_record record;
        struct transfer_fault fault;
        enum transfer_reading what = transfer_reader_next(r, arena, &record, &fault);

        if (what == TRANSFER_END)
            break;
        if (what == TRANSFER_MORE) {
            size_t len = text.len < part ? text.len : part;

            if (len)
                transfer_reader_feed(r, (struct span){text.at, len});
            else
                transfer_reader_end(r);
            text = span_from(text, len);
        } else if (what == TRANSFER_ITEM) {
            item_encode(&out, &record.item);
            buf_add_char(&out, '\n');
        } else {
            buf_printf(&out, "%c %zu:%zu %.*s", what == TRANSFER_BAD_ITEM ? '?' : '!', fault.line,
                       fault.column, SPAN_ARG(fault.text));
            if (options->by_lines) /* what can be corrected */
                buf_printf(&out, " [%.*s]", SPAN_ARG(fault.record));
            buf_add_char(&out, '\n');
        }
    }
    transfer_reader_free(r);
    return buf_text(&out);
}

static const struct span names[] = {SPAN_LIT_INIT("pk"), SPAN_LIT_INIT("n"), SPAN_LIT_INIT("x")};
static const struct transfer_column types[] = {
    {SPAN_LIT_INIT("n"), ATTR_N},
    {SPAN_LIT_INIT("b"), ATTR_B},
    {SPAN_LIT_INIT("t"), ATTR_BOOL},
    {SPAN_LIT_INIT("l"), ATTR_L},
};

static const struct transfer_column sets[] = {
    {SPAN_LIT_INIT("ss"), ATTR_SS},
    {SPAN_LIT_INIT("ns"), ATTR_NS},
    {SPAN_LIT_INIT("bs"), ATTR_BS},
};

#define JSON    &transfer_format_dynamodb_json
#define JSONL   &transfer_format_jsonl
#define ION     &transfer_format_ion
#define CSV     &transfer_format_csv
#define PRINTED &transfer_format_printed

#define TYPED           .types = types, .type_count = COUNT(types)
#define HEADER(columns) .header = names, .header_count = (columns)
#define PLAIN             \
    {                     \
        .delimiter = '\0' \
    }

#define LINES            \
    {                    \
        .by_lines = true \
    }

#define CONDITIONS             \
    {                          \
        .has_conditions = true \
    }

static const struct {
    const struct transfer_format *format;
    struct transfer_options options;
    const char *text, *result;
} texts[] = {
    /* --- DynamoDB's JSON --- */
    {JSON, PLAIN, "", ""},
    {JSON, PLAIN, " \n\n", ""},
    {JSON, PLAIN, "{\"Item\":{\"pk\":{\"S\":\"a\"},\"n\":{\"N\":\"1.50\"}}}\n",
     "{\"pk\":{\"S\":\"a\"},\"n\":{\"N\":\"1.5\"}}\n"},
    {JSON, PLAIN,
     "{\"Item\":{\"pk\":{\"S\":\"}\\\"{\"}}}{ \"Item\" :\r\n{\"pk\":{\"S\":\"b\"}}}\n\n",
     "{\"pk\":{\"S\":\"}\\\"{\"}}\n{\"pk\":{\"S\":\"b\"}}\n"},
    {JSON, PLAIN,
     "{\"Item\":{\"pk\":{\"S\":\"a\"}}}\n{\"Item\":{\"pk\":{\"N\":\"x\"}}}\n"
     "{\"Item\":{\"pk\":{\"S\":\"b\"}}}",
     "{\"pk\":{\"S\":\"a\"}}\n"
     "? 2:1 The parameter cannot be converted to a numeric value: x\n"
     "{\"pk\":{\"S\":\"b\"}}\n"},
    {JSON, PLAIN, "{\"item\":{}}",
     "? 1:1 1 validation error detected: Value null at 'item' failed to satisfy constraint: Member "
     "must not be null\n"},
    {JSON, PLAIN, "{\"Item\":{\"pk\":{\"S\":\"a\"}}}\n  {\"Item\":{pk:1}}\n{\"Item\":{}}",
     "{\"pk\":{\"S\":\"a\"}}\n! 2:12 this is not JSON in UTF-8\n"},
    {JSON, PLAIN, "{\"Item\":{\"pk\":{\"S\":\"a\n\"}}}\n",
     "! 1:22 a string must end on its line\n"},
    {JSON, PLAIN, "[{\"Item\":{}}]", "! 1:1 a JSON object must begin with {\n"},
    {JSON, PLAIN,
     "{\"Item\":{}}\n\n {\"Item\":{\"a\":", "{}\n! 3:2 the text ends within this record\n"},

    /* --- what tools print --- */
    {PRINTED, PLAIN, "", ""},
    {PRINTED, PLAIN, " \r\n\t\n", ""},
    {PRINTED, PLAIN, "{\"pk\":{\"S\":\"a\"}}\n{\"pk\":[}}",
     "{\"pk\":{\"S\":\"a\"}}\n"
     "! 2:8 this is not JSON in UTF-8\n"},
    {PRINTED, PLAIN, "{\"a\":\n{\"S\":\"}{\\\"]\\\\\"}\n}{}",
     "{\"a\":{\"S\":\"}{\\\"]\\\\\"}}\n{}\n"},
    {PRINTED, PLAIN, "{}\n {} x", "{}\n{}\n! 2:5 a JSON object must begin with {\n"},
    {PRINTED, PLAIN, "{}}", "{}\n! 1:3 a JSON object must begin with {\n"},
    {PRINTED, PLAIN, "{},{}", "{}\n! 1:3 a JSON object must begin with {\n"},
    {PRINTED, PLAIN, "\"{}\"", "! 1:1 a JSON object must begin with {\n"},
    {PRINTED, PLAIN, "null", "! 1:1 a JSON object must begin with {\n"},
    {PRINTED, PLAIN, "{}\n{", "{}\n! 2:1 the text ends within this record\n"},
    {PRINTED, PLAIN, "{\"a\":{}\n{\"b\":{}}\n", "! 2:1 this is not JSON in UTF-8\n"},
    {PRINTED, PLAIN, "{\"a\":{}\n,\"b\":{}", "! 1:1 the text ends within this record\n"},
    {PRINTED, PLAIN, "{}\n{nonsense\n{}", "{}\n! 2:2 this is not JSON in UTF-8\n"},
    {PRINTED, PLAIN, "{}\n{\"a\":{\"S\":\"\xff\"}}\n", "{}\n! 2:12 this is not JSON in UTF-8\n"},
    {PRINTED, PLAIN, "{}{\"a\" }\n{}", "{}\n! 1:8 this is not JSON in UTF-8\n"},
    {PRINTED, PLAIN, "{\"a\\", "! 1:1 the text ends within this record\n"},
    /* in Item, or an attribute of that name */
    {PRINTED, PLAIN, "{\"Item\":{\"a\":{\"S\":\"x\"}}}{\"b\":{\"S\":\"y\"}}",
     "{\"a\":{\"S\":\"x\"}}\n{\"b\":{\"S\":\"y\"}}\n"},
    {PRINTED, PLAIN,
     " { \"Item\" : { \"a\" : {\"S\":\"x\"} },\"ConsumedCapacity\":{\"TableName\":\"T\"}} ",
     "{\"a\":{\"S\":\"x\"}}\n"},
    {PRINTED, PLAIN, "{\"ConsumedCapacity\":{\"TableName\":\"T\"},\"Item\":{\"a\":{\"S\":\"x\"}}}",
     "{\"a\":{\"S\":\"x\"}}\n"},
    {PRINTED, PLAIN, "{\"Item\":{}}", "{}\n"},
    {PRINTED, PLAIN, "{\"Item\":{\"S\":\"a\"}}", "{\"Item\":{\"S\":\"a\"}}\n"},
    {PRINTED, PLAIN, "{\"Item\":{\"L\":[]},\"pk\":{\"S\":\"a\"}}",
     "{\"Item\":{\"L\":[]},\"pk\":{\"S\":\"a\"}}\n"},
    {PRINTED, PLAIN, "{\"Item\":{\"BOOL\":true}}{\"Item\":{\"NULL\":true}}{\"Item\":{\"M\":{ }}}",
     "{\"Item\":{\"BOOL\":true}}\n{\"Item\":{\"NULL\":true}}\n{\"Item\":{\"M\":{}}}\n"},
    {PRINTED, PLAIN, "{\"pk\":{\"S\":\"a\"},\"Item\":{\"M\":{\"x\":{\"N\":\"1\"}}}}",
     "{\"pk\":{\"S\":\"a\"},\"Item\":{\"M\":{\"x\":{\"N\":\"1\"}}}}\n"},
    {PRINTED, PLAIN, "{\"Item\":{\"Item\":{\"S\":\"a\"}}}", "{\"Item\":{\"S\":\"a\"}}\n"},
    {PRINTED, PLAIN, "{\"Item\":{\"S\":{\"S\":\"a\"}}}{\"Item\":{\"M\":{\"S\":\"a\"}}}",
     "{\"S\":{\"S\":\"a\"}}\n{\"M\":{\"S\":\"a\"}}\n"},
    {PRINTED, PLAIN, "{\"Item\":{\"M\":{\"M\":{\"x\":{\"N\":\"1\"}}},\"pk\":{\"S\":\"a\"}}}",
     "{\"M\":{\"M\":{\"x\":{\"N\":\"1\"}}},\"pk\":{\"S\":\"a\"}}\n"},
    /* lists */
    {PRINTED, PLAIN, "[]", ""},
    {PRINTED, PLAIN, "[{\"a\":{\"S\":\"]\"}},\n {\"Item\":{\"b\":{\"S\":\"x\"}}}\n]\n{} [{}]",
     "{\"a\":{\"S\":\"]\"}}\n{\"b\":{\"S\":\"x\"}}\n{}\n{}\n"},
    {PRINTED, PLAIN, "[{} {}]", "{}\n! 1:5 expected a comma or ] after a list element\n"},
    {PRINTED, PLAIN, "[{},]", "{}\n! 1:5 a JSON object must begin with {\n"},
    {PRINTED, PLAIN, "[,{}]", "! 1:2 a JSON object must begin with {\n"},
    {PRINTED, PLAIN, "[1]", "! 1:2 a JSON object must begin with {\n"},
    {PRINTED, PLAIN, "[[{}]]", "! 1:2 a JSON object must begin with {\n"},
    {PRINTED, PLAIN, "[{}\n", "{}\n! 2:1 the text ends within a list\n"},
    {PRINTED, PLAIN, "[{}] x", "{}\n! 1:6 a JSON object must begin with {\n"},
    /* answers */
    {PRINTED, PLAIN,
     "{\n  \"Items\": [\n    {\"a\": {\"S\": \"]\"}},\n    {\n\"b\":{\"S\":\"x\"}}\n  ],\n  "
     "\"Count\": 2\n}\n",
     "{\"a\":{\"S\":\"]\"}}\n{\"b\":{\"S\":\"x\"}}\n"},
    {PRINTED, PLAIN,
     "{\"Count\":0,\"x\":[\"\\\"\"],\"Items\":[],\"ConsumedCapacity\":{\"x\":\"}\"},\"y\":null}"
     "{\"ConsumedCapacity\":{\"TableName\":\"T\"},\"Items\":[{}]}\n{}",
     "{}\n{}\n"},
    {PRINTED, PLAIN, "[{\"Items\":[{}]},\n{\"Items\":[{}],\"Count\":1}]{}", "{}\n{}\n{}\n"},
    {PRINTED, PLAIN, "{\"Items\":[{}]} x", "{}\n! 1:16 a JSON object must begin with {\n"},
    {PRINTED, PLAIN, "{\"Items\":[{}]\n", "{}\n! 2:1 the text ends within a list\n"},
    {PRINTED, PLAIN, "{\"Items\":[{}],\"Cou", "{}\n! 1:15 the text ends within this record\n"},
    {PRINTED, PLAIN, "{\"Items\":[{}] 1}",
     "{}\n! 1:15 expected a member or } after the items of an answer\n"},
    {PRINTED, PLAIN, "{\"Items\":[{},1]}", "{}\n! 1:14 a JSON object must begin with {\n"},
    {PRINTED, PLAIN, "{\"pk\":{\"S\":\"a\"},\"Items\":{\"L\":[]}}",
     "{\"pk\":{\"S\":\"a\"},\"Items\":{\"L\":[]}}\n"},

    /* --- plain JSON --- */
    {JSONL, PLAIN,
     "{\"pk\":\"a\",\"n\":1.50e1,\"t\":true,\"f\":false,\"z\":null,\"l\":[1,\"x\",[]],\"m\":{\"k\":"
     "{}}}",
     "{\"pk\":{\"S\":\"a\"},\"n\":{\"N\":\"15\"},\"t\":{\"BOOL\":true},\"f\":{\"BOOL\":false},"
     "\"z\":{\"NULL\":true},\"l\":{\"L\":[{\"N\":\"1\"},{\"S\":\"x\"},{\"L\":[]}]},"
     "\"m\":{\"M\":{\"k\":{\"M\":{}}}}}\n"},
    {JSONL,
     {TYPED},
     "{\"n\":\"1.0\",\"b\":\"aGk=\",\"t\":true,\"l\":[1],\"x\":1}\n{\"n\":null}\n"
     "{\"n\":[]}\n {\"b\":{}}\n{\"t\":1}\n{\"l\":{}}",
     "{\"n\":{\"N\":\"1\"},\"b\":{\"B\":\"aGk=\"},\"t\":{\"BOOL\":true},\"l\":{\"L\":[{\"N\":\"1\"}"
     "]},"
     "\"x\":{\"N\":\"1\"}}\n{\"n\":{\"NULL\":true}}\n"
     "? 3:6 this is not of type N\n? 4:7 this is not of type B\n"
     "? 5:6 this is not of type BOOL\n? 6:6 this is not of type L\n"},
    {JSONL,
     {.types = sets, .type_count = COUNT(sets)},
     "{\"ss\":[\"b\",\"a\"],\"ns\":[2,\"1\"],\"bs\":[\"AA==\"]}\n{\"ss\":[[]]}\n{\"ns\":[]}\n{"
     "\"ss\":null}",
     "{\"ss\":{\"SS\":[\"a\",\"b\"]},\"ns\":{\"NS\":[\"1\",\"2\"]},\"bs\":{\"BS\":[\"AA==\"]}}\n"
     "? 2:7 this is not of type SS\n"
     "? 3:1 One or more parameter values were invalid: An number set  may not be "
     "empty\n{\"ss\":{\"NULL\":true}}\n"},
    {JSONL, PLAIN, "{}\n{\"a\" 1}", "{}\n! 2:6 this is not JSON\n"},
    {JSONL, PLAIN, "[\n{\"Items\":[]} , {}] {}", "{\"Items\":{\"L\":[]}}\n{}\n{}\n"},
    {JSONL, PLAIN, "[{} {}]", "{}\n! 1:5 expected a comma or ] after a list element\n"},
    {JSONL, PLAIN, "[{}", "{}\n! 1:4 the text ends within a list\n"},

    /* --- Ion --- */
    {ION, PLAIN, "$ion_1_0 {Item:{pk:\"a\",n:1.}}\n$ion_1_0 {Item:{pk:\"b\",n:-2.5}}\n",
     "{\"pk\":{\"S\":\"a\"},\"n\":{\"N\":\"1\"}}\n{\"pk\":{\"S\":\"b\"},\"n\":{\"N\":\"-2.5\"}}\n"},
    {ION, PLAIN, "/* one */ {Item:{ // two }\n 'a b' : 6d2, \"c\":0.5d-3, '''d''':1_000, e:1e3,},}",
     "{\"a b\":{\"N\":\"600\"},\"c\":{\"N\":\"0.0005\"},\"d\":{\"N\":\"1000\"},"
     "\"e\":{\"N\":\"1000\"}}\n"},
    {ION, PLAIN,
     "{Item:{t:true,f:false,z:null,y:null.int,b:{{ aGk= }},l:[1,[],{}],m:{k:{n:1}},"
     "ss:$dynamodb_SS::[\"x\",\"y\"],ns:'$dynamodb_NS' :: [2.,1.],bs:$dynamodb_BS::[{{AA==}}]}}",
     "{\"t\":{\"BOOL\":true},\"f\":{\"BOOL\":false},\"z\":{\"NULL\":true},\"y\":{\"NULL\":true},"
     "\"b\":{\"B\":\"aGk=\"},\"l\":{\"L\":[{\"N\":\"1\"},{\"L\":[]},{\"M\":{}}]},"
     "\"m\":{\"M\":{\"k\":{\"M\":{\"n\":{\"N\":\"1\"}}}}},\"ss\":{\"SS\":[\"x\",\"y\"]},"
     "\"ns\":{\"NS\":[\"1\",\"2\"]},\"bs\":{\"BS\":[\"AA==\"]}}\n"},
    {ION, PLAIN, "{Item:{a:\"\\x41\\u00e9\\U0001F600\\uD83D\\uDE00\\n\\\"\\0}\"}}",
     "{\"a\":{\"S\":\"A\u00e9\U0001F600\U0001F600\\n\\\"\\u0000}\"}}\n"},
    {ION, PLAIN, "{Item:{a:'''one ''' /**/ '''two\n{'''}}", "{\"a\":{\"S\":\"one two\\n{\"}}\n"},
    {ION, PLAIN, "{Item:{a:'''x\\'''y}'''}}", "{\"a\":{\"S\":\"x'''y}\"}}\n"},
    {ION, PLAIN, "{Item:{}} // the end", "{}\n"},
    /* lists, as in the guide's sample of imports */
    {ION, PLAIN, "$ion_1_0\n[\n  {\n    Item:{\n      n:1.\n    }\n  },\n  {Item:{}} // b\n]\n",
     "{\"n\":{\"N\":\"1\"}}\n{}\n"},
    {ION, PLAIN, "[{Item:{}},{Item:{l:[1,[2]]}},]$ion_1_0 {Item:{}}\n$ion_1_0 [ ]",
     "{}\n{\"l\":{\"L\":[{\"N\":\"1\"},{\"L\":[{\"N\":\"2\"}]}]}}\n{}\n"},
    {ION, PLAIN, "$ion_1_0 [{Item:{a:sym}},\n {Item:{}}]",
     "? 1:23 a symbol is not a DynamoDB value\n{}\n"},
    {ION, PLAIN, "[{Item:{}} {Item:{}}]",
     "{}\n! 1:12 expected a comma or ] after a list element\n"},
    {ION, PLAIN, "[{Item:{}},,{Item:{}}]", "{}\n! 1:12 an Ion struct must begin with {\n"},
    {ION, PLAIN, "[[{Item:{}}]]", "! 1:2 an Ion struct must begin with {\n"},
    {ION, PLAIN, "[{Item:{}},$ion_1_0 {Item:{}}]", "{}\n! 1:12 an Ion struct must begin with {\n"},
    {ION, PLAIN, "[{Item:{}}] 7", "{}\n! 1:13 an Ion struct must begin with {\n"},
    {ION, PLAIN, "[{Item:{}}, // more\n", "{}\n! 2:1 the text ends within a list\n"},
    {ION, PLAIN, "[{Item:{}} // the end", "{}\n! 1:22 the text ends within a list\n"},
    {ION, PLAIN, "{Item:{}}  /* no end", "{}\n! 1:12 the text ends within this record\n"},
    {ION, PLAIN, "{Item:{a:sym}}{Item:{a:1}}",
     "? 1:13 a symbol is not a DynamoDB value\n{\"a\":{\"N\":\"1\"}}\n"},
    {ION, PLAIN, "{Item:{a:2020-01-01T}}", "? 1:10 a timestamp is not a DynamoDB value\n"},
    {ION, PLAIN, "{Item:{a:{{\"clob\"}}}}", "? 1:12 a clob is not a DynamoDB value\n"},
    {ION, PLAIN, "{Item:{a:(a b)}}", "? 1:10 an S-expression is not a DynamoDB value\n"},
    {ION, PLAIN, "{Item:{a:$dynamodb_SS::[1.]}}", "? 1:25 a member of the set has another type\n"},
    {ION, PLAIN, "{Item:{a:dollars::1}}", "? 1:19 there is no such annotation here\n"},
    {ION, PLAIN, "{Item:{a:$dynamodb_L::[1.]}}", "? 1:23 there is no such annotation here\n"},
    {ION, PLAIN, "{Item:{},Condition:\"x\"}", "? 1:10 a record may only have Item\n"},
    {ION, PLAIN, "{ConditionExpression:\"x\",Item:{}}", "? 1:2 a record may only have Item\n"},
    {ION, PLAIN, "{}\n{Item:1}", "? 1:2 Item is missing\n? 2:7 Item must be a struct\n"},
    {ION, PLAIN, "{Item:{a:1 b:2}}{Item:{}}", "! 1:12 a comma is missing\n"},
    {ION, PLAIN, "{Item:{a:\"\\uD83D\"}}", "! 1:17 this is not a character\n"},
    {ION, PLAIN, "{Item:{a:\"\\q\"}}", "! 1:13 there is no such escape\n"},
    {ION, PLAIN, "{Item:{a:\"\xff\"}}", "! 1:11 this is not UTF-8\n"},
    {ION, PLAIN, "{Item:{}} 7", "{}\n! 1:11 an Ion struct must begin with {\n"},
    {ION, PLAIN, "{Item:{a:[[", "! 1:1 the text ends within this record\n"},

    /* --- CSV --- */
    {CSV, PLAIN, "pk,n\na,1\r\n\n\"b,\"\"c\"\"\",\n",
     "{\"pk\":{\"S\":\"a\"},\"n\":{\"S\":\"1\"}}\n{\"pk\":{\"S\":\"b,\\\"c\\\"\"}}\n"},
    {CSV, PLAIN, "pk,n\n\"\"\"\"\"\"\"\",\"a\"\"\"\"\"\"\"\n\"\"\"\"\"b\"\"\"\"\",c\n",
     "{\"pk\":{\"S\":\"\\\"\\\"\\\"\"},\"n\":{\"S\":\"a\\\"\\\"\\\"\"}}\n"
     "{\"pk\":{\"S\":\"\\\"\\\"b\\\"\\\"\"},\"n\":{\"S\":\"c\"}}\n"},
    {CSV,
     {TYPED},
     "pk,n,b,t,l\na,1.0,aGk=,true,\"{\"\"L\"\":[]}\"",
     "{\"pk\":{\"S\":\"a\"},\"n\":{\"N\":\"1\"},\"b\":{\"B\":\"aGk=\"},\"t\":{\"BOOL\":true},"
     "\"l\":{\"L\":[]}}\n"},
    {CSV,
     {.delimiter = '|', HEADER(2), TYPED},
     "a|1\nb|x\n\"\"|2",
     "{\"pk\":{\"S\":\"a\"},\"n\":{\"N\":\"1\"}}\n"
     "? 2:1 The parameter cannot be converted to a numeric value: x\n"
     "{\"pk\":{\"S\":\"\"},\"n\":{\"N\":\"2\"}}\n"},
    {CSV,
     {HEADER(2)},
     "a\nb,c,d\ne,f",
     "? 1:1 the row has fewer fields than the header\n"
     "? 2:5 the row has more fields than the header\n"
     "{\"pk\":{\"S\":\"e\"},\"n\":{\"S\":\"f\"}}\n"},
    {CSV,
     {HEADER(2)},
     "a\"b,c\n\"d\"e,f\n\"g\nh\",i\n",
     "? 1:2 a quote within a field must be doubled, in a quoted field\n"
     "? 2:3 a quote within a field must be doubled, in a quoted field\n"
     "{\"pk\":{\"S\":\"g\\nh\"},\"n\":{\"S\":\"i\"}}\n"},
    {CSV,
     {TYPED},
     "pk,t,l\na,yes,\nb,,{\n",
     "? 2:3 this is neither true nor false\n"
     "? 3:4 this is not the JSON of a value\n"},
    {CSV, {HEADER(2), TYPED}, "a,x,c\n", "? 1:5 the row has more fields than the header\n"},
    {CSV, PLAIN, "pk,,x\na,b,c\n", "! 1:4 a column has no name\n"},
    {CSV, PLAIN, "pk,pk\na,b\n", "! 1:4 two columns have the same name\n"},
    {CSV, PLAIN, "pk\n\"a", "! 2:1 the text ends within this record\n"},
    {CSV, PLAIN, "pk\n", ""},

    /* --- what stands beside an item, and nobody acts on --- */
    {JSON, PLAIN, "{\"Item\":{},\"ConditionExpression\":\"x\",\"More\":[1]}", "{}\n"},
    {JSON, CONDITIONS,
     "{\"Item\":{},\"ConditionExpression\":\"attribute_exists(a)\",\"ExpressionAttributeNames\":{},"
     "\"ExpressionAttributeValues\":{}}\n{\"Item\":{},\"Conditionexpression\":\"x\"}\n"
     "{\"ConsumedCapacity\":{},\"Item\":{}}\n{\"Item\":{}}",
     "{}\n? 2:1 a record may only have Item and its condition, but this one has "
     "Conditionexpression\n? 3:1 a record may only have Item and its condition, but this one has "
     "ConsumedCapacity\n{}\n"},
    {PRINTED, LINES,
     "{\"Item\":{},\"ConditionExpression\":\"attribute_exists(a)\"}\n"
     "{\"TableName\":\"T\",\"Item\":{\"a\":{\"S\":\"x\"}}}\n"
     "{\"Item\":{\"a\":{\"S\":\"x\"}},\"b\":{\"S\":\"y\"}}\n"
     "{\"Item\":{},\"ConsumedCapacity\":null,\"ResponseMetadata\":{\"RequestId\":\"1\"}}\n",
     "? 1:1 a record may only have Item, but this one has ConditionExpression "
     "[{\"Item\":{},\"ConditionExpression\":\"attribute_exists(a)\"}]\n"
     "? 2:1 a record may only have Item, but this one has TableName "
     "[{\"TableName\":\"T\",\"Item\":{\"a\":{\"S\":\"x\"}}}]\n"
     "? 3:1 a record may only have Item, but this one has b "
     "[{\"Item\":{\"a\":{\"S\":\"x\"}},\"b\":{\"S\":\"y\"}}]\n{}\n"},

    /* --- what ends its line, not the text --- */
    {PRINTED, LINES, "{\"a\":{\"S\":\"1\"}}\n{\"a\":{\"S\":\"2\"},}\n{\"a\":{\"S\":\"3\"}}",
     "{\"a\":{\"S\":\"1\"}}\n? 2:1 a name in quotes is missing in column 16 "
     "[{\"a\":{\"S\":\"2\"},}]\n"
     "{\"a\":{\"S\":\"3\"}}\n"},
    {PRINTED, LINES, "{\"a\":{\"S\":\"1\"}\r\n{\"a\":{\"S\":\"2\"}}\r\n",
     "? 1:1 a } is missing [{\"a\":{\"S\":\"1\"}\r]\n{\"a\":{\"S\":\"2\"}}\n"},
    {PRINTED, LINES, "{}\n{\"a\":{\"S\":\"1\"},\n{\"a\":{\"S\":\"2\"}}\n{\"a\":\n{}\n",
     "{}\n? 2:1 a name in quotes is missing [{\"a\":{\"S\":\"1\"},]\n{\"a\":{\"S\":\"2\"}}\n"
     "? 4:1 a value is missing [{\"a\":]\n{}\n"},
    {PRINTED, LINES, "{}\nnot JSON\n\n  neither\n{}\n",
     "{}\n? 2:1 a JSON object must begin with { [not JSON]\n"
     "? 4:3 a JSON object must begin with { [neither]\n{}\n"},
    {PRINTED, LINES, "{}\n{\"a\":{\"S\":\"x}}\n{}\n{\"a\":{\"S\":\"y",
     "{}\n? 2:1 a \" is missing: it would end the string that begins in column 11 "
     "[{\"a\":{\"S\":\"x}}]\n{}\n"
     "? 4:1 a \" is missing: it would end the string that begins in column 11 "
     "[{\"a\":{\"S\":\"y]\n"},
    {PRINTED, LINES, "{}\n{\"a\" 1\n{\"a\":{\"L\":[1\n{\"a\":{\"L\":[1,\n{\"a\":[1}}\n{}\n",
     "{}\n? 2:1 a colon is missing in column 6 [{\"a\" 1]\n"
     "? 3:1 a ] is missing [{\"a\":{\"L\":[1]\n"
     "? 4:1 a value is missing [{\"a\":{\"L\":[1,]\n"
     "? 5:1 a comma or ] is missing in column 8 [{\"a\":[1}}]\n{}\n"},
    {PRINTED, LINES, "{}\n{}}\n{} x\n{\"a\":{\"S\":\"\xff\"}}\n{}",
     "{}\n{}\n? 2:3 a JSON object must begin with { [}]\n{}\n? 3:4 a JSON object must begin with { "
     "[x]\n"
     "? 4:1 a string has a character that is not UTF-8 or that JSON does not allow in column 12 "
     "[{\"a\":{\"S\":\"\xff\"}}]\n{}\n"},
    {PRINTED, LINES, "{}\n{\"a\":{\"L\":[\"x\" 1]}}\n",
     "{}\n? 2:1 a comma or ] is missing in column 16 [{\"a\":{\"L\":[\"x\" 1]}}]\n"},
    /* a part of a record is none */
    {PRINTED, LINES, "{}\n{\"l\":{\"L\":[\n  {\"a\":{\"S\":\"1\"}},\n]}\n{}\n",
     "{}\n? 2:1 a value is missing [{\"l\":{\"L\":[]\n"
     "? 3:3 a record must begin in the first column after a bad line "
     "[{\"a\":{\"S\":\"1\"}},]\n? 4:1 a JSON object must begin with { []}]\n{}\n"},
    {PRINTED, LINES, "{\n\"a\":{\"S\":\"1\"}\n}\n{\n\"a\":{\"S\":\"2\"},\n}\n{}\n",
     "{\"a\":{\"S\":\"1\"}}\n! 6:1 a name in quotes is missing [{\n\"a\":{\"S\":\"2\"},\n}]\n"},
    {PRINTED, LINES, "{\n\"a\":{\"S\":\"2\"},\n}\n{}\n",
     "! 3:1 a name in quotes is missing [{\n\"a\":{\"S\":\"2\"},\n}]\n"},
    {PRINTED, LINES, "{\"a\":{\"L\":[\n{\"S\":\"1\"},\n{\"S\":\"2\"}\n]}}\n{}\n",
     "{\"a\":{\"L\":[{\"S\":\"1\"},{\"S\":\"2\"}]}}\n{}\n"},
    /* lists: a record ends as its brackets have it */
    {PRINTED, LINES, "[{},\n{\"a\":{\"S\":\"1\"},},\n{}]",
     "{}\n? 2:16 a name in quotes is missing [{\"a\":{\"S\":\"1\"},}]\n{}\n"},
    {PRINTED, LINES, "{\"Items\":[{},{\"a\":nul},{}]}",
     "{}\n? 1:19 a value is missing [{\"a\":nul}]\n{}\n"},
    {PRINTED, LINES, "[{},\n{\"a\":{\"S\":\"1\"},\n{\"a\":{\"S\":\"2\"}}]",
     "{}\n! 2:1 a } is missing []\n"},
    {PRINTED, LINES, "[{},\nx,\n{}]", "{}\n! 2:1 a JSON object must begin with { []\n"},
    {PRINTED, LINES, "[{}]\nx\n{}\n", "{}\n! 2:1 a JSON object must begin with { []\n"},
    /* types */
    {PRINTED, LINES,
     "{\"a\":{\"S\":\"1\"}}\n{\"a\":{\"S\":\"2\"},\"x\":\"plain\"}\n"
     "{\"Item\":{\"a\":{\"S\":\"3\"},\"y\":{\"z\":1}}}\n{\"a\":{\"S\":1}}\n",
     "{\"a\":{\"S\":\"1\"}}\n? 2:1 x has no type: DynamoDB's JSON writes {\"S\": \"a\"}, {\"N\": "
     "\"1\"} and the like [{\"a\":{\"S\":\"2\"},\"x\":\"plain\"}]\n"
     "? 3:1 y has no type: DynamoDB's JSON writes {\"S\": \"a\"}, {\"N\": \"1\"} and the like "
     "[{\"Item\":{\"a\":{\"S\":\"3\"},\"y\":{\"z\":1}}}]\n"
     "? 4:1 NUMBER_VALUE cannot be converted to String [{\"a\":{\"S\":1}}]\n"},
    {JSONL,
     {TYPED, .by_lines = true},
     "{\"n\":{\"N\":\"1\"},\"x\":\"plain\"}\n{\"n\":{\"N\":\"1\"}}\n{\"n\":{}}",
     "? 1:20 x has no type: DynamoDB's JSON writes {\"S\": \"a\"}, {\"N\": \"1\"} and the like "
     "[{\"n\":{\"N\":\"1\"},\"x\":\"plain\"}]\n"
     "? 2:6 this is DynamoDB's JSON, but the text began with plain JSON [{\"n\":{\"N\":\"1\"}}]\n"
     "? 3:6 this is not of type N [{\"n\":{}}]\n"},
    {JSONL, LINES, "{\"a\":1}\n{\"a\":2\n{\"a\":3}\n{\"a\":[{\"b\":4}\n{\"a\":5}\n{\"a\":tru}\n",
     "{\"a\":{\"N\":\"1\"}}\n? 2:1 a } is missing [{\"a\":2]\n{\"a\":{\"N\":\"3\"}}\n"
     "? 4:1 a ] is missing [{\"a\":[{\"b\":4}]\n{\"a\":{\"N\":\"5\"}}\n"
     "? 6:1 a value is missing in column 6 [{\"a\":tru}]\n"},
    /* Ion */
    {ION, LINES,
     "$ion_1_0 {Item:{a:1}}\n$ion_1_0 {Item:{a:1 b:2}}\n$ion_1_0 {Item:{a:\"x}}\n7\n"
     "$ion_1_0 {Item:{a:3}}\n",
     "{\"a\":{\"N\":\"1\"}}\n? 2:10 a comma is missing [{Item:{a:1 b:2}}]\n"
     "? 3:10 a string must end on its line [{Item:{a:\"x}}]\n? 4:1 an Ion struct must begin with { "
     "[7]\n"
     "{\"a\":{\"N\":\"3\"}}\n"},
    {ION, LINES,
     "$ion_1_0 {Item:{a:1}}\n$ion_1_0 {Item:{a:[2}}\n$ion_1_0 {Item:{a:3}}\n{Item:{a:4}",
     "{\"a\":{\"N\":\"1\"}}\n? 2:10 a } is missing [{Item:{a:[2}}]\n{\"a\":{\"N\":\"3\"}}\n"
     "? 4:1 the text ends within this record [{Item:{a:4}]\n"},
};

START_TEST(reads_records_and_says_what_is_wrong)
{
    static const size_t parts[] = {1, 2, 5, 1000};

    for (size_t i = 0; i < COUNT(parts); i++)
        ck_assert_str_eq(
            read_in_parts(texts[_i].format, &texts[_i].options, span_of(texts[_i].text), parts[i]),
            texts[_i].result);
}
END_TEST

/* --- writing ---------------------------------------------------------------------------------- */

static const char whole_item[] =
    "{\"pk\":{\"S\":\"a,\\\"b\\\"\\n\\u0001\"},\"a b\":{\"N\":\"600\"},\"$1\":{\"N\":\"-0.5\"},"
    "\"null\":{\"NULL\":true},\"t\":{\"BOOL\":true},\"b\":{\"B\":\"aGk=\"},"
    "\"l\":{\"L\":[{\"N\":\"0\"},{\"S\":\"\"}]},\"m\":{\"M\":{\"k'\":{\"N\":\"103\"}}},"
    "\"ss\":{\"SS\":[\"x\",\"y\"]},\"ns\":{\"NS\":[\"-1\",\"0.0000025\",\"0.00000000025\",\"12.5\"]"
    "},"
    "\"bs\":{\"BS\":[\"AA==\"]}}";

static const struct span whole_names[] = {
    SPAN_LIT_INIT("pk"),   SPAN_LIT_INIT("a b"), SPAN_LIT_INIT("$1"), SPAN_LIT_INIT("none"),
    SPAN_LIT_INIT("null"), SPAN_LIT_INIT("t"),   SPAN_LIT_INIT("b"),  SPAN_LIT_INIT("l"),
};

static const struct {
    const struct transfer_format *format;
    struct transfer_options options;
    const char *text;
} written[] = {
    {ION, PLAIN,
     "$ion_1_0 {Item:{pk:\"a,\\\"b\\\"\\n\\x01\",'a b':6d2,'$1':-0.5,'null':null,t:true,"
     "b:{{aGk=}},l:[0.,\"\"],m:{'k\\'':103.},ss:$dynamodb_SS::[\"x\",\"y\"],"
     "ns:$dynamodb_NS::[-1.,25d-11,0.0000025,12.5],bs:$dynamodb_BS::[{{AA==}}]}}\n"},
    {JSONL, PLAIN,
     "{\"pk\":\"a,\\\"b\\\"\\n\\u0001\",\"a b\":600,\"$1\":-0.5,\"null\":null,\"t\":true,"
     "\"b\":\"aGk=\",\"l\":[0,\"\"],\"m\":{\"k'\":103},\"ss\":[\"x\",\"y\"],"
     "\"ns\":[-1,0.00000000025,0.0000025,12.5],\"bs\":[\"AA==\"]}\n"},
    {CSV,
     {.header = whole_names, .header_count = COUNT(whole_names)},
     "\"a,\"\"b\"\"\n\x01\",600,-0.5,,\"{\"\"NULL\"\":true}\",true,aGk=,"
     "\"{\"\"L\"\":[{\"\"N\"\":\"\"0\"\"},{\"\"S\"\":\"\"\"\"}]}\"\n"},
};

static const char *item_as(const struct transfer_format *f, const struct transfer_options *options,
                           const char *item)
{
    struct buf out = buf_in(arena), stored = buf_in(arena);
    const char *json = read_in_parts(PRINTED, &(struct transfer_options)PLAIN, span_of(item), 1000);

    buf_add(&stored, json, strlen(json) - 1);
    transfer_format_write_stored(f, options, arena, &out, buf_span(&stored));
    return buf_text(&out);
}

START_TEST(writes_items)
{
    ck_assert_str_eq(item_as(written[_i].format, &written[_i].options, whole_item),
                     written[_i].text);
}
END_TEST

START_TEST(ion_and_json_come_back_as_they_left)
{
    const struct transfer_format *f = _i ? ION : JSON;
    const struct transfer_options none = PLAIN;
    const char *before = read_in_parts(PRINTED, &none, span_of(whole_item), 1000);

    ck_assert_str_eq(read_in_parts(f, &none, span_of(item_as(f, &none, whole_item)), 7), before);
}
END_TEST

START_TEST(a_csv_begins_with_its_header)
{
    static const struct span odd[] = {SPAN_LIT_INIT("a;b"), SPAN_LIT_INIT("c")};
    struct buf out = buf_in(arena);

    transfer_format_begin(
        CSV, &(struct transfer_options){.delimiter = ';', .header = odd, .header_count = 2}, &out);
    ck_assert_str_eq(buf_text(&out), "\"a;b\";c\n");
}
END_TEST

/* What a record goes on with, and after how many MB of it nothing else is read. */
static const struct {
    const char *begin;
    char on;
    int most;
} endless[] = {
    {"{\"Item\":{}}\n {\"Item\":{\"a\":{\"S\":\"", 'x', 4},
    {"{\"Item\":{}}\n {\"Item\":", ' ', 16},
    {"{\"Item\":{}}\n {\"Item\":", '{', 4},
};

START_TEST(a_record_has_a_limit)
{
    struct transfer_reader *r = transfer_reader_new(JSON, &(struct transfer_options)PLAIN);
    size_t len = (size_t)1024 * 1024;
    char *part = arena_alloc(arena, len);
    struct transfer_record record;
    struct transfer_fault fault;
    enum transfer_reading what = TRANSFER_MORE;
    int fed = 0;

    memset(part, endless[_i].on, len);
    transfer_reader_feed(r, span_of(endless[_i].begin));
    ck_assert_int_eq(transfer_reader_next(r, arena, &record, &fault), TRANSFER_ITEM);
    while (what == TRANSFER_MORE && fed++ < 20) {
        transfer_reader_feed(r, (struct span){part, len});
        what = transfer_reader_next(r, arena, &record, &fault);
    }
    ck_assert_int_eq(what, TRANSFER_BAD_TEXT);
    ck_assert_int_eq(fed, endless[_i].most);
    ck_assert_uint_eq(fault.line, 2);
    ck_assert_uint_eq(fault.column, 2);
    ck_assert_int_eq(transfer_reader_next(r, arena, &record, &fault), TRANSFER_END);
    transfer_reader_free(r);
}
END_TEST

/* A whole one is not looked into, nor what stands behind it. */
START_TEST(a_record_that_ends_has_a_limit)
{
    struct transfer_reader *r = transfer_reader_new(JSONL, &(struct transfer_options)PLAIN);
    size_t len = (size_t)17 * 1024 * 1024;
    char *text = arena_alloc(arena, len);
    struct transfer_record record;
    struct transfer_fault fault;

    memset(text, 'x', len);
    transfer_reader_feed(r, SPAN_LIT("{}\n {\"a\":\""));
    transfer_reader_feed(r, (struct span){text, len});
    transfer_reader_feed(r, SPAN_LIT("\"}\n{\"a\":1}\n"));
    ck_assert_int_eq(transfer_reader_next(r, arena, &record, &fault), TRANSFER_ITEM);
    ck_assert_int_eq(transfer_reader_next(r, arena, &record, &fault), TRANSFER_BAD_TEXT);
    ck_assert_span_eq(fault.text, "it has more than 16 MB");
    ck_assert_uint_eq(fault.line, 2);
    ck_assert_uint_eq(fault.column, 2);
    transfer_reader_free(r);
}
END_TEST

/* A reader that has a record with many times the member, and what comes behind it. */
static struct transfer_reader *reader_of_long(const struct transfer_format *format,
                                              const char *head, const char *member, size_t len,
                                              const char *tail)
{
    struct transfer_reader *r = transfer_reader_new(format, &(struct transfer_options)PLAIN);
    struct buf text = buf_in(arena);

    buf_add_text(&text, head);
    while (text.len < len)
        buf_add_text(&text, member);
    buf_add_text(&text, tail);
    transfer_reader_feed(r, buf_span(&text));
    transfer_reader_end(r);
    return r;
}

START_TEST(a_whole_record_has_a_limit)
{
    struct transfer_reader *r = reader_of_long(JSON, "{\"Item\":{\"a\":{\"L\":[{\"S\":\"\"}",
                                               ",{\"S\":\"\"}", (size_t)5 << 20, "]}}}\n");
    struct transfer_record record;
    struct transfer_fault fault;

    ck_assert_int_eq(transfer_reader_next(r, arena, &record, &fault), TRANSFER_BAD_TEXT);
    ck_assert_msg(span_starts_with(fault.text, SPAN_LIT("it has more than 4 MB besides blanks")),
                  "%.*s", SPAN_ARG(fault.text));
    transfer_reader_free(r);
}
END_TEST

/* In DynamoDB's JSON it is five times as long: it is not parsed as that. */
START_TEST(what_a_record_becomes_has_a_limit)
{
    struct transfer_reader *r = reader_of_long(JSONL, "{\"a\":[1", ",1", (size_t)3 << 20,
                                               "]}\n{\"a\":1}");
    struct transfer_record record;
    struct transfer_fault fault;

    ck_assert_int_eq(transfer_reader_next(r, arena, &record, &fault), TRANSFER_BAD_ITEM);
    ck_assert_str_eq(arena_text(arena, fault.text), ERROR_ITEM_SIZE);
    ck_assert_int_eq(transfer_reader_next(r, arena, &record, &fault), TRANSFER_ITEM);
    transfer_reader_free(r);
}
END_TEST

/* The second of them is where the fault is, whatever stands between them. */
START_TEST(a_header_names_each_column_once)
{
    struct transfer_reader *r = transfer_reader_new(CSV, &(struct transfer_options)PLAIN);
    struct transfer_record record;
    struct transfer_fault fault;

    transfer_reader_feed(r, SPAN_LIT("pk,b,\"a,\"\"\",c,b,c,pk\n1,2,3,4,5,6,7\n"));
    transfer_reader_end(r);
    ck_assert_int_eq(transfer_reader_next(r, arena, &record, &fault), TRANSFER_BAD_TEXT);
    ck_assert_str_eq(arena_text(arena, fault.text), "two columns have the same name");
    ck_assert_uint_eq(fault.column, 15);
    transfer_reader_free(r);
}
END_TEST

/* 500 columns whose names have 1 KB each. */
START_TEST(a_header_is_no_longer_than_an_item)
{
    struct transfer_reader *r = transfer_reader_new(CSV, &(struct transfer_options)PLAIN);
    struct transfer_record record;
    struct transfer_fault fault;
    struct buf text = buf_in(arena);

    for (int i = 0; i < 500; i++)
        buf_printf(&text, "%s%01024d", i ? "," : "", i);
    buf_add_char(&text, '\n');
    transfer_reader_feed(r, buf_span(&text));
    ck_assert_int_eq(transfer_reader_next(r, arena, &record, &fault), TRANSFER_BAD_TEXT);
    ck_assert_str_eq(arena_text(arena, fault.text), "the columns' names are longer than an item");
    transfer_reader_free(r);
}
END_TEST

/* As long as the names of its columns: who counts what was done counts that. */
START_TEST(a_fault_says_what_the_record_had_become)
{
    struct transfer_reader *r = transfer_reader_new(CSV, &(struct transfer_options){TYPED});
    struct transfer_record record;
    struct transfer_fault fault;
    struct buf text = buf_in(arena);

    buf_printf(&text, "%01024d,t\nx,yes\n", 1);
    transfer_reader_feed(r, buf_span(&text));
    ck_assert_int_eq(transfer_reader_next(r, arena, &record, &fault), TRANSFER_BAD_ITEM);
    ck_assert_uint_gt(fault.made, 1024);
    transfer_reader_free(r);
}
END_TEST

/* Names of columns make nothing of rows that can be no items. */
START_TEST(a_row_is_measured_before_it_is_made)
{
    static const char *const rows[] = {"x\n", "x,y,z\n", "x,\"y\n\"z\n", NULL};

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct transfer_reader *r = transfer_reader_new(CSV, &(struct transfer_options)PLAIN);
        struct transfer_record record;
        struct transfer_fault fault;
        struct buf text = buf_in(arena);

        buf_printf(&text, "%0300000d,b\n", 1);
        if (rows[i])
            buf_add_text(&text, rows[i]);
        else
            buf_printf(&text, "x,%0200000d\n", 1);
        transfer_reader_feed(r, buf_span(&text));
        ck_assert_int_eq(transfer_reader_next(r, arena, &record, &fault), TRANSFER_BAD_ITEM);
        ck_assert_uint_eq(fault.made, 0);
        transfer_reader_free(r);
    }
}
END_TEST

START_TEST(a_record_has_more_than_its_item)
{
    struct transfer_reader *r = transfer_reader_new(JSON, &(struct transfer_options)PLAIN);
    struct transfer_record record;
    struct transfer_fault fault;

    transfer_reader_feed(
        r, SPAN_LIT("\n{\"Item\":{\"a\":{\"S\":\"x\"}},\"ConditionExpression\":\"b = c\"}"));
    ck_assert_int_eq(transfer_reader_skip(r, arena, &record, &fault), TRANSFER_ITEM);
    ck_assert(span_is(record.json, "{\"a\":{\"S\":\"x\"}}"));
    ck_assert(span_is(wire_text(wire_get(record.object, "ConditionExpression")), "b = c"));
    ck_assert_uint_eq(record.line, 2);
    ck_assert_uint_eq(record.item.len, 0);
    transfer_reader_free(r);
}
END_TEST

/* Whatever stands in the items: nothing is parsed. */
START_TEST(items_are_cut_out_of_what_tools_print)
{
    static const struct {
        const char *json;
        size_t line;
    } cut[] = {{"{\"a\":{}}", 1}, {"{ \"b\" : {} }", 2}, {"{\"c\" }", 3}, {"{}", 5}};
    struct transfer_reader *r = transfer_reader_new(PRINTED, &(struct transfer_options)PLAIN);
    struct transfer_record record;
    struct transfer_fault fault;

    transfer_reader_feed(r, SPAN_LIT("{\"a\":{}}\n{\"Item\" : { \"b\" : {} } , \"x\":[]}\n"
                                     "{\"c\" }\n{\"Items\":[\n{}]}"));
    transfer_reader_end(r);
    for (size_t i = 0; i < COUNT(cut); i++) {
        ck_assert_int_eq(transfer_reader_cut(r, arena, &record, &fault), TRANSFER_ITEM);
        ck_assert_span_eq(record.json, cut[i].json);
        ck_assert_uint_eq(record.line, cut[i].line);
    }
    ck_assert_int_eq(transfer_reader_cut(r, arena, &record, &fault), TRANSFER_END);
    transfer_reader_free(r);
}
END_TEST

START_TEST(formats_are_found_by_name)
{
    ck_assert_ptr_eq(transfer_format_find(SPAN_LIT("ION")), ION);
    ck_assert_ptr_null(transfer_format_find(SPAN_LIT("ion")));
}
END_TEST

/* S3's ETag of an upload in one part: the digest of its digest. Here of no bytes. */
START_TEST(digests_have_the_forms_of_manifests)
{
    unsigned char digest[MD5_LEN];

    digest_md5(SPAN_LIT(""), digest);
    ck_assert_span_eq(export_digest_checksum(arena, digest), "1B2M2Y8AsgTpgAmY7PhCfg==");
    ck_assert_span_eq(export_digest_etag(arena, digest), "59adb24ef3cdbe0297f05b395827453f-1");
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, digests_have_the_forms_of_manifests);
    tcase_add_loop_test(tc, reads_records_and_says_what_is_wrong, 0, COUNT(texts));
    tcase_add_loop_test(tc, writes_items, 0, COUNT(written));
    tcase_add_loop_test(tc, ion_and_json_come_back_as_they_left, 0, 2);
    tcase_add_test(tc, a_csv_begins_with_its_header);
    tcase_add_loop_test(tc, a_record_has_a_limit, 0, COUNT(endless));
    tcase_add_test(tc, a_record_that_ends_has_a_limit);
    tcase_add_test(tc, a_whole_record_has_a_limit);
    tcase_add_test(tc, what_a_record_becomes_has_a_limit);
    tcase_add_test(tc, a_header_names_each_column_once);
    tcase_add_test(tc, a_header_is_no_longer_than_an_item);
    tcase_add_test(tc, a_fault_says_what_the_record_had_become);
    tcase_add_test(tc, a_row_is_measured_before_it_is_made);
    tcase_add_test(tc, a_record_has_more_than_its_item);
    tcase_add_test(tc, items_are_cut_out_of_what_tools_print);
    tcase_add_test(tc, formats_are_found_by_name);
}

UNIT_TESTS(transfer, add_tests)
