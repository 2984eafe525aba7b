#include "tape/columns.h"

#include "base/memory.h"
#include "simd/variants.h"

#include <assert.h>

CS_DECLARE_VARIANTS(cs_gather_ops, cs_gather_ops)

enum { LINE = 64 / sizeof(double) };

cs_status cs_columns_create(size_t rows, size_t width, size_t chunk,
                            cs_columns *out, cs_error *err)
{
    assert(chunk > 0 && chunk % CS_PAD == 0);
    size_t stride = (width + LINE - 1) / LINE * LINE;
    *out = (cs_columns){rows, width, chunk, stride, NULL, NULL};
    out->column = cs_alloc(cs_pad_lanes(rows) * width, sizeof(double));
    out->row = cs_alloc(rows * stride, sizeof(double));
    if (out->column && out->row) {
        cs_memory_large(out->column,
                        cs_pad_lanes(rows) * width * sizeof(double));
        cs_memory_large(out->row, rows * stride * sizeof(double));
        return CS_OK;
    }
    cs_columns_free(out);
    return cs_fail(err, CS_MEMORY, "out of memory for %zu rows of %zu numbers",
                   rows, width);
}

void cs_columns_free(cs_columns *c)
{
    cs_free(c->column);
    cs_free(c->row);
    *c = (cs_columns){0};
}

size_t cs_columns_chunks(const cs_columns *c)
{
    return (c->rows + c->chunk - 1) / c->chunk;
}

cs_chunk cs_columns_chunk(const cs_columns *c, size_t k)
{
    assert(k < cs_columns_chunks(c));
    size_t first = k * c->chunk, left = c->rows - first;
    size_t live = left < c->chunk ? left : c->chunk;
    return (cs_chunk){c->column + first * c->width, first, live,
                      cs_pad_lanes(live)};
}

void cs_columns_prefetch_chunk(const cs_columns *c, size_t k)
{
    enum { NEAR = 1 << 17 /* number of doubles that fit in the near caches */ };
    if (c->rows * c->width < NEAR || k >= cs_columns_chunks(c))
        return;
    cs_chunk next = cs_columns_chunk(c, k);
    for (size_t i = 0; i < next.lanes * c->width; i += LINE)
        __builtin_prefetch(next.column + i, 0, 2);
}

void cs_columns_finish(cs_columns *c)
{
    for (size_t k = 0; k < cs_columns_chunks(c); k++) {
        cs_chunk chunk = cs_columns_chunk(c, k);
        for (size_t r = 0; r < chunk.live; r++) {
            double *to = c->row + (chunk.first + r) * c->stride;
            for (size_t j = 0; j < c->width; j++)
                to[j] = chunk.column[j * chunk.lanes + r];
        }
    }
}

void cs_columns_gather(const cs_columns *c, const uint32_t *index, size_t n,
                       size_t lanes, double *to)
{
    static const cs_gather_ops *const variants[][CS_SIMD_COUNT] = {
        CS_VARIANT_ROW(cs_gather_ops)};
    variants[0][cs_simd_level()]->gather(c, index, n, lanes, to);
}

void cs_columns_prefetch_rows(const cs_columns *c, const uint32_t *index,
                              size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < c->stride; j += LINE)
            __builtin_prefetch(c->row + index[i] * c->stride + j);
}
