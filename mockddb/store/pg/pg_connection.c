#include "store/pg/pg_connection.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PREPARATION 0x8000u /* in the list of what was sent */
#define TEXT        0x7fffu

enum { NOT_PREPARED, BEING_PREPARED, PREPARED };

/* --- values ----------------------------------------------------------------------------------- */

static void add_number(struct pg_values *v, int64_t value, int length)
{
    for (int i = 0; i < length; i++)
        v->number[v->count][i] = (char)((uint64_t)value >> 8 * (length - 1 - i));
    v->length[v->count++] = length;
}

void pg_values_int4(struct pg_values *v, int64_t value)
{
    add_number(v, value, 4);
}

void pg_values_int8(struct pg_values *v, int64_t value)
{
    add_number(v, value, 8);
}

void pg_values_bytes(struct pg_values *v, struct span bytes)
{
    v->at[v->count] = bytes.len ? bytes.at : "";
    v->length[v->count++] = (int)bytes.len;
}

void pg_values_null(struct pg_values *v)
{
    v->count++;
}

struct span pg_connection_bytes(const struct pg_connection *c, const struct pg_result *r, int row,
                                int column)
{
    return (struct span){c->pq->value(r, row, column), (size_t)c->pq->length(r, row, column)};
}

int64_t pg_connection_number(const struct pg_connection *c, const struct pg_result *r, int row,
                             int column)
{
    struct span bytes = pg_connection_bytes(c, r, row, column);

    return bytes.len == 4 ? (int32_t)(uint32_t)span_big_endian(bytes)
                          : (int64_t)span_big_endian(bytes);
}

/* --- connecting ------------------------------------------------------------------------------- */

/* Keeps a message as one line. */
static void note_failure(struct pg_connection *c, const char *sqlstate, const char *message)
{
    size_t len;

    (void)snprintf(c->sqlstate, sizeof c->sqlstate, "%s", sqlstate ? sqlstate : "");
    (void)snprintf(c->message, sizeof c->message, "%s", message ? message : "");
    for (len = strlen(c->message); len && c->message[len - 1] == '\n'; len--)
        c->message[len - 1] = '\0';
    for (char *at = c->message; (at = strpbrk(at, "\n\t"));)
        *at = ' ';
}

static bool wait_for(struct pg_connection *c, short events, int64_t deadline_ms, short *ready)
{
    struct pollfd socket = {.fd = c->pq->socket(c->handle), .events = events};
    int64_t left = deadline_ms - clock_monotonic_ms();
    int count;

    while ((count = poll(&socket, 1, left > 0 ? (int)left : 0)) < 0 && errno == EINTR)
        left = deadline_ms - clock_monotonic_ms();
    *ready = socket.revents;
    if (count == 0)
        note_failure(c, NULL, "the database does not answer");
    return count > 0;
}

static void ignore_notice(void *data, const char *text)
{
    (void)data, (void)text;
}

static bool connect_socket(struct pg_connection *c, int64_t deadline_ms)
{
    /* A later one of the same name counts, so that the URL may say otherwise. */
    static const char *const names[] = {"fallback_application_name", "target_session_attrs",
                                        "client_encoding", "dbname", NULL};
    const char *const values[] = {"mockddb", "read-write", "UTF8", c->url->database, NULL};
    int state = -1;
    short ready;

    if (!(c->handle = c->pq->connect_start(names, values, 1)))
        process_out_of_memory();
    if (c->pq->status(c->handle) != 1) /* not failed at once */
        for (state = -1; state != PG_POLLING_OK && state != PG_POLLING_FAILED;
             state = c->pq->connect_poll(c->handle))
            if (state >= 0 &&
                !wait_for(c, state == PG_POLLING_READING ? POLLIN : POLLOUT, deadline_ms, &ready))
                return false;
    if (state != PG_POLLING_OK) {
        note_failure(c, NULL, c->pq->error_message(c->handle));
        return false;
    }
    (void)c->pq->set_notice_processor(c->handle, ignore_notice, NULL);
    if (c->pq->set_nonblocking(c->handle, 1) == 0 && c->pq->enter_pipeline(c->handle) == 1)
        return true;
    note_failure(c, NULL, c->pq->error_message(c->handle));
    return false;
}

