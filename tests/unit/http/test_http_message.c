#include "unit.h"

#include "http/http_message.h"

#define MOST 3

static const struct {
    struct http_header headers[MOST];
    bool ambiguous;
} requests[] = {
    {{{"Content-Length", "2"}}, false},
    {{{"Transfer-Encoding", "chunked"}}, false},
    {{{"transfer-encoding", "Chunked"}, {"Host", "a"}}, false},
    {{{"X-A", "1"}, {"X-A", "2"}, {"X_b.c~d!", "3"}}, false},
    {{{"Content-Length", "2"}, {"Content-Length", "2"}}, true},
    {{{"Content-Length", "2"}, {"content-length", "3"}}, true},
    {{{"Content-Length", "2"}, {"Transfer-Encoding", "chunked"}}, true},
    {{{"Transfer-Encoding", "chunked"}, {"Content-Length", "2"}}, true},
    {{{"Transfer-Encoding", "chunked"}, {"Transfer-Encoding", "chunked"}}, true},
    {{{"Transfer-Encoding", "gzip, chunked"}}, true},
    {{{"Transfer-Encoding", "identity"}}, true},
    {{{"Transfer-Encoding", ""}}, true},
    {{{"Content-Length", ""}}, true},
    {{{"Content-Length", "+2"}}, true},
    {{{"Content-Length", "-0"}}, true},
    {{{"Content-Length", "0x2"}}, true},
    {{{"Content-Length", "2, 2"}}, true},
    {{{"Content-Length", "2\t"}}, true},
    {{{"Host", "a"}, {"Host", "a"}}, true},
    {{{"Content-Length ", "2"}}, true},
    {{{"Content-\tLength", "2"}}, true},
    {{{"", "2"}}, true},
    {{{"Content-Length ", "2"}, {"Host", "a"}, {"Date", "b"}}, true},
};

START_TEST(a_request_that_can_be_read_in_two_ways_is_noticed)
{
    struct http_fields fields = {0};

    for (size_t i = 0; i < MOST && requests[_i].headers[i].name; i++)
        http_message_note(&fields, requests[_i].headers[i].name, requests[_i].headers[i].value);
    ck_assert_int_eq(fields.ambiguous, requests[_i].ambiguous);
}
END_TEST

START_TEST(of_other_headers_the_last_one_counts)
{
    struct http_fields fields = {0};

    http_message_note(&fields, "date", "a");
    http_message_note(&fields, "DATE", "b");
    http_message_note(&fields, "Dates", "c");
    ck_assert_str_eq(fields.date, "b");
    ck_assert(!fields.ambiguous && !fields.host);
}
END_TEST

START_TEST(a_header_of_our_own_that_comes_twice_is_named)
{
    struct http_fields fields = {0};

    http_message_note(&fields, "x-mockddb-world", "a");
    ck_assert_ptr_null(fields.x_mockddb_twice);
    http_message_note(&fields, "X-Mockddb-World", "a");
    ck_assert_str_eq(fields.x_mockddb_twice, "X-Mockddb-World");
    ck_assert(!fields.ambiguous);
}
END_TEST

START_TEST(every_status_has_a_reason)
{
    static const char *const reasons[] = {[2] = "Success", [4] = "Client Error"};

    ck_assert_str_eq(http_message_reason(404), "Not Found");
    ck_assert_str_eq(http_message_reason(299), reasons[2]);
    ck_assert_str_eq(http_message_reason(499), reasons[4]);
    for (int status = 0; status < 1000; status++)
        ck_assert(*http_message_reason(status));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, every_status_has_a_reason);
    tcase_add_loop_test(tc, a_request_that_can_be_read_in_two_ways_is_noticed, 0, COUNT(requests));
    tcase_add_test(tc, of_other_headers_the_last_one_counts);
    tcase_add_test(tc, a_header_of_our_own_that_comes_twice_is_named);
}

UNIT_TESTS(http_message, add_tests)
