#include "ops/read/read_index.h"

static void add_name(struct name_list *names, struct span name)
{
    for (size_t i = 0; i < names->len; i++)
        if (span_equal(names->at[i], name))
            return;
    names->at[names->len++] = name;
}

struct name_list read_index_projected(struct arena *a, const struct expr_projection *p)
{
    struct name_list names = {arena_array(a, p->len, sizeof(struct span)), 0};

    for (size_t i = 0; i < p->len; i++)
        add_name(&names, p->paths[i].at[0].name);
    return names;
}

struct name_list read_index_names(struct arena *a, const struct table *t, const struct index *ix)
{
    const struct key_schema *schemas[] = {&t->keys, &ix->keys};
    struct name_list names = {arena_array(a,
                                          COUNT(schemas) * 2 * LIMIT_KEY_PARTS + ix->include_count,
                                          sizeof(struct span)),
                              0};
    const struct key_part *part;

    for (size_t i = 0; i < COUNT(schemas); i++)
        for (size_t k = 0; (part = schema_key_part(schemas[i], k)); k++)
            add_name(&names, part->name);
    for (size_t i = 0; i < ix->include_count; i++)
        add_name(&names, ix->include[i]);
    return names;
}

bool read_index_holds(const struct table *t, const struct index *ix, const struct name_list *names)
{
    for (size_t i = 0; i < names->len; i++)
        if (!schema_projects(t, ix, names->at[i]))
            return false;
    return true;
}

void read_index_drop(const struct table *t, const struct index *ix, struct name_list *names)
{
    size_t all = names->len;

    names->len = 0;
    for (size_t i = 0; i < all; i++)
        if (schema_projects(t, ix, names->at[i]))
            names->at[names->len++] = names->at[i];
}

/* The names that the index does not have, separated by commas; empty if it has all. */
static struct span missing_names(struct arena *a, const struct table *t, const struct index *ix,
                                 const struct name_list *names)
{
    struct buf list = buf_in(a);

    for (size_t i = 0; i < names->len; i++) {
        if (schema_projects(t, ix, names->at[i]))
            continue;
        if (list.len)
            buf_add_text(&list, ", ");
        buf_add_span(&list, names->at[i]);
    }
    return buf_span(&list);
}

const struct error *read_index_no_scan(struct arena *a)
{
    return error_caused(a, ERROR_VALIDATION, ERROR_WHY(CAUSE_VECTOR_INDEX),
                        "Scan operation not supported on this index type");
}

const struct error *read_index_check_built(struct arena *a, const struct index *ix)
{
    /* An index that is deleted during its backfill is incomplete. */
    bool built = ix->status == STATUS_DELETING ? ix->backfilled : ix->status != STATUS_CREATING;

    if (!ix->global || built)
        return NULL;
    return error_caused(a, ERROR_VALIDATION, ERROR_WHY(CAUSE_INDEX_BUSY, .operand = ix->name),
                        "Cannot read from backfilling global secondary index: %.*s",
                        SPAN_ARG(ix->name));
}

static const struct error *not_held(struct arena *a, const struct index *ix, struct span names,
                                    const struct error *e)
{
    return error_because(a, e, ERROR_WHY(CAUSE_NOT_HELD, .operand = names, .beside = ix->name));
}

const struct error *read_index_check_projection(struct arena *a, const struct table *t,
                                                const struct index *ix,
                                                const struct expr_projection *p)
{
    struct name_list names;
    struct span missing;

    if (!ix->global)
        return NULL;
    names = read_index_projected(a, p);
    missing = missing_names(a, t, ix, &names);
    if (!missing.len)
        return NULL;
    return not_held(a, ix, missing,
                    error_parameter(a, "Global secondary index %.*s does not project [%.*s]",
                                    SPAN_ARG(ix->name), SPAN_ARG(missing)));
}

const struct error *read_index_check_filter(struct arena *a, const struct table *t,
                                            const struct index *ix, const struct name_list *names)
{
    struct span missing = missing_names(a, t, ix, names);

    if (!missing.len)
        return NULL;
    return not_held(
        a, ix, missing,
        error_parameter(
            a, "Secondary index %.*s does not project one or more filter attributes: [%.*s]",
            SPAN_ARG(ix->name), SPAN_ARG(missing)));
}
