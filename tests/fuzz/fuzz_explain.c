/* fuzz_explain.c: explanations of whole requests: an operation on the first line, its body on the
 * second. The tables are those of the cases in tests/explain, with a few items.
 *
 * The reply is the one that an unexplained request gets, the explanation is JSON, its text has the
 * reason in its first line, and nothing that looking into it tried has changed anything. */
#include "fuzz.h"

#include "explain/explain.h"
#include "support/offline_server.h"
#include "support/store_check.h"
#include "wire/wire_node.h"

#define KEYS                                                                                \
    "'BillingMode':'PAY_PER_REQUEST','KeySchema':[{'AttributeName':'pk','KeyType':'HASH'}," \
    "{'AttributeName':'sk','KeyType':'RANGE'}],"
#define STRING(name) "{'AttributeName':'" name "','AttributeType':'S'}"
#define INDEX(name, hash, projection)                                                      \
    "{'IndexName':'" name "','KeySchema':[{'AttributeName':'" hash "','KeyType':'HASH'}]," \
    "'Projection':{'ProjectionType':'" projection "'}}"

static const char *const setup[][2] = {
    {"CreateTable", "{'TableName':'prod-EcomIndexerJobsTable'," KEYS
                    "'AttributeDefinitions':[" STRING("pk") "," STRING("sk") "," STRING(
                        "job_id") "],"
                                  "'GlobalSecondaryIndexes':[" INDEX("GSI_JobLookup_v2", "job_id",
                                                                     "KEYS_ONLY") "]}"},
    {"CreateTable", "{'TableName':'prod-EcomIndexSettingsTable'," KEYS
                    "'AttributeDefinitions':[" STRING("pk") "," STRING("sk") "," STRING(
                        "shopify_domain") "],"
                                          "'GlobalSecondaryIndexes':[" INDEX(
                                              "GSI_ShopifyDomain", "shopify_domain", "ALL") "]}"},
    {"CreateTable", "{'TableName':'prod-ShopifyEntitiesTable'," KEYS
                    "'AttributeDefinitions':[" STRING("pk") "," STRING("sk") "]}"},
    {"UpdateTimeToLive", "{'TableName':'prod-EcomIndexerJobsTable','TimeToLiveSpecification':"
                         "{'AttributeName':'ttl','Enabled':true}}"},
    {"PutItem", "{'TableName':'prod-EcomIndexerJobsTable','Item':{'pk':{'S':'PLATFORM#shopify#SHOP#"
                "kl7a9h55-shopify-e513a8-4'},'sk':{'S':'JOB#2026-09-23#1'},'job_id':{'S':'j-1'},"
                "'job_type':{'S':'BULK'},'total_items':{'N':'12'},'ttl':{'N':'1790000000'}}}"},
    {"PutItem",
     "{'TableName':'prod-EcomIndexSettingsTable','Item':{'pk':{'S':'kl7a9h55'},'sk':{'S':"
     "'INDEX#shopify-e513a8-4'},'shopify_domain':{'S':'e513a8-4.myshopify.com'},"
     "'index_name':{'S':'shopify-e513a8-4'}}}"},
    {"PutItem",
     "{'TableName':'prod-EcomIndexSettingsTable','Item':{'pk':{'S':'kl7a9h55'},'sk':{'S':"
     "'INDEX#products'},'index_name':{'S':'products'}}}"},
    {"PutItem", "{'TableName':'prod-ShopifyEntitiesTable','Item':{'pk':{'S':"
                "'SHOP#cool-store.myshopify.com'},'sk':{'S':'SETTINGS'},'entity_type':{'S':"
                "'SETTINGS'},'scope':{'SS':['read_products','write_orders']},'n':{'N':'1'}}}"},
};

static void open_server(struct offline_server *s, struct arena *a)
{
    struct span answer;

    offline_server_open(s, a, &(struct offline_options){.seed = 1});
    for (size_t i = 0; i < COUNT(setup); i++)
        must(offline_server_send(s, span_of(setup[i][0]), fuzz_json(a, setup[i][1]), &answer) ==
                 200,
             "the tables of the target can be made");
}

/* The reply to the request, which is kept in the arena; explained where `out` is given. */
static struct span reply_of(struct offline_server *s, const struct request *request, int *status,
                            struct explanation *out)
{
    struct reply reply;

    if (out)
        explain_dispatch(s->dispatcher, &(const struct explain_context){.calls_a_day = 10},
                         s->arena, request, &reply, out);
    else
        dispatch(s->dispatcher, request, &reply);
    *status = reply.status;
    return arena_span(s->arena, reply.body);
}

static void check(struct arena *a, const struct explanation *e)
{
    const wire_node *root;
    struct span reason;

    must(!wire_parse(a, e->json, &root), "an explanation is JSON");
    reason = wire_text(wire_get(root, "reason"));
    must(!reason.len || span_starts_with(e->text, SPAN_LIT("why: ")), "the reason comes first");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct span rest = fuzz_input(a, data, size), operation = fuzz_line(&rest);
    struct request request = {.body = rest};
    struct offline_server plain, explained;
    struct explanation explanation;
    int status, other_status;
    struct span reply, other;
    const char *problem;

    request.target = span_of(arena_printf(a, "DynamoDB_20120810.%.*s", SPAN_ARG(operation)));
    open_server(&plain, a);
    reply = reply_of(&plain, &request, &status, NULL);
    offline_server_close(&plain);
    open_server(&explained, a);
    other = reply_of(&explained, &request, &other_status, &explanation);
    must(status == other_status && span_equal(reply, other), "a reply is as without explanation");
    check(a, &explanation);
    problem = store_check(explained.store, a);
    must(!problem, problem ? problem : "the store agrees with itself");
    offline_server_close(&explained);
    arena_free(a);
    return 0;
}
