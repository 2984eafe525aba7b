/* The columns of a table that a term reads, twice: in chunks of rows, column
 * by column, to pass over all of them; and row by row, to pick some. */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef struct cs_columns {
    size_t rows, width; /* numbers of a row */
    size_t chunk;       /* rows of a chunk; the last may have fewer */
    size_t stride;      /* from row to row, whole lines of a cache */
    double *column;     /* [own] chunk by chunk [width][lanes] */
    double *row;        /* [own] [rows][stride] */
} cs_columns;

/* One chunk: its lanes beyond `live` hold copies of its last row. */
typedef struct cs_chunk {
    double *column; /* [width][lanes] */
    size_t first, live, lanes;
} cs_chunk;

/* Room for the rows. [own, cs_columns_free] */
cs_status cs_columns_create(size_t rows, size_t width, size_t chunk,
                            cs_columns *out, cs_error *err);
void cs_columns_free(cs_columns *c);

size_t cs_columns_chunks(const cs_columns *c);
cs_chunk cs_columns_chunk(const cs_columns *c, size_t k);

/* Prefetches chunk k, which a pass will read next, of a table that is larger
 * than the near caches. */
void cs_columns_prefetch_chunk(const cs_columns *c, size_t k);

/* Copies what the chunks hold into the rows. */
void cs_columns_finish(cs_columns *c);

/* to[width][lanes] = rows index[n], n <= lanes, lanes a multiple of CS_PAD;
 * what is left over holds copies of the last. */
void cs_columns_gather(const cs_columns *c, const uint32_t *index, size_t n,
                       size_t lanes, double *to);

/* Prefetches these rows, which will be gathered soon. */
void cs_columns_prefetch_rows(const cs_columns *c, const uint32_t *index,
                              size_t n);

/* The variants of the above, one for each instruction set. */
typedef struct cs_gather_ops {
    void (*gather)(const cs_columns *c, const uint32_t *index, size_t n,
                   size_t lanes, double *to);
} cs_gather_ops;
