/* Arrays of numbers in the IDX format, in which MNIST and its like are given:
 * two zero bytes, the type of number (8: unsigned bytes, 9: signed bytes, 11:
 * 16 bits, 12: 32 bits, 13: floats, 14: doubles), how many sizes there are,
 * each size in four bytes, then the numbers row by row; all big-endian.
 * (Y. LeCun, C. Cortes, C. Burges, The MNIST database.) */
#pragma once

#include "base/status.h"

#include <stddef.h>

enum { CS_IDX_SIZES = 4 };

/* byte[size[0]][size[1]] ...: images [n][rows][columns], labels [n]. */
typedef struct cs_idx {
    size_t sizes, size[CS_IDX_SIZES];
    size_t row;                /* numbers of an item: size[1] size[2] ... */
    const unsigned char *byte; /* in `file`, `width` for each number */
    unsigned char type, width; /* of a number; the width in bytes */
    char *file;                /* [own] */
} cs_idx;

/* Reads a file, which may be gzipped. A file that is shorter or longer than its
 * sizes say is refused. Frees with cs_idx_free. Cold. */
cs_status cs_idx_read(const char *path, cs_idx *out, cs_error *err);

/* The same, and numbers other than unsigned bytes are refused: then width is 1,
 * and byte[] are the numbers. Cold. */
cs_status cs_idx_read_bytes(const char *path, cs_idx *out, cs_error *err);

/* Number i of the array, whatever its type. */
double cs_idx_number(const cs_idx *idx, size_t i);

/* The same from file[bytes], which it takes [own] whatever happens; `where`
 * names it in errors. */
cs_status cs_idx_parse(char *file, size_t bytes, const char *where, cs_idx *out,
                       cs_error *err);

/* The largest level that an image of bytes may have: 255, or 1 where no byte is
 * more, as in files of bits. */
unsigned char cs_idx_top(const cs_idx *idx);

void cs_idx_free(cs_idx *idx);
