/* The table columns that a term reads. They are stored twice: in chunks of
 * rows, column by column, for passes over all rows; and row by row, for access
 * to single rows. */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct cs_columns {
    size_t rows, width; /* rows: number of rows; width: numbers per row */
    size_t chunk;       /* number of rows per chunk; the last chunk may have
                         * fewer */
    size_t stride;      /* distance between rows, in numbers; a multiple of a
                           cache line */
    double *column;     /* [own] chunk by chunk, each [width][lanes] */
    double *row;        /* [own] [rows][stride] */
} cs_columns;

/* A chunk of rows. The lanes after the first `live` lanes hold copies of the
 * chunk's last row. */
typedef struct cs_chunk {
    double *column; /* [width][lanes] */
    size_t first, live, lanes;
} cs_chunk;

/* Allocates the table. [own, cs_columns_free] */
cs_status cs_columns_create(size_t rows, size_t width, size_t chunk,
                            cs_columns *out, cs_error *err);
void cs_columns_free(cs_columns *c);

size_t cs_columns_chunks(const cs_columns *c);
cs_chunk cs_columns_chunk(const cs_columns *c, size_t k);

/* Prefetches chunk k, which a pass will read next, if the table is larger than
 * the near caches. */
void cs_columns_prefetch_chunk(const cs_columns *c, size_t k);

/* Copies the contents of the chunks to the rows. */
void cs_columns_finish(cs_columns *c);

/* Copies rows index[n], n <= lanes, to the array to[width][lanes]. `lanes` must
 * be a multiple of CS_PAD; the remaining lanes hold copies of the last row. */
void cs_columns_gather(const cs_columns *c, const uint32_t *index, size_t n,
                       size_t lanes, double *to);

/* Prefetches rows that will be gathered soon. */
void cs_columns_prefetch_rows(const cs_columns *c, const uint32_t *index,
                              size_t n);

/* The variants of cs_columns_gather, one per instruction set. */
typedef struct cs_gather_ops {
    void (*gather)(const cs_columns *c, const uint32_t *index, size_t n,
                   size_t lanes, double *to);
} cs_gather_ops;
