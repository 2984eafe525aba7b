/* A file of draws in CmdStan's layout that another process writes: each look
 * continues reading where the last one ended. Between calls no file is open. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_tail cs_tail;

/* The known state of the file. Texts are "" if the file lacks them. All
 * [borrowed]. */
typedef struct cs_tail_view {
    const char *path, *arm, *model;
    const char *const *name; /* [columns] lp__ first; none before the header
                              * is complete */
    size_t columns;
    uint64_t id, seed; /* 0: unknown */
    uint64_t rows;     /* complete rows of draws, without a saved warm-up */
    bool ended;        /* the writer has completed the file */
    const char *wrong; /* why nothing after these rows is read, or NULL */
    const char *unreadable; /* why the last look could not open it, or NULL:
                             * "is gone", "is a folder" */
    bool gone;              /* unreadable because the file does not exist */
} cs_tail_view;

/* Changes of the file since the last look. */
typedef enum cs_tail_news {
    CS_TAIL_SAME,
    CS_TAIL_GREW,
    CS_TAIL_CUT, /* content already read has changed or is gone: reopen the
                  * file */
    CS_TAIL_GONE /* it can no longer be opened: see `unreadable` */
} cs_tail_news;

/* Creates the state without reading. [own, cs_tail_close] */
cs_status cs_tail_open(cs_tail **out, const char *path, cs_error *err);
void cs_tail_close(cs_tail *t); /* NULL is allowed */

/* Reads new complete lines. If memory runs out, reports nothing new; the lines
 * are read by the next look. */
cs_tail_news cs_tail_look(cs_tail *t);
/* Does the same up to the header, for a file not yet read. */
void cs_tail_head(cs_tail *t);
cs_tail_view cs_tail_now(const cs_tail *t);

/* Reads row i of those seen into row[columns]; the next row is fast, any other
 * is found within about 64 rows. False: it is not a row of numbers, which is
 * then the file's error, or it can no longer be read. */
bool cs_tail_row(cs_tail *t, uint64_t i, double *row);

/* Returns true if two chains of an arm with the same numbers are the same
 * chain. Runs of this program number their chains; CmdStan numbers every chain
 * started by hand 1, so these are distinguished by their first draws. */
bool cs_tail_is_twin(cs_tail *a, cs_tail *b);
