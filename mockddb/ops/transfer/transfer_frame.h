/* transfer_frame.h: where a JSON object ends: the framing of the formats that are JSON. */
#ifndef OPS_TRANSFER_FRAME_H
#define OPS_TRANSFER_FRAME_H

#include "ops/transfer/transfer_format.h"

/* Objects one behind another, with or without blanks between them. */
enum transfer_framing transfer_frame_json(struct transfer_frame *f,
                                          const struct transfer_options *options, struct span text,
                                          bool last);

/* The same, where they may stand in lists as well: [{…},{…}]. */
enum transfer_framing transfer_frame_listed(struct transfer_frame *f,
                                            const struct transfer_options *options,
                                            struct span text, bool last);

/* --- lists ------------------------------------------------------------------------------------ */

/* Where in a list the next record may stand. */
enum transfer_frame_place {
    TRANSFER_FRAME_NO_LIST,
    TRANSFER_FRAME_FIRST,
    TRANSFER_FRAME_BEHIND, /* a record: a comma comes, or the list's end */
    TRANSFER_FRAME_NEXT,   /* behind a comma */
};

/* Takes a list's bracket or comma where one may stand: its place is another one then. */
bool transfer_frame_step(int *place, char c);

#define TRANSFER_FRAME_NO_COMMA "a comma or ] stands behind an element of a list"
#define TRANSFER_FRAME_OPEN     "the text ends within a list"

/* What stands at f->at is wrong. */
enum transfer_framing transfer_frame_wrong(struct transfer_frame *f, const char *problem);

/* Another record begins at f->at, within this one. */
enum transfer_framing transfer_frame_unclosed(struct transfer_frame *f);

#endif
