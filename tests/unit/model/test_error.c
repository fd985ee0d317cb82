#include "unit.h"

#include "model/error.h"
#include "model/limits.h"

static const struct {
    enum error_kind kind;
    const char *type, *name, *key;
    int status;
} forms[] = {
    {ERROR_VALIDATION, "com.amazon.coral.validate#ValidationException", "ValidationException",
     "message", 400},
    {ERROR_SERIALIZATION, "com.amazon.coral.service#SerializationException",
     "SerializationException", "Message", 400},
    {ERROR_RESOURCE_NOT_FOUND, "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
     "ResourceNotFoundException", "message", 400},
    {ERROR_TRANSACTION_CANCELED, "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
     "TransactionCanceledException", "Message", 400},
    {ERROR_ACCESS_DENIED, "com.amazon.coral.service#AccessDeniedException", "AccessDeniedException",
     "Message", 400},
    {ERROR_INTERNAL, "com.amazonaws.dynamodb.v20120810#InternalServerError", "InternalServerError",
     "message", 500},
};

START_TEST(errors_are_sent_as_the_service_sends_them)
{
    const struct error_form *form = error_form(forms[_i].kind);

    ck_assert_str_eq(form->type, forms[_i].type);
    ck_assert_str_eq(form->message_key, forms[_i].key);
    ck_assert_int_eq(form->status, forms[_i].status);
    ck_assert_str_eq(error_name(forms[_i].kind), forms[_i].name);
}
END_TEST

START_TEST(messages_are_cut_between_characters)
{
    struct buf text = buf_in(arena);
    const struct error *e;

    buf_add_char(&text, 'x');
    while (text.len < 2 * LIMIT_ERROR_MESSAGE)
        buf_add_text(&text, "\xC3\xA9");
    e = error_of(arena, ERROR_VALIDATION, buf_span(&text));
    ck_assert_uint_eq(e->message.len, LIMIT_ERROR_MESSAGE - 1);
    e = error_of(arena, ERROR_VALIDATION, (struct span){text.at, LIMIT_ERROR_MESSAGE});
    ck_assert_uint_eq(e->message.len, LIMIT_ERROR_MESSAGE);
}
END_TEST

START_TEST(every_kind_has_a_form)
{
    const struct error_form *form = error_form((enum error_kind)_i);

    ck_assert_ptr_nonnull(strchr(form->type, '#'));
    ck_assert(!strcmp(form->message_key, "message") || !strcmp(form->message_key, "Message"));
    ck_assert(form->status == 400 || form->status == 500 || form->status == 503);
}
END_TEST

START_TEST(constructors_format_their_message)
{
    const struct error *e = error_new(arena, ERROR_LIMIT_EXCEEDED, "%s %d", "a", 1);

    ck_assert_int_eq(e->kind, ERROR_LIMIT_EXCEEDED);
    ck_assert_span_eq(e->message, "a 1");
    ck_assert_uint_eq(e->members.len, 0);
    ck_assert(!e->bare);
    e = error_validation(arena, "%d", 2);
    ck_assert_int_eq(e->kind, ERROR_VALIDATION);
    ck_assert_span_eq(e->message, "2");
    e = error_parameter(arena, "Missing the key %s in the item", "pk");
    ck_assert_int_eq(e->kind, ERROR_VALIDATION);
    ck_assert_span_eq(e->message, "One or more parameter values were invalid: Missing the key pk "
                                  "in the item");
    e = error_of(arena, ERROR_VALIDATION, SPAN_LIT("a\0b"));
    ck_assert(span_equal(e->message, SPAN_LIT("a\0b")));
}
END_TEST

START_TEST(messages_have_every_conversion_and_every_byte)
{
    struct span name = SPAN_LIT("a\0b"), none = {NULL, 0};
    const struct error *e = error_validation(arena, "%.*s, %.*s, %s, %c, %d, %u, %lld, %zu",
                                             SPAN_ARG(name), SPAN_ARG(none), "x", 'y', -1, 2U,
                                             -3000000000LL, (size_t)4);

    ck_assert(span_equal(e->message, SPAN_LIT("a\0b, , x, y, -1, 2, -3000000000, 4")));
}
END_TEST

START_TEST(the_envelope_goes_round_validation_errors_once)
{
    const struct error *e = error_of(arena, ERROR_VALIDATION, SPAN_LIT("a\0b"));
    const struct error *wrapped = error_enveloped(arena, e);
    const struct error *other = error_new(arena, ERROR_SERIALIZATION, "x");

    ck_assert(span_equal(wrapped->message, SPAN_LIT("1 validation error detected: a\0b")));
    ck_assert(span_equal(e->message, SPAN_LIT("a\0b")));
    ck_assert_ptr_eq(error_enveloped(arena, wrapped), wrapped);
    ck_assert_ptr_eq(error_enveloped(arena, other), other);
    ck_assert_ptr_null(error_enveloped(arena, NULL));
}
END_TEST

START_TEST(a_bare_error_gets_no_envelope)
{
    const struct error *e = error_validation(arena, "x"), *bare = error_bare(arena, e);

    ck_assert(bare->bare && !e->bare);
    ck_assert_span_eq(bare->message, "x");
    ck_assert_ptr_eq(error_enveloped(arena, bare), bare);
    ck_assert_ptr_null(error_bare(arena, NULL));
}
END_TEST

START_TEST(marks_are_kept_beside_each_other)
{
    const struct error *e = error_validation(arena, "x");
    const struct error *marked = error_whole(arena, error_unprefixed(arena, error_bare(arena, e)));

    ck_assert(!e->bare && !e->unprefixed && !e->whole);
    ck_assert(marked->bare && marked->unprefixed && marked->whole);
    ck_assert_span_eq(marked->message, "x");
    ck_assert_ptr_eq(error_unprefixed(arena, marked), marked);
    ck_assert_ptr_eq(error_whole(arena, marked), marked);
    ck_assert_ptr_null(error_unprefixed(arena, NULL));
    ck_assert_ptr_null(error_whole(arena, NULL));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, messages_are_cut_between_characters);
    tcase_add_loop_test(tc, errors_are_sent_as_the_service_sends_them, 0, COUNT(forms));
    tcase_add_loop_test(tc, every_kind_has_a_form, ERROR_NONE + 1, ERROR_KIND_COUNT);
    tcase_add_test(tc, constructors_format_their_message);
    tcase_add_test(tc, messages_have_every_conversion_and_every_byte);
    tcase_add_test(tc, the_envelope_goes_round_validation_errors_once);
    tcase_add_test(tc, a_bare_error_gets_no_envelope);
    tcase_add_test(tc, marks_are_kept_beside_each_other);
}

UNIT_TESTS(error, add_tests)
