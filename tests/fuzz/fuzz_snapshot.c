/* fuzz_snapshot.c: files that are loaded as snapshots, whoever wrote them. The input changes a good
 * one: its first byte says whether the end of the file is made right again, and each four bytes
 * after it are a place, 24 bits, and the byte that goes there. */
#include "fuzz.h"

#include "base/digest.h"
#include "base/file.h"
#include "support/offline_server.h"
#include "support/snapshot_whole.h"

#include <unistd.h>

#define TAIL_LEN 88
#define SUM_AT   40
#define TABLE                                                                        \
    "{'TableName':'Tab','BillingMode':'PAY_PER_REQUEST','AttributeDefinitions':["    \
    "{'AttributeName':'pk','AttributeType':'S'},{'AttributeName':'n',"               \
    "'AttributeType':'N'}],'KeySchema':[{'AttributeName':'pk','KeyType':'HASH'}],"   \
    "'GlobalSecondaryIndexes':[{'IndexName':'byN','KeySchema':[{'AttributeName':'n'" \
    ",'KeyType':'HASH'}],'Projection':{'ProjectionType':'ALL'}}],"                   \
    "'StreamSpecification':{'StreamEnabled':true,'StreamViewType':'NEW_IMAGE'}}"
#define ITEM "{'TableName':'Tab','Item':{'pk':{'S':'a'},'n':{'N':'1'},'m':{'M':{}}}}"

static int send(struct offline_server *s, const char *operation, const char *body)
{
    struct span answer;

    return offline_server_send(s, span_of(operation), fuzz_json(s->arena, body), &answer);
}

static char *write_good(struct offline_server *s, const char *path, size_t *len)
{
    const struct world_state state = {.store = s->store};
    struct span bytes;
    char *copy;

    must(send(s, "CreateTable", TABLE) == 200 && send(s, "PutItem", ITEM) == 200, "a store fills");
    must(!snapshot_whole_write(s->arena, path, SPAN_LIT("s"), &state, OFFLINE_NOW_MS),
         "a snapshot is written");
    must(file_read(s->arena, path, &bytes) && bytes.len > TAIL_LEN, "it can be read");
    copy = arena_alloc(s->arena, bytes.len);
    memcpy(copy, bytes.at, bytes.len);
    *len = bytes.len;
    return copy;
}

static void change(char *file, size_t len, const uint8_t *data, size_t size)
{
    for (size_t i = 1; i + 3 < size; i += 4) {
        size_t at = (size_t)data[i] << 16 | (size_t)data[i + 1] << 8 | data[i + 2];

        file[at % len] = (char)data[i + 3];
    }
    if (size && data[0] & 1)
        digest_sha256((struct span){file, len - TAIL_LEN + SUM_AT},
                      (unsigned char *)file + len - TAIL_LEN + SUM_AT);
}

static void write_file(const char *path, const char *bytes, size_t len)
{
    FILE *f = fopen(path, "w");

    must(f && fwrite(bytes, 1, len, f) == len && fclose(f) == 0, "a file is written");
}

/* What was let in can be worked with, whatever it is. */
static void use(struct offline_server *s, struct store *store)
{
    store_free(s->store);
    s->store = store;
    dispatch_set_store(s->dispatcher, store);
    for (int i = 0; i < 20 && dispatch_idle(s->dispatcher); i++)
        continue;
    (void)send(s, "ListTables", "{}");
    (void)send(s, "DescribeTable", "{'TableName':'Tab'}");
    (void)send(s, "Scan", "{'TableName':'Tab'}");
    (void)send(s, "Scan", "{'TableName':'Tab','IndexName':'byN'}");
    (void)send(s, "PutItem", ITEM);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/mockddb-fuzz.XXXXXX";
    struct arena *a = arena_new();
    struct snapshot loaded;
    struct offline_server s;
    size_t len;
    char *file;
    int fd = mkstemp(path);

    must(fd >= 0, "a file can be made");
    (void)close(fd);
    offline_server_open(&s, a, &(struct offline_options){.seed = 1});
    file = write_good(&s, path, &len);
    change(file, len, data, size);
    write_file(path, file, len);
    if (!snapshot_whole_load(a, path, &loaded))
        use(&s, loaded.state.store);
    offline_server_close(&s);
    (void)unlink(path);
    arena_free(a);
    return 0;
}
