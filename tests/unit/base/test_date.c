#include "unit.h"

#include "base/clock.h"
#include "base/date.h"

static const struct {
    const char *basic, *http;
    int64_t ms;
} dates[] = {
    {"19700101T000000Z", "Thu, 01 Jan 1970 00:00:00 GMT", 0},
    {"19691231T235959Z", "Wed, 31 Dec 1969 23:59:59 GMT", -1000},
    {"20150830T123600Z", "Sun, 30 Aug 2015 12:36:00 GMT", 1440938160000},
    {"20000229T000000Z", "Tue, 29 Feb 2000 00:00:00 GMT", 951782400000},
    {"20241231T235959Z", "Tue, 31 Dec 2024 23:59:59 GMT", 1735689599000},
    {"99991231T235959Z", "Fri, 31 Dec 9999 23:59:59 GMT", 253402300799000},
};

START_TEST(both_forms_are_read)
{
    int64_t basic = 1, http = 1;

    ck_assert(date_read_basic(span_of(dates[_i].basic), &basic));
    ck_assert(date_read_http(span_of(dates[_i].http), &http));
    ck_assert_int_eq(basic, dates[_i].ms);
    ck_assert_int_eq(http, dates[_i].ms);
    ck_assert_str_eq(date_basic(arena, dates[_i].ms), dates[_i].basic);
}
END_TEST

static const char *const no_dates[] = {
    "",
    "2015",
    "20150830T123600",
    "20150830T123600ZZ",
    "20150830 123600Z",
    "2015-08-30T12:36:00Z",
    "20150230T123600Z",
    "20150029T123600Z",
    "20151301T123600Z",
    "20150100T123600Z",
    "20150830T240000Z",
    "20150830T126000Z",
    "00000830T120000Z",
    "2015083xT123600Z",
    "Sun, 30 Aux 2015 12:36:00 GMT",
    "Sun, 30 Aug 2015 12:36:00",
    "Sun, 31 Feb 2015 12:36:00 GMT",
};

START_TEST(other_texts_are_no_dates)
{
    int64_t ms = 7;

    ck_assert(!date_read_basic(span_of(no_dates[_i]), &ms));
    ck_assert(!date_read_http(span_of(no_dates[_i]), &ms));
    ck_assert_int_eq(ms, 7);
}
END_TEST

static const struct {
    const char *text;
    int64_t ms; /* 0: it is none */
} extended[] = {
    {"2015-08-30", 1440892800000},
    {"2015-08-30T12:36Z", 1440938160000},
    {"2015-08-30T12:36:01Z", 1440938161000},
    {"2015-08-30T12:36:01.250Z", 1440938161250},
    {"2015-08-30T12:36:01.250999Z", 1440938161250},
    {"2015-08-30T12:36:01.25Z", 0},
    {"2015-08-30T12:36:01", 0},
    {"2015-08-30T12:36:01+01:00", 0},
    {"2015-02-30", 0},
    {"today", 0},
};

START_TEST(the_extended_form_is_read)
{
    int64_t ms = 0;

    ck_assert_int_eq(date_read_extended(span_of(extended[_i].text), &ms), extended[_i].ms != 0);
    ck_assert_int_eq(ms, extended[_i].ms);
}
END_TEST

START_TEST(no_moment_is_shown_behind_the_last)
{
    ck_assert_str_eq(clock_iso_time(arena, CLOCK_LAST_MS), "9999-12-31T23:59:59.999");
    ck_assert_str_eq(clock_iso_time(arena, CLOCK_LAST_MS + 86400000), "9999-12-31T23:59:59.999");
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, the_extended_form_is_read, 0, (int)COUNT(extended));
    tcase_add_loop_test(tc, both_forms_are_read, 0, COUNT(dates));
    tcase_add_loop_test(tc, other_texts_are_no_dates, 0, COUNT(no_dates));
    tcase_add_test(tc, no_moment_is_shown_behind_the_last);
}

UNIT_TESTS(date, add_tests)
