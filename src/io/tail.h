/* One file of draws in CmdStan's layout that somebody else is writing: read on
 * from where it ended before. Between calls no file is open. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_tail cs_tail;

/* What is known of it so far. Texts are "" where the file does not say. All
 * [borrowed]. */
typedef struct cs_tail_view {
    const char *path, *arm, *model;
    const char *const *name; /* [columns] lp__ first; none before the head is
                                whole */
    size_t columns;
    uint64_t id, seed; /* 0: it does not say */
    uint64_t rows;     /* whole rows of draws; a saved warm-up's are none */
    bool ended;        /* the writer has said that this is all */
    const char *wrong; /* why nothing behind these rows is read, or NULL */
    const char *unreadable; /* why the last look could not open it, or NULL: "is
                               gone", "is a folder" */
    bool gone;              /* it is unreadable as there is no such file */
} cs_tail_view;

/* What has happened to it since it was looked at last. */
typedef enum cs_tail_news {
    CS_TAIL_SAME,
    CS_TAIL_GREW,
    CS_TAIL_CUT, /* what was read is not there any more, or is another file:
                    open it anew */
    CS_TAIL_GONE /* it cannot be opened any more: `unreadable` says why */
} cs_tail_news;

/* Nothing is read yet. [own, cs_tail_close] */
cs_status cs_tail_open(cs_tail **out, const char *path, cs_error *err);
void cs_tail_close(cs_tail *t); /* NULL is fine */

/* Reads what is new, whole lines alone. Out of memory counts as nothing new:
 * it is read the next time. */
cs_tail_news cs_tail_look(cs_tail *t);
/* The same, as far as its head: of a file of which nothing was read yet. */
void cs_tail_head(cs_tail *t);
cs_tail_view cs_tail_now(const cs_tail *t);

/* Row i of those that were seen, row[columns]; the next one is soon read, any
 * other one found in about 64 rows. False: it is no row of numbers, which is then
 * wrong with the file, or cannot be read (any more). */
bool cs_tail_row(cs_tail *t, uint64_t i, double *row);

/* Whether two chains of an arm that say the same of themselves are one. A run of
 * this program numbers its chains; CmdStan calls each chain 1 that was started by
 * hand: those are told apart by their first draws. Of two chains of one arm. */
bool cs_tail_is_twin(cs_tail *a, cs_tail *b);
