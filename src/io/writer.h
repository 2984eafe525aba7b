/* A thread that writes draws to their files while sampling continues. Rows wait
 * in one queue of fixed size. The timing of the thread has no effect on the
 * written content, nor on the row after which a full disk stops the writing. */
#pragma once

#include "io/cmdstan.h"

typedef struct cs_writer cs_writer;

/* Creates a writer for rows of at most `columns` numbers. The files are
 * [borrowed] and must not be used by other code until cs_writer_wait. If the
 * system cannot create a thread, the caller's thread writes the rows. */
cs_status cs_writer_create(cs_writer **out, size_t columns, cs_error *err);

/* Queues rows[n][columns] for one file [copied]. Waits while the queue is full.
 * After a failure rows are dropped. */
void cs_writer_rows(cs_writer *w, cs_cmdstan *file, const double *rows,
                    size_t n, size_t columns);

/* Returns the first failure so far, or CS_OK. */
cs_status cs_writer_failure(cs_writer *w, cs_error *err);

/* Waits until all rows have been written, or dropped after a failure. The
 * caller may then use the files until it queues more rows. */
cs_status cs_writer_wait(cs_writer *w, cs_error *err);

/* Waits for the thread and frees the writer. NULL is allowed. */
void cs_writer_destroy(cs_writer *w);
