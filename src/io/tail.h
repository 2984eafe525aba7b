/* Reads a file of draws in CmdStan's layout while another process writes it.
 * Each call of cs_tail_look continues where the previous call ended. No file is
 * open between calls. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cs_tail cs_tail;

/* The state of the file as read so far. A string that is missing from the file
 * is "". All pointers are [borrowed]. */
typedef struct cs_tail_view {
    const char *path, *arm, *model;
    const char *const *name; /* [columns] column names, lp__ first; NULL until
                              * the header is complete */
    size_t columns;
    uint64_t id, seed; /* id and seed in the header; 0: unknown */
    uint64_t planned;  /* number of draws that the header of another program
                        * promises; 0: unknown */
    uint64_t rows;     /* number of complete rows of draws; a saved warm-up is
                        * not counted */
    bool ended;        /* true if the writer has completed the file */
    bool complete;     /* true if the file will not grow: it has ended, or has
                        * rows of doubles */
    const char *wrong; /* reason why the rest of the file is not read, or
                        * NULL */
    const char *unreadable; /* reason why the last look could not open the file
                             * ("is gone", "is a folder"), or NULL */
    bool gone;              /* true if the file is unreadable because it does
                             * not exist */
} cs_tail_view;

/* Changes of the file since the last look. */
typedef enum cs_tail_news {
    CS_TAIL_SAME,
    CS_TAIL_GREW,
    CS_TAIL_CUT, /* content that was already read has changed or is gone: reopen
                  * the file */
    CS_TAIL_GONE /* the file can no longer be opened: see `unreadable` */
} cs_tail_news;

/* Creates the state without reading the file. [own, cs_tail_close] */
cs_status cs_tail_open(cs_tail **out, const char *path, cs_error *err);
void cs_tail_close(cs_tail *t); /* NULL is allowed */

/* Reads new complete lines. If memory runs out, returns CS_TAIL_SAME; the next
 * call reads these lines. */
cs_tail_news cs_tail_look(cs_tail *t);
/* Reads the header of a file that was not yet read. */
void cs_tail_head(cs_tail *t);
cs_tail_view cs_tail_now(const cs_tail *t);

/* Reads row i of the rows found so far into row[columns]. Reading the next row
 * is fast. Reading any other row takes longer, because about 64 rows are read
 * before row i. Returns false if the row can no longer be read. Also returns
 * false if the line is not a row of numbers; the file then has this error. */
bool cs_tail_row(cs_tail *t, uint64_t i, double *row);

/* Returns true if two files of an arm contain one chain. Both files must have
 * the same chain number. Runs of this program number their chains. CmdStan,
 * however, gives the number 1 to every chain that is started separately, so the
 * first draws are compared to distinguish such chains. */
bool cs_tail_is_twin(cs_tail *a, cs_tail *b);
