#include "unit.h"

#include "patterns/pattern_record.h"
#include "wire/json.h"

#define BEFORE                                                                            \
    "{\"patterns\": [{\"name\": \"p\", \"question\": \"q\", \"steps\": [{\"operation\": " \
    "\"Query\","                                                                          \
    " \"request\": {\"TableName\": \"T\"}"
#define AFTER "}]}]}\n"
#define COST  "\"cost\": {\"index\": \"table\", \"read\": 3, \"rcu\": 0.5}"

/* What stands in the step, what was answered, and what stands there then. */
static const struct {
    const char *step;
    size_t items;
    const char *error, *recorded;
} steps[] = {
    {", \"expect\": {\"count\": 9}, \"cost\": {}", 2, NULL, ", \"expect\": {\"count\": 2}, " COST},
    {", " COST ", \"expect\": {\"count\": {\"min\": 1}, \"more\": false}", 2, NULL,
     ", " COST ", \"expect\": {\"count\": 2, \"more\": false}"},
    {",\n  \"expect\": {\n  \"count\": 2 }, " COST, 2, NULL,
     ",\n  \"expect\": {\n  \"count\": 2 }, " COST},
    {", \"expect\": {\"answer\": {\"/a\": \"}\\\"\"}}, " COST, 2, NULL,
     ", \"expect\": {\"answer\": {\"/a\": \"}\\\"\"}}, " COST},
    {" ", 0, NULL, ",\n          \"expect\": {\"count\": 0},\n          " COST " "},
    {", \"expect\": {\"count\": 1}", 0, "SomeException",
     ", \"expect\": {\"error\": \"SomeException\", \"message\": \"so\"}"},
    {", \"expect\": {\"error\": \"SomeException\"}, " COST, 1, NULL,
     ", \"expect\": {\"count\": 1}, " COST},
};

START_TEST(what_was_answered_is_what_is_expected)
{
    struct span text = span_of(arena_printf(arena, BEFORE "%s" AFTER, steps[_i].step));
    const char *error = steps[_i].error;
    struct pattern_file file;
    struct pattern_step_result step = {.cost = {.index = "table", .read = 3, .rcu = 0.5}};
    struct pattern_result pattern = {.steps = &step, .step_count = 1};
    struct pattern_file_result result = {.file = &file, .patterns = &pattern, .pattern_count = 1};

    ck_assert_ptr_null(pattern_file_parse(arena, "f", text, &file));
    step.step = &file.patterns[0].steps[0];
    step.answer = step.step->request;
    step.items.len = steps[_i].items;
    step.error_type = error ? span_of(error) : step.error_type;
    step.message = SPAN_LIT("so");
    ck_assert_str_eq(arena_text(arena, pattern_record(arena, &result)),
                     arena_printf(arena, BEFORE "%s" AFTER, steps[_i].recorded));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, what_was_answered_is_what_is_expected, 0, COUNT(steps));
}

UNIT_TESTS(pattern_record, add_tests)
