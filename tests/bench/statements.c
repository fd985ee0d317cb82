/* statements.c: the statements of a store in PostgreSQL without the server around them.
 *
 *   bench_statements CONNINFO SCHEMA get|put|lock SECONDS
 *
 * One connection sends the statements of pg_sql.c, prepared and in binary form, as a store does for
 * a GetItem (get), for a PutItem of a new item of 1 KB with one index (put), and those of a change
 * of one row under its lock, which is what a store is compared with when all change one item
 * (lock). Items are those of the first table of the schema; what is put is in spaces that no table
 * has. Prints the rate and percentiles of the time of one. */
#include "store/pg/pg_sql.h"

#include <libpq-fe.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FIRST_SPACE 16
#define OWN_SPACE   900000000 /* and the next one, for the index */
#define HOT_SPACE   900000002
#define MOST_KEYS   4096
#define BODY        1000
#define MOST_TIMES  4000000

struct key {
    int32_t slot;
    int length;
    char bytes[64];
};

static PGconn *db;
static struct key keys[MOST_KEYS];
static int key_count;
static char body[BODY];

static void fail(const char *doing)
{
    fprintf(stderr, "bench_statements: %s: %s\n", doing, db ? PQerrorMessage(db) : "");
    exit(EXIT_FAILURE);
}

