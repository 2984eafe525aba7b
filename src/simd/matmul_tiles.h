/* Tiles of simd/matmul.h for one kind of number. matmul.h includes this file
 * once per kind, with two macros that the file undefines at its end:
 *
 *     CS_KIND(part)   name of a part of the kind: its vector, load, fma, ...
 *     CS_KIND_NUMBER  type of the numbers
 *
 * Without these macros the file is empty. */
#if defined(CS_KIND)
#define number CS_KIND_NUMBER
#define vector CS_KIND(vector)
#define rows_some CS_KIND(some)
#define kind_tile CS_KIND(tile)
#define kind_strip CS_KIND(strip)
#define kind_rows CS_KIND(rows)
#define kind_rest CS_KIND(rest)

/* Computes one tile: `rows` rows of a, `wide` vectors of lanes. Both numbers
 * are constants after inlining, so `sum` is kept in registers. */
static inline __attribute__((always_inline)) void
kind_tile(const number *a, size_t rows, size_t stride, size_t cols,
          const number *x, size_t lanes, size_t wide, number *y)
{
    vector sum[CS_KIND(TILE_ROWS)][CS_KIND(TILE)];
#pragma GCC unroll 16
    for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 8
        for (size_t v = 0; v < wide; v++)
            sum[r][v] = CS_KIND(all)(0);
    for (size_t j = 0; j < cols; j++) {
        vector in[CS_KIND(TILE)];
#pragma GCC unroll 8
        for (size_t v = 0; v < wide; v++)
            in[v] = CS_KIND(load)(x + j * lanes + v * CS_KIND(WIDE));
#pragma GCC unroll 16
        for (size_t r = 0; r < rows; r++) {
            vector factor = CS_KIND(all)(a[r * stride + j]);
#pragma GCC unroll 8
            for (size_t v = 0; v < wide; v++)
                sum[r][v] = CS_KIND(fma)(factor, in[v], sum[r][v]);
        }
    }
#pragma GCC unroll 16
    for (size_t r = 0; r < rows; r++)
#pragma GCC unroll 8
        for (size_t v = 0; v < wide; v++)
            CS_KIND(store)(y + r * lanes + v * CS_KIND(WIDE), sum[r][v]);
}

/* Computes all rows of y for `wide` vectors of lanes. */
static inline __attribute__((always_inline)) void
kind_strip(const number *a, size_t rows, size_t stride, size_t cols,
           const number *x, size_t lanes, size_t wide, number *y)
{
    size_t i = 0;
    for (; i + CS_KIND(TILE_ROWS) <= rows; i += CS_KIND(TILE_ROWS))
        kind_tile(a + i * stride, CS_KIND(TILE_ROWS), stride, cols, x, lanes,
                  wide, y + i * lanes);
    for (; i + 4 <= rows; i += 4)
        kind_tile(a + i * stride, 4, stride, cols, x, lanes, wide,
                  y + i * lanes);
    for (; i < rows; i++)
        kind_tile(a + i * stride, 1, stride, cols, x, lanes, wide,
                  y + i * lanes);
}

/* Computes all complete vectors of lanes from lane l on. Returns the first
 * remaining lane. */
static inline size_t CS_KIND(lanes)(const number *a, size_t rows, size_t stride,
                                    size_t cols, const number *x, size_t l,
                                    size_t lanes, number *y)
{
    enum { WIDE = CS_KIND(WIDE), TILE = CS_KIND(TILE) };
    for (; l + TILE * WIDE <= lanes; l += TILE * WIDE)
        kind_strip(a, rows, stride, cols, x + l, lanes, TILE, y + l);
    for (; l + WIDE <= lanes; l += WIDE)
        kind_strip(a, rows, stride, cols, x + l, lanes, 1, y + l);
    return l;
}

/* Computes `wide` vectors of rows. If `more` is true, also computes one more
 * vector of rows, but only the rows that are set in `some`. */
static inline __attribute__((always_inline)) void
kind_rows(const number *at, size_t stride, size_t cols, const number *x,
          size_t wide, bool more, rows_some some, number *y)
{
    vector sum[CS_TILE_ONE_MOST], rest = CS_KIND(all)(0);
#pragma GCC unroll 16
    for (size_t v = 0; v < wide; v++)
        sum[v] = CS_KIND(all)(0);
    for (size_t j = 0; j < cols; j++) {
        const number *a = at + j * stride;
        vector in = CS_KIND(all)(x[j]);
#pragma GCC unroll 16
        for (size_t v = 0; v < wide; v++)
            sum[v] =
                CS_KIND(fma)(CS_KIND(load)(a + v * CS_KIND(WIDE)), in, sum[v]);
        if (more)
            rest = CS_KIND(fma)(
                CS_KIND(load_some)(a + wide * CS_KIND(WIDE), some), in, rest);
    }
#pragma GCC unroll 16
    for (size_t v = 0; v < wide; v++)
        CS_KIND(store)(y + v * CS_KIND(WIDE), sum[v]);
    if (more)
        CS_KIND(store_some)(y + wide * CS_KIND(WIDE), some, rest);
}

/* Computes the last tile: up to CS_TILE_ONE_MOST vectors of rows, and the
 * remaining rows. */
static inline void kind_rest(const number *at, size_t rows, size_t stride,
                             size_t cols, const number *x, number *y)
{
    bool more = rows % CS_KIND(WIDE) != 0;
    rows_some some = CS_KIND(mask)(rows % CS_KIND(WIDE));
#define CS_PRODUCT_REST(wide)                                                  \
    case wide:                                                                 \
        if (more)                                                              \
            kind_rows(at, stride, cols, x, wide, true, some, y);               \
        else                                                                   \
            kind_rows(at, stride, cols, x, wide, false, some, y);              \
        break;
    switch (rows / CS_KIND(WIDE)) {
        CS_PRODUCT_REST(0)
        CS_PRODUCT_REST(1)
        CS_PRODUCT_REST(2)
        CS_PRODUCT_REST(3)
        CS_PRODUCT_REST(4)
        CS_PRODUCT_REST(5)
        CS_PRODUCT_REST(6)
    }
#undef CS_PRODUCT_REST
}

/* Computes a product with a single lane, as cs_matvec describes. */
static inline void CS_KIND(one)(const number *at, size_t rows, size_t stride,
                                size_t cols, const number *x, bool back,
                                number *y)
{
    enum { TILE = CS_KIND(TILE_ONE) * CS_KIND(WIDE) };
    size_t tiles = rows / TILE;
    if (tiles && rows - tiles * TILE < CS_KIND(WIDE)) /* kind_rest takes
                                                         the last tile and
                                                         the rows after it */
        tiles--;
    for (size_t k = 0; k <= tiles; k++) {
        size_t i = (back ? tiles - k : k) * TILE;
        if (i < tiles * TILE)
            kind_rows(at + i, stride, cols, x, CS_KIND(TILE_ONE), false,
                      CS_KIND(mask)(0), y + i);
        else
            kind_rest(at + i, rows - i, stride, cols, x, y + i);
    }
}

#undef number
#undef vector
#undef rows_some
#undef kind_tile
#undef kind_strip
#undef kind_rows
#undef kind_rest
#undef CS_KIND
#undef CS_KIND_NUMBER
#endif