static void send_setting(struct pg_connection *c, const char *name, const char *value)
{
    struct pg_values v = {.which = PG_SETTING};

    pg_values_bytes(&v, span_of(name));
    pg_values_bytes(&v, span_of(value));
    pg_connection_send(c, &v);
}

static bool set_up(struct pg_connection *c, int64_t deadline_ms)
{
    struct pg_result *version = NULL;
    char path[80];

    pg_connection_send(c, &(struct pg_values){.which = PG_VERSION});
    if (pg_connection_finish(c, deadline_ms, &version) != PG_DONE)
        return false;
    c->flavour = pg_sql_flavour(c->pq->value(version, 0, 0));
    c->pq->clear(version);
    (void)snprintf(path, sizeof path, "\"%s\"", c->url->schema);
    send_setting(c, "search_path", path);
    send_setting(c, "synchronous_commit", c->commit);
    for (const struct pg_setting *s = pg_sql_settings; s->name; s++)
        if (s->flavours & c->flavour)
            send_setting(c, s->name, s->value);
    return pg_connection_finish(c, deadline_ms, NULL) == PG_DONE;
}

bool pg_connection_open(struct pg_connection *c, int64_t deadline_ms)
{
    if (c->handle)
        return true;
    if (connect_socket(c, deadline_ms) && set_up(c, deadline_ms))
        return true;
    pg_connection_close(c);
    return false;
}

void pg_connection_close(struct pg_connection *c)
{
    if (c->handle)
        c->pq->finish(c->handle);
    c->handle = NULL;
    free(c->sent);
    c->sent = NULL;
    c->sent_count = c->sent_room = c->sent_statements = 0;
    c->broken = false;
    memset(c->prepared, NOT_PREPARED, sizeof c->prepared);
}

/* --- sending ---------------------------------------------------------------------------------- */

static void note_sent(struct pg_connection *c, unsigned what, int done)
{
    c->sent = process_one_more(c->sent, c->sent_count, &c->sent_room, sizeof *c->sent);
    c->sent[c->sent_count++] = (uint16_t)what;
    c->sent_statements += !(what & PREPARATION);
    c->broken = c->broken || !done;
}

void pg_connection_send(struct pg_connection *c, const struct pg_values *v)
{
    const char *values[PG_MOST_VALUES];
    int formats[PG_MOST_VALUES];
    char name[16];

    (void)snprintf(name, sizeof name, "s%d", (int)v->which);
    if (c->prepared[v->which] == NOT_PREPARED) {
        note_sent(c, (unsigned)v->which | PREPARATION,
                  c->pq->send_prepare(c->handle, name, pg_sql_text(v->which), 0, NULL));
        c->prepared[v->which] = BEING_PREPARED;
    }
    for (int i = 0; i < v->count; i++) {
        values[i] = v->at[i] ? v->at[i] : v->length[i] ? v->number[i] : NULL;
        formats[i] = 1;
    }
    note_sent(c, v->which,
              c->pq->send_prepared(c->handle, name, v->count, values, v->length, formats, 1));
}

void pg_connection_send_text(struct pg_connection *c, const char *text)
{
    note_sent(c, TEXT, c->pq->send_params(c->handle, text, 0, NULL, NULL, NULL, NULL, 1));
}

static bool flush_all(struct pg_connection *c, int64_t deadline_ms)
{
    short ready;
    int left;

    while ((left = c->pq->flush(c->handle)) > 0) {
        if (!wait_for(c, POLLIN | POLLOUT, deadline_ms, &ready))
            return false;
        if ((ready & POLLIN) && !c->pq->consume_input(c->handle))
            break;
    }
    if (left)
        note_failure(c, NULL, c->pq->error_message(c->handle));
    return !left;
}

/* --- answers ---------------------------------------------------------------------------------- */

