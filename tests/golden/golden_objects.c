#include "golden_objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/packed.h"
#include "golden_match.h"
#include "support/file_tree.h"

#define PATH_SIZE 512

static char root[] = "/tmp/mockddb-golden-XXXXXX";
static char here[PATH_SIZE]; /* where this case's buckets are */
static bool made;
static unsigned cases;

struct buckets *golden_objects_new(void)
{
    if (!made && !mkdtemp(root))
        exit(2);
    made = true;
    (void)snprintf(here, sizeof here, "%s/%u", root, ++cases);
    return buckets_new(here);
}

const char *golden_objects_path(void)
{
    return here;
}

void golden_objects_end(void)
{
    if (made && !file_tree_remove(root))
        (void)fprintf(stderr, "golden: %s stays\n", root);
}

static const char *text_of(const cJSON *step, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(step, name));
}

static void make_bucket(struct arena *a, const char *name)
{
    if (mkdir(arena_printf(a, "%s/%s", here, name), 0777) != 0)
        exit(2);
}

/* Text is packed as the name's ending says; "packed" false leaves it. */
static struct span packed_text(struct arena *a, const cJSON *step, const char *path)
{
    const cJSON *packs = cJSON_GetObjectItemCaseSensitive(step, "packed");
    struct packed_writer *w = packed_writer_new(
        cJSON_IsFalse(packs) ? PACKED_NOT : packed_form_of_name(span_of(path)));
    struct buf out = buf_in(a);

    packed_add(w, &out, span_of(text_of(step, "text")));
    packed_writer_free(w);
    return buf_span(&out);
}

static struct span unpacked(struct arena *a, struct span packed, const char *path)
{
    struct packed_reader *r = packed_reader_new(packed_form_of_name(span_of(path)));
    struct buf out = buf_in(a);
    const char *problem = NULL;
    size_t len = 1;

    while (!problem && (packed.len || len)) {
        problem = packed_read(r, &packed, buf_reserve(&out, 4096), 4096, &len);
        out.len += len;
    }
    packed_reader_free(r);
    return problem ? span_of(problem) : buf_span(&out);
}

/* As the step has it: "text" as it is, "json" parsed; null: there is no such object. */
static bool object_matches(struct arena *a, const cJSON *step, cJSON *saved, const char *title)
{
    const char *path = text_of(step, "object");
    const cJSON *want_text = cJSON_GetObjectItemCaseSensitive(step, "text");
    const cJSON *want_json = cJSON_GetObjectItemCaseSensitive(step, "json");
    char at[PATH_SIZE] = "";
    struct span text;
    cJSON *given;
    bool well;

    if (!file_read(a, arena_printf(a, "%s/%s", here, path), &text)) {
        well = cJSON_IsNull(want_text);
        if (!well)
            printf("FAIL %s: there is no object %s\n", title, path);
        return well;
    }
    text = unpacked(a, text, path);
    given = want_json ? cJSON_ParseWithLength(text.at, text.len)
                      : cJSON_CreateString(arena_text(a, text));
    well = golden_match(want_json ? want_json : want_text, given, saved, at);
    if (!well)
        printf("FAIL %s: object %s: %s\n    got  %.*s\n", title, path, at, SPAN_ARG(text));
    cJSON_Delete(given);
    return well;
}

bool golden_objects_run(struct arena *a, struct buckets *buckets, const cJSON *step, cJSON *saved,
                        const char *title, bool *well)
{
    const char *bucket = text_of(step, "make_bucket"), *path = text_of(step, "put_object");
    const struct folder *f;

    if (!bucket && !path && !text_of(step, "object"))
        return false;
    f = buckets_folder(buckets);
    *well = f != NULL;
    if (bucket)
        make_bucket(a, bucket);
    else if (path)
        *well = folder_put(f, span_of(path), SPAN_LIT(".aside"), packed_text(a, step, path));
    else
        *well = object_matches(a, step, saved, title);
    return true;
}
