/* mcp.h: messages of the Model Context Protocol in, replies out; needs no socket.
 *
 * Two texts of the protocol are spoken: that of 2026-07-28, in which each request says all of it,
 * and those with a handshake up to 2025-11-25. No state is kept between messages, in either.
 *
 * A message is worked on in steps: it may ask for requests to the verbs under /_mockddb/, which the
 * caller makes, over HTTP or in this process. docs/mcp.md. */
#pragma once

#include "base/buf.h"
#include "mcp/mcp_host.h"

#define MCP_MESSAGE_BYTES ((size_t)4 << 20) /* of one message; a longer one is refused */

/* How a transport found the message, for what the texts say about it. */
struct mcp_envelope {
    bool is_http;
    const char *version, *method, *name; /* the headers Mcp-Protocol-Version, Mcp-Method and
                                            Mcp-Name, or NULL */
};

struct mcp_message;

/* Begins work on a message. The text is copied, the options are borrowed. `number` is different for
 * each message, and no client can guess it. */
struct mcp_message *mcp_new(const struct mcp_options *options, const struct mcp_envelope *envelope,
                            struct span text, uint64_t number);
void mcp_free(struct mcp_message *m); /* m may be NULL */

/* Works on the message. Returns the next request to make, valid until mcp_take or mcp_free; or
 * NULL: the reply is complete. `now_us`: microseconds since an arbitrary moment; a call that takes
 * longer than the options allow makes no more requests, but those that clean up. */
const struct mcp_request *mcp_step(struct mcp_message *m, int64_t now_us);

/* The moment at which the request's work has to be ended (mcp_end); 0: it has no end. */
int64_t mcp_until_us(const struct mcp_message *m);

/* The answer to that request, which is copied; with a problem, why there is no answer. */
void mcp_take(struct mcp_message *m, const struct mcp_answer *answer, const char *problem);
/* The request's work was ended, since its time was over. */
void mcp_end(struct mcp_message *m);

/* The reply, on one line without its end; empty if the message wants none. Valid until mcp_free. */
struct span mcp_reply(const struct mcp_message *m);
/* HTTP's status of the reply. */
int mcp_status(const struct mcp_message *m);
