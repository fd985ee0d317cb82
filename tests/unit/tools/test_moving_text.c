#include "unit.h"

#include "moving/moving_changes.h"
#include "moving/moving_text.h"

/* The beginning of a text, and what it is. A member counts by its name and the kind of its value:
 * items may have attributes of any name. */
static const struct {
    const char *text;
    enum moving_text_kind kind;
    const struct transfer_format *format;
} texts[] = {
    {"{\"Table\":{\"KeySchema\":[]}}", MOVING_TEXT_TABLE, NULL},
    {"{\"TableDescription\":{\"KeySchema\":[]}}", MOVING_TEXT_TABLE, NULL},
    {"{\"KeySchema\":[]}", MOVING_TEXT_TABLE, NULL},
    {"{\"DataModel\":[]}", MOVING_TEXT_MODEL, NULL},
    {"{\"manifestFilesS3Key\":\"a\"}", MOVING_TEXT_MANIFEST, NULL},
    {"{\"Items\":[]}", MOVING_TEXT_ITEMS, &transfer_format_printed},
    {"{\"Metadata\":{},\"Keys\":{}}", MOVING_TEXT_ITEMS, &moving_changes_json},
    {"{\"pk\":\"a\",\"KeySchema\":\"x\"}\n", MOVING_TEXT_ITEMS, &transfer_format_jsonl},
    {"{\"pk\":\"a\",\"DataModel\":1}\n", MOVING_TEXT_ITEMS, &transfer_format_jsonl},
    {"{\"pk\":\"a\",\"Table\":\"x\",\"KeySchema\":{}}\n", MOVING_TEXT_ITEMS,
     &transfer_format_jsonl},
    {"{\"pk\":\"a\",\"dataFileS3Key\":{}}\n", MOVING_TEXT_ITEMS, &transfer_format_jsonl},
    {"{\"pk\":\"a\",\"Items\":3}\n", MOVING_TEXT_ITEMS, &transfer_format_jsonl},
    {"{\"pk\":\"a\",\"Metadata\":\"x\",\"Keys\":1}\n", MOVING_TEXT_ITEMS, &transfer_format_jsonl},
    {"pk,Items\na,3\n", MOVING_TEXT_ITEMS, &transfer_format_csv},
    {"{\"AWSTemplateFormatVersion\":\"2010-09-09\"}", MOVING_TEXT_TEMPLATE, NULL},
    {"{\"Parameters\":{},\"Resources\":{\"A\":{}}}", MOVING_TEXT_TEMPLATE, NULL},
    {"{\"format_version\":\"1.0\",\"values\":{}}", MOVING_TEXT_TEMPLATE, NULL},
    {"{\"version\":3,\"deployment\":{\"resources\":[]}}", MOVING_TEXT_TEMPLATE, NULL},
    {"{\"version\":3,\"checkpoint\":{\"latest\":{}}}", MOVING_TEXT_TEMPLATE, NULL},
    {"{\"version\":\"0.0.1\",\"format\":\"onetable:1.1.0\"}", MOVING_TEXT_TEMPLATE, NULL},
    {"{\"mockddb_lock\":1,\"tables\":[]}", MOVING_TEXT_TEMPLATE, NULL},
    {"{\"pk\":\"a\",\"format\":\"onetable\"}\n", MOVING_TEXT_ITEMS, &transfer_format_jsonl},
    {"{\"Resources\": 1, \"pk\": \"a\"}\n", MOVING_TEXT_ITEMS, &transfer_format_jsonl},
    {"{\"a\":{}}\n", MOVING_TEXT_ITEMS, &transfer_format_jsonl},
    {"{\"a\":{\"S\":\"x\",\"N\":\"1\"}}\n", MOVING_TEXT_ITEMS, &transfer_format_jsonl},
    {"# a comment\n---\nResources:\n  A: {}\n", MOVING_TEXT_TEMPLATE, NULL},
    {"\"Resources\": {}\n", MOVING_TEXT_TEMPLATE, NULL},
    {"{AWSTemplateFormatVersion: '2010-09-09'}", MOVING_TEXT_TEMPLATE, NULL},
    {" {\n  # a comment\n  Resources: {A: {}}\n}\n", MOVING_TEXT_TEMPLATE, NULL},
    {"--- {'Parameters': {},\n 'Resources': {A: {}}}\n", MOVING_TEXT_TEMPLATE, NULL},
    {"# JSON is YAML\n{\"Resources\": {\"A\": {}}}\n", MOVING_TEXT_TEMPLATE, NULL},
    {"{pk: a}\n", MOVING_TEXT_ITEMS, &transfer_format_printed},
    {"[{Resources: {}}]\n", MOVING_TEXT_ITEMS, &transfer_format_printed},
    {"x-common: {}\nResources:\n  A: {}\n", MOVING_TEXT_TEMPLATE, NULL},
    {"org: shop\nservice: a\nframeworkVersion: '4'\n", MOVING_TEXT_TEMPLATE, NULL},
    {"a: 1\nb: 2\n", MOVING_TEXT_ITEMS, &transfer_format_csv},
    {"a: 1\n  Resources: 2\n", MOVING_TEXT_ITEMS, &transfer_format_csv},
    {"a\nResources: 2\n", MOVING_TEXT_ITEMS, &transfer_format_csv},
    {"{\"pk\":{\"S\":\"a\"},\"Resources\":{\"M\":{\"a\":{\"S\":\"b\"}}}}\n", MOVING_TEXT_ITEMS,
     &transfer_format_printed},
    {"{\"pk\":\"a\",\"Resources\":{\"a\":{}}}\n", MOVING_TEXT_ITEMS, &transfer_format_jsonl},
    {"{\"pk\":\"a\",\"values\":{},\"format_version\":1}\n", MOVING_TEXT_ITEMS,
     &transfer_format_jsonl},
    {"{\"pk\":\"a\",\"deployment\":{\"resources\":1}}\n", MOVING_TEXT_ITEMS,
     &transfer_format_jsonl},
    {"Resources,Outputs\na,3\n", MOVING_TEXT_ITEMS, &transfer_format_csv},
    {"Resources:a\nb\n", MOVING_TEXT_ITEMS, &transfer_format_csv},
    {"", MOVING_TEXT_EMPTY, NULL},
};

START_TEST(a_text_is_known_by_its_beginning)
{
    struct moving_text known = moving_text_know(span_of(texts[_i].text), true);

    ck_assert_msg(known.kind == texts[_i].kind && known.format == texts[_i].format, "%s",
                  texts[_i].text);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_text_is_known_by_its_beginning, 0, COUNT(texts));
}

UNIT_TESTS(moving_text, add_tests)
