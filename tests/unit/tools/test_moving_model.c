/* Data models that come in parts: what is sample data, of which table, and where it stands. */
#include "moving/moving_model.h"
#include "unit.h"

#include "base/buf.h"

#define KEYS \
    "\"KeyAttributes\":{\"PartitionKey\":{\"AttributeName\":\"a\",\"AttributeType\":\"S\"}}"

/* The whole text as runs: all that is data stands in brackets behind its table's number, line and
 * column. */
static const char *runs_of(struct moving_model *m, struct span text, size_t part)
{
    struct buf out = buf_in(arena);
    bool inside = false;

    while (text.len) {
        struct span now = {text.at, text.len < part ? text.len : part};

        text = span_from(text, now.len);
        while (now.len) {
            struct moving_model_run run;
            const char *problem = moving_model_take(m, &now, &run);

            if (problem)
                return problem;
            ck_assert_uint_gt(run.text.len, 0);
            if (run.is_data && run.counts && !inside)
                buf_printf(&out, "%zu %zu:%zu<", run.table, run.place.line, run.place.column);
            if (run.is_data && run.counts)
                buf_add_span(&out, run.text);
            else if (inside)
                buf_add_char(&out, '>');
            inside = run.is_data && run.counts;
        }
    }
    return buf_text(&out);
}

/* What is wrong with a text, or its tables as name@line:column, and its data. */
static const char *read_in_parts(struct span text, size_t part)
{
    struct moving_model *m = moving_model_new();
    struct moving_model_table table;
    struct buf out = buf_in(arena);
    const char *problem = runs_of(m, text, part);
    size_t count = 0;

    problem = *problem ? problem : moving_model_read(m, &count);
    for (size_t i = 0; i < count && !problem; i++)
        if (!(problem = moving_model_table(m, arena, &table)))
            buf_printf(&out, "%.*s@%zu:%zu ", SPAN_ARG(table.name), table.place.line,
                       table.place.column);
    if (!problem) {
        moving_model_again(m);
        buf_add_text(&out, runs_of(m, text, part));
        problem = buf_text(&out);
    }
    problem = arena_text(arena, span_of(problem));
    moving_model_free(m);
    return problem;
}

static const struct {
    const char *text, *gives;
} models[] = {
    {"{\"DataModel\":[]}", ""},
    {"{}", ""},
    {"{\"DataModel\":[{\"TableName\":\"t\"," KEYS ",\"TableData\":[{\"a\":{\"S\":\"x\"}}]}]}",
     "t@1:15 0 1:120<{\"a\":{\"S\":\"x\"}}>"},
    /* what makes the table stands behind the data */
    {"{\"DataModel\":[\n{\"TableData\":[\n1,\n\"]\\\"]\",{\"l\":[2]}\n],\n\"TableName\":\"t\"," KEYS
     "},\n{" KEYS ",\"TableName\":\"u\"}]}",
     "t@2:1 u@7:1 0 2:15<\n1,\n\"]\\\"]\",{\"l\":[2]}\n>"},
    /* facets' data counts where the table has none of its own, wherever that stands */
    {"{\"DataModel\":[{\"TableName\":\"t\"," KEYS
     ",\"TableFacets\":[{\"TableData\":[1]},{\"TableData\":[2]}],\"TableData\":[3]}]}",
     "t@1:15 0 1:172<3>"},
    {"{\"DataModel\":[{\"TableName\":\"t\"," KEYS
     ",\n\"TableFacets\":[{\"TableData\":[1]},{\"TableData\":[2]}],\"TableData\":[ \n ]}]}",
     "t@1:15 0 2:30<1>0 2:48<2>0 2:66< \n >"},
    /* the same names elsewhere */
    {"{\"TableData\":[1],\"x\":{\"DataModel\":[{\"TableData\":[2]}]},\"DataModel\":[{\"TableName\":"
     "\"t\"," KEYS ",\"x\":[{\"TableData\":[3]}],\"TableFacets\":{\"TableData\":[4]},"
     "\"TableData\":{\"TableData\":[5]},\"Table\\u0044ata\":[6],\"Table\\Data\":[7]}]}",
     "line 1, column 274: this is not JSON"},
    {"{\"TableData\":[1],\"x\":{\"DataModel\":[{\"TableData\":[2]}]},\"DataModel\":[{\"TableName\":"
     "\"t\"," KEYS ",\"x\":[{\"TableData\":[3]}],\"TableFacets\":{\"TableData\":[4]},"
     "\"Table\\nData\":[6],\"TableData \":[7]}]}",
     "t@1:69 "},
    /* what is wrong, and where */
    {"{\"DataModel\":[\n{\"TableName\":\"t\",\"TableData\":[\n1,\n2\n]\n oops }]}",
     "line 6, column 2: this is not JSON"},
    {"{\"DataModel\":[\n{\"TableName\":\"t\",\"TableData\":[\n1,\n2\n]},{}]}",
     "line 2, column 1: table t has no partition key"},
    {"{\"DataModel\":[{\"TableName\":\"t\"," KEYS ",\n\"GlobalSecondaryIndexes\":[\n"
     "{\"IndexName\":\"one\"," KEYS "},\n{\"IndexName\":\"g\"," KEYS "}]}]}",
     "line 4, column 1: table t: an index is called g: its name has 3 to 255 letters, digits and _ "
     ". -"},
    {"{\"DataModel\":[{\"TableName\":\"t\"," KEYS ",\n\"LocalSecondaryIndexes\":[\n"
     "{\"IndexName\":\"a b\"," KEYS "}]}]}",
     "line 3, column 1: table t: an index is called a b: its name has 3 to 255 letters, digits and "
     "_ . -"},
    {"{\"DataModel\":[{\"TableName\":\"t\"," KEYS ",\n\"GlobalSecondaryIndexes\":[\n"
     "{\"IndexName\":\"one\"}]}]}",
     "line 3, column 1: table t: index one has no partition key"},
    {"{\"DataModel\":[\n{\"TableName\":\"t\",\"TableData\":[\n1,\n2\n]," KEYS "},\n{" KEYS "}]}",
     "line 6, column 1: a table has no TableName"},
    {"{\"DataModel\":[{\"TableName\":\"t\",\"TableData\":[{]}]}",
     "line 1, column 47: this is not JSON"},
    {"{\"DataModel\":[1]}", "DataModel is not a list of tables"},
    {"{\"DataModel\":[{}],\"DataModel\":[{},{}]}", "DataModel is not a list of tables"},
    {"{\"ModelMetadata\":{\"AWSService\":\"x\"},\"DataModel\":[]}", "this is a model of x"},
    {"}}]]{\"DataModel\":[", "line 1, column 1: this is not JSON"},
};

