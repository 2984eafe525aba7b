/* A thread that takes draws to their files while more are made. Rows wait in
 * one queue of fixed size, so that what is written, and where a full disk stops
 * it, does not depend on when the thread comes to it. */
#pragma once

#include "io/cmdstan.h"

typedef struct cs_writer cs_writer;

/* For draws of at most `columns`. The files are [borrowed] and the writer's
 * until cs_writer_wait. Where the system refuses a thread, rows are written by
 * the caller. */
cs_status cs_writer_create(cs_writer **out, size_t columns, cs_error *err);

/* rows[n][columns] for one file [copied]. Waits while the queue is full; after
 * a failure they are dropped. */
void cs_writer_rows(cs_writer *w, cs_cmdstan *file, const double *rows,
                    size_t n, size_t columns);

/* The first failure up to now. */
cs_status cs_writer_failure(cs_writer *w, cs_error *err);

/* Returns when the files have all rows, or no more are taken: the same, and the
 * caller may use the files until he hands more rows on. */
cs_status cs_writer_wait(cs_writer *w, cs_error *err);

/* Waits, and frees. NULL is fine. */
void cs_writer_destroy(cs_writer *w);