static double now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* Random bits that differ in each process. */
static uint64_t next_random(void)
{
    static uint64_t state;

    if (!state)
        state = (uint64_t)getpid() * 0x9e3779b97f4a7c15u + (uint64_t)now_us();
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* --- one statement ---------------------------------------------------------------------------- */

struct values {
    int count;
    const char *at[8];
    int length[8];
    char number[8][8];
};

static void add_number(struct values *v, int64_t value, int length)
{
    for (int i = 0; i < length; i++)
        v->number[v->count][i] = (char)((uint64_t)value >> 8 * (length - 1 - i));
    v->at[v->count] = v->number[v->count];
    v->length[v->count++] = length;
}

static void add_bytes(struct values *v, const char *bytes, int length)
{
    v->at[v->count] = bytes;
    v->length[v->count++] = length;
}

static void prepare(const char *name, const char *text)
{
    PGresult *done = PQprepare(db, name, text, 0, NULL);

    if (PQresultStatus(done) != PGRES_COMMAND_OK)
        fail(text);
    PQclear(done);
}

static void send_values(const char *name, const struct values *v)
{
    static const int binary[8] = {1, 1, 1, 1, 1, 1, 1, 1};

    if (!PQsendQueryPrepared(db, name, v->count, v->at, v->length, binary, 1))
        fail(name);
}

/* Ends a trip: reads the answers to all that was sent. */
static void finish(void)
{
    PGresult *result;
    int ends = 0;

    if (!PQpipelineSync(db))
        fail("sync");
    while (ends < 2) {
        if (!(result = PQgetResult(db))) {
            ends++;
            continue;
        }
        ends = 0;
        switch (PQresultStatus(result)) {
        case PGRES_PIPELINE_SYNC:
            PQclear(result);
            return;
        case PGRES_COMMAND_OK:
        case PGRES_TUPLES_OK:
            break;
        default:
            fail("a statement");
        }
        PQclear(result);
    }
    fail("the connection");
}

/* --- what is measured ------------------------------------------------------------------------- */

static void send_place(const char *name, int32_t space, const struct key *key)
{
    struct values v = {0};

    add_number(&v, space, 4);
    add_number(&v, key->slot, 4);
    add_bytes(&v, key->bytes, key->length);
    send_values(name, &v);
}

static void get(void)
{
    send_place("get", FIRST_SPACE, &keys[next_random() % (uint64_t)key_count]);
    finish();
}

static void send_add(int32_t space, const struct key *key)
{
    struct values v = {0};

    add_number(&v, space, 4);
    add_number(&v, key->slot, 4);
    add_bytes(&v, key->bytes, key->length);
    add_number(&v, (int64_t)(next_random() >> 1), 8);
    add_number(&v, BODY, 4);
    add_bytes(&v, NULL, 0);
    add_bytes(&v, body, BODY);
    send_values("add", &v);
}

static void send_tally(int32_t space)
{
    struct values v = {0};

    add_number(&v, space, 4);
    add_number(&v, getpid(), 4);
    add_number(&v, 1, 8);
    add_number(&v, BODY, 8);
    add_number(&v, 0, 8);
    send_values("tally", &v);
}

static void put(void)
{
    struct key key = {.slot = (int32_t)next_random(), .length = 24};

    for (int i = 0; i < key.length; i += 8)
        memcpy(key.bytes + i, &(uint64_t){next_random()}, 8);
    send_place("get", OWN_SPACE, &key);
    finish();
    send_add(OWN_SPACE, &key);
    send_add(OWN_SPACE + 1, &key);
    send_tally(OWN_SPACE);
    send_tally(OWN_SPACE + 1);
    finish();
}

static void lock(void)
{
    static const struct key hot = {.slot = 0, .length = 3, .bytes = "hot"};
    struct values none = {0}, v = {0};

    send_values("begin", &none);
    send_place("lock", HOT_SPACE, &hot);
    finish();
    add_number(&v, HOT_SPACE, 4);
    add_number(&v, 0, 4);
    add_bytes(&v, hot.bytes, hot.length);
    add_number(&v, 0, 8); /* any version */
    add_number(&v, (int64_t)(next_random() >> 1), 8);
    add_number(&v, BODY, 4);
    add_bytes(&v, body, BODY);
    send_values("put", &v);
    send_values("commit", &none);
    finish();
}

/* --- before it -------------------------------------------------------------------------------- */

static PGresult *ask(const char *text, int format)
{
    PGresult *rows = PQexecParams(db, text, 0, NULL, NULL, NULL, NULL, format);

    if (PQresultStatus(rows) != PGRES_TUPLES_OK && PQresultStatus(rows) != PGRES_COMMAND_OK)
        fail(text);
    return rows;
}

static void read_keys(void)
{
    char text[120];
    PGresult *rows;

    (void)snprintf(text, sizeof text,
                   "SELECT slot, key FROM entry WHERE space = %d ORDER BY version LIMIT %d",
                   FIRST_SPACE, MOST_KEYS);
    rows = ask(text, 1);
    for (key_count = 0; key_count < PQntuples(rows); key_count++) {
        struct key *key = &keys[key_count];
        const unsigned char *slot = (const unsigned char *)PQgetvalue(rows, key_count, 0);

        key->slot = (int32_t)((uint32_t)slot[0] << 24 | slot[1] << 16 | slot[2] << 8 | slot[3]);
        key->length = PQgetlength(rows, key_count, 1);
        if (key->length > (int)sizeof key->bytes)
            fail("the keys are too long");
        memcpy(key->bytes, PQgetvalue(rows, key_count, 1), (size_t)key->length);
    }
    PQclear(rows);
}

static void set_up(const char *schema)
{
    char text[200];

    (void)snprintf(text, sizeof text, "SET search_path TO \"%s\"", schema);
    PQclear(ask(text, 0));
    PQclear(ask("SET enable_seqscan TO off", 0));
    (void)snprintf(text, sizeof text,
                   "INSERT INTO entry (space, slot, key, version, size, body)"
                   " VALUES (%d, 0, 'hot', 1, 0, '') ON CONFLICT DO NOTHING",
                   HOT_SPACE);
    PQclear(ask(text, 0));
    read_keys();
    prepare("get", pg_sql_text(PG_GET));
    prepare("add", pg_sql_text(PG_ADD));
    prepare("put", pg_sql_text(PG_PUT));
    prepare("tally", pg_sql_text(PG_TALLY_ADD));
    prepare("lock", "SELECT version, size, body FROM entry"
                    " WHERE space = $1 AND slot = $2 AND key = $3 FOR UPDATE");
    prepare("begin", "BEGIN");
    prepare("commit", "COMMIT");
    memset(body, 'x', sizeof body);
    if (!PQenterPipelineMode(db))
        fail("pipeline");
}

static int compare(const void *a, const void *b)
{
    float one = *(const float *)a, other = *(const float *)b;

    return (one > other) - (one < other);
}

int main(int count, char **words)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } kinds[] = {{"get", get}, {"put", put}, {"lock", lock}};
    static float times[MOST_TIMES];
    void (*run)(void) = NULL;
    double begin, end, last;
    size_t done = 0;

    for (size_t i = 0; count == 5 && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(words[3], kinds[i].name) == 0)
            run = kinds[i].run;
    if (!run) {
        fprintf(stderr, "usage: bench_statements CONNINFO SCHEMA get|put|lock SECONDS\n");
        return 2;
    }
    db = PQconnectdb(words[1]);
    if (PQstatus(db) != CONNECTION_OK)
        fail("connecting");
    set_up(words[2]);
    if (run == get && !key_count)
        fail("the schema's first table is empty");
    begin = last = now_us();
    for (end = begin + 1e6 * atof(words[4]); last < end && done < MOST_TIMES; done++) {
        double before = last;

        run();
        last = now_us();
        times[done] = (float)(last - before);
    }
    qsort(times, done, sizeof *times, compare);
    printf("{\"rate\": %.1f, \"p50\": %.1f, \"p99\": %.1f, \"requests\": %zu}\n",
           (double)done / (last - begin) * 1e6, (double)times[done / 2],
           (double)times[done * 99 / 100], done);
    PQfinish(db);
    return EXIT_SUCCESS;
}