static bool next_result(struct pg_connection *c, int64_t deadline_ms, struct pg_result **out)
{
    short ready;

    while (c->pq->is_busy(c->handle)) {
        if (!wait_for(c, POLLIN, deadline_ms, &ready))
            return false;
        if (!c->pq->consume_input(c->handle)) {
            note_failure(c, NULL, c->pq->error_message(c->handle));
            return false;
        }
    }
    *out = c->pq->get_result(c->handle);
    return true;
}

/* What a failure means, by its SQLSTATE or the beginning of it. */
static enum pg_outcome meaning_of(const char *sqlstate)
{
    static const struct {
        const char *begins;
        enum pg_outcome means;
    } rows[] = {
        {"22012", PG_MISSED}, /* division by zero: see pg_sql.c */
        {"40001", PG_AGAIN},  /* serialization failure */
        {"40P01", PG_AGAIN},  /* deadlock */
        {"55P03", PG_AGAIN},  /* lock timeout */
        {"57P", PG_LOST},     /* the server ends, or is not ready */
        {"25006", PG_LOST},   /* it is a replica now */
        {"26000", PG_LOST},   /* a prepared statement is gone */
        {"08", PG_LOST},      /* the connection */
    };

    for (size_t i = 0; i < COUNT(rows); i++)
        if (strncmp(sqlstate, rows[i].begins, strlen(rows[i].begins)) == 0)
            return rows[i].means;
    return *sqlstate ? PG_FAILED : PG_LOST;
}

/* The answers to what was sent, as far as they were read. */
struct answers {
    size_t at;         /* in the list of what was sent */
    size_t statements; /* without preparations */
    enum pg_outcome outcome;
    struct pg_result *last;
};

static void take_answer(struct pg_connection *c, struct answers *a, struct pg_result *r)
{
    int status = c->pq->result_status(r);
    unsigned what = a->at < c->sent_count ? c->sent[a->at] : TEXT;
    bool done = status == PG_COMMAND_OK || status == PG_TUPLES_OK;
    const char *sqlstate;

    if (what & PREPARATION)
        c->prepared[what & ~PREPARATION] = done ? PREPARED : NOT_PREPARED;
    if (!done && status != PG_PIPELINE_ABORTED && a->outcome == PG_DONE) {
        sqlstate = c->pq->result_field(r, PG_FIELD_SQLSTATE);
        note_failure(c, sqlstate, c->pq->result_field(r, PG_FIELD_MESSAGE));
        a->outcome = meaning_of(c->sqlstate);
        c->failed_at = a->statements;
    }
    a->statements += !(what & PREPARATION);
    if (a->last)
        c->pq->clear(a->last);
    a->last = r;
}

/* Between two statements' answers there is a NULL; two of them are the end of the connection. */
static void read_answers(struct pg_connection *c, struct answers *a, int64_t deadline_ms)
{
    bool was_null = false;
    struct pg_result *r;

    for (;;) {
        if (!next_result(c, deadline_ms, &r) || (!r && was_null)) {
            a->outcome = PG_LOST;
            return;
        }
        if (!r) {
            a->at++;
        } else if (c->pq->result_status(r) == PG_PIPELINE_SYNC) {
            c->pq->clear(r);
            return;
        } else {
            take_answer(c, a, r);
        }
        was_null = !r;
    }
}

enum pg_outcome pg_connection_finish(struct pg_connection *c, int64_t deadline_ms,
                                     struct pg_result **last)
{
    struct answers a = {.outcome = PG_DONE};

    if (c->broken || c->pq->pipeline_sync(c->handle) != 1) {
        note_failure(c, NULL, c->pq->error_message(c->handle));
        a.outcome = PG_LOST;
    } else if (!flush_all(c, deadline_ms)) {
        a.outcome = PG_LOST;
    } else {
        read_answers(c, &a, deadline_ms);
    }
    c->sent_count = c->sent_statements = 0;
    if (c->pq->status(c->handle) != PG_CONNECTION_OK && a.outcome != PG_DONE)
        a.outcome = PG_LOST;
    if (last)
        *last = a.outcome == PG_DONE ? a.last : NULL;
    if (a.last && (!last || a.outcome != PG_DONE))
        c->pq->clear(a.last);
    if (a.outcome == PG_LOST)
        pg_connection_close(c);
    return a.outcome;
}
