#include "data/idx.h"

#include "base/memory.h"
#include "data/lines.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

/* Bytes per number of each type; 0: unknown type. */
static const unsigned char widths[] = {
    [8] = 1, [9] = 1, [11] = 2, [12] = 4, [13] = 4, [14] = 8};

static cs_status refuse(const char *where, cs_error *err, const char *what)
{
    cs_fail(err, CS_INPUT, "%s", what);
    cs_where(err, where, 0);
    cs_hint(err, "give a file in the IDX format (like the files of MNIST) with "
                 "one to four sizes");
    return CS_INPUT;
}

static size_t number_at(const unsigned char *b)
{
    return (size_t)b[0] << 24 | (size_t)b[1] << 16 | (size_t)b[2] << 8 | b[3];
}

/* Reads the sizes, computes `row`, and checks the amount of data. */
static cs_status read_sizes(const unsigned char *at, size_t bytes,
                            const char *where, cs_idx *out, cs_error *err)
{
    size_t left = (bytes - 4 * (1 + out->sizes)) / out->width;
    out->row = 1;
    for (size_t k = 0; k < out->sizes; k++) {
        out->size[k] = number_at(at + 4 * (1 + k));
        if (!out->size[k] || out->size[k] > left)
            return refuse(
                where, err,
                "a size is 0, or the file is too short for its sizes");
        if (k > 0 && out->size[k] > left / out->row)
            return refuse(
                where, err,
                "a size is 0, or the file is too short for its sizes");
        if (k > 0)
            out->row *= out->size[k];
    }
    if (left % out->row || left / out->row != out->size[0] ||
        (bytes - 4 * (1 + out->sizes)) % out->width)
        return refuse(where, err,
                      "the file is shorter or longer than its sizes require");
    return CS_OK;
}

static cs_status parse(const unsigned char *at, size_t bytes, const char *where,
                       cs_idx *out, cs_error *err)
{
    if (bytes < 8 || at[0] || at[1])
        return refuse(where, err, "this is not an IDX file");
    out->type = at[2];
    out->width = out->type < sizeof widths ? widths[out->type] : 0;
    if (!out->width)
        return refuse(where, err, "the IDX file has an unknown element type");
    out->sizes = at[3];
    if (out->sizes < 1 || out->sizes > CS_IDX_SIZES)
        return refuse(where, err, "the IDX file has no sizes or too many");
    if (bytes < 4 * (1 + out->sizes))
        return refuse(where, err, "the IDX file ends within its list of sizes");
    out->byte = at + 4 * (1 + out->sizes);
    return read_sizes(at, bytes, where, out, err);
}

cs_status cs_idx_parse(char *file, size_t bytes, const char *where, cs_idx *out,
                       cs_error *err)
{
    assert(file || bytes == 0);
    *out = (cs_idx){.file = file};
    cs_status s = parse((const unsigned char *)file, bytes, where, out, err);
    if (s)
        cs_idx_free(out);
    return s;
}

cs_status cs_idx_read(const char *path, cs_idx *out, cs_error *err)
{
    char *file;
    size_t bytes;
    *out = (cs_idx){0};
    cs_status s = cs_data_read(path, "IDX file", &file, &bytes, err);
    return s ? s : cs_idx_parse(file, bytes, path, out, err);
}

cs_status cs_idx_read_bytes(const char *path, cs_idx *out, cs_error *err)
{
    cs_status s = cs_idx_read(path, out, err);
    if (s || out->type == 8)
        return s;
    cs_idx_free(out);
    cs_fail(err, CS_INPUT,
            "unsupported IDX element type (only unsigned bytes are read)");
    cs_where(err, path, 0);
    cs_hint(err, "write the numbers as bytes, 0 to 255 (IDX type 8)");
    return CS_INPUT;
}

double cs_idx_number(const cs_idx *idx, size_t i)
{
    const unsigned char *at = idx->byte + i * idx->width;
    uint64_t bits = 0;
    uint32_t low;
    float single;
    double number;
    for (size_t k = 0; k < idx->width; k++)
        bits = bits << 8 | at[k];
    switch (idx->type) {
    case 9:
        return (int8_t)bits;
    case 11:
        return (int16_t)bits;
    case 12:
        return (int32_t)bits;
    case 13:
        low = (uint32_t)bits;
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case 14:
        memcpy(&number, &bits, sizeof number);
        return number;
    default:
        return (double)bits;
    }
}

unsigned char cs_idx_top(const cs_idx *idx)
{
    for (size_t i = 0; i < idx->size[0] * idx->row; i++)
        if (idx->byte[i] > 1)
            return 255;
    return 1;
}

void cs_idx_free(cs_idx *idx)
{
    cs_free(idx->file);
    *idx = (cs_idx){0};
}
