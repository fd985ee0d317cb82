/* transfer_frame.h: finds the end of a JSON object, for the JSON formats. */
#pragma once

#include "ops/transfer/transfer_format.h"

/* Frames objects one after another, with or without blanks between them. */
enum transfer_framing transfer_frame_json(struct transfer_frame *f,
                                          const struct transfer_options *options, struct span text,
                                          bool last);

/* Like transfer_frame_json, but objects may also be in lists: [{…},{…}]. */
enum transfer_framing transfer_frame_listed(struct transfer_frame *f,
                                            const struct transfer_options *options,
                                            struct span text, bool last);

/* --- lists ------------------------------------------------------------------------------------ */

/* The position of the next record in a list. */
enum transfer_frame_place {
    TRANSFER_FRAME_NO_LIST,
    TRANSFER_FRAME_FIRST,
    TRANSFER_FRAME_BEHIND, /* behind a record: a comma or the list's end must follow */
    TRANSFER_FRAME_NEXT,   /* behind a comma */
};

/* Takes a bracket or comma of a list and moves *place; false if it may not be here. */
bool transfer_frame_step(int *place, char c);

#define TRANSFER_FRAME_NO_COMMA "expected a comma or ] after a list element"
#define TRANSFER_FRAME_OPEN     "the text ends within a list"

/* Reports a problem at f->at. */
enum transfer_framing transfer_frame_wrong(struct transfer_frame *f, const char *problem);

/* Reports that another record begins at f->at, within this one. */
enum transfer_framing transfer_frame_unclosed(struct transfer_frame *f);
