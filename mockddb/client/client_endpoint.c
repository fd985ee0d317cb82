#include "client/client_endpoint.h"

#include "base/terminal.h"
#include "client/client_http.h"
#include "client/client_profile.h"

#include <strings.h>

/* The environment variable that names the server, or NULL. */
static const char *naming_variable(bool streams)
{
    static const char *const variables[][2] = {
        {"AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL"},
        {"AWS_ENDPOINT_URL_DYNAMODB_STREAMS", "AWS_ENDPOINT_URL"},
    };
    const char *ignored = client_profile_variable("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS");

    if (ignored && strcasecmp(ignored, "true") == 0)
        return NULL;
    for (size_t i = 0; i < COUNT(variables[streams]); i++)
        if (client_profile_variable(variables[streams][i]))
            return variables[streams][i];
    return NULL;
}

static const char *take_variable(struct arena *a, const struct client_endpoint_question *q,
                                 const char *name, struct client_endpoint *out)
{
    const char *problem;
    bool is_here;

    out->url = client_profile_variable(name);
    if ((problem = client_http_check(a, out->url, &is_here)))
        return arena_printf(a, "%s: %s", name, problem);
    if (q->writes && !is_here)
        return arena_printf(a,
                            "%s names %s, which is not this machine: to write there, give "
                            "--endpoint",
                            name, out->url);
    out->note = arena_printf(a, "asking %s, which %s names", out->url, name);
    return NULL;
}

const char *client_endpoint_find(struct arena *a, const struct client_endpoint_question *q,
                                 struct client_endpoint *out)
{
    const char *name, *problem = NULL;
    bool is_here = false;

    *out = (struct client_endpoint){.url = q->option};
    if (q->option) {
        if (q->pasted && strcmp(q->pasted, q->option) != 0)
            out->note = arena_printf(a, "asking %s, not --endpoint-url %s", q->option, q->pasted);
        return NULL;
    }
    if (q->pasted && (problem = client_http_check(a, q->pasted, &is_here)))
        return arena_printf(a, "--endpoint-url: %s", problem);
    if (is_here) {
        out->url = q->pasted;
        out->note = arena_printf(a, "asking %s, which --endpoint-url names", out->url);
        return NULL;
    }
    out->url = CLIENT_ENDPOINT_DEFAULT;
    if ((name = naming_variable(q->streams))) {
        problem = take_variable(a, q, name, out);
    } else if (q->otherwise) {
        out->url = q->otherwise;
        out->note = arena_printf(a, "asking %s", out->url);
    }
    if (q->pasted && !problem)
        out->note = arena_printf(a, "asking %s: --endpoint-url %s is not this machine", out->url,
                                 q->pasted);
    return problem;
}

const char *client_endpoint_of_service(struct arena *a, const char *region)
{
    return arena_printf(a, "https://dynamodb.%s.amazonaws.com%s", region,
                        strncmp(region, "cn-", 3) == 0 ? ".cn" : "");
}

const char *client_endpoint_choose(struct arena *a, const char *program,
                                   const struct client_endpoint_question *q, const char **url)
{
    struct client_endpoint found;
    const char *problem = client_endpoint_find(a, q, &found);

    if (!problem && found.note)
        terminal_say("%s: %s\n", program, found.note);
    *url = found.url;
    return problem;
}
