/* moving_report.h: the result of moving items. */
#pragma once

#include "moving/moving_digest.h"

/* An item that was not put, or an invalid record. */
struct moving_refusal {
    const char *file;
    size_t line, column; /* 0: unknown */
    struct span message, text;
};

/* The totals. */
struct moving_report {
    uint64_t items, deleted, refused; /* items: the number put */
    uint64_t expired;                 /* of them, how many had expired when they were put */
    int64_t first_due_ms; /* when the first of the expired items was due; 0: none has expired */
    struct span head; /* text that must precede the current text's records if they are read alone */
    /* Items are read back from their tables and compared with what was sent; those that are equal
     * are added here. NULL: they are not read. */
    struct moving_digest *compared;
    bool keeps_text; /* refusals of the service have the item's text */
    bool stops;      /* the first refusal is an error: nothing more is put */
    void (*tell)(struct moving_report *r, const struct moving_refusal *refusal); /* may be NULL */
    /* Reports information such as inferred types; may be NULL. */
    void (*note)(struct moving_report *r, const char *text);
};

/* Counts the refusal, and passes it to `tell`. Returns NULL, or the error, "line 3: …". */
MUST_CHECK const char *moving_report_refuse(struct moving_report *r, struct arena *a,
                                            const struct moving_refusal *refusal);

/* Passes "FILE: …" to `note`. */
PRINTF_LIKE(4, 5)
void moving_report_note(struct moving_report *r, struct arena *a, const char *file,
                        const char *format, ...);
