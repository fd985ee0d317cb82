/* fuzz_server.h: what targets share whose input is requests, one a line, to a server in memory.
 *
 *   PutItem {"TableName":"Hash",…}     a request: operation and body; with a whole target
 *                                      (GraniteServiceVersion20100801.ListMetrics) of any service
 *   advance 86400000                   the clock moves
 *   idle                               the work between requests is done
 *   slow 1000                          tables take that long to be made from here on
 *   region eu-west-1                   requests are signed for it from here on */
#pragma once

#include "fuzz.h"

#include "base/ascii.h"
#include "support/offline_server.h"

#define FUZZ_MAX_MOVE ((int64_t)400 * 24 * 3600 * 1000)
#define FUZZ_MAX_IDLE 1000 /* slices of work that a few requests can leave at most */

static inline void fuzz_idle(struct offline_server *s)
{
    int slices = 0;

    while (dispatch_idle(s->dispatcher))
        must(++slices < FUZZ_MAX_IDLE, "the work between requests comes to an end");
}

static inline bool fuzz_is_json(struct arena *a, struct span text)
{
    const wire_node *node;

    return !wire_parse(a, text, &node);
}

static inline void fuzz_send(struct offline_server *s, struct span op, struct span body,
                             bool succeeds)
{
    struct span answer;
    int status = offline_server_send(s, op, body, &answer);

    must(status == 200 || status == 400, "a request is answered or refused");
    must(status == 200 || !succeeds, "the tables of the target can be made");
    must((status == 200 && !answer.len) || fuzz_is_json(s->arena, answer), "a reply is JSON");
}

static inline int64_t fuzz_number(struct offline_server *s, struct span text)
{
    long long value = strtoll(arena_text(s->arena, text), NULL, 10);

    return value > FUZZ_MAX_MOVE ? FUZZ_MAX_MOVE : value < 0 ? 0 : value;
}

/* What no signature can name is passed over, as the server refuses it. */
static inline void fuzz_region(struct offline_server *s, struct span name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!ascii_is_letter(name.at[i]) && !ascii_is_digit(name.at[i]) && name.at[i] != '-')
            return;
    s->region = span_is(name, "us-east-1") ? (struct span){"", 0} : name;
}

/* Does what a line says; `succeeds`: it has to. */
static inline void fuzz_run(struct offline_server *s, struct span line, bool succeeds)
{
    const char *blank = span_find(line, ' ');
    struct span word = {line.at, blank ? (size_t)(blank - line.at) : line.len};
    struct span rest = span_from(line, word.len + (blank != NULL));

    if (span_is(word, "idle"))
        fuzz_idle(s);
    else if (span_is(word, "advance"))
        clock_advance(s->clock, fuzz_number(s, rest));
    else if (span_is(word, "slow"))
        s->settings.transition_ms = fuzz_number(s, rest);
    else if (span_is(word, "region"))
        fuzz_region(s, rest);
    else
        fuzz_send(s, word, rest, succeeds);
}