START_TEST(a_model_is_read_in_parts_of_any_size)
{
    struct span text = span_of(models[_i].text);

    for (size_t part = 1; part <= text.len; part++)
        ck_assert_str_eq(read_in_parts(text, part), models[_i].gives);
}
END_TEST

/* Only what is no sample data is kept. */
START_TEST(sample_data_may_be_long_what_is_around_it_not)
{
    struct moving_model *m = moving_model_new();
    struct span begin = SPAN_LIT("{\"DataModel\":[{\"TableData\":[");
    struct span items = SPAN_LIT("{\"a\":{\"S\":\"x\"}},\n"), end = SPAN_LIT("]}],\"x\":[0");
    const char *problem = runs_of(m, begin, begin.len);

    for (size_t i = 0; i < 1000000 && !*problem; i++)
        problem = runs_of(m, items, items.len);
    ck_assert_str_eq(problem, "");
    ck_assert_str_eq(runs_of(m, end, end.len), "");
    for (size_t i = 0; i < 1000000 && !*problem; i++)
        problem = runs_of(m, SPAN_LIT(",0"), 2);
    ck_assert_str_eq(problem, "");
    for (size_t i = 0; i < 1000000 && !*problem; i++)
        problem = runs_of(m, SPAN_LIT(",0"), 2);
    ck_assert_str_eq(problem,
                     "this is too long for a model: without sample data it has more than 2 MB");
    moving_model_free(m);
}
END_TEST

START_TEST(no_text_is_not_a_model)
{
    struct moving_model *m = moving_model_new();
    size_t count;

    ck_assert_str_eq(moving_model_read(m, &count), "line 1, column 1: this is not JSON");
    moving_model_free(m);
}
END_TEST

/* A file may be another one by the time that it is read again. */
START_TEST(a_table_more_the_second_time_is_none)
{
    struct span once = SPAN_LIT("{\"DataModel\":[{\"TableName\":\"a\"," KEYS
                                ",\"TableData\":[]}]}");
    struct span again = SPAN_LIT("{\"DataModel\":[{},{\"TableData\":[{\"a\":{\"S\":\"x\"}}]}]}");
    struct moving_model *m = moving_model_new();
    size_t count;

    ck_assert_str_eq(runs_of(m, once, once.len), "");
    ck_assert_ptr_null(moving_model_read(m, &count));
    ck_assert_uint_eq(count, 1);
    moving_model_again(m);
    ck_assert_str_eq(runs_of(m, again, again.len), "the file was changed while it was read");
    moving_model_free(m);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_model_is_read_in_parts_of_any_size, 0, COUNT(models));
    tcase_add_test(tc, sample_data_may_be_long_what_is_around_it_not);
    tcase_add_test(tc, no_text_is_not_a_model);
    tcase_add_test(tc, a_table_more_the_second_time_is_none);
}

UNIT_TESTS(moving_model, add_tests)
