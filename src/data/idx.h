/* Arrays of numbers in the IDX format of MNIST and similar data sets. A file
 * contains two zero bytes; the type of the numbers (8: unsigned bytes, 9:
 * signed bytes, 11: 16 bits, 12: 32 bits, 13: floats, 14: doubles); the number
 * of dimensions; each size in four bytes; then the numbers in row-major order.
 * Sizes and numbers are big-endian. (Y. LeCun, C. Cortes, C. Burges, The MNIST
 * database.) */
#pragma once

#include "base/status.h"

#include <stddef.h>

enum { CS_IDX_SIZES = 4 };

/* An array byte[size[0]][size[1]] ...: images are [n][rows][columns], labels
 * are [n]. */
typedef struct cs_idx {
    size_t sizes, size[CS_IDX_SIZES];
    size_t row;                /* number of numbers per item, the product
                                * size[1] size[2] ... */
    const unsigned char *byte; /* points into `file`; `width` bytes per
                                * number */
    unsigned char type, width; /* type: code of the numbers' type; width: bytes
                                * per number */
    char *file;                /* [own] */
} cs_idx;

/* Reads a file, which may be gzipped. Fails if the amount of data does not
 * match the sizes. The caller owns the result [own, cs_idx_free]. For setup
 * only. */
cs_status cs_idx_read(const char *path, cs_idx *out, cs_error *err);

/* Reads a file of unsigned bytes; fails for other types. After success `width`
 * is 1, and byte[] contains the numbers. For setup only. */
cs_status cs_idx_read_bytes(const char *path, cs_idx *out, cs_error *err);

/* Returns number i of the array, for any type. */
double cs_idx_number(const cs_idx *idx, size_t i);

/* Reads an array from file[bytes]. Always takes ownership of `file`. `where`
 * names it in errors. */
cs_status cs_idx_parse(char *file, size_t bytes, const char *where, cs_idx *out,
                       cs_error *err);

/* Returns the largest possible level of the images: 255, or 1 if no byte is
 * larger than 1, as in files of bits. */
unsigned char cs_idx_top(const cs_idx *idx);

void cs_idx_free(cs_idx *idx);
