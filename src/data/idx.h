/* Arrays of bytes in the IDX format, in which MNIST and its like are given:
 * two zero bytes, the kind of number (8: bytes), how many sizes there are,
 * each size in four bytes, the largest first, then the numbers row by row.
 * (Y. LeCun, C. Cortes, C. Burges, The MNIST database.) */
#ifndef CS_DATA_IDX_H
#define CS_DATA_IDX_H

#include "base/status.h"

#include <stddef.h>

enum { CS_IDX_SIZES = 4 };

/* byte[size[0]][size[1]] ...: images [n][rows][columns], labels [n]. */
typedef struct cs_idx {
    size_t sizes, size[CS_IDX_SIZES];
    size_t row;                /* bytes of an item: size[1] size[2] ... */
    const unsigned char *byte; /* in `file` */
    char *file;                /* [own] */
} cs_idx;

/* Reads a file, which may be gzipped. Kinds of numbers other than bytes are
 * refused, as is a file that is shorter or longer than its sizes say. Frees
 * with cs_idx_free. Cold. */
cs_status cs_idx_read(const char *path, cs_idx *out, cs_error *err);

/* The same from file[bytes], which it takes [own] whatever happens; `where`
 * names it in errors. */
cs_status cs_idx_parse(char *file, size_t bytes, const char *where, cs_idx *out,
                       cs_error *err);

/* The largest level that an image may have: 255, or 1 where no byte is more, as in
 * files of bits. */
unsigned char cs_idx_top(const cs_idx *idx);

void cs_idx_free(cs_idx *idx);

#endif
