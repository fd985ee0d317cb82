/* transfer_frame.h: where a JSON object ends: the framing of the formats that are JSON. */
#ifndef OPS_TRANSFER_FRAME_H
#define OPS_TRANSFER_FRAME_H

#include "ops/transfer/transfer_format.h"

/* Objects one behind another, with or without blanks between them. */
enum transfer_framing transfer_frame_json(struct transfer_frame *f,
                                          const struct transfer_options *options, struct span text,
                                          bool last);

/* What stands at f->at is wrong. */
enum transfer_framing transfer_frame_wrong(struct transfer_frame *f, const char *problem);

#endif
